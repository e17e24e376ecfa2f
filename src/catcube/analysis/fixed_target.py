"""The section of a fixed-target experiment."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from catcube.analysis.fixed_budget import tested
from catcube.analysis.many import intervals, summaries
from catcube.analysis.model import FixedTarget
from catcube.analysis.outline import Group
from catcube.analysis.places import Place, by_instance, by_place
from catcube.analysis.reading import Recorded
from catcube.statistics import (
    NEVER,
    Pair,
    Table,
    compare_samples,
    expected_running_time_of_samples,
    rank_summaries,
    successful_runtimes,
    table,
)

RESAMPLES = 999  # for the interval of a median: its ends are the 25th from both ends

Counts: TypeAlias = tuple[int, int]
"""Successful runs, and all runs."""


def fixed_target_section(own: Recorded) -> FixedTarget:
    """The tables and tests of the evaluations to the target.

    Ranks and Friedman's test are over the instances on which all pairs of the plan are complete.
    """
    target = own.conditions.target or 0.0
    runtimes = {
        instance: {pair: _runtimes(runs, target) for pair, runs in pairs.items()}
        for instance, pairs in own.runs.items()
    }
    successful = {
        place: reached
        for place, sample in by_place(runtimes).items()
        if (reached := successful_runtimes(sample)).size
    }
    counts = {
        place: (successful[place].size if place in successful else 0, sample.size)
        for place, sample in by_place(runtimes).items()
    }
    tables = _tables(successful, counts)
    complete = {instance: runtimes[instance] for instance in own.complete_instances()}
    outline = own.outline
    return FixedTarget(
        conditions=own.conditions,
        runtimes=tables,
        ranks=_ranks(tables, counts, list(complete), outline.groups),
        expected_running_times={
            instance: {
                pair: expected_running_time_of_samples(
                    runtimes[instance][pair], rows["evaluations"]
                )
                for pair, rows in pairs.items()
            }
            for instance, pairs in own.runs.items()
        },
        medians=by_instance(intervals(successful, "median", RESAMPLES), runtimes),
        comparisons=compare_samples(runtimes),
        friedman=tested(complete),
        samples=runtimes,
        groups=outline.groups,
        sizes=outline.sizes,
        size=outline.size,
    )


def _runtimes(runs: NDArray[np.void], target: float) -> NDArray[np.float64]:
    """Evaluations to the target, where a run was stopped; infinite if it was missed."""
    return np.where(runs["value"] <= target, runs["evaluations_to_best"], np.inf)


def _tables(
    successful: Mapping[Place, NDArray[np.float64]], counts: Mapping[Place, Counts]
) -> dict[str, Table]:
    """By instance, the pairs by success, then by the runtimes of their successful runs."""
    known = summaries(successful)
    found = by_instance({place: known.get(place, NEVER) for place in counts})
    reached = by_instance(counts)
    return {instance: table(pairs, reached[instance]) for instance, pairs in found.items()}


def _ranks(
    tables: Mapping[str, Table],
    counts: Mapping[Place, Counts],
    complete: Sequence[str],
    groups: Mapping[str, Group],
) -> dict[str, Table]:
    """Over all instances, and over those of each group."""
    chosen = {"all": list(complete)} | {
        name: [instance for instance in complete if instance in group.instances]
        for name, group in groups.items()
    }
    ranked: dict[str, Table] = {}
    for name, instances in chosen.items():
        if instances:
            places = rank_summaries(tables[instance] for instance in instances)
            reached = {pair: _together(counts, instances, pair) for pair in places}
            ranked[name] = table(places, reached)
    return ranked


def _together(counts: Mapping[Place, Counts], instances: Sequence[str], pair: Pair) -> Counts:
    """The successful ones of all runs of a pair, and all runs."""
    successes, runs = zip(*(counts[name, pair] for name in instances), strict=True)
    return sum(successes), sum(runs)
