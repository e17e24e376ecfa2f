"""Fitting the parameters of the model to the data: an ascent of their likelihood.

Priors keep few data from saying too much: the logarithms of the weights are normal around their
common mean, and that of the nugget is normal around log 1e-3. The ascent is Rprop without
backtracking (Igel and Hüsken 2003): it needs the signs of the gradient only, hence no scaling.
The ordinal share is the one of a few with the highest likelihood at the fitted weights; the order
of categories counts only where that is higher by `EVIDENCE` at least.
"""

import math

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.surrogate.likelihood import (
    Data,
    Parameters,
    Room,
    gradient,
    log_likelihood,
)

SPREAD = 1.0  # standard deviation of the log weights around their mean, a priori
NUGGET, NUGGET_SPREAD = math.log(1e-3), 3.0
LOWEST_WEIGHT, HIGHEST_WEIGHT = math.log(1e-4), math.log(3.0)
LOWEST_NUGGET, HIGHEST_NUGGET = math.log(1e-6), 0.0
FIRST_STEP, LONGEST_STEP, LONGER, SHORTER = 0.3, 1.0, 1.3, 0.4
ORDINAL = (0.2, 0.5, 0.9)  # shares, besides 0
EVIDENCE = 4.0  # in units of the log likelihood


def fitted(data: Data, parameters: Parameters, room: Room, steps: int) -> Parameters:
    """Return parameters of higher likelihood, after so many steps, or twice as many."""
    found = ascended(data, parameters, room, steps)
    ordinal = best_ordinal(data, found, room)
    if ordinal == found.ordinal:
        return found
    return ascended(data, found._replace(ordinal=ordinal), room, steps)


def best_ordinal(data: Data, parameters: Parameters, room: Room) -> float:
    """Return the ordinal share of the highest likelihood, with a handicap for all but 0."""
    moments = np.empty(2)
    best, highest = 0.0, log_likelihood(data, parameters._replace(ordinal=0.0), room, moments)
    for share in ORDINAL:
        found = log_likelihood(data, parameters._replace(ordinal=share), room, moments) - EVIDENCE
        if found > highest:
            best, highest = share, found
    return best


def ascended(data: Data, parameters: Parameters, room: Room, steps: int) -> Parameters:
    """Return weights and nugget after so many steps of ascent from those given."""
    n = parameters.weights.size
    low = np.append(np.full(n, LOWEST_WEIGHT), LOWEST_NUGGET)
    high = np.append(np.full(n, HIGHEST_WEIGHT), HIGHEST_NUGGET)
    start = [math.log(number) for number in (*parameters.weights.tolist(), parameters.nugget)]
    at = np.clip(start, low, high)
    best, best_value = at, -math.inf
    lengths = np.full(n + 1, FIRST_STEP)
    before = np.zeros(n + 1)
    slopes = np.empty(n + 1)
    moments = np.empty(2)
    for _ in range(steps):
        value = gradient(data, _exponentials(at, parameters.ordinal), room, moments, slopes)
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
    return _exponentials(best, parameters.ordinal)


def _exponentials(logarithms: NDArray[np.float64], ordinal: float) -> Parameters:
    numbers = [math.exp(logarithm) for logarithm in logarithms.tolist()]
    return Parameters(np.array(numbers[:-1]), numbers[-1], ordinal)
