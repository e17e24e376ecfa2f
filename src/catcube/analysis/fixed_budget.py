"""The section of a fixed-budget experiment."""

import numpy as np
from numpy.typing import NDArray

from catcube.analysis.judgement import judged_values
from catcube.analysis.model import FixedBudget, Mean
from catcube.analysis.reading import Recorded
from catcube.statistics import (
    Friedman,
    Samples,
    compare_samples,
    confidence_interval,
    friedman_of_samples,
    rank_summaries,
    sample_tables,
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
    tables = sample_tables(values)
    complete = own.complete_instances()
    ranks = table(rank_summaries(tables[instance] for instance in complete))
    return FixedBudget(
        conditions=own.conditions,
        values=tables,
        ranks=ranks,
        means={
            instance: {
                pair: _mean(sample) for pair, sample in pairs.items() if np.isfinite(sample).all()
            }
            for instance, pairs in values.items()
        },
        comparisons=compare_samples(values),
        friedman=tested({instance: values[instance] for instance in complete}),
        published=judged_values(own.conditions, values, tables, ranks, complete),
    )


def _mean(sample: NDArray[np.float64]) -> Mean:
    interval = confidence_interval(sample, "mean", resamples=RESAMPLES)
    return Mean(float(sample.mean()), interval, sample.size)


def tested(samples: Samples) -> Friedman | None:
    """Friedman's test, if there are at least three pairs on two instances."""
    if len(samples) < 2 or min(len(pairs) for pairs in samples.values()) < 3:
        return None
    return friedman_of_samples(samples)
