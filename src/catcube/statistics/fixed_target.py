"""Fixed target: how many runs reach a given value, and after how many evaluations."""

import math
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from catcube.statistics.results import Pair, Result, runtime_to
from catcube.statistics.samples import (
    Data,
    Sample,
    by_instance,
    checked_sample,
    flattened,
    samples_of,
)
from catcube.statistics.summaries import NEVER, summaries
from catcube.statistics.tables import Line, rank_summaries, table


def runtime_tables(data: Data, target: float = 0.0) -> dict[str, list[Line]]:
    """Rank the pairs on each instance by rate of success, then by the runtimes of successful runs.

    Runtimes are compared by median, first and third quartile, minimum, maximum. With the same
    number of runs for all pairs, the order of rates is the order of the numbers of successes. Pairs
    without any success come last, together. Samples are of runtimes, infinite without success.

    >>> from catcube.statistics import PlainResult
    >>> results = [
    ...     PlainResult("easy", "rls", name, run, value, 10 * run, 100)
    ...     for name, values in {"direct": [0, 2], "linear": [0, 0]}.items()
    ...     for run, value in enumerate(values, start=1)
    ... ]
    >>> for line in runtime_tables(results)["easy"]:
    ...     print(line.rank, *line.pair, line.summary.median, line.success_percent)
    1 rls linear 15.0 100
    2 rls direct 10.0 50
    """
    samples = flattened(samples_of(data, runtime_to(target)))
    successful = {name: successful_runtimes(sample) for name, sample in samples.items()}
    found = summaries({name: sample for name, sample in successful.items() if sample.size})
    pairs = by_instance({name: found.get(name, NEVER) for name in samples})
    counts = by_instance({name: (successful[name].size, samples[name].size) for name in samples})
    return {instance: table(pairs[instance], counts[instance]) for instance in pairs}


def successful_runtimes(sample: ArrayLike) -> Sample:
    """Return the runtimes that are finite.

    >>> successful_runtimes([40, math.inf, 20]).tolist()
    [40.0, 20.0]
    """
    runtimes = checked_sample(sample)
    return runtimes[runtimes < math.inf]


def fixed_target_ranks(data: Data, target: float = 0.0) -> list[Line]:
    """Rank the pairs over all instances by rate of success, then by the summary of their ranks.

    Every pair must have results on every instance; `complete` leaves out unfinished instances.

    >>> from catcube.statistics import PlainResult
    >>> results = [
    ...     PlainResult(instance, "rls", name, 1, 0, runtime, runtime)
    ...     for instance in ("1-a", "1-b")
    ...     for name, runtime in {"direct": 30, "linear": 20}.items()
    ... ]
    >>> [(line.rank, line.representation) for line in fixed_target_ranks(results)]
    [(1, 'linear'), (2, 'direct')]
    """
    samples = samples_of(data, runtime_to(target))
    return table(rank_summaries(runtime_tables(samples).values()), success_counts(samples))


def success_counts(samples: Mapping[str, Mapping[Pair, Sample]]) -> dict[Pair, tuple[int, int]]:
    """Count the successful runs of each pair over all instances, and all its runs.

    >>> success_counts({"easy": {Pair("rls", "linear"): np.array([40, math.inf])}})
    {Pair(algorithm='rls', representation='linear'): (1, 2)}
    """
    counts: dict[Pair, tuple[int, int]] = {}
    for pairs in samples.values():
        for pair, sample in pairs.items():
            successes, runs = counts.get(pair, (0, 0))
            counts[pair] = successes + int(np.isfinite(sample).sum()), runs + sample.size
    return counts


def expected_running_time(runs: Iterable[Result], target: float = 0.0) -> float:
    """Divide all evaluations of all runs by the number of successes; infinite without success.

    It estimates the evaluations needed if a run that fails is followed by another one until one
    succeeds. A successful run counts up to the evaluation that reached the target.

    >>> from catcube.statistics import PlainResult
    >>> found = PlainResult("easy", "rls", "linear", 1, 0, 120, 120)
    >>> missed = PlainResult("easy", "rls", "linear", 2, 2, 80, 1000)
    >>> expected_running_time([found, missed]), expected_running_time([missed])
    (1120.0, inf)
    """
    runs = list(runs)
    return expected_running_time_of_samples(
        [runtime_to(target)(run) for run in runs], [run.evaluations for run in runs]
    )


def expected_running_time_of_samples(runtimes: ArrayLike, evaluations: ArrayLike) -> float:
    """Do the same for the runtimes (infinite without success) and all evaluations of some runs."""
    reached = checked_sample(runtimes)
    successful = reached < math.inf
    if not successful.any():
        return math.inf
    spent = np.where(successful, reached, np.asarray(evaluations, np.float64))
    return float(spent.sum() / successful.sum())
