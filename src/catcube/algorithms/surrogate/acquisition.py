"""Expected improvement at points, and at all neighbours of a point at once; ascents of it.

**Expected improvement** is computed as its logarithm, which never underflows. With
z = (best - mean) / deviation, the expected improvement by a normal value is

    EI = deviation (phi(z) + z Phi(z))

(Mockus 1978; Jones, Schonlau and Welch 1998). For z far below 0, its first term phi(z) / z^2 is
used (the logarithm as in Ament et al. 2023). If values have noise of standard deviation t, it is
multiplied by 1 - t / sqrt(deviation^2 + t^2) (Huang, Allen, Notz and Zeng 2006), because another
value at a well-known point adds little information. If evaluations have failed, it is multiplied by
the probability that evaluations at the point succeed: that a process of failures (1) and successes
(0) is below the middle between their mean and 1.

**All neighbours at once.** Let k be the covariances of a point with the m data, A the inverse of
their covariance matrix, and f(c, g) the factor of variable i for two of its categories. If variable
i changes from category b to c, the covariance with data of category g is multiplied by
f(c, g) / f(b, g). So mean and variance need only sums over the data of each category,

    M_g = sum_a k_a alpha_a / f(b, g),   F_gh = sum_aa' k_a A_aa' k_a' / (f(b, g) f(b, h)),
    mean(c) = mu + sum_g f(c, g) M_g,    1 - variance(c) = sum_gh f(c, g) f(c, h) F_gh,

where a runs over the data of category g, and a' over those of h. The sums for the most frequent
category follow from the sums over all data. So the cost is O(|S|^2) per variable, with S all other
data, instead of O(m^2) per category. Near the best point, where most data are, S is small.

**An ascent** begins at an evaluated point, predicts all points that differ in one variable, moves
to the most promising one, and continues while the expectation grows (the local search of Oh et al.
2019), for a bounded number of changes. Under constraints, or if requested, it also exchanges the
categories of two variables, and changes two variables at once; among these pairs, those with the
largest sums of single changes are predicted exactly. Points that are evaluated, pending or
infeasible are skipped. Among equally promising points, one is drawn at random.
"""

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.surrogate.fit import SMALLEST, GaussianProcess, multiply, write_covariances
from catcube.engine.compiled.jit import njit, part

ROOT_2 = math.sqrt(2.0)
ROOT_2_PI = math.sqrt(2.0 * math.pi)
FAR = -6.0
TIE = 1e-8  # difference of log improvements up to which points are equally promising
EXCHANGES, DOUBLES, EXACT = 96, 64, 32  # pairs of changes considered, and predicted exactly
CHECKED = 32  # points whose feasibility is checked at once

Rows = NDArray[np.int32]
Table = NDArray[np.float64]


class Sums(NamedTuple):
    """Scratch memory for the sums of a variable, and the predictions for all changes."""

    covariances: np.ndarray
    solved: np.ndarray  # the inverse times the covariances
    order: np.ndarray  # the data, sorted by the category of the variable
    first: np.ndarray  # where each category begins in this order
    present: np.ndarray  # the categories that occur in the data
    means: np.ndarray  # M of the categories present
    forms: np.ndarray  # F of these
    linear: np.ndarray  # sums of F over all categories
    factors: np.ndarray  # f of a category and the categories present
    mean: np.ndarray  # one row per variable, one column per category
    deviation: np.ndarray


def new_sums(size: int, cardinalities: NDArray[np.int64]) -> Sums:
    """Allocate the arrays for `size` data."""
    most = int(cardinalities.max(initial=1))
    present = min(most, size)
    table = (cardinalities.size, most)
    return Sums(
        *(np.empty(size), np.empty(size), np.empty(size, np.int64)),
        *(np.empty(most + 2, np.int64), np.empty(present, np.int64)),
        *(np.empty(present), np.empty((present, present)), np.empty(present), np.empty(present)),
        *(np.zeros(table), np.ones(table)),
    )


def predict_changes(process: GaussianProcess, point: Rows, sums: Sums) -> tuple[Table, Table]:
    """Return means and deviations after changing each variable to each of its categories."""
    sizes = process.kernel.cardinalities
    evaluate_changes(process.arrays, process.size, point, sizes, process.factors, sums)
    return sums.mean, sums.deviation


@njit
def evaluate_changes(arrays, size, point, cardinalities, factors, sums):
    """Write the mean and deviation after each change, in the units of the values."""
    columns, inverse, moments = arrays.columns, arrays.inverse, arrays.moments
    write_covariances(point, columns, size, factors, sums.covariances)
    multiply(inverse, size, sums.covariances, sums.solved)
    for i in range(cardinalities.size):
        count, here = cardinalities[i], factors[i, point[i]]
        sort_by_category(columns[i], size, count, sums)
        number = sum_data(count, inverse, arrays.alpha, here, sums)
        for c in range(count):
            factor = factors[i, c]
            mean, square = moments[0], 0.0
            for y in range(number):
                sums.factors[y] = factor[sums.present[y]]
                sums.linear[y] = 0.0
            for x in range(number):
                scale, form = sums.factors[x], sums.forms[x]
                mean += scale * sums.means[x]
                for y in range(number):
                    sums.linear[y] += scale * form[y]
            for y in range(number):
                square += sums.factors[y] * sums.linear[y]
            sums.mean[i, c] = mean
            sums.deviation[i, c] = math.sqrt(moments[1] * max(1.0 - square, SMALLEST))


