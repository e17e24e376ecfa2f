"""Mean and variance of the model at all points that differ from one in a single variable.

Let k be the covariances of the point x with the m data, A the inverse of their covariance matrix,
and f(g, h) = exp(-u [g != h] - v |g - h|) the factor of variable i for two of its categories. Where
variable i changes from its category b to c, the covariance with a datum of category g is multiplied
by f(c, g) / f(b, g). So mean and variance need but sums over the data of each category,

    M_g = sum_a k_a alpha_a / f(b, g),   F_gh = sum_aa' k_a A_aa' k_a' / (f(b, g) f(b, h)),
    mean(c) = mu + sum_g f(c, g) M_g,    1 - variance(c) = sum_gh f(c, g) f(c, h) F_gh,

where a is summed over the data of category g, and a' over those of h. The sums for the category
that most data have follow from those over all data: so it takes O(|S|^2) a variable, with S all
other data, instead of O(m^2) a category. Near the best point, where the data are, S is small. The
sums over g and h take one pass over the categories from either end, for v |g - h| is a sum of
steps.
"""

import math
from typing import NamedTuple

import numpy as np

from catcube.algorithms.surrogate.inverse import multiply
from catcube.algorithms.surrogate.kernel import write_covariances_with
from catcube.engine.compiled.jit import njit, part

SMALLEST = 1e-10  # variance, in units of that of the values


class Sums(NamedTuple):
    """Room for the sums of one variable, and what the model says of all changes."""

    covariances: np.ndarray
    solved: np.ndarray  # the inverse times the covariances
    order: np.ndarray  # the data by their category of the variable
    first: np.ndarray  # where each category begins in that order
    present: np.ndarray  # the categories that data have
    rank: np.ndarray  # of each category among those, -1 for the others
    powers: np.ndarray  # the factors of v for each distance
    means: np.ndarray  # M of the categories present
    forms: np.ndarray  # F of those
    linear: np.ndarray  # sums of F over all categories
    passed: np.ndarray  # sums of F over the categories on one side
    above: np.ndarray  # for each category, the sum of F over all pairs above it
    mean: np.ndarray  # one row per variable, one column per category
    deviation: np.ndarray


def new_sums(size: int, cardinalities: np.ndarray) -> Sums:
    """Make the arrays for so many data."""
    most = int(cardinalities.max())
    present = min(most, size)
    table = (cardinalities.size, most)
    return Sums(
        covariances=np.empty(size),
        solved=np.empty(size),
        order=np.empty(size, np.int64),
        first=np.empty(most + 1, np.int64),
        present=np.empty(present, np.int64),
        rank=np.empty(most, np.int64),
        powers=np.empty(most),
        means=np.empty(present),
        forms=np.empty((present, present)),
        linear=np.empty(present),
        passed=np.empty(present),
        above=np.empty(most),
        mean=np.zeros(table),
        deviation=np.ones(table),
    )


@njit
def evaluate_changes(point, cardinalities, points, size, inverse, alpha, rates, moments, sums):
    """Write mean and deviation for every variable and category, in the units of the values."""
    write_covariances_with(point, points, size, rates, sums.covariances)
    multiply(inverse, size, sums.covariances, sums.solved)
    for i in range(cardinalities.size):
        count, differ, step = cardinalities[i], rates[0, i], rates[1, i]
        sort_by_category(points, size, i, count, sums)
        number = sum_data(count, inverse, alpha, sums)
        divide_by_factors(number, point[i], differ, step, sums)
        sum_categories(count, number, differ, step, sums, sums.mean[i], sums.deviation[i])
        for c in range(count):
            sums.mean[i, c] += moments[0]
            rest = 1.0 - sums.deviation[i, c]
            sums.deviation[i, c] = math.sqrt(moments[1] * max(rest, SMALLEST))


