"""All pairs against each other over many instances: Friedman's test, Nemenyi's differences.

J. Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7 (2006).
"""

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from catcube.errors import BadValue
from catcube.statistics.results import Pair, Result, value_of
from catcube.statistics.samples import Data, by_instance, flattened, samples_of
from catcube.statistics.summaries import medians


class Friedman(NamedTuple):
    """The test, and what a critical-difference diagram shows."""

    statistic: float
    p: float
    mean_ranks: dict[Pair, float]  # best first
    critical_difference: float
    groups: list[tuple[Pair, ...]]


def friedman(
    data: Data,
    measure: Callable[[Result], float] = value_of,
    level: float = 0.05,
) -> Friedman:
    """Test the medians of all pairs on all instances (Friedman); ties have their mean rank.

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
    from scipy.stats import friedmanchisquare, rankdata

    found = list(by_instance(medians(flattened(samples_of(data, measure)))).values())
    pairs = list(dict.fromkeys(pair for one in found for pair in one))
    if len(pairs) < 3 or any(len(one) < len(pairs) for one in found):
        raise BadValue("Friedman's test needs three or more pairs, each on every instance")
    ranks = np.array([rankdata([one[pair] for pair in pairs]) for one in found])
    if (ranks == ranks[0, 0]).all():  # all pairs equal on all instances
        statistic, p = 0.0, 1.0
    else:
        statistic, p = (float(number) for number in friedmanchisquare(*ranks.T))
    means = dict(zip(pairs, ranks.mean(axis=0).tolist(), strict=True))
    ordered = {pair: means[pair] for pair in sorted(pairs, key=lambda pair: means[pair])}
    difference = critical_difference(len(pairs), len(found), level)
    return Friedman(statistic, p, ordered, difference, indistinguishable(ordered, difference))


def critical_difference(pairs: int, instances: int, level: float = 0.05) -> float:
    """Return the difference of mean ranks that is significant (Nemenyi): q · √(k(k+1) / 6n).

    q is the quantile of the studentized range over √2.

    >>> round(critical_difference(5, 30), 3)
    1.114
    """
    from scipy.stats import studentized_range

    if pairs < 2 or instances < 1 or not 0 < level < 1:
        raise BadValue(
            "expected at least two pairs, at least one instance and a level between 0 and 1, got "
            f"{pairs}, {instances} and {level}"
        )
    q = float(studentized_range.ppf(1 - level, pairs, math.inf)) / math.sqrt(2)
    return q * math.sqrt(pairs * (pairs + 1) / (6 * instances))


def indistinguishable(
    mean_ranks: Mapping[Pair, float], difference: float
) -> list[tuple[Pair, ...]]:
    """Return the largest sets of pairs of which no two differ, best first: the diagram's bars.

    A pair that differs from all others is in none.

    >>> ranks = {("a", ""): 1.0, ("b", ""): 1.5, ("c", ""): 2.2, ("d", ""): 4.0}
    >>> [[name for name, _ in group] for group in indistinguishable(ranks, 1.0)]
    [['a', 'b'], ['b', 'c']]
    """
    order = sorted(mean_ranks, key=lambda pair: mean_ranks[pair])
    groups: list[tuple[Pair, ...]] = []
    reached = 0  # a group that reaches no further than the one before is part of it
    for start, first in enumerate(order):
        end = start
        while end < len(order) and mean_ranks[order[end]] - mean_ranks[first] <= difference:
            end += 1
        if end - start > 1 and end > reached:
            groups.append(tuple(order[start:end]))
            reached = end
    return groups
