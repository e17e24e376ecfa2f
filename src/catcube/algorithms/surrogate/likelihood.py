"""Fitting weights and nugget: the marginal likelihood, its gradient, and its ascent.

With a constant mean and the variance at their best values (both in closed form), the logarithm
of the marginal likelihood of m values y is, up to a constant,

    L = -m/2 log s^2 - 1/2 log|K|,   s^2 = (y - mu)' K^-1 (y - mu) / m

(Rasmussen and Williams 2006, equations 5.8 and 5.9). Two priors keep few data from saying too
much: the logarithms of the weights are normal around their common mean, and that of the nugget
(the variance of the noise in units of s^2) is normal around log 1e-3. The ascent is Rprop without
backtracking (Igel and Hüsken 2003): it needs the signs of the gradient only, hence no scaling.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.surrogate.inverse import invert, multiply
from catcube.algorithms.surrogate.kernel import covariances
from catcube.engine.compiled.jit import njit

SPREAD = 1.0  # standard deviation of the log weights around their mean, a priori
NUGGET, NUGGET_SPREAD = math.log(1e-3), 3.0
LOWEST_WEIGHT, HIGHEST_WEIGHT = math.log(1e-4), math.log(3.0)
LOWEST_NUGGET, HIGHEST_NUGGET = math.log(1e-6), 0.0
FIRST_STEP, LONGEST_STEP, LONGER, SHORTER = 0.3, 1.0, 1.3, 0.4


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


@njit
def posterior(columns, size, weights, nugget, room):
    """Invert the covariance matrix; log of its determinant."""
    covariances(columns, size, weights, room.covariances)
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


def gradient(
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    size: int,
    weights: NDArray[np.float64],
    nugget: float,
    room: Room,
    moments: NDArray[np.float64],
    slopes: NDArray[np.float64],
) -> float:
    """Write the derivatives of L by the log weights and the log nugget; L itself."""
    log_determinant = posterior(columns, size, weights, nugget, room)
    if math.isnan(log_determinant):
        return math.nan
    # The factor is no longer needed: its first row is room for a vector of ones.
    solve(values, size, room.inverse, room.ones, room.solved, room.factor[0], moments)
    _write_slopes(columns, size, weights, nugget, room, moments[1], slopes)
    return -0.5 * size * math.log(moments[1]) - 0.5 * float(log_determinant)


@njit
def _write_slopes(columns, size, weights, nugget, room, variance, slopes):
    """Write the derivatives; the covariances are no longer needed, and overwritten."""
    by_nugget = 0.0
    for a in range(size):
        scaled = room.solved[a] / variance
        by_nugget += scaled * room.solved[a] - room.inverse[a, a]
        row, inverse = room.covariances[a], room.inverse[a]
        for b in range(a):
            row[b] *= inverse[b] - scaled * room.solved[b]
    for i in range(weights.size):
        column, by_weight = columns[i], 0.0
        for a in range(size):
            category, row = column[a], room.covariances[a]
            for b in range(a):
                if column[b] != category:
                    by_weight += row[b]
        slopes[i] = by_weight * weights[i]
    slopes[weights.size] = 0.5 * by_nugget * nugget


def fitted(
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    size: int,
    log_parameters: NDArray[np.float64],
    room: Room,
    steps: int,
) -> NDArray[np.float64]:
    """Return log weights and log nugget (last) after so many steps of ascent from those given."""
    n = log_parameters.size - 1
    low = np.append(np.full(n, LOWEST_WEIGHT), LOWEST_NUGGET)
    high = np.append(np.full(n, HIGHEST_WEIGHT), HIGHEST_NUGGET)
    at = np.clip(log_parameters, low, high)
    best, best_value = at, -math.inf
    lengths = np.full(n + 1, FIRST_STEP)
    before = np.zeros(n + 1)
    slopes = np.empty(n + 1)
    moments = np.empty(2)
    for _ in range(steps):
        numbers = [math.exp(parameter) for parameter in at.tolist()]
        value = gradient(
            columns, values, size, np.array(numbers[:n]), numbers[n], room, moments, slopes
        )
        if math.isnan(value):  # not positive definite with the digits there are
            at[n] = min(at[n] + 1.0, HIGHEST_NUGGET)
            continue
        offsets = at[:n] - math.fsum(at[:n]) / n
        offset = (at[n] - NUGGET) / NUGGET_SPREAD
        value -= 0.5 * (math.fsum(offsets**2) / SPREAD**2 + offset**2)
        slopes[:n] -= offsets / SPREAD**2
        slopes[n] -= offset / NUGGET_SPREAD
        if value > best_value:
            best, best_value = at, value
        agreement = slopes * before
        lengths = np.where(agreement > 0, np.minimum(lengths * LONGER, LONGEST_STEP), lengths)
        lengths = np.where(agreement < 0, lengths * SHORTER, lengths)
        before = np.where(agreement < 0, 0.0, slopes)
        at = np.clip(at + np.sign(before) * lengths, low, high)
    return best
