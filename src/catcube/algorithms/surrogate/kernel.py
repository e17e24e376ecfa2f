"""The covariance of the values at two points: exponential in a weighted distance.

    k(x, x') = exp(-sum_i (u_i [x_i != x'_i] + v_i |x_i - x'_i|))

The first part is the diffusion kernel on complete graphs of Oh et al. (2019, COMBO), whose factor
for two different categories of a variable is here exp(-u_i), and up to the parameters the
transformed overlap kernel of Wan et al. (2021, Casmopolitan). The second part is for categories
whose order matters, as levels or times; |x_i - x'_i| is the distance of their indices, and its
exponential the Laplacian kernel. Both follow from the weight w_i of the variable and the ordinal
share r, one for all variables:

    u_i = (1 - r) w_i,   v_i = r w_i / ((N_i + 1) / 3),

where (N_i + 1) / 3 is the mean distance of two different ones of N_i categories: w_i is the mean
distance of different categories whatever r is. A weight near 0 says that the variable matters
little; a large one, that the values at two of its categories tell nothing of each other. Being a
product over the variables, the covariance changes by one factor where one variable changes:
`neighbourhood` lives on that.
"""

import math

import numpy as np
from numpy.typing import NDArray

from catcube.engine.compiled.jit import njit, part


def rates_of(
    weights: NDArray[np.float64], ordinal: float, cardinalities: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return u in the first row and v in the second one.

    >>> rates_of(np.array([1.0, 1.0]), 0.5, np.array([2, 11])).tolist()
    [[0.5, 0.5], [0.5, 0.125]]
    """
    return np.array([(1 - ordinal) * weights, ordinal * weights / ((cardinalities + 1) / 3)])


@part
def covariances(columns, size, rates, matrix):
    """Write the covariances of the first `size` points; `columns` has one row per variable."""
    for a in range(size):
        row = matrix[a]
        for b in range(a + 1):
            row[b] = 0.0
        for i in range(rates.shape[1]):
            category, differ, step, column = columns[i, a], rates[0, i], rates[1, i], columns[i]
            for b in range(a + 1):
                apart = abs(column[b] - category)
                row[b] += (0.0 if apart == 0 else differ) + step * apart
        for b in range(a + 1):
            row[b] = math.exp(-row[b])
    for a in range(size):
        for b in range(a):
            matrix[b, a] = matrix[a, b]


@part
def write_covariances_with(point, points, size, rates, row):
    """Write the covariances of a point with the first `size` of others."""
    for a in range(size):
        distance = 0.0
        for i in range(rates.shape[1]):
            apart = abs(points[a, i] - point[i])
            if apart != 0:
                distance += rates[0, i] + rates[1, i] * apart
        row[a] = math.exp(-distance)


@njit
def covariances_with(point, points, size, rates, row):
    """Write the same, for Python."""
    write_covariances_with(point, points, size, rates, row)
