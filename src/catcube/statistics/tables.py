"""Tables of pairs, best first: values for a budget, runtimes to a target, ranks over instances."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.base.text import expect
from catcube.statistics.results import (
    Data,
    Name,
    Pair,
    Result,
    Sample,
    as_sample,
    records,
    runtime_to,
    samples_of,
    value_of,
)

__all__ = [
    "NEVER",
    "QUARTERS",
    "Line",
    "Summary",
    "Table",
    "by_pair",
    "expected_running_time",
    "expected_running_time_of_samples",
    "fixed_budget_ranks",
    "fixed_target_ranks",
    "median",
    "penalized_runtime",
    "quantiles",
    "rank_summaries",
    "ranks",
    "runtime_tables",
    "success_counts",
    "successful_runtimes",
    "summary",
    "table",
    "value_tables",
    "whole_percent",
]

QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
LARGEST_SAFE = 2.0**1022  # differences of larger numbers may overflow


class Summary(NamedTuple):
    """Minimum, quartiles and maximum.

    Examples
    --------
    >>> Summary(1, 2, 3, 4, 5).key
    (3, 2, 4, 1, 5)
    """

    min: float
    q1: float
    median: float
    q3: float
    max: float

    @property
    def key(self) -> tuple[float, float, float, float, float]:
        """The numbers in the order in which summaries are compared, the median first."""
        return self.median, self.q1, self.q3, self.min, self.max


NEVER = Summary(*[float("inf")] * 5)
"""The summary of the runtimes of a pair without success."""


def summary(values: ArrayLike) -> Summary:
    """Return minimum, quartiles and maximum of a sample.

    Parameters
    ----------
    values
        The sample, not empty and without NaN; an array of any shape counts as one sample.

    Returns
    -------
    Summary
        Minimum, quartiles (linearly interpolated) and maximum.

    Examples
    --------
    >>> summary([4, 1, 3, 2])
    Summary(min=1.0, q1=1.75, median=2.5, q3=3.25, max=4.0)
    """
    return Summary(*quantiles(np.ravel(values), QUARTERS).tolist())


def median(values: ArrayLike) -> float:
    """Return the median of a sample, which may be infinite.

    Parameters
    ----------
    values
        The sample, not empty and without NaN; an array of any shape counts as one sample.

    Returns
    -------
    float
        The middle value, or the mean of the two middle values; infinite if one of them is.

    Examples
    --------
    >>> median([4.0, 1, np.inf]), median([4.0, np.inf])
    (4.0, inf)
    """
    return float(quantiles(np.ravel(values), [0.5])[0])


def quantiles(samples: ArrayLike, levels: Sequence[float]) -> NDArray[np.float64]:
    """Return linearly interpolated quantiles along the last axis, one row per level.

    Between a finite and an infinite value the quantile is infinite; numpy would return NaN.

    Parameters
    ----------
    samples
        One sample, or an array with a sample along its last axis; not empty and without NaN.
    levels
        The levels of the quantiles, between 0 and 1; 0.5 is the median.

    Returns
    -------
    ndarray
        The quantiles. The first axis is that of the levels; the others are those of the samples
        except the last.

    Examples
    --------
    >>> quantiles([[1, 2, np.inf], [5, 5, 5]], [0.5, 0.75]).tolist()
    [[2.0, 5.0], [inf, 5.0]]
    """
    given = as_sample(samples)
    if np.abs(given).max() < LARGEST_SAFE:
        return np.asarray(np.quantile(given, levels, axis=-1, method="linear"), np.float64)
    ordered = np.sort(given, axis=-1)
    last = ordered.shape[-1] - 1
    positions = np.asarray(levels, np.float64) * last
    below = np.floor(positions).astype(np.int64)
    share = positions - below
    low, high = ordered[..., below], ordered[..., np.minimum(below + 1, last)]
    with np.errstate(invalid="ignore"):  # inf - inf, and 0 * inf
        between = low * (1 - share) + high * share
    found = np.where((share == 0) | (low == high), low, between)
    expect(not np.isnan(found).any(), "no quantile between minus infinity and infinity", "one")
    return np.moveaxis(found, -1, 0)


class Line(NamedTuple):
    """A row of a table: a pair, its rank, and the summary of its values, runtimes or ranks.

    Examples
    --------
    >>> Line("sa", "linear", 1, Summary(1, 2, 3, 4, 5)).pair
    Pair(algorithm='sa', representation='linear')
    """

    algorithm: str
    representation: str
    rank: int
    summary: Summary
    success_percent: int | None = None  # rounded down: 100 only if every run succeeded

    @property
    def pair(self) -> Pair:
        """The algorithm and the representation."""
        return Pair(self.algorithm, self.representation)


Table = Sequence[Line]
"""Lines sorted by rank; ties keep their order."""


def ranks(keys: Mapping[Name, Any]) -> dict[Name, int]:
    """Rank names by their keys, the smallest first; ties share the lowest rank, as in 1, 2, 2, 4.

    Parameters
    ----------
    keys
        The keys by name; they must be comparable, and smaller is better.

    Returns
    -------
    dict
        The ranks by name, from 1, in the order of the ranks; ties keep their order.

    Examples
    --------
    >>> ranks({"a": 5, "b": 3, "c": 5, "d": 9})
    {'b': 1, 'a': 2, 'c': 2, 'd': 4}
    """
    order = sorted(keys, key=lambda name: keys[name])
    found: dict[Name, int] = {}
    for index, name in enumerate(order):
        tied = index > 0 and keys[name] == keys[order[index - 1]]
        found[name] = found[order[index - 1]] if tied else index + 1
    return found


def table(
    summaries: Mapping[Pair, Summary], successes: Mapping[Pair, tuple[int, int]] | None = None
) -> list[Line]:
    """Rank pairs by success rate, given the numbers of successful and all runs, then by summary.

    Parameters
    ----------
    summaries
        The summaries of values, runtimes or ranks by pair; smaller is better. They are compared by
        median, then first and third quartile, minimum, maximum.
    successes
        The numbers of successful and of all runs by pair; a higher rate is better. Without them,
        the summaries alone decide.

    Returns
    -------
    list of Line
        A line per pair, sorted by rank; ties share the lowest rank. Without `successes`, the
        percentages are None.

    Examples
    --------
    >>> first, second = Summary(0, 1, 2, 3, 4), Summary(0, 0, 3, 3, 3)
    >>> [line.rank for line in table({("sa", "direct"): second, ("sa", "linear"): first})]
    [1, 2]
    """
    # By the exact rate: pairs with the same whole percentage need not be equal.
    rates = {pair: reached / runs for pair, (reached, runs) in (successes or {}).items()}
    found = ranks({pair: (-rates.get(pair, 0), one.key) for pair, one in summaries.items()})
    percents = {pair: whole_percent(*counts) for pair, counts in (successes or {}).items()}
    return [Line(*pair, rank, summaries[pair], percents.get(pair)) for pair, rank in found.items()]


def whole_percent(successes: int, runs: int) -> int:
    """Return a percentage rounded down, in integer arithmetic, because 0.29 * 100 < 29.

    Parameters
    ----------
    successes
        The number of successful runs.
    runs
        The number of all runs, at least 1.

    Returns
    -------
    int
        The percentage of successful runs, 100 only if every run succeeded.

    Examples
    --------
    >>> whole_percent(29, 100), whole_percent(3999, 4000)
    (29, 99)
    """
    return successes * 100 // runs


def rank_summaries(tables: Iterable[Table]) -> dict[Pair, Summary]:
    """Summarise the ranks of each pair in several tables with the same pairs.

    Parameters
    ----------
    tables
        The tables, for example one per instance. A pair that is missing from a table is an error.

    Returns
    -------
    dict
        The summary of the ranks by pair, over all tables; smaller is better.

    Examples
    --------
    >>> line = Line("sa", "linear", 1, Summary(0, 0, 0, 0, 0))
    >>> rank_summaries([[line], [line._replace(rank=2)]])[("sa", "linear")].median
    1.5
    """
    found: dict[Pair, list[int]] = {}
    tables = list(tables)
    for one in tables:
        for line in one:
            found.setdefault(line.pair, []).append(line.rank)
    for pair, pair_ranks in found.items():
        everywhere = f"{'-'.join(pair)} in each of {len(tables)} tables"
        expect(len(pair_ranks) == len(tables), everywhere, len(pair_ranks))
    return {pair: summary(pair_ranks) for pair, pair_ranks in found.items()}


def by_pair(lines: Table) -> dict[Pair, Line]:
    """Return the lines of a table by pair.

    Parameters
    ----------
    lines
        The lines of the table.

    Returns
    -------
    dict
        The lines by pair, in the order of the table.

    Examples
    --------
    >>> by_pair([Line("sa", "linear", 1, Summary(0, 0, 0, 0, 0))])[("sa", "linear")].rank
    1
    """
    return {line.pair: line for line in lines}


def value_tables(data: Data) -> dict[str, list[Line]]:
    """Rank the pairs on each instance by the values of their runs.

    Pairs are compared by median, then first and third quartile, minimum, maximum.

    Parameters
    ----------
    data
        Results, or samples of values, by instance and pair; smaller values are better.

    Returns
    -------
    dict
        For each instance, the list of its lines, sorted by rank, with summaries of the values.

    Examples
    --------
    >>> from catcube.statistics import PlainResult
    >>> results = [
    ...     PlainResult("easy", "sa", name, run, value, 10, 10)
    ...     for name, values in {"direct": [4, 8], "linear": [2, 4]}.items()
    ...     for run, value in enumerate(values)
    ... ]
    >>> for line in value_tables(results)["easy"]:
    ...     print(line.rank, *line.pair, line.summary.median)
    1 sa linear 3.0
    2 sa direct 6.0
    """
    return {
        instance: table({pair: summary(sample) for pair, sample in pairs.items()})
        for instance, pairs in samples_of(data, value_of).items()
    }


def fixed_budget_ranks(data: Data) -> list[Line]:
    """Rank the pairs over all instances by the summary of their ranks in the tables of values.

    Every pair must have results on every instance; `complete` omits unfinished instances.

    Parameters
    ----------
    data
        Results, or samples of values, by instance and pair; smaller values are better.

    Returns
    -------
    list of Line
        A line per pair, sorted by rank, with the summary of its ranks on the instances.

    Examples
    --------
    >>> from catcube.statistics import PlainResult
    >>> results = [
    ...     PlainResult(instance, "sa", name, 1, value, 10, 10)
    ...     for instance in ("easy", "expert")
    ...     for name, value in {"direct": 4, "linear": 2}.items()
    ... ]
    >>> [(line.rank, line.representation) for line in fixed_budget_ranks(results)]
    [(1, 'linear'), (2, 'direct')]
    """
    return table(rank_summaries(value_tables(data).values()))


def runtime_tables(data: Data, target: float = 0.0) -> dict[str, list[Line]]:
    """Rank the pairs on each instance by success rate, then by the runtimes of successful runs.

    Runtimes are compared by median, first and third quartile, minimum, maximum. Pairs without any
    success share the last rank. Given samples must be runtimes, infinite without success.

    Parameters
    ----------
    data
        Results, or samples of runtimes in evaluations, by instance and pair.
    target
        A run succeeds if its best value is at most the target. Given samples do not depend on it.

    Returns
    -------
    dict
        For each instance, the list of its lines, sorted by rank, with the percentage of successful
        runs and the summary of their runtimes in evaluations, or `NEVER`.

    Examples
    --------
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
    tables = {}
    for instance, pairs in samples_of(data, runtime_to(target)).items():
        reached = {pair: successful_runtimes(sample) for pair, sample in pairs.items()}
        tables[instance] = table(
            {pair: summary(sample) if sample.size else NEVER for pair, sample in reached.items()},
            {pair: (sample.size, pairs[pair].size) for pair, sample in reached.items()},
        )
    return tables


