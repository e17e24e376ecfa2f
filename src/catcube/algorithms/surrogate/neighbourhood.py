"""Mean and variance of the model at all points that differ from one in a single variable.

Let k be the covariances of the point x with the m data, A the inverse of their covariance matrix
and e = exp(-w_i). Where variable i changes from its category to c, the covariance with a datum is

    multiplied by e          where the datum has the category of x,
    divided by e             where it has c,
    as before                elsewhere,

that is k' = e k + (1 - e) k_S + (1/e - 1) k_c, with k_S the part of k at the data S that differ
from x in variable i, and k_c that at those with c. So the mean needs sums over these sets, and the
variance 1 - k'Ak' quadratic forms of them: O(|S|^2) a variable for all its categories at once,
instead of O(m^2) a category. Near the best point, where the data are, S is small; where it is
large, the sums over its complement are taken instead.
"""

import math
from typing import NamedTuple

import numpy as np

from catcube.algorithms.surrogate.inverse import multiply
from catcube.engine.compiled.jit import njit

SMALLEST = 1e-10  # variance, in units of that of the values


class Sums(NamedTuple):
    """Room for the sums of one variable, and what the model says of all changes."""

    covariances: np.ndarray
    solved: np.ndarray  # the inverse times the covariances
    order: np.ndarray  # the data by their category of the variable
    first: np.ndarray  # where each category begins in that order
    mean: np.ndarray  # one row per variable, one column per category
    deviation: np.ndarray


def new_sums(size: int, cardinalities: np.ndarray) -> Sums:
    """Make the arrays for so many data."""
    most = int(cardinalities.max())
    table = (cardinalities.size, most)
    return Sums(
        np.empty(size),
        np.empty(size),
        np.empty(size, np.int64),
        np.empty(most + 1, np.int64),
        np.zeros(table),
        np.ones(table),
    )


@njit
def evaluate_changes(point, cardinalities, points, size, inverse, alpha, weights, moments, sums):
    """Write mean and deviation for every variable and category, in the units of the values."""
    k, v, order, first = sums.covariances, sums.solved, sums.order, sums.first
    for a in range(size):
        distance = 0.0
        for i in range(weights.size):
            if points[a, i] != point[i]:
                distance += weights[i]
        k[a] = math.exp(-distance)
    multiply(inverse, size, k, v)
    level, variance = moments[0], moments[1]
    mean_here, square_here = 0.0, 0.0
    for a in range(size):
        mean_here += k[a] * alpha[a]
        square_here += k[a] * v[a]
    for i in range(weights.size):
        count = cardinalities[i]
        for c in range(count + 1):
            first[c] = 0
        for a in range(size):
            first[points[a, i] + 1] += 1
        for c in range(count):
            first[c + 1] += first[c]
        for a in range(size):  # first[c] becomes the end of c
            c = points[a, i]
            order[first[c]] = a
            first[c] += 1
        for c in range(count, 0, -1):
            first[c] = first[c - 1]
        first[0] = 0
        here = point[i]
        begin, end = first[here], first[here + 1]
        same = end - begin
        # The sums over S: of k alpha, of k v, and of k A k.
        mean_other, linear, quadratic = 0.0, 0.0, 0.0
        e = math.exp(-weights[i])
        keep, gain = 1.0 - e, 1.0 / e - 1.0
        for c in range(count):
            if c == here:
                continue
            mean_c, linear_c, mixed_c, quadratic_c = 0.0, 0.0, 0.0, 0.0
            for at in range(first[c], first[c + 1]):
                a = order[at]
                row, ka = inverse[a], k[a]
                total = 0.0
                if 2 * same > size:
                    for other in range(begin):
                        total += row[order[other]] * k[order[other]]
                    for other in range(end, size):
                        total += row[order[other]] * k[order[other]]
                else:
                    for other in range(begin, end):
                        total -= row[order[other]] * k[order[other]]
                    total += v[a]
                within = 0.0
                for other in range(first[c], first[c + 1]):
                    within += row[order[other]] * k[order[other]]
                mean_c += ka * alpha[a]
                linear_c += ka * v[a]
                mixed_c += ka * total
                quadratic_c += ka * within
            mean_other += mean_c
            linear += linear_c
            quadratic += mixed_c
            sums.mean[i, c] = gain * mean_c
            sums.deviation[i, c] = gain * (
                2.0 * e * linear_c + 2.0 * keep * mixed_c + gain * quadratic_c
            )
        mean_here_i = level + e * mean_here + keep * mean_other
        square = e * e * square_here + 2.0 * e * keep * linear + keep * keep * quadratic
        for c in range(count):
            if c == here:
                sums.mean[i, c] = level + mean_here
                rest = 1.0 - square_here
            else:
                sums.mean[i, c] += mean_here_i
                rest = 1.0 - square - sums.deviation[i, c]
            sums.deviation[i, c] = math.sqrt(variance * max(rest, SMALLEST))
