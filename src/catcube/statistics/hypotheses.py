"""Comparison of two samples: tests, effect sizes, and Holm's correction."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from catcube.base.optional import import_optional
from catcube.base.text import expect
from catcube.statistics.results import (
    Counts,
    Data,
    Pair,
    Result,
    Sample,
    as_sample,
    samples_of,
    value_of,
)

__all__ = [
    "Comparison",
    "cliffs_delta",
    "compare_representations",
    "compare_success",
    "holm",
    "magnitude",
    "mann_whitney",
    "signed_rank",
    "vargha_delaney",
]


def vargha_delaney(first: ArrayLike, second: ArrayLike) -> float:
    """Return A12, the probability that a value of the first sample is smaller; ties count half.

    0.5 means no difference, 1 that every value of the first is below every value of the second. The
    usual definition has "greater" instead of "smaller", but values are to be minimised. Infinite
    values (runs without success) are worse than all others and equal to each other.

    Parameters
    ----------
    first, second
        The two samples, each with at least one value and without NaN. Smaller values are better.

    Returns
    -------
    float
        A12, from 0 to 1; larger values favour the first sample.

    Examples
    --------
    >>> vargha_delaney([1, 2], [2, 3])
    0.875
    """
    wins, losses, pairs = _count_pairs(first, second)
    return (pairs + wins - losses) / (2 * pairs)


def cliffs_delta(first: ArrayLike, second: ArrayLike) -> float:
    """Return Cliff's delta, the probability of being smaller minus that of being greater.

    It equals 2 A12 − 1, but is computed from integers, because the rounding of A12 would change
    the `magnitude` of a delta such as −0.33.

    Parameters
    ----------
    first, second
        The two samples, each with at least one value and without NaN. Smaller values are better.

    Returns
    -------
    float
        The difference, from −1 to 1. It is positive if the first sample tends to be smaller, thus
        better, and 0 if neither does.

    Examples
    --------
    >>> cliffs_delta([1, 2], [2, 3])
    0.75
    """
    wins, losses, pairs = _count_pairs(first, second)
    return (wins - losses) / pairs


def _count_pairs(first: ArrayLike, second: ArrayLike) -> tuple[int, int, int]:
    """Count the pairs of values in which the first is smaller, or greater, and all pairs."""
    sample, other = as_sample(first), np.sort(as_sample(second), axis=None)
    greater = np.searchsorted(other, sample, side="left")
    smaller = other.size - np.searchsorted(other, sample, side="right")
    return int(smaller.sum()), int(greater.sum()), sample.size * other.size


def magnitude(delta: float) -> str:
    """Return the usual word for the size of Cliff's delta, with limits 0.147, 0.33 and 0.474.

    J. Romano et al., "Appropriate statistics for ordinal level data", 2006.

    Parameters
    ----------
    delta
        Cliff's delta, from −1 to 1; its sign is ignored.

    Returns
    -------
    str
        "negligible", "small", "medium" or "large". A delta at a limit has the larger of the two
        sizes.

    Examples
    --------
    >>> [magnitude(delta) for delta in (0.1, -0.2, 0.4, -0.5)]
    ['negligible', 'small', 'medium', 'large']
    """
    expect(abs(delta) <= 1, "Cliff's delta from -1 to 1", delta)
    for limit, word in ((0.147, "negligible"), (0.33, "small"), (0.474, "medium")):
        if abs(delta) < limit:
            return word
    return "large"


class Comparison(NamedTuple):
    """A two-sided Mann–Whitney test; A12 > 0.5 and delta > 0 favour the first representation."""

    instance: str
    algorithm: str
    first: str  # the representations
    second: str
    p: float
    adjusted: float  # by Holm, over all comparisons made together
    a12: float
    delta: float
    magnitude: str


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted by Holm's step-down method.

    If all with an adjusted p-value of at most α are called significant, the probability of any
    false positive is at most α.

    Parameters
    ----------
    p_values
        The p-values of all tests that are made together, each from 0 to 1.

    Returns
    -------
    list of float
        The adjusted p-values in the given order. None is smaller than the given one or greater
        than 1.

    Examples
    --------
    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.06, 0.06, 0.02]
    """
    expect(all(0 <= p <= 1 for p in p_values), "p-values from 0 to 1", p_values)
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(p.size)
    adjusted[order] = np.maximum.accumulate(np.arange(p.size, 0, -1) * p[order]).clip(max=1)
    return adjusted.tolist()


