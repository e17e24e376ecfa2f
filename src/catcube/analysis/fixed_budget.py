"""The section of a fixed-budget experiment."""

from collections.abc import Mapping

import numpy as np

from catcube.analysis.many import Sample, intervals, medians, summaries
from catcube.analysis.model import FixedBudget, Mean
from catcube.analysis.places import Place, by_instance, by_place
from catcube.analysis.reading import Recorded
from catcube.statistics import (
    Friedman,
    Pair,
    compare_samples,
    friedman_of_samples,
    rank_summaries,
    table,
)

RESAMPLES = 999  # for the interval of a mean: its ends are the 25th from both ends


def fixed_budget_section(own: Recorded) -> FixedBudget:
    """The tables and tests of the values found with the budget.

    Ranks and Friedman's test are over the instances on which all pairs of the plan are complete.
    """
    values = {
        instance: {pair: runs["value"] for pair, runs in pairs.items()}
        for instance, pairs in own.runs.items()
    }
    found = by_instance(summaries(by_place(values)))
    tables = {instance: table(pairs) for instance, pairs in found.items()}
    complete = own.complete_instances()
    ranks = table(rank_summaries(tables[instance] for instance in complete))
    return FixedBudget(
        conditions=own.conditions,
        values=tables,
        ranks=ranks,
        means=by_instance(_means(by_place(values)), values),
        comparisons=compare_samples(values),
        friedman=tested({instance: values[instance] for instance in complete}),
        samples=values,
    )


def _means(samples: dict[Place, Sample]) -> dict[Place, Mean]:
    """Of the pairs whose values are all finite."""
    finite = {place: own for place, own in samples.items() if np.isfinite(own).all()}
    found = intervals(finite, "mean", RESAMPLES)
    return {place: Mean(float(own.mean()), found[place], own.size) for place, own in finite.items()}


def tested(samples: Mapping[str, Mapping[Pair, Sample]]) -> Friedman | None:
    """Friedman's test, if there are at least three pairs on two instances."""
    if len(samples) < 2 or min(len(pairs) for pairs in samples.values()) < 3:
        return None
    # Of each sample its median alone counts, which is quicker to have for all together.
    found = medians(by_place(samples))
    return friedman_of_samples(by_instance({place: [own] for place, own in found.items()}))
