"""Statistics of samples drawn anew from samples (the bootstrap), without drawing every value.

The mean of a resample depends on how often each value is drawn alone: a multinomial draw, for
samples with many equal values. A quantile depends on one or two of the sorted draws. The k-th
smallest of n uniform numbers is the sum of the first k of n + 1 exponential ones over the sum of
all, and sums of exponential numbers are gamma distributed: so a median takes three draws, whatever
the size. Both have exactly the distribution that drawing every value would give.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

CELLS = 1_000_000  # draws at a time: memory stays small


def resampled_means(
    sample: ArrayLike, repetitions: int, draw: np.random.Generator
) -> NDArray[np.float64]:
    """The means of resamples, as large as the sample.

    >>> resampled_means([2, 2, 2], 2, np.random.default_rng(1)).tolist()
    [2.0, 2.0]
    """
    given = np.asarray(sample, np.float64)
    values, counts = np.unique(given, return_counts=True)
    size = given.size
    if size <= 16 * values.size:  # then it is quicker to draw every value
        means = np.empty(repetitions)
        step = max(1, CELLS // size)
        for first in range(0, repetitions, step):
            part = means[first : first + step]
            chosen = draw.integers(size, size=(part.size, size), dtype=np.int32)
            part[:] = given[chosen].mean(axis=1)
        return means
    drawn = draw.multinomial(size, counts / size, repetitions)
    return np.asarray(drawn @ values / size, np.float64)


def resampled_quantiles(
    rows: NDArray[np.float64],
    available: NDArray[np.int64],
    chosen: NDArray[np.int64],
    sizes: NDArray[np.int64],
    quantiles: Sequence[float],
    draw: np.random.Generator,
) -> NDArray[np.float64]:
    """Quantiles, by increasing level, of resamples; interpolated linearly as those of `summary`.

    Each row is a sorted sample of which the first `available` values count. `chosen` and `sizes`,
    of any shape but the same one, say of which row each resample is made and how large it is; one
    without values has infinite quantiles. They are in the first dimension of what is returned.

    >>> draw = np.random.default_rng(1)
    >>> row, zeros = np.array([[1.0, 2, 4]]), np.zeros(4, np.int64)
    >>> medians = resampled_quantiles(row, np.array([3]), zeros, zeros + 3, [0.5], draw)
    >>> bool(np.isin(medians, [1, 2, 4]).all()), medians.shape
    (True, (1, 4))
    """
    drawn_from = available[chosen]
    possible = (sizes > 0) & (drawn_from > 0)
    size = np.where(possible, sizes, 1)
    positions = np.multiply.outer(np.asarray(quantiles, np.float64), size - 1)
    below = np.floor(positions).astype(np.int64)
    above = np.minimum(below + 1, size - 1)
    # The places of the sorted draws that are needed: two for each quantile. In small samples those
    # of neighbouring quantiles overlap, so that they have to be put in order.
    needed = np.stack([below, above], axis=1).reshape(-1, *size.shape)
    order = np.argsort(needed, axis=0, kind="stable")
    ordered = np.take_along_axis(needed, order, axis=0)
    shapes = np.diff(ordered, axis=0, prepend=-1, append=size[None])
    sums = np.cumsum(draw.standard_gamma(shapes), axis=0)
    uniform = np.empty(needed.shape)
    np.put_along_axis(uniform, order, sums[:-1] / sums[-1], axis=0)
    places = np.minimum((uniform * drawn_from).astype(np.int64), np.maximum(drawn_from - 1, 0))
    values = rows[chosen, places].reshape(len(quantiles), 2, *size.shape)
    low, high = values[:, 0], values[:, 1]
    with np.errstate(invalid="ignore"):  # infinite ones, that are replaced
        found = low + (high - low) * (positions - below)
    return np.where(possible, found, np.inf)