def mann_whitney(first: ArrayLike, second: ArrayLike) -> float:
    """Return the p-value of the two-sided Mann–Whitney test; infinite values are ties.

    It is exact if no values are equal and the smaller sample has at most 8 of them. Otherwise the
    normal approximation is used, with corrections for ties and continuity.

    Parameters
    ----------
    first, second
        The two samples, each with at least one value and without NaN. They are not paired and may
        differ in size.

    Returns
    -------
    float
        The p-value; a small one means that one sample tends to have smaller values than the other.
        It is 1 if all values are equal.

    Examples
    --------
    >>> mann_whitney([1, 2, 3, 4], [5, 6, 7, 8]) < 0.05
    True
    >>> mann_whitney([1, 1], [1, 1])
    1.0
    """
    sample, other = as_sample(first), as_sample(second)
    pooled = np.concatenate([sample, other])
    values, inverse, counts = np.unique(pooled, return_inverse=True, return_counts=True)
    if values.size == 1:
        return 1.0
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]  # finite even for infinite values
    if values.size == pooled.size and min(sample.size, other.size) <= 8:
        return _exact_p_value(tuple(sorted(ranks[: sample.size])), other.size)
    return _normal_p_value(ranks[: sample.size], other.size, counts)


def signed_rank(differences: ArrayLike) -> tuple[float, float]:
    """Test whether paired differences are symmetric about zero: Wilcoxon's exact test with ties.

    Zeros are ranked with the others and then omitted (Pratt).

    Parameters
    ----------
    differences
        One difference per pair, without NaN.

    Returns
    -------
    statistic : float
        Half the sum of the signed ranks, which is positive if positive differences prevail.
    p : float
        The two-sided p-value; it is 1 if all differences are zero.

    Examples
    --------
    >>> signed_rank([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])  # 2 of 1,024 ways to choose the signs
    (55.0, 0.001953125)
    >>> signed_rank([0, 0]), signed_rank([1, -1])
    ((0.0, 1.0), (0.0, 1.0))
    """
    array = as_sample(differences)
    _, index, counts = np.unique(np.abs(array), return_inverse=True, return_counts=True)
    # Twice the mean ranks are integers, so the distribution of their sums can be counted.
    doubled = (2 * np.cumsum(counts) - counts + 1)[index].astype(np.int64)[array != 0]
    signs = np.sign(array[array != 0])
    if not doubled.size:
        return 0.0, 1.0
    ways = np.zeros(doubled.sum() + 1)
    ways[0] = 1.0
    for number in doubled:  # the probability of each sum of ranks with a positive sign
        ways[number:] = (ways[number:] + ways[: ways.size - number]) / 2
        ways[:number] /= 2
    positive = int(doubled[signs > 0].sum())
    tail = min(ways[: positive + 1].sum(), ways[positive:].sum())
    return float((doubled * signs).sum() / 2), float(min(1.0, 2 * tail))


def compare_success(counts: Sequence[tuple[int, int, int, int]]) -> tuple[float, float]:
    """Test exactly whether two success rates are equal on every instance.

    Given the total number of successes on an instance, that of the first is hypergeometric, and the
    sum over instances is tested; for one instance this is Fisher's exact test, except that the
    two-sided p-value is twice the smaller tail.

    Parameters
    ----------
    counts
        Four numbers per instance: successes and runs of the first, then of the second.

    Returns
    -------
    surplus : float
        By how much the successes of the first, summed over instances, exceed their expectation; it
        is positive if the first succeeds more often.
    p : float
        The two-sided p-value: twice the smaller tail, at most 1.

    Examples
    --------
    >>> surplus, p = compare_success([(10, 10, 2, 10), (9, 10, 5, 10)])
    >>> surplus, round(p, 6)
    (6.0, 0.000154)
    >>> compare_success([(10, 10, 10, 10)])
    (0.0, 1.0)
    """
    hypergeom = import_optional("scipy.stats").hypergeom

    chances = np.ones(1)
    observed = expected = least = 0.0
    for successes, runs, others, other_runs in counts:
        together = successes + others
        lowest, highest = max(0, together - other_runs), min(runs, together)
        possible = hypergeom.pmf(range(lowest, highest + 1), runs + other_runs, together, runs)
        chances = np.convolve(chances, possible)
        observed += successes
        least += lowest
        expected += together * runs / (runs + other_runs)
    place = int(observed - least)
    tail = min(chances[: place + 1].sum(), chances[place:].sum())
    return observed - expected, float(min(1.0, 2 * tail))


