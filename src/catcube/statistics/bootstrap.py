"""Bootstrap intervals of means and medians, without drawing every value of a median.

A quantile depends on one or two of the sorted draws. The k-th smallest of n uniform numbers is the
sum of the first k of n + 1 exponential ones over the sum of all, and sums of exponential numbers
are gamma distributed: so a median takes three draws, whatever the size, with exactly the
distribution that drawing every value would give.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.base.optional import optional
from catcube.errors import BadValue
from catcube.statistics.results import Name, Sample, equal_sized

__all__ = [
    "Interval",
    "confidence_interval",
    "confidence_intervals",
    "mean_of",
    "resampled_means",
    "resampled_quantiles",
]

Statistic = Literal["mean", "median"]


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float


def unit_of(values: NDArray[np.float64]) -> float:
    """Return a power of two by which values are divided so that sums of them are finite.

    >>> unit_of(np.array([3.0])), unit_of(np.array([1e308])) > 1
    (1.0, True)
    """
    largest = float(np.abs(values).max())
    return 1.0 if largest < 2.0**300 else 2.0 ** float(np.frexp(largest)[1] - 1)


def mean_of(values: ArrayLike) -> float:
    """Average values, also where their sum is beyond the largest number.

    >>> mean_of([1e308, 1.5e308])
    1.25e+308
    """
    sample = np.asarray(values, np.float64)
    unit = unit_of(sample)
    return float((sample / unit).mean() * unit)


def confidence_interval(
    values: ArrayLike,
    statistic: Statistic = "median",
    *,
    level: float = 0.95,
    resamples: int = 9999,
    method: Literal["percentile", "bca"] = "percentile",
    seed: int = 0,
) -> Interval:
    """Compute a bootstrap interval of the mean or the median; it depends on the seed alone.

    The percentile method is the default: the accelerated one (bca) breaks down where leaving out
    one value does not change the statistic, as is common for the median of values with ties.

    >>> low, high = confidence_interval([3, 5, 4, 6, 4, 5, 7, 4], "mean")
    >>> 3.5 < low < 4.75 < high < 6
    True
    >>> confidence_interval([4, 4, 4])
    Interval(low=4.0, high=4.0)
    """
    if method not in ("percentile", "bca"):
        raise BadValue(f"expected the method percentile or bca, got {method!r}")
    sample = np.sort(np.asarray(values, np.float64), axis=None)
    [interval] = confidence_intervals(
        {None: sample}, statistic, level=level, resamples=resamples, seed=seed
    ).values()
    if method == "bca" and sample[0] != sample[-1]:
        return _accelerated(sample, statistic, level, resamples, seed)
    return interval


def confidence_intervals(
    samples: Mapping[Name, Sample],
    statistic: Statistic = "median",
    *,
    level: float = 0.95,
    resamples: int = 9999,
    seed: int = 0,
) -> dict[Name, Interval]:
    """Compute the percentile intervals of many samples at once.

    Each sample is resampled with the same seed. So the resamples of samples of one size are made
    of the same indices, which are drawn once.

    >>> confidence_intervals({"a": np.array([3.0, 3]), "b": np.array([1.0, 2])}, "mean")
    {'a': Interval(low=3.0, high=3.0), 'b': Interval(low=1.0, high=2.0)}
    """
    if statistic not in ("mean", "median"):
        raise BadValue(f"expected the statistic mean or median, got {statistic!r}")
    if not 0 < level < 1:
        raise BadValue(f"expected a level between 0 and 1, got {level}")
    if resamples < 1:
        raise BadValue(f"expected at least one resample, got {resamples}")
    ends = [(1 - level) / 2, (1 + level) / 2]
    found: dict[Name, Interval] = {}
    for names, unsorted in equal_sized(samples, resamples):
        rows = np.sort(unsorted, axis=1)
        if rows.size == 0 or not np.isfinite(rows[:, [0, -1]]).all():
            raise BadValue("expected at least one value and finite values only")
        lowest = rows[:, 0].tolist()
        unit = unit_of(rows)  # so that no sum or difference overflows
        found |= {name: Interval(low, low) for name, low in zip(names, lowest, strict=True)}
        chosen = np.flatnonzero(rows[:, 0] < rows[:, -1])
        if chosen.size:
            resampled = resampled_means if statistic == "mean" else resampled_medians
            drawn = resampled(rows[chosen] / unit, resamples, np.random.default_rng(seed))
            bounds = (np.quantile(drawn, ends, axis=1).T * unit).tolist()
            for row, (low, high) in zip(chosen.tolist(), bounds, strict=True):
                found[names[row]] = Interval(low, high)
    return {name: found[name] for name in samples}


def _accelerated(
    sample: Sample, statistic: str, level: float, resamples: int, seed: int
) -> Interval:
    stats = optional("scipy.stats")

    unit = unit_of(sample)
    sample = sample / unit
    function = np.mean if statistic == "mean" else np.median
    left_out = [function(np.delete(sample, index)) for index in range(sample.size)]
    if np.ptp(left_out) == 0:  # the same whichever value is left out
        raise BadValue("bca is not defined for this sample; use the percentile method")
    interval = stats.bootstrap(
        (sample,),
        function,
        confidence_level=level,
        n_resamples=resamples,
        method="BCa",
        random_state=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(float(interval.low) * unit, float(interval.high) * unit)


CELLS = 1_000_000  # draws at a time: memory stays small


def resampled_means(
    samples: ArrayLike, repetitions: int, draw: np.random.Generator
) -> NDArray[np.float64]:
    """Return the means of resamples as large as the sample.

    Of a matrix, each row is a sample; the same indices are drawn for all of them.

    >>> resampled_means([2, 2, 2], 2, np.random.default_rng(1)).tolist()
    [2.0, 2.0]
    """
    given = np.asarray(samples, np.float64)
    rows = np.atleast_2d(given)
    size = rows.shape[1]
    means = np.empty((len(rows), repetitions))
    step = max(1, CELLS // size)
    for first in range(0, repetitions, step):
        part = slice(first, min(first + step, repetitions))
        chosen = draw.integers(size, size=(part.stop - first, size), dtype=np.int32)
        for row, row_means in zip(rows, means, strict=True):
            row_means[part] = row[chosen].mean(axis=1)
    return means.reshape(*given.shape[:-1], repetitions)


def resampled_medians(
    rows: NDArray[np.float64], repetitions: int, draw: np.random.Generator
) -> NDArray[np.float64]:
    """Return the medians of resamples of each sorted row; all rows are resampled alike.

    >>> resampled_medians(np.array([[2.0, 2, 2]]), 2, np.random.default_rng(1)).tolist()
    [[2.0, 2.0]]
    """
    size = rows.shape[1]
    uniform, shares = _order_statistics(np.full(repetitions, size), [0.5], draw)
    indices = np.minimum((uniform[0] * size).astype(np.int64), size - 1)
    low, high = rows[:, indices[0]], rows[:, indices[1]]
    return np.asarray(low + (high - low) * shares[0], np.float64)


def resampled_quantiles(
    rows: NDArray[np.float64],
    available: NDArray[np.int64],
    chosen: NDArray[np.int64],
    sizes: NDArray[np.int64],
    quantiles: Sequence[float],
    draw: np.random.Generator,
) -> NDArray[np.float64]:
    """Return quantiles, by increasing level, of resamples; interpolated as those of `summary`.

    Each row is a sorted sample of which the first `available` values count. `chosen` and `sizes`,
    of any shape but the same one, give the row and the size of each resample; one
    without values has infinite quantiles. They are in the first dimension of what is returned.

    >>> draw = np.random.default_rng(1)
    >>> row, zeros = np.array([[1.0, 2, 4]]), np.zeros(4, np.int64)
    >>> medians = resampled_quantiles(row, np.array([3]), zeros, zeros + 3, [0.5], draw)
    >>> bool(np.isin(medians, [1, 2, 4]).all()), medians.shape
    (True, (1, 4))
    """
    drawn_from = available[chosen]
    possible = (sizes > 0) & (drawn_from > 0)
    uniform, shares = _order_statistics(np.where(possible, sizes, 1), quantiles, draw)
    indices = np.minimum((uniform * drawn_from).astype(np.int64), np.maximum(drawn_from - 1, 0))
    values = rows[chosen, indices]
    low, high = values[:, 0], values[:, 1]
    with np.errstate(invalid="ignore"):  # infinite ones, that are replaced
        found = low + (high - low) * shares
    return np.where(possible, found, np.inf)


def _order_statistics(
    sizes: NDArray[np.int64], quantiles: Sequence[float], draw: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Draw the two order statistics around each quantile of `sizes` uniform numbers.

    They are in the dimensions quantile, lower and upper, then those of the sizes. The second array
    is how far between the two the quantile lies.
    """
    positions = np.multiply.outer(np.asarray(quantiles, np.float64), sizes - 1)
    below = np.floor(positions).astype(np.int64)
    above = np.minimum(below + 1, sizes - 1)
    # In small samples the numbers of neighbouring quantiles overlap, so that they have to be put
    # in order.
    needed = np.stack([below, above], axis=1).reshape(-1, *sizes.shape)
    order = np.argsort(needed, axis=0, kind="stable")
    ordered = np.take_along_axis(needed, order, axis=0)
    shapes = np.diff(ordered, axis=0, prepend=-1, append=sizes[None])
    sums = np.cumsum(draw.standard_gamma(shapes), axis=0)
    uniform = np.empty(needed.shape)
    np.put_along_axis(uniform, order, sums[:-1] / sums[-1], axis=0)
    return uniform.reshape(len(quantiles), 2, *sizes.shape), positions - below
