"""Fixed target: how many runs reach a given value, and after how many evaluations."""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.statistics.results import Pair, Result, runtime_to
from catcube.statistics.samples import Samples, checked_sample, samples_of
from catcube.statistics.summaries import NEVER, summary
from catcube.statistics.tables import Line, rank_summaries, table


def runtime_tables(results: Iterable[Result], target: float = 0.0) -> dict[str, list[Line]]:
    """By instance, the pairs by rate of success, then by the runtimes of their successful runs.

    Runtimes are compared by median, first and third quartile, min, max. With the same number of
    runs for all pairs, the order of rates is the order of the numbers of successes. Pairs without
    any success come last, together.

    >>> from catcube.statistics import PlainResult
    >>> results = [
    ...     PlainResult("easy", "rls", name, run, value, 10 * run, 100)
    ...     for name, values in {"direct": [0, 2], "linear": [0, 0]}.items()
    ...     for run, value in enumerate(values, start=1)
    ... ]
    >>> for line in runtime_tables(results)["easy"]:
    ...     print(line.place, *line.pair, line.summary.median, line.success_percent)
    1 rls linear 15.0 100
    2 rls direct 10.0 50
    """
    return runtime_sample_tables(samples_of(results, runtime_to(target)))


def runtime_sample_tables(samples: Samples) -> dict[str, list[Line]]:
    """The same for runtimes that are samples already, infinite without success."""
    tables = {}
    for instance, pairs in samples.items():
        successful = {pair: successful_runtimes(sample) for pair, sample in pairs.items()}
        tables[instance] = table(
            {pair: summary(own) if own.size else NEVER for pair, own in successful.items()},
            {pair: (own.size, np.size(pairs[pair])) for pair, own in successful.items()},
        )
    return tables


def successful_runtimes(sample: ArrayLike) -> NDArray[np.float64]:
    """The runtimes that are finite.

    >>> successful_runtimes([40, math.inf, 20]).tolist()
    [40.0, 20.0]
    """
    runtimes = checked_sample(sample)
    return runtimes[runtimes < math.inf]


def fixed_target_ranks(results: Iterable[Result], target: float = 0.0) -> list[Line]:
    """Over all instances, the pairs by rate of success, then by the summary of their places.

    Every pair must have results on every instance; `complete` leaves out what is under way.

    >>> from catcube.statistics import PlainResult
    >>> results = [
    ...     PlainResult(instance, "rls", name, 1, 0, runtime, runtime)
    ...     for instance in ("1-a", "1-b")
    ...     for name, runtime in {"direct": 30, "linear": 20}.items()
    ... ]
    >>> [(line.place, line.representation) for line in fixed_target_ranks(results)]
    [(1, 'linear'), (2, 'direct')]
    """
    return runtime_sample_ranks(samples_of(results, runtime_to(target)))


def runtime_sample_ranks(samples: Samples) -> list[Line]:
    """The same for runtimes that are samples already, infinite without success."""
    counts: dict[Pair, tuple[int, int]] = {}
    for pairs in samples.values():
        for pair, sample in pairs.items():
            successes, runs = counts.get(pair, (0, 0))
            counts[pair] = successes + successful_runtimes(sample).size, runs + np.size(sample)
    return table(rank_summaries(runtime_sample_tables(samples).values()), counts)


def expected_running_time(runs: Iterable[Result], target: float = 0.0) -> float:
    """All evaluations of all runs, by the number of successes; infinite without success.

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
    """The same for the runtimes (infinite without success) and all evaluations of some runs."""
    reached = checked_sample(runtimes)
    successful = reached < math.inf
    if not successful.any():
        return math.inf
    spent = np.where(successful, reached, np.asarray(evaluations, np.float64))
    return float(spent.sum() / successful.sum())
