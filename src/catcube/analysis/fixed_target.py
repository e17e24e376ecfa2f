"""The section of a fixed-target experiment."""

import numpy as np
from numpy.typing import NDArray

from catcube.analysis.fixed_budget import tested
from catcube.analysis.judgement import judged_runtimes
from catcube.analysis.model import FixedTarget
from catcube.analysis.reading import Recorded
from catcube.statistics import (
    GROUPS,
    Samples,
    Table,
    compare_samples,
    confidence_interval,
    erased_cells,
    expected_running_time_of_samples,
    runtime_sample_ranks,
    runtime_sample_tables,
    successful_runtimes,
)

RESAMPLES = 999  # for the interval of a median: its ends are the 25th from both ends


def fixed_target_section(own: Recorded) -> FixedTarget:
    """The tables and tests of the evaluations to the target.

    Ranks and Friedman's test are over the instances on which all pairs of the plan are complete.
    """
    target = own.conditions.target or 0.0
    runtimes = {
        instance: {pair: _runtimes(runs, target) for pair, runs in pairs.items()}
        for instance, pairs in own.runs.items()
    }
    tables = runtime_sample_tables(runtimes)
    complete = {instance: runtimes[instance] for instance in own.complete_instances()}
    ranks = _ranks(complete)
    return FixedTarget(
        conditions=own.conditions,
        runtimes=tables,
        ranks=ranks,
        expected_running_times={
            instance: {
                pair: expected_running_time_of_samples(
                    runtimes[instance][pair], rows["evaluations"]
                )
                for pair, rows in pairs.items()
            }
            for instance, pairs in own.runs.items()
        },
        medians={
            instance: {
                pair: confidence_interval(successful, "median", resamples=RESAMPLES)
                for pair, sample in pairs.items()
                if (successful := successful_runtimes(sample)).size
            }
            for instance, pairs in runtimes.items()
        },
        comparisons=compare_samples(runtimes),
        friedman=tested(complete),
        published=judged_runtimes(own.conditions, runtimes, tables, ranks, list(complete)),
    )


def _runtimes(runs: NDArray[np.void], target: float) -> NDArray[np.float64]:
    """Evaluations to the target, where a run was stopped; infinite if it was missed."""
    return np.where(runs["value"] <= target, runs["evaluations_to_best"], np.inf)


def _ranks(samples: Samples) -> dict[str, Table]:
    """Over all instances, and over those of low and of medium dimension if all are small boards."""
    erased = {instance: erased_cells(instance) for instance in samples}
    groups: dict[str, Table] = {}
    for group, numbers in GROUPS.items():
        if group == "all":
            own = samples
        elif None in erased.values():
            continue
        else:
            own = {name: pairs for name, pairs in samples.items() if erased[name] in numbers}
        if own:
            groups[group] = runtime_sample_ranks(own)
    return groups