def successful_runtimes(sample: ArrayLike) -> Sample:
    """Return the finite runtimes of a sample.

    Parameters
    ----------
    sample
        Runtimes, infinite without success; not empty and without NaN.

    Returns
    -------
    ndarray
        The finite runtimes in their order; empty if no run succeeded.

    Examples
    --------
    >>> successful_runtimes([40, math.inf, 20]).tolist()
    [40.0, 20.0]
    """
    runtimes = as_sample(sample)
    return runtimes[runtimes < math.inf]


def fixed_target_ranks(data: Data, target: float = 0.0) -> list[Line]:
    """Rank the pairs over all instances by success rate, then by the summary of their ranks.

    Every pair must have results on every instance; `complete` omits unfinished instances.

    Parameters
    ----------
    data
        Results, or samples of runtimes in evaluations, by instance and pair.
    target
        A run succeeds if its best value is at most the target. Given samples do not depend on it.

    Returns
    -------
    list of Line
        A line per pair, sorted by rank, with its percentage of successful runs over all instances
        and the summary of its ranks in the tables of runtimes.

    Examples
    --------
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
    """Return the numbers of successful and of all runs of each pair over all instances.

    Parameters
    ----------
    samples
        Arrays of runtimes by instance and pair, infinite without success.

    Returns
    -------
    dict
        For each pair, the number of its successful runs and the number of all its runs.

    Examples
    --------
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
    """Return the evaluations of all runs divided by the number of successes, or infinity.

    It estimates the evaluations to the target if runs are repeated until one succeeds. Of a
    successful run, the evaluations up to the target are counted.

    Parameters
    ----------
    runs
        Results, usually of one pair on one instance; all of them are taken together.
    target
        A run succeeds if its best value is at most the target.

    Returns
    -------
    float
        The expected running time in evaluations, infinite if no run succeeded; smaller is
        better.

    Examples
    --------
    >>> from catcube.statistics import PlainResult
    >>> found = PlainResult("easy", "rls", "linear", 1, 0, 120, 120)
    >>> missed = PlainResult("easy", "rls", "linear", 2, 2, 80, 1000)
    >>> expected_running_time([found, missed]), expected_running_time([missed])
    (1120.0, inf)
    """
    runs = list(records(runs))
    return expected_running_time_of_samples(
        [runtime_to(target)(run) for run in runs], [run.evaluations for run in runs]
    )


