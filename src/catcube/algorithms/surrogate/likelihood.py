"""The marginal likelihood of the values, and its gradient.

With a constant mean and the variance at their best values (both in closed form), the logarithm
of the marginal likelihood of m values y is, up to a constant,

    L = -m/2 log s^2 - 1/2 log|K|,   s^2 = (y - mu)' K^-1 (y - mu) / m

(Rasmussen and Williams 2006, equations 5.8 and 5.9).
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.surrogate.inverse import invert, multiply
from catcube.algorithms.surrogate.kernel import covariances, rates_of
from catcube.engine.compiled.jit import njit


class Room(NamedTuple):
    """Arrays that the compiled functions work on."""

    covariances: np.ndarray
    factor: np.ndarray
    inverse: np.ndarray
    ones: np.ndarray  # the inverse times 1, ...
    solved: np.ndarray  # and times the values, minus the mean


def new_room(size: int) -> Room:
    """Make the arrays for so many points."""
    return Room(
        covariances=np.empty((size, size)),
        factor=np.empty((size, size)),
        inverse=np.empty((size, size)),
        ones=np.empty(size),
        solved=np.empty(size),
    )


class Data(NamedTuple):
    """Points, one column each, and their values, of which the first `size` count."""

    cardinalities: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: NDArray[np.float64]
    size: int


class Parameters(NamedTuple):
    """What the likelihood depends on."""

    weights: NDArray[np.float64]
    nugget: float  # variance of the noise, in units of that of the process
    ordinal: float  # share of the order of categories in their distances


@njit
def posterior(columns, size, rates, nugget, room):
    """Invert the covariance matrix; log of its determinant."""
    covariances(columns, size, rates, room.covariances)
    for a in range(size):
        room.covariances[a, a] = 1.0 + nugget
    return invert(room.covariances, size, room.factor, room.inverse)


@njit
def solve(values, size, inverse, ones, solved, filler, moments):
    """Write the inverse times 1 and times the values minus their mean; mean and variance."""
    for a in range(size):
        filler[a] = 1.0
    multiply(inverse, size, filler, ones)
    multiply(inverse, size, values, solved)
    total, weighted = 0.0, 0.0
    for a in range(size):
        total += ones[a]
        weighted += solved[a]
    mean = weighted / total
    square = 0.0
    for a in range(size):
        solved[a] -= mean * ones[a]
        square += solved[a] * (values[a] - mean)
    moments[0] = mean
    moments[1] = max(square / size, 1e-12)


def log_likelihood(
    data: Data, parameters: Parameters, room: Room, moments: NDArray[np.float64]
) -> float:
    """Return L, and write mean and variance; NaN where the digits do not suffice."""
    weights, nugget, ordinal = parameters
    rates = rates_of(weights, ordinal, data.cardinalities)
    log_determinant = posterior(data.columns, data.size, rates, nugget, room)
    if math.isnan(log_determinant):
        return math.nan
    # The factor is no longer needed: its first row is room for a vector of ones.
    solve(data.values, data.size, room.inverse, room.ones, room.solved, room.factor[0], moments)
    return -0.5 * data.size * math.log(moments[1]) - 0.5 * float(log_determinant)


def gradient(
    data: Data,
    parameters: Parameters,
    room: Room,
    moments: NDArray[np.float64],
    slopes: NDArray[np.float64],
) -> float:
    """Write the derivatives of L by the log weights and the log nugget; L itself."""
    likelihood = log_likelihood(data, parameters, room, moments)
    if math.isnan(likelihood):
        return math.nan
    sums = np.empty((2, data.cardinalities.size))
    by_nugget = _sum_slopes(data.columns, data.size, room, moments[1], sums)
    slopes[:-1] = (sums * rates_of(parameters.weights, parameters.ordinal, data.cardinalities)).sum(
        axis=0
    )
    slopes[-1] = by_nugget * parameters.nugget
    return likelihood


@njit
def _sum_slopes(columns, size, room, variance, sums):
    """Write the derivatives by the rates of all variables; that by the nugget.

    The covariances are no longer needed, and overwritten.
    """
    by_nugget = 0.0
    for a in range(size):
        scaled = room.solved[a] / variance
        by_nugget += scaled * room.solved[a] - room.inverse[a, a]
        row, inverse = room.covariances[a], room.inverse[a]
        for b in range(a):
            row[b] *= inverse[b] - scaled * room.solved[b]
    for i in range(columns.shape[0]):
        column, differ, step = columns[i], 0.0, 0.0
        for a in range(size):
            category, row = column[a], room.covariances[a]
            for b in range(a):
                apart = abs(column[b] - category)
                if apart != 0:
                    differ += row[b]
                    step += row[b] * apart
        sums[0, i] = differ
        sums[1, i] = step
    return 0.5 * by_nugget