@part
def sort_by_category(points, size, variable, count, sums):
    """Order the data by their category of a variable."""
    first, order = sums.first, sums.order
    for c in range(count + 1):
        first[c] = 0
    for a in range(size):
        first[points[a, variable] + 1] += 1
    for c in range(count):
        first[c + 1] += first[c]
    for a in range(size):  # first[c] becomes the end of c
        c = points[a, variable]
        order[first[c]] = a
        first[c] += 1
    for c in range(count, 0, -1):
        first[c] = first[c - 1]
    first[0] = 0


@part
def sum_data(count, inverse, alpha, sums):
    """Write the sums over the data of all categories present, and return their number."""
    k, order, first, present = sums.covariances, sums.order, sums.first, sums.present
    forms, linear = sums.forms, sums.linear
    number, largest, most = 0, 0, 0
    for c in range(count):
        sums.rank[c] = -1
        if first[c] != first[c + 1]:
            if first[c + 1] - first[c] > most:
                largest, most = number, first[c + 1] - first[c]
            present[number] = c
            sums.rank[c] = number
            number += 1
    for x in range(number):
        mean, total = 0.0, 0.0
        for y in range(x + 1):
            forms[x, y] = 0.0
        for at in range(first[present[x]], first[present[x] + 1]):
            a = order[at]
            mean += k[a] * alpha[a]
            total += k[a] * sums.solved[a]
            if x == largest:
                continue
            row = inverse[a]
            for y in range(x + 1):
                if y == largest:
                    continue
                product = 0.0
                for other in range(first[present[y]], first[present[y] + 1]):
                    product += row[order[other]] * k[order[other]]
                forms[x, y] += k[a] * product
        sums.means[x], linear[x] = mean, total
    for x in range(number):
        for y in range(x):
            forms[y, x] = forms[x, y]
    forms[largest, largest] = linear[largest]
    for x in range(number):
        if x != largest:
            left = linear[x]
            for y in range(number):
                if y != largest:
                    left -= forms[x, y]
            forms[x, largest] = left
            forms[largest, x] = left
            forms[largest, largest] -= left
    return number


@part
def divide_by_factors(number, here, differ, step, sums):
    """Divide the sums by the factors of the point's own category."""
    for x in range(number):
        apart = abs(sums.present[x] - here)
        if apart != 0:
            scale = math.exp(differ + step * apart)
            sums.means[x] *= scale
            for y in range(number):
                sums.forms[x, y] *= scale
                sums.forms[y, x] *= scale


@part
def sum_categories(count, number, differ, step, sums, mean, square):
    """Write the sums over all categories and their pairs, for every category of the variable.

    Without the factor exp(-u), of which the category itself is exempt, the square is the sum over
    all pairs below, all pairs above, and twice all pairs with one of either.
    """
    forms, passed, above = sums.forms, sums.passed, sums.above
    same, shrink = 1.0 - math.exp(-differ), math.exp(-differ)
    decay = math.exp(-step)
    for c in range(count):
        sums.powers[c] = math.exp(-step * c)
    for y in range(number):
        passed[y] = 0.0
    total = 0.0
    for c in range(count - 1, -1, -1):
        above[c] = total
        x = sums.rank[c]
        if x >= 0:
            total += 2.0 * passed[x] + forms[x, x]
        total *= decay * decay
        for y in range(number):
            passed[y] = decay * (passed[y] + (forms[x, y] if x >= 0 else 0.0))
    for y in range(number):
        passed[y] = 0.0
    total = 0.0
    for c in range(count):
        x = sums.rank[c]
        total *= decay * decay
        if x >= 0:
            total += 2.0 * decay * passed[x] + forms[x, x]
        for y in range(number):
            passed[y] = decay * passed[y] + (forms[x, y] if x >= 0 else 0.0)
        linear, either, own = 0.0, 0.0, 0.0
        for y in range(number):
            power = sums.powers[abs(sums.present[y] - c)]
            linear += power * sums.means[y]
            if sums.present[y] > c:
                either += power * passed[y]
            if x >= 0:
                own += power * forms[x, y]
        mean[c] = shrink * linear
        square[c] = shrink * shrink * (total + 2.0 * either + above[c])
        if x >= 0:
            mean[c] += same * sums.means[x]
            square[c] += same * (2.0 * shrink * own + same * forms[x, x])
