"""Ranks in blocks: Friedman's test and Nemenyi's critical difference.

J. Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7 (2006).
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np

from catcube.base.optional import import_optional
from catcube.base.text import expect
from catcube.statistics.results import Data, Result, samples_of, value_of
from catcube.statistics.tables import median

__all__ = ["Friedman", "critical_difference", "friedman", "indistinguishable"]

Factor = Literal["pair", "algorithm", "representation"]


class Friedman(NamedTuple):
    """The result of Friedman's test, with the contents of a critical-difference diagram."""

    statistic: float
    p: float
    mean_ranks: dict[Any, float]  # best first
    critical_difference: float
    groups: list[tuple[Any, ...]]
    blocks: int = 0


def friedman(
    data: Data,
    measure: Callable[[Result], float] = value_of,
    level: float = 0.05,
    factor: Factor = "pair",
) -> Friedman:
    """Rank pairs, algorithms or representations by their medians within blocks; test the ranks.

    Parameters
    ----------
    data
        Results or samples. Everything that is ranked needs results in every block.
    measure
        The quantity to compare: values, or `runtime_to(target)`.
    level
        Significance level of the critical difference.
    factor
        What is ranked: pairs on each instance, algorithms for each instance and representation, or
        representations for each instance and algorithm. The last two have more blocks and fewer
        ranks, so they are more sensitive than a comparison of all pairs.

    Returns
    -------
    Friedman
        The test, the mean ranks (ties have their mean rank), the critical difference and the groups
        without significant differences.

    Examples
    --------
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
    >>> friedman(results, factor="algorithm").mean_ranks
    {'sa': 1.0, 'ga': 2.0, 'rls': 3.0}
    """
    stats = import_optional("scipy.stats")

    blocks: dict[Any, dict[Any, float]] = {}
    for instance, pairs in samples_of(data, measure).items():
        for pair, sample in pairs.items():
            name, other = {
                "pair": (pair, ""),
                "algorithm": (pair.algorithm, pair.representation),
                "representation": (pair.representation, pair.algorithm),
            }[factor]
            blocks.setdefault((instance, other), {})[name] = median(sample)
    names = list(dict.fromkeys(name for block in blocks.values() for name in block))
    complete = all(len(block) == len(names) for block in blocks.values())
    expect(complete and len(names) > 1, f"two or more of {factor}, each in every block", names)
    ranks = np.array([stats.rankdata([block[name] for name in names]) for block in blocks.values()])
    size, count = ranks.shape
    variance = float(((ranks - (count + 1) / 2) ** 2).sum()) / (size * (count - 1))
    means = ranks.mean(axis=0)
    spread = size * float(((means - (count + 1) / 2) ** 2).sum())
    statistic = spread / variance if variance else 0.0
    order = np.argsort(means, kind="stable").tolist()
    ordered = {names[index]: float(means[index]) for index in order}
    difference = critical_difference(count, size, level)
    return Friedman(
        statistic,
        float(stats.chi2.sf(statistic, count - 1)),
        ordered,
        difference,
        indistinguishable(ordered, difference),
        size,
    )


def critical_difference(pairs: int, instances: int, level: float = 0.05) -> float:
    """Return the smallest significant difference of mean ranks (Nemenyi): q · √(k(k+1) / 6n).

    q is the quantile of the studentized range, divided by √2.

    Parameters
    ----------
    pairs
        The number of pairs, or whatever is ranked, at least 2; this is k.
    instances
        The number of instances, or other blocks in which they are ranked, at least 1; this is n.
    level
        The significance level, between 0 and 1.

    Returns
    -------
    float
        The critical difference, in ranks. It grows with k and shrinks with n.

    Examples
    --------
    >>> round(critical_difference(5, 30), 3)
    1.114
    """
    studentized_range = import_optional("scipy.stats").studentized_range

    valid = pairs >= 2 and instances >= 1 and 0 < level < 1
    expected = "two pairs or more, an instance or more and a level between 0 and 1"
    expect(valid, expected, (pairs, instances, level))
    q = float(studentized_range.ppf(1 - level, pairs, math.inf)) / math.sqrt(2)
    return q * math.sqrt(pairs * (pairs + 1) / (6 * instances))


def indistinguishable(mean_ranks: Mapping[Any, float], difference: float) -> list[tuple[Any, ...]]:
    """Return the maximal groups of names without significant differences, best first.

    They are the bars of a critical-difference diagram. A name that differs from all others is in no
    group.

    Parameters
    ----------
    mean_ranks
        The mean rank of each name, in any order; smaller ranks are better.
    difference
        The critical difference. Names whose mean ranks differ by no more than
        this are in one group.

    Returns
    -------
    list of tuple
        The groups, each of two or more names from best to worst. They may overlap.

    Examples
    --------
    >>> ranks = {("a", ""): 1.0, ("b", ""): 1.5, ("c", ""): 2.2, ("d", ""): 4.0}
    >>> [[name for name, _ in group] for group in indistinguishable(ranks, 1.0)]
    [['a', 'b'], ['b', 'c']]
    """
    order = sorted(mean_ranks, key=lambda pair: mean_ranks[pair])
    groups: list[tuple[Any, ...]] = []
    reached = 0  # a group that ends no later than the previous one is part of it
    for start, first in enumerate(order):
        end = start
        while end < len(order) and mean_ranks[order[end]] - mean_ranks[first] <= difference:
            end += 1
        if end - start > 1 and end > reached:
            groups.append(tuple(order[start:end]))
            reached = end
    return groups
