"""All pairs against each other over many instances: Friedman's test, Nemenyi's differences.

J. Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7 (2006).
"""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from catcube.statistics.results import Pair, Result, value_of
from catcube.statistics.samples import Samples, checked_sample, samples_of


class Friedman(NamedTuple):
    """The test, and what a critical-difference diagram shows."""

    statistic: float
    p: float
    mean_ranks: dict[Pair, float]  # best first
    critical_difference: float
    groups: list[tuple[Pair, ...]]


def friedman(
    results: Iterable[Result],
    measure: Callable[[Result], float] = value_of,
    level: float = 0.05,
) -> Friedman:
    """Friedman's test on the medians of each pair and instance; ties have their mean rank.

    Every one of at least three pairs must have results on every instance.

    >>> from catcube.statistics import PlainResult
    >>> results = [
    ...     PlainResult(instance, name, "linear", 1, value, 10, 10)
    ...     for instance in "abcdefgh"
    ...     for name, value in {"rls": 3, "sa": 1, "ga": 2}.items()
    ... ]
    >>> test = friedman(results)
    >>> [(pair.algorithm, rank) for pair, rank in test.mean_ranks.items()]
    [('sa', 1.0), ('ga', 2.0), ('rls', 3.0)]
    >>> test.p < 0.001, round(test.critical_difference, 3)
    (True, 1.172)
    >>> [[pair.algorithm for pair in group] for group in test.groups]
    [['sa', 'ga'], ['ga', 'rls']]
    """
    return friedman_of_samples(samples_of(results, measure), level)


def friedman_of_samples(samples: Samples, level: float = 0.05) -> Friedman:
    """The same for what was measured already."""
    from scipy.stats import friedmanchisquare, rankdata

    medians = [
        {pair: _median(sample) for pair, sample in pairs.items()} for pairs in samples.values()
    ]
    pairs = list(dict.fromkeys(pair for one in medians for pair in one))
    if len(pairs) < 3 or any(len(one) < len(pairs) for one in medians):
        raise ValueError("Friedman's test needs three or more pairs, all of them on all instances")
    places = np.array([rankdata([one[pair] for pair in pairs]) for one in medians])
    if (places == places[0, 0]).all():  # all pairs equal on all instances
        statistic, p = 0.0, 1.0
    else:
        statistic, p = (float(number) for number in friedmanchisquare(*places.T))
    means = dict(zip(pairs, places.mean(axis=0).tolist(), strict=True))
    ordered = {pair: means[pair] for pair in sorted(pairs, key=lambda pair: means[pair])}
    difference = critical_difference(len(pairs), len(medians), level)
    return Friedman(statistic, p, ordered, difference, indistinguishable(ordered, difference))


def _median(values: ArrayLike) -> float:
    """The middle value; halfway between the two middle ones, of which one may be infinite."""
    return float(np.median(checked_sample(values)))


def critical_difference(pairs: int, instances: int, level: float = 0.05) -> float:
    """Nemenyi: mean ranks further apart than this are different: q · √(k(k+1) / 6n).

    q is the quantile of the studentized range over √2.

    >>> round(critical_difference(5, 30), 3)
    1.114
    """
    from scipy.stats import studentized_range

    if pairs < 2 or instances < 1 or not 0 < level < 1:
        raise ValueError(
            "a critical difference is one of at least two pairs on at least one instance, at a "
            f"level between 0 and 1, not of {pairs} on {instances} at {level}"
        )
    q = float(studentized_range.ppf(1 - level, pairs, math.inf)) / math.sqrt(2)
    return q * math.sqrt(pairs * (pairs + 1) / (6 * instances))


def indistinguishable(
    mean_ranks: Mapping[Pair, float], difference: float
) -> list[tuple[Pair, ...]]:
    """The largest sets of pairs of which no two are different, best first: the diagram's bars.

    A pair that differs from all others is in none.

    >>> ranks = {("a", ""): 1.0, ("b", ""): 1.5, ("c", ""): 2.2, ("d", ""): 4.0}
    >>> [[name for name, _ in group] for group in indistinguishable(ranks, 1.0)]
    [['a', 'b'], ['b', 'c']]
    """
    order = sorted(mean_ranks, key=lambda pair: mean_ranks[pair])
    found: list[tuple[Pair, ...]] = []
    reached = 0  # a group that reaches no further than the one before is part of it
    for start, first in enumerate(order):
        end = start
        while end < len(order) and mean_ranks[order[end]] - mean_ranks[first] <= difference:
            end += 1
        if end - start > 1 and end > reached:
            found.append(tuple(order[start:end]))
            reached = end
    return found