@part
def sort_by_category(column, size, count, sums):
    """Sort the data by their category of a variable."""
    first, order = sums.first, sums.order
    for c in range(count + 2):
        first[c] = 0
    for a in range(size):
        first[column[a] + 2] += 1
    for c in range(count):
        first[c + 2] += first[c + 1]
    for a in range(size):  # first[c + 1], the begin of c, becomes the end of c
        c = column[a] + 1
        order[first[c]] = a
        first[c] += 1


@part
def sum_data(count, inverse, alpha, here, sums):
    """Write M and F of the categories present; return their number."""
    k, order, first, present = sums.covariances, sums.order, sums.first, sums.present
    forms, linear = sums.forms, sums.linear
    number, largest, most = 0, 0, 0
    for c in range(count):
        if first[c] != first[c + 1]:
            if first[c + 1] - first[c] > most:
                largest, most = number, first[c + 1] - first[c]
            present[number] = c
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
    for x in range(number):
        scale = 1.0 / here[present[x]]
        sums.means[x] *= scale
        for y in range(number):
            forms[x, y] *= scale
            forms[y, x] *= scale
    return number


@part
def log_improvement(mean, deviation, best, noise):
    """Return the logarithm of the expected improvement over `best`."""
    z = (best - mean) / deviation
    if z > FAR:
        density = math.exp(-0.5 * z * z) / ROOT_2_PI
        value = math.log(deviation * (density + 0.5 * z * math.erfc(-z / ROOT_2)))
    else:
        value = math.log(deviation / ROOT_2_PI) - 0.5 * z * z - 2.0 * math.log(-z)
    if noise > 0.0:
        total = math.sqrt(deviation * deviation + noise * noise)
        value += math.log(deviation / total * deviation / (total + noise))
    return value


@part
def log_below(mean, deviation, bound):
    """Return the logarithm of the probability that a normal value is below a bound."""
    z = (bound - mean) / deviation
    if z > FAR:
        return math.log(0.5 * math.erfc(-z / ROOT_2))
    return -0.5 * z * z - math.log(-z * ROOT_2_PI)


@njit
def write_logarithms(means, deviations, level, noise, below, logarithms):
    """Write log improvements over a level, or log probabilities to be `below` it."""
    for k in range(means.size):
        if below:
            logarithms[k] = log_below(means[k], deviations[k], level)
        else:
            logarithms[k] = log_improvement(means[k], deviations[k], level, noise)