@lru_cache(maxsize=10_000)
def _exact_p_value(ranks: tuple[float, ...], others: int) -> float:
    """Return the exact p-value, given the ranks of one sample, which are distinct.

    It is cached: scipy takes a millisecond, and small samples have few sets of ranks.
    """
    mannwhitneyu = import_optional("scipy.stats").mannwhitneyu

    rest = set(range(1, len(ranks) + others + 1)).difference(ranks)
    return float(mannwhitneyu(ranks, sorted(rest)).pvalue)


def _normal_p_value(ranks: Sample, others: int, counts: Counts) -> float:
    """Return the p-value of the normal approximation, as scipy does in twenty times the time.

    `ranks` are the ranks of one sample, `counts` the sizes of groups of equal values.
    """
    ndtr = import_optional("scipy.special").ndtr

    size = ranks.size
    product, together = size * others, size + others
    wins = ranks.sum() - size * (size + 1) / 2
    ties = (counts.astype(np.float64) ** 3 - counts).sum()
    deviation = np.sqrt(product / 12 * ((together + 1) - ties / (together * (together - 1))))
    z = (max(wins, product - wins) - product / 2 - 0.5) / deviation
    return float(min(1.0, 2 * ndtr(-z)))


def compare_representations(
    data: Data,
    measure: Callable[[Result], float] = value_of,
    representations: Sequence[str] | None = None,
) -> list[Comparison]:
    """Test the first representation against each of the others, by instance and algorithm.

    Parameters
    ----------
    data
        Results or samples.
    measure
        The quantity to compare: values, or `runtime_to(target)`.
    representations
        The representations; by default all, in the order of their first appearance. If an algorithm
        lacks one of two on an instance, they are not compared there.

    Returns
    -------
    list of Comparison
        The tests, adjusted together by Holm's method.

    Examples
    --------
    >>> from catcube.statistics import PlainResult
    >>> results = [
    ...     PlainResult("easy", "sa", name, run, base + run, 10, 10)
    ...     for name, base in {"linear": 0, "direct": 40}.items()
    ...     for run in range(20)
    ... ]
    >>> [one] = compare_representations(results)
    >>> one.algorithm, one.first, one.second, one.a12, one.magnitude, one.adjusted < 1e-6
    ('sa', 'linear', 'direct', 1.0, 'large', True)
    """
    samples = samples_of(data, measure)
    if representations is None:
        pairs = [pair for sample_pairs in samples.values() for pair in sample_pairs]
        representations = list(dict.fromkeys(pair.representation for pair in pairs))
    found: list[Comparison] = []
    for instance, by_pair in samples.items():
        algorithms = dict.fromkeys(pair.algorithm for pair in by_pair)
        for algorithm, other in product(algorithms, representations[1:]):
            baseline = representations[0]
            first, second = (by_pair.get(Pair(algorithm, name)) for name in (baseline, other))
            if first is not None and second is not None:
                p, a12 = mann_whitney(first, second), vargha_delaney(first, second)
                delta = cliffs_delta(first, second)
                names = instance, algorithm, baseline, other
                found.append(Comparison(*names, p, 1.0, a12, delta, magnitude(delta)))
    adjusted = holm([one.p for one in found])
    return [one._replace(adjusted=p) for one, p in zip(found, adjusted, strict=True)]
