"""Bootstrap intervals of means and medians.

A resample of a median need not be drawn as a whole, since a quantile depends on one or two of the
sorted draws. The k-th smallest of n uniform numbers is the sum of the first k of n + 1 exponential
ones divided by the sum of all, and sums of exponential numbers have gamma distributions. So a
median takes three draws for any size of the sample, and has exactly the same distribution.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from catcube.base.text import expect
from catcube.statistics.results import Counts, Sample

__all__ = ["Interval", "confidence_interval", "mean_of", "resample_means", "resample_quantiles"]

Statistic = Literal["mean", "median"]


class Interval(NamedTuple):
    """A confidence interval.

    Examples
    --------
    >>> low, high = Interval(0.5, 1.5)
    >>> low, high
    (0.5, 1.5)
    """

    low: float
    high: float


def scale_of(values: Sample) -> float:
    """Return a power of two such that sums of the values divided by it are finite.

    Parameters
    ----------
    values
        At least one finite number, in an array of any shape.

    Returns
    -------
    float
        The power of two; 1 unless a value is so large that sums might overflow.

    Examples
    --------
    >>> scale_of(np.array([3.0])), scale_of(np.array([1e308])) > 1
    (1.0, True)
    """
    largest = float(np.abs(values).max())
    return 1.0 if largest < 2.0**300 else 2.0 ** float(np.frexp(largest)[1] - 1)


def mean_of(values: ArrayLike) -> float:
    """Return the mean of values, without overflow of their sum.

    Parameters
    ----------
    values
        At least one finite number. All dimensions are averaged.

    Returns
    -------
    float
        The mean, in the unit of the values.

    Examples
    --------
    >>> mean_of([1e308, 1.5e308])
    1.25e+308
    """
    sample = np.asarray(values, np.float64)
    unit = scale_of(sample)
    return float((sample / unit).mean() * unit)


def confidence_interval(
    values: ArrayLike,
    statistic: Statistic = "median",
    *,
    level: float = 0.95,
    resamples: int = 9999,
    seed: int = 0,
) -> Interval:
    """Compute a bootstrap confidence interval of the mean or the median (percentile method).

    Parameters
    ----------
    values
        The sample.
    statistic
        "mean" or "median".
    level
        Confidence level.
    resamples
        The number of bootstrap resamples.
    seed
        Seed of the resamples.

    Returns
    -------
    Interval
        The ends of the interval.

    Examples
    --------
    >>> low, high = confidence_interval([3, 5, 4, 6, 4, 5, 7, 4], "mean")
    >>> 3.5 < low < 4.75 < high < 6
    True
    >>> confidence_interval([4, 4, 4])
    Interval(low=4.0, high=4.0)
    """
    expect(statistic in ("mean", "median"), "the statistic mean or median", statistic)
    expect(0 < level < 1, "a level between 0 and 1", level)
    expect(resamples >= 1, "at least one resample", resamples)
    sample = np.sort(np.asarray(values, np.float64), axis=None)
    finite = sample.size > 0 and np.isfinite(sample[[0, -1]]).all()
    expect(finite, "at least one value and finite values only", values)
    unit, draw = scale_of(sample), np.random.default_rng(seed)  # nothing overflows
    if statistic == "mean":
        found = resample_means(sample / unit, resamples, draw)
    else:
        size, chosen = np.array([sample.size]), np.zeros(resamples, np.int64)
        [found] = resample_quantiles(sample[None] / unit, size, chosen, chosen + size, [0.5], draw)
    low, high = (np.quantile(found, [(1 - level) / 2, (1 + level) / 2]) * unit).tolist()
    return Interval(low, high)


MAX_DRAWS = 1_000_000  # at a time, to limit memory


def resample_means(values: ArrayLike, repetitions: int, draw: np.random.Generator) -> Sample:
    """Return the means of bootstrap resamples.

    Parameters
    ----------
    values
        The sample, a sequence of at least one number.
    repetitions
        The number of resamples, at least 1. Each has the size of the sample.
    draw
        The generator from which the resamples are drawn.

    Returns
    -------
    array of float
        The mean of each resample, in the unit of the values; its length is `repetitions`.

    Examples
    --------
    >>> resample_means([2, 2, 2], 2, np.random.default_rng(1)).tolist()
    [2.0, 2.0]
    """
    sample = np.asarray(values, np.float64)
    step = max(1, MAX_DRAWS // sample.size)
    sizes = [min(step, repetitions - first) for first in range(0, repetitions, step)]
    shapes = [(size, sample.size) for size in sizes]
    drawn = (draw.integers(sample.size, size=shape, dtype=np.int32) for shape in shapes)
    return np.concatenate([sample[indices].mean(axis=1) for indices in drawn])


def resample_quantiles(
    rows: Sample,
    available: Counts,
    chosen: Counts,
    sizes: Counts,
    quantiles: Sequence[float],
    draw: np.random.Generator,
) -> Sample:
    """Return quantiles of bootstrap resamples, interpolated as in `summary`.

    Parameters
    ----------
    rows
        The samples, an array with one row per sample. The values used are in increasing order.
    available
        The number of values used from the beginning of each row.
    chosen
        The index of the row from which each resample is drawn, an array of any shape.
    sizes
        The size of each resample, an array of the shape of `chosen`.
    quantiles
        The quantiles, numbers from 0 to 1 in increasing order.
    draw
        The generator from which the resamples are drawn.

    Returns
    -------
    array of float
        The quantiles of the resamples, in the unit of the values. The first dimension is that of
        `quantiles`, the others are those of `sizes`. The quantiles of a resample that is empty, or
        drawn from a row without available values, are infinite.

    Examples
    --------
    >>> draw = np.random.default_rng(1)
    >>> row, zeros = np.array([[1.0, 2, 4]]), np.zeros(4, np.int64)
    >>> medians = resample_quantiles(row, np.array([3]), zeros, zeros + 3, [0.5], draw)
    >>> bool(np.isin(medians, [1, 2, 4]).all()), medians.shape
    (True, (1, 4))
    """
    drawn_from = available[chosen]
    possible = (sizes > 0) & (drawn_from > 0)
    uniform, shares = _order_statistics(np.where(possible, sizes, 1), quantiles, draw)
    indices = np.minimum((uniform * drawn_from).astype(np.int64), np.maximum(drawn_from - 1, 0))
    values = rows[chosen, indices]
    low, high = values[:, 0], values[:, 1]
    with np.errstate(invalid="ignore"):  # infinite values are replaced below
        found = low + (high - low) * shares
    return np.where(possible, found, np.inf)


def _order_statistics(
    sizes: Counts, quantiles: Sequence[float], draw: np.random.Generator
) -> tuple[Sample, Sample]:
    """Draw the two order statistics around each quantile of `sizes` uniform numbers.

    Return an array with the dimensions quantile, lower or upper, and those of `sizes`; and the
    relative position of each quantile between its two order statistics.
    """
    positions = np.multiply.outer(np.asarray(quantiles, np.float64), sizes - 1)
    below = np.floor(positions).astype(np.int64)
    above = np.minimum(below + 1, sizes - 1)
    # In small samples, the order statistics of adjacent quantiles overlap and must be sorted.
    needed = np.stack([below, above], axis=1).reshape(-1, *sizes.shape)
    order = np.argsort(needed, axis=0, kind="stable")
    ordered = np.take_along_axis(needed, order, axis=0)
    shapes = np.diff(ordered, axis=0, prepend=-1, append=sizes[None])
    sums = np.cumsum(draw.standard_gamma(shapes), axis=0)
    uniform = np.empty(needed.shape)
    np.put_along_axis(uniform, order, sums[:-1] / sums[-1], axis=0)
    return uniform.reshape(len(quantiles), 2, *sizes.shape), positions - below