@dataclass
class Acquisition:
    """Expected improvement according to one or several models, and ascents of it.

    Each model comes with the level to be improved, and `failure` with its threshold: the middle
    between the mean of failures and 1, on its scale. `free` returns which rows may be proposed,
    `active` which variables are active; `uniform` draws a number in [0, 1).
    """

    models: Sequence[tuple[GaussianProcess, float]]
    failure: tuple[GaussianProcess, float] | None
    free: Callable[[Rows], NDArray[np.bool_]]
    active: Callable[[Rows], NDArray[np.bool_]] | None
    uniform: Callable[[], float]
    noisy: bool = False
    pairs: bool = False

    def __post_init__(self) -> None:
        process = self.models[0][0]
        self._cardinalities = process.kernel.cardinalities
        failures = self.failure[0].arrays.values.size if self.failure else 0
        size = max(process.arrays.values.size, failures)
        self._sums = new_sums(size, self._cardinalities)
        categories = np.arange(self._sums.mean.shape[1])
        self._missing = categories >= self._cardinalities[:, None]

    def evaluate(self, rows: Rows) -> Table:
        """Return the logarithm of the expected improvement at each point."""
        return self._logarithms(lambda process: process.predict(rows))

    def _logarithms(self, predict: Callable[[GaussianProcess], tuple[Table, Table]]) -> Table:
        """Return the logarithms for the means and deviations that processes predict."""

        def of(process: GaussianProcess, level: float, below: bool = False) -> Table:
            means, deviations = predict(process)
            found, noise = np.empty(means.size), process.noise if self.noisy else 0.0
            write_logarithms(means.ravel(), deviations.ravel(), level, noise, below, found)
            return found.reshape(means.shape)

        improvement = functools.reduce(np.logaddexp, (of(*model) for model in self.models))
        return improvement + of(*self.failure, below=True) if self.failure else improvement

    def ascend(self, start: Rows, longest: int) -> Rows | None:
        """Return the end of an ascent of at most `longest` changes; None if no point is free."""
        point, expected = start.astype(np.int32), -math.inf
        if self.free(point[None])[0]:  # with noise, it may be evaluated again
            expected = float(self.evaluate(point[None])[0])
        for _ in range(longest):
            change = self._change(point, expected)
            if change is None:
                break
            point, expected = change
        return point if expected > -math.inf else None

    def _change(self, point: Rows, expected: float) -> tuple[Rows, float] | None:
        """Return the most promising neighbour and its expectation; None if not above `expected`."""
        table = self._table(point)
        others = [np.empty((0, point.size), np.int32)]
        if self.active is not None:
            others.append(self._switches(point, table))
        if self.pairs:
            others.append(self._promising_pairs(point))
        rows = np.concatenate(others)
        values = np.concatenate([table.ravel(), self.evaluate(rows)])
        while True:
            best = float(values.max())
            if not best > expected:
                return None
            alike = np.flatnonzero(values >= best - TIE)
            chosen = alike[[int(self.uniform() * alike.size)]]
            if self.pairs:  # check the feasibility of many points at once
                following = np.argpartition(-values, min(CHECKED, values.size - 1))[:CHECKED]
                chosen = np.append(chosen, following[values[following] > expected])
            points = self._rows(point, chosen, rows)
            free = self.free(points)
            if free[0]:
                return points[0], float(values[chosen[0]])
            values[chosen[~free]] = -math.inf

    def _rows(self, point: Rows, chosen: NDArray[np.int64], others: Rows) -> Rows:
        """Return the points at indices into the table of changes, followed by other rows."""
        size, behind = self._missing.size, chosen >= self._missing.size
        single = np.divmod(np.where(behind, 0, chosen), self._missing.shape[1])
        rows = _apply_changes(point, single)
        rows[behind] = others[chosen[behind] - size]
        return rows

    def _table(self, point: Rows) -> Table:
        """Return the expected improvement of each single change; -inf where nothing changes."""
        table = self._logarithms(lambda process: predict_changes(process, point, self._sums))
        table[self._missing] = -np.inf
        table[np.arange(point.size), point] = -np.inf
        return table

    def _switches(self, point: Rows, table: Table) -> Rows:
        """Remove the changes that switch other variables on or off from the table; return them.

        Variables that become active get random categories, those that become inactive the first.
        """
        assert self.active is not None
        here = self.active(point[None])[0]
        table[~here] = -np.inf
        variables, categories = np.nonzero(table > -np.inf)
        rows = _apply_changes(point, (variables, categories))
        active = self.active(rows)
        switching = (active != here).any(axis=1)
        table[variables[switching], categories[switching]] = -np.inf
        rows, active = rows[switching], active[switching]
        for row, others in zip(rows, active & ~here, strict=True):
            for variable in np.flatnonzero(others).tolist():
                row[variable] = int(self.uniform() * self._cardinalities[variable])
        return np.where(self.active(rows), rows, 0).astype(np.int32)

    def _promising_pairs(self, point: Rows) -> Rows:
        """Return the exchanges and double changes with the largest sums of single changes."""
        n, width = self._missing.shape
        here = np.arange(n)
        means, _ = predict_changes(self.models[0][0], point, self._sums)
        gains = np.where(self._missing, np.inf, means)
        gains -= gains[here, point][:, None]
        given = gains[:, point]  # where variable i has the category of j
        together = np.where(point[:, None] == point, np.inf, given + given.T)
        i, j = np.nonzero(np.isfinite(np.triu(together, 1)) & (here[:, None] < here))
        chosen = np.argsort(together[i, j], kind="stable")[:EXCHANGES]
        i, j = i[chosen], j[chosen]
        exchanges = _apply_changes(point, (i, point[j]), (j, point[i]))
        gains[here, point] = np.inf
        best = np.argsort(gains.ravel(), kind="stable")[: math.isqrt(2 * DOUBLES) + 1]
        first, second = np.triu_indices(len(best), 1)
        a, b = (np.array(np.divmod(best[k], width)) for k in (first, second))
        sums = np.where(a[0] == b[0], np.inf, gains[tuple(a)] + gains[tuple(b)])
        apart = np.isfinite(sums)
        doubles = _apply_changes(point, a[:, apart], b[:, apart])
        rows = np.concatenate([exchanges, doubles])
        free = self.free(rows)
        order = np.argsort(np.append(together[i, j], sums[apart])[free], kind="stable")
        return rows[free][order[:EXACT]]


def _apply_changes(point: Rows, *changes: Any) -> Rows:
    """Return copies of a point with changes: pairs of variables and categories, one per row."""
    rows = np.tile(point, (len(changes[0][0]), 1))
    for variables, categories in changes:
        rows[np.arange(len(rows)), variables] = categories
    return rows