def expected_running_time_of_samples(runtimes: ArrayLike, evaluations: ArrayLike) -> float:
    """Return the expected running time, given runtimes (infinite without success).

    Parameters
    ----------
    runtimes
        The evaluations of each run up to the target, infinite without success.
    evaluations
        The evaluations of each run, in the same order; only those of runs without success count.

    Returns
    -------
    float
        The sum of the runtimes of successful runs and of the evaluations of the others, divided by
        the number of successes; infinite if no run succeeded.

    Examples
    --------
    >>> expected_running_time_of_samples([120, math.inf], [120, 1000])
    1120.0
    """
    reached, spent = as_sample(runtimes), as_sample(evaluations)
    sizes = reached.size, spent.size
    expect(reached.shape == spent.shape, "as many evaluations as runtimes", sizes)
    successful = reached < math.inf
    if not successful.any():
        return math.inf
    return float(np.where(successful, reached, spent).sum() / successful.sum())


def penalized_runtime(runtimes: ArrayLike, budget: float, factor: float = 10) -> float:
    """Return the mean runtime; runs without success count as `factor` budgets (PAR-10).

    Parameters
    ----------
    runtimes
        The runtime of each run in evaluations, infinite without success.
    budget
        The evaluations that each run was allowed.
    factor
        The number of budgets that a run without success counts as.

    Returns
    -------
    float
        The mean runtime in evaluations, penalties included; smaller is better.

    Examples
    --------
    >>> penalized_runtime([40, math.inf], budget=100)
    520.0
    """
    reached = as_sample(runtimes)
    return float(np.where(reached < math.inf, reached, factor * budget).mean())
