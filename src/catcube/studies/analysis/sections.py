"""The sections of fixed-budget and fixed-target experiments."""

import numpy as np
from numpy.typing import NDArray

from catcube.statistics import (
    Friedman,
    Pair,
    Sample,
    by_instance,
    compare_representations,
    confidence_intervals,
    expected_running_time_of_samples,
    flattened,
    friedman,
    rank_summaries,
    runtime_tables,
    success_counts,
    successful_runtimes,
    table,
    value_tables,
)
from catcube.studies.analysis.experiment_runs import ExperimentRuns
from catcube.studies.analysis.model import FixedBudget, FixedTarget, Mean, Samples
from catcube.studies.analysis.outline import grouped_instances

RESAMPLES = 999  # for an interval: its ends are the 25th from both ends


def fixed_budget_section(experiment: ExperimentRuns) -> FixedBudget:
    """Compute the tables and tests of the values found with the budget.

    Ranks and Friedman's test are over the instances on which all pairs of the plan are complete.
    """
    conditions, complete = experiment.conditions, experiment.complete_instances()
    values = {
        instance: {pair: runs["value"] for pair, runs in pairs.items()}
        for instance, pairs in experiment.runs.items()
    }
    tables = value_tables(values)
    return FixedBudget(
        conditions=conditions,
        values=tables,
        ranks={
            name: table(rank_summaries(tables[one] for one in chosen))
            for name, chosen in grouped_instances(complete, experiment.outline.groups).items()
        },
        means=_means(values),
        comparisons=compare_representations(values, representations=conditions.representations),
        friedman=_friedman({instance: values[instance] for instance in complete}),
        samples=values,
        groups=experiment.outline.groups,
    )


def _means(values: Samples) -> dict[str, dict[Pair, Mean]]:
    """Return the means of the pairs whose values are all finite."""
    finite = {
        name: sample for name, sample in flattened(values).items() if np.isfinite(sample).all()
    }
    intervals = confidence_intervals(finite, "mean", resamples=RESAMPLES)
    means = {
        name: Mean(float(sample.mean()), intervals[name], sample.size)
        for name, sample in finite.items()
    }
    return by_instance(means, values)


def fixed_target_section(experiment: ExperimentRuns) -> FixedTarget:
    """Compute the tables and tests of the evaluations to the target.

    Ranks and Friedman's test are over the instances on which all pairs of the plan are complete.
    """
    conditions = experiment.conditions
    runtimes = {
        instance: {pair: _runtimes(runs, conditions.target or 0.0) for pair, runs in pairs.items()}
        for instance, pairs in experiment.runs.items()
    }
    successful = {
        name: reached
        for name, sample in flattened(runtimes).items()
        if (reached := successful_runtimes(sample)).size
    }
    tables = runtime_tables(runtimes)
    complete = {instance: runtimes[instance] for instance in experiment.complete_instances()}
    outline = experiment.outline
    return FixedTarget(
        conditions=conditions,
        runtimes=tables,
        ranks={
            name: table(
                rank_summaries(tables[one] for one in chosen),
                success_counts({one: complete[one] for one in chosen}),
            )
            for name, chosen in grouped_instances(complete, outline.groups).items()
        },
        expected_running_times={
            instance: {
                pair: expected_running_time_of_samples(
                    runtimes[instance][pair], rows["evaluations"]
                )
                for pair, rows in pairs.items()
            }
            for instance, pairs in experiment.runs.items()
        },
        medians=by_instance(
            confidence_intervals(successful, "median", resamples=RESAMPLES), runtimes
        ),
        comparisons=compare_representations(runtimes, representations=conditions.representations),
        friedman=_friedman(complete),
        samples=runtimes,
        groups=outline.groups,
        sizes=outline.sizes,
        size=outline.size,
    )


def _runtimes(runs: NDArray[np.void], target: float) -> Sample:
    """Return the evaluations to the target, where a run was stopped; infinite if missed."""
    return np.where(runs["value"] <= target, runs["evaluations_to_best"], np.inf)


def _friedman(samples: Samples) -> Friedman | None:
    """Test the pairs, if there are at least three on at least two instances."""
    if len(samples) < 2 or min(len(pairs) for pairs in samples.values()) < 3:
        return None
    return friedman(samples)
