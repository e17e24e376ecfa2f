"""The tests behind the verdicts; all are two-sided."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

PERMUTATIONS = 9_999
SEED = 2021


def signed_rank(differences: ArrayLike) -> tuple[float, float]:
    """Test whether paired differences are symmetric about zero: Wilcoxon, exactly, with ties.

    Zeros are ranked with the others and then omitted (Pratt). Return the balance of the ranks,
    positive if positive differences prevail, and the p-value.

    >>> signed_rank([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])  # 2 of 1,024 ways to choose the signs
    (55.0, 0.001953125)
    >>> signed_rank([0, 0]), signed_rank([1, -1])
    ((0.0, 1.0), (0.0, 1.0))
    """
    array = np.asarray(differences, np.float64)
    _, index, counts = np.unique(np.abs(array), return_inverse=True, return_counts=True)
    # Twice the mean ranks are integers, so that sums can be counted.
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


def permuted_means(first: ArrayLike, second: ArrayLike) -> float:
    """Test whether two samples have the same mean, by exchanging their values.

    >>> permuted_means([1, 2, 3, 2, 1, 2, 3], [9, 8, 9, 9, 8, 7, 9]) < 0.01
    True
    """
    sample, other = np.asarray(first, np.float64), np.asarray(second, np.float64)

    def difference(rows: NDArray[np.float64]) -> NDArray[np.float64]:
        means = rows[:, : sample.size].mean(axis=1), rows[:, sample.size :].mean(axis=1)
        return np.asarray(np.abs(means[0] - means[1]))

    return _permuted(np.concatenate([sample, other]), difference)


def permuted_largest(first: ArrayLike, second: ArrayLike) -> float:
    """Test whether the largest of two samples differ by chance only: the ratio of their maxima.

    >>> permuted_largest([5, 6, 7] * 9, [5, 6, 900] * 9) < 0.01
    True
    """
    sample, other = np.asarray(first, np.float64), np.asarray(second, np.float64)

    def ratio(rows: NDArray[np.float64]) -> NDArray[np.float64]:
        largest = rows[:, : sample.size].max(axis=1), rows[:, sample.size :].max(axis=1)
        return np.asarray(np.abs(np.log(largest[0] / largest[1])))

    return _permuted(np.concatenate([sample, other]), ratio)


def _permuted(
    values: NDArray[np.float64],
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> float:
    draw = np.random.default_rng(SEED)
    rows = draw.permuted(np.tile(values, (PERMUTATIONS, 1)), axis=1)
    observed = statistic(values[None])[0]
    # Sums of the same numbers in another order differ in the last digits.
    as_far = int((statistic(rows) >= observed - 1e-9 * (1 + abs(observed))).sum())
    return (as_far + 1) / (PERMUTATIONS + 1)


def stratified_difference(
    first: NDArray[np.float64], second: NDArray[np.float64]
) -> tuple[float, float]:
    """Give the difference of two means and its standard error; rows are strata, columns runs.

    >>> difference, error = stratified_difference(np.array([[1.0, 3]]), np.array([[0.0, 2]]))
    >>> difference, round(error, 3)
    (1.0, 1.414)
    """
    difference = float(first.mean() - second.mean())
    variance = sum(
        float((rows.var(axis=1, ddof=1) / rows.shape[1]).sum()) / rows.shape[0] ** 2
        for rows in (first, second)
    )
    return difference, float(np.sqrt(variance))


def beyond(difference: float, error: float, margin: float = 0.0) -> float:
    """Test whether a difference is the margin: the p-value by the normal distribution.

    >>> round(beyond(1.96, 1.0), 3), beyond(0.5, 0.0, 0.5), beyond(0.5, 0.0)
    (0.05, 1.0, 0.0)
    """
    from scipy.special import ndtr

    if error == 0:
        return 1.0 if difference == margin else 0.0
    return float(2 * ndtr(-abs(difference - margin) / error))


def fisher(count: int, total: int, other: int, other_total: int) -> float:
    """Test whether two rates are one: Fisher's exact test.

    >>> fisher(0, 100, 0, 100), fisher(10, 100, 0, 100) < 0.01
    (1.0, True)
    """
    from scipy.stats import fisher_exact

    counts = [[count, total - count], [other, other_total - other]]
    return float(min(1.0, fisher_exact(counts).pvalue))


def rate_above(count: int, total: int, rate: float) -> float:
    """Test whether a rate is the given one, two-sided: twice the smaller binomial tail.

    >>> rate_above(0, 2000, 0.01) < 1e-8, rate_above(20, 2000, 0.01)
    (True, 1.0)
    """
    from scipy.stats import binom

    tails = (binom.cdf(count, total, rate), binom.sf(count - 1, total, rate))
    return float(min(1.0, 2 * min(tails)))
