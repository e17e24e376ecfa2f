"""The covariance of the values at two points: exponential in a weighted Hamming distance.

    k(x, x') = exp(-sum_i w_i [x_i != x'_i])

It is the diffusion kernel on complete graphs of Oh et al. (2019, COMBO), whose factor for two
different categories of a variable is here exp(-w_i), and up to the parameters the transformed
overlap kernel of Wan et al. (2021, Casmopolitan). A weight near 0 says that the variable matters
little; a large one, that the values at two of its categories tell nothing of each other. Being a
product over the variables, it changes by one factor where one variable changes: `neighbourhood`
lives on that.
"""

import math

from catcube.engine.compiled.jit import njit, part


@part
def covariances(columns, size, weights, matrix):
    """Write the covariances of the first `size` points; `columns` has one row per variable."""
    for a in range(size):
        row = matrix[a]
        for b in range(a + 1):
            row[b] = 0.0
        for i in range(weights.size):
            category, weight, column = columns[i, a], weights[i], columns[i]
            for b in range(a + 1):
                row[b] += 0.0 if column[b] == category else weight
        for b in range(a + 1):
            row[b] = math.exp(-row[b])
    for a in range(size):
        for b in range(a):
            matrix[b, a] = matrix[a, b]


@njit
def covariances_with(point, points, size, weights, row):
    """Write the covariances of a point with the first `size` of others."""
    for a in range(size):
        distance = 0.0
        for i in range(weights.size):
            if points[a, i] != point[i]:
                distance += weights[i]
        row[a] = math.exp(-distance)
