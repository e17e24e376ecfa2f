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
EXACT = 2.0**53  # sums of integers up to this do not depend on their order


def few_distinct(rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell of which sorted rows it is quicker to draw how often each distinct value occurs.

    >>> few_distinct(np.array([[1.0] * 40, [*range(40)]])).tolist()
    [True, False]
    """
    distinct = 1 + np.count_nonzero(rows[:, 1:] != rows[:, :-1], axis=1)
    return np.asarray(rows.shape[1] > 16 * distinct)


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
    if len(rows) == 1 and few_distinct(np.sort(rows)).all():
        values, counts = np.unique(rows, return_counts=True)
        drawn = draw.multinomial(size, counts / size, repetitions)
        return np.reshape(drawn @ values / size, (*given.shape[:-1], repetitions))
    exact = (rows == np.rint(rows)).all() and np.abs(rows).max() * size < EXACT
    means = np.empty((len(rows), repetitions))
    step = max(1, CELLS // size)
    for first in range(0, repetitions, step):
        part = slice(first, min(first + step, repetitions))
        count = part.stop - first
        chosen = draw.integers(size, size=(count, size), dtype=np.int32)
        if exact and len(rows) > 1:
            # How often each index is drawn: a product of matrices, the same in any order.
            indices = (np.arange(count)[:, None] * size + chosen).reshape(-1)
            often = np.bincount(indices, minlength=count * size).reshape(count, size)
            means[:, part] = rows @ often.T.astype(np.float64) / size
        else:
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
    """Draw the two order statistics around each quantile of so many uniform numbers.

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
