"""A Gaussian process on categories, and the fit of its parameters.

The values at two points x and x' have the covariance

    k(x, x') = exp(-sum_i w_i d_i(x_i, x'_i)),

in units of the variance. If the categories of a variable have no order, d_i is 1 for different
categories: this is the diffusion kernel on complete graphs of Oh et al. (2019, COMBO), and, with
other parameters, the transformed overlap kernel of Wan et al. (2021, Casmopolitan). If their order
matters to the degree r, as for levels or times, or, cyclically, for angles, d_i is

    d_i(c, g) = (1 - r) [c != g] + r |c - g| / (mean of |c - g| over different c and g),

where |c - g| is the distance of two positions on a line or on a circle (Laplacian kernels, both
positive definite). The mean of d_i over different categories is always 1. A weight w_i near 0 means
that the variable matters little, a large one that the values at two of its categories are
independent. The covariance is a product over the variables, so a change of one variable changes one
factor, which `acquisition` exploits.

With the optimal constant mean and variance (both in closed form), the logarithm of the marginal
likelihood of m values y is, up to a constant,

    L = -m/2 log s^2 - 1/2 log|K|,   s^2 = (y - mu)' K^-1 (y - mu) / m

(Rasmussen and Williams 2006, equations 5.8 and 5.9). Priors prevent overfitting to few data: the
logarithms of the weights are normal around their mean, which is normal around the mean of n weights
with sum 1 (without this, all weights grow if variables have more categories than there are points);
the logarithm of the nugget is normal around log 1e-3, or log 0.1 if values are known to be noisy
(without repeated points, data hardly distinguish noise from differences between neighbours). The
ascent is Rprop without backtracking (Igel and Hüsken 2003), which uses only the signs of the
gradient and so needs no scaling. The degree of the order is the one of a few with the highest
likelihood at the fitted weights; an order is used only if its log likelihood is higher by
`EVIDENCE` or more.

Linear algebra consists of plain loops without BLAS, in a fixed order, so that results depend
neither on a library nor on threads. Inner loops run along rows without summation, so that they are
vectorised.
"""

import copy
import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.engine.compiled.jit import njit, part, unsigned

TOTAL = 1.0  # prior sum of the weights of all variables
SPREAD = 1.0  # prior standard deviation of the log weights around their mean, by default
LOWEST_WEIGHT, HIGHEST_WEIGHT = math.log(1e-4), math.log(3.0)
LOWEST_NUGGET, HIGHEST_NUGGET = math.log(1e-6), math.log(100.0)
FIRST_STEP, LONGEST_STEP, LONGER, SHORTER = 0.3, 1.0, 1.3, 0.4
EVIDENCE = 4.0  # difference of log likelihoods
FIRST_WEIGHT = 2.0  # sum of the weights before a fit
SMALLEST = 1e-10  # least variance, in units of that of the values

UNKNOWN, UNORDERED, ORDERED, CYCLIC = range(4)
KINDS = {None: UNKNOWN, False: UNORDERED, True: ORDERED, "cyclic": CYCLIC}  # of variables
DECLARED = 0.9  # degree of an order that the user states


class Order(NamedTuple):
    """The order of the categories of variables of unknown kind."""

    share: float = 0.0
    cyclic: bool = False


NO_ORDER = Order()
ORDERS = (Order(0.2), Order(0.5), Order(0.9), Order(0.5, True), Order(0.9, True))


class Nugget(NamedTuple):
    """The prior of the nugget: its median, and the standard deviation of its logarithm."""

    median: float
    spread: float


QUIET, NOISY = Nugget(1e-3, 3.0), Nugget(0.1, 1.5)


class Parameters(NamedTuple):
    """The parameters of the likelihood."""

    weights: NDArray[np.float64]
    nugget: float  # variance of the noise, in units of that of the process
    order: Order = NO_ORDER


class Kernel:
    """The distances d of the categories of all variables, padded to the largest number.

    >>> kernel = Kernel(np.array([2, 4]))
    >>> kernel.distances(NO_ORDER)[1, 0].tolist()
    [0.0, 1.0, 1.0, 1.0]
    >>> kernel.distances(Order(1.0))[1, 0].round(2).tolist()
    [0.0, 0.6, 1.2, 1.8]
    >>> kernel.distances(Order(1.0, cyclic=True))[1, 0].tolist()
    [0.0, 0.75, 1.5, 0.75]
    """

    def __init__(
        self, cardinalities: NDArray[np.int64], kinds: NDArray[np.int64] | None = None
    ) -> None:
        self.cardinalities = cardinalities
        self.kinds = np.zeros(cardinalities.size, np.int64) if kinds is None else kinds
        self._tables: dict[Order, NDArray[np.float64]] = {}

    def orders(self) -> tuple[Order, ...]:
        """Return the orders that variables of unknown kind may have."""
        return ORDERS if (self.cardinalities[self.kinds == UNKNOWN] > 2).any() else ()

    def plain(self, order: Order) -> NDArray[np.bool_]:
        """Return, for each variable, whether d is 1 for all different categories."""
        unknown = (self.kinds == UNKNOWN) & ((order.share == 0) | (self.cardinalities == 2))
        return unknown | (self.kinds == UNORDERED)

    def distances(self, order: Order) -> NDArray[np.float64]:
        """Return d for each variable and each pair of its categories."""
        if order not in self._tables:
            most = int(self.cardinalities.max(initial=1))
            apart = np.abs(np.arange(most)[:, None] - np.arange(most))
            table = np.zeros((self.cardinalities.size, most, most))
            for i, (count, kind) in enumerate(
                zip(self.cardinalities.tolist(), self.kinds.tolist(), strict=True)
            ):
                share, cyclic = order
                if kind != UNKNOWN:
                    share, cyclic = DECLARED * (kind != UNORDERED), kind == CYCLIC
                steps = np.minimum(apart, np.abs(count - apart)) if cyclic else apart
                mean = steps[:count, :count].sum() / max(count * (count - 1), 1)
                table[i] = (1 - share) * (apart > 0) + share * steps / max(mean, 1e-9)
            self._tables[order] = table
        return self._tables[order]


class Arrays(NamedTuple):
    """The arrays of a process, for a capacity that may exceed the number of points."""

    columns: NDArray[np.int32]  # the points, one per column
    values: NDArray[np.float64]
    inverse: NDArray[np.float64]  # of the covariances, in units of the variance
    ones: NDArray[np.float64]  # the inverse times a vector of ones
    alpha: NDArray[np.float64]  # the inverse times the values minus the mean
    moments: NDArray[np.float64]  # mean and variance of the process
    covariances: NDArray[np.float64]
    factor: NDArray[np.float64]
    row: NDArray[np.float64]
    product: NDArray[np.float64]


def new_arrays(variables: int, capacity: int) -> Arrays:
    """Allocate the arrays of a process."""
    columns, values = np.zeros((variables, capacity), np.int32), np.zeros(capacity)
    inverse, covariances, factor = (np.empty((capacity, capacity)) for _ in range(3))
    ones, alpha, row, product = (np.empty(capacity) for _ in range(4))
    moments = np.array([0.0, 1.0])
    return Arrays(columns, values, inverse, ones, alpha, moments, covariances, factor, row, product)


class GaussianProcess:
    """A Gaussian process; memory, and the time to add a point, are quadratic in their number.

    >>> process = GaussianProcess(Kernel(np.array([2, 2])), capacity=10)
    >>> process.replace(np.array([[0, 0], [0, 1], [1, 0]]), np.array([0.0, 1.0, 1.0]))
    >>> means, deviations = process.predict(np.array([[0, 0]]))
    >>> means.round(2).tolist(), bool(deviations[0] < 0.1)
    ([0.0], True)
    """

    def __init__(
        self,
        kernel: Kernel,
        capacity: int,
        parameters: Parameters | None = None,
        prior: Nugget = QUIET,
    ) -> None:
        count = kernel.cardinalities.size
        weights = np.full(count, FIRST_WEIGHT / max(count, 1))
        self.kernel, self.prior = kernel, prior
        self.size = 0
        self.arrays = new_arrays(count, capacity)
        self.set_parameters(parameters or Parameters(weights, prior.median))

    @property
    def values(self) -> NDArray[np.float64]:
        """The values of the points."""
        return self.arrays.values[: self.size]

    @property
    def noise(self) -> float:
        """The standard deviation of the noise of the values."""
        return math.sqrt(self.nugget * float(self.arrays.moments[1]))

    def point(self, index: int) -> NDArray[np.int32]:
        """Return a point by its index."""
        return self.arrays.columns[:, index].copy()

    def set_parameters(self, parameters: Parameters) -> None:
        """Set the parameters; `replace` or `fit` must follow."""
        self.parameters, self.nugget = parameters, parameters.nugget
        distances = self.kernel.distances(parameters.order)
        self.factors = np.empty(distances.shape)
        _write_factors(distances, parameters.weights, self.factors)

    def replace(self, points: NDArray[Any], values: NDArray[np.float64]) -> None:
        """Replace all points and values."""
        self._fill(points, values)
        self._invert()
        self.solve()

    def append(self, point: NDArray[Any], value: float) -> None:
        """Add a point; `solve` must follow."""
        size, old = self.size, self.arrays
        if size == old.values.size:
            self.arrays = new_arrays(len(old.columns), 2 * size)
            self._fill(old.columns.T, old.values)
            self.arrays.inverse[:size, :size] = old.inverse
        self.arrays.columns[:, size] = point
        self.arrays.values[size] = value
        self.size += 1
        if not _append_point(self.arrays, size, point, self.factors, 1.0 + self.nugget):
            self._invert()

    def solve(self) -> None:
        """Compute the mean and variance of the process for the present points and values."""
        _solve(self.arrays, self.size)

    def predict(
        self, rows: NDArray[Any], whole: bool = False
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return means and standard deviations at points, without the noise of values.

        With `whole`, the deviation includes the uncertainty of the constant mean (Rasmussen and
        Williams 2006, equation 2.42).
        """
        means, deviations = np.empty(len(rows)), np.empty(len(rows))
        uncertainty = 1.0 / math.fsum(self.arrays.ones[: self.size].tolist()) if whole else 0.0
        _predict(self.arrays, self.size, rows, self.factors, uncertainty, means, deviations)
        return means, deviations

    def predict_left_out(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return means and standard deviations of the values, predicted by all other points.

        With K the covariances including noise, the mean at a point left out is
        y - (K^-1 y) / (K^-1)_ii and its variance 1 / (K^-1)_ii (Rasmussen and Williams 2006,
        equation 5.12).
        """
        diagonal = self.arrays.inverse.diagonal()[: self.size]
        means = self.values - self.arrays.alpha[: self.size] / diagonal
        return means, np.sqrt(self.arrays.moments[1] / diagonal)

    def fitted_values(self) -> NDArray[np.float64]:
        """Return the predicted means at the points: the values without their noise."""
        smooth: NDArray[np.float64] = self.values - self.nugget * self.arrays.alpha[: self.size]
        return smooth

    def copy(self) -> "GaussianProcess":
        """Return a copy, to which points can be added independently."""
        other = copy.copy(self)
        other.arrays = Arrays._make(array.copy() for array in self.arrays)
        return other

    def fit(
        self,
        points: NDArray[Any],
        values: NDArray[np.float64],
        steps: int,
        spread: float = SPREAD,
        order: Order | None = None,
    ) -> None:
        """Fit the parameters to points and values by `steps` steps of ascent, or twice as many.

        Unless an `order` is given, it is fitted, too. `replace` must follow.
        """
        self._fill(points, values)
        start = self.parameters if order is None else self.parameters._replace(order=order)
        self._ascend(start, steps, spread)
        if order is None and (found := self.best_order()) != self.parameters.order:
            self._ascend(self.parameters._replace(order=found), steps, spread)

    def likelihood_of(self, points: NDArray[Any], values: NDArray[np.float64]) -> float:
        """Return the log likelihood of points and values; `replace` must follow."""
        self._fill(points, values)
        return self.log_likelihood(self.parameters)

    def best_order(self) -> Order:
        """Return the order with the highest likelihood; `EVIDENCE` is required for any."""
        best, highest = NO_ORDER, -math.inf
        for order in (NO_ORDER, *self.kernel.orders()):
            found = self.log_likelihood(self.parameters._replace(order=order))
            found -= EVIDENCE * (order != NO_ORDER)
            if found > highest:
                best, highest = order, found
        return best

    def log_likelihood(self, parameters: Parameters) -> float:
        """Return L, and set mean and variance; NaN if the precision does not suffice."""
        log_determinant = self._log_determinant(parameters, parameters.nugget)
        if math.isnan(log_determinant):
            return math.nan
        self.solve()
        variance = float(self.arrays.moments[1])
        return -0.5 * self.size * math.log(variance) - 0.5 * log_determinant

    def gradient(self, parameters: Parameters, slopes: NDArray[np.float64]) -> float:
        """Write the derivatives of L by the log weights and the log nugget; return L."""
        likelihood = self.log_likelihood(parameters)
        if math.isnan(likelihood):
            return math.nan
        order = parameters.order
        distances, plain = self.kernel.distances(order), self.kernel.plain(order)
        by_nugget = _sum_slopes(self.arrays, self.size, distances, plain, slopes)
        slopes[:-1] *= parameters.weights
        slopes[-1] = by_nugget * parameters.nugget
        return likelihood

    def _ascend(self, parameters: Parameters, steps: int, spread: float) -> None:
        """Set the best parameters found by some steps of ascent, with the given order."""
        n = parameters.weights.size
        low = np.append(np.full(n, LOWEST_WEIGHT), LOWEST_NUGGET)
        high = np.append(np.full(n, HIGHEST_WEIGHT), HIGHEST_NUGGET)
        start = [math.log(number) for number in (*parameters.weights.tolist(), parameters.nugget)]
        at = np.clip(start, low, high)
        best, best_value = at, -math.inf
        lengths = np.full(n + 1, FIRST_STEP)
        before, slopes = np.zeros(n + 1), np.empty(n + 1)
        for _ in range(steps):
            value = self.gradient(_exponentials(at, parameters.order), slopes)
            if math.isnan(value):  # not positive definite, numerically
                at = at.copy()
                at[n] = min(at[n] + 1.0, HIGHEST_NUGGET)
                continue
            mean = math.fsum(at[:n]) / max(n, 1)
            offsets, away = at[:n] - mean, mean - math.log(TOTAL / max(n, 1))
            offset = (at[n] - math.log(self.prior.median)) / self.prior.spread
            value -= 0.5 * (math.fsum(offsets**2) / spread**2 + away**2 + offset**2)
            slopes[:n] -= offsets / spread**2 + away / max(n, 1)
            slopes[n] -= offset / self.prior.spread
            if value > best_value:
                best, best_value = at, value
            agreement = slopes * before
            lengths = np.where(agreement > 0, np.minimum(lengths * LONGER, LONGEST_STEP), lengths)
            lengths = np.where(agreement < 0, lengths * SHORTER, lengths)
            before = np.where(agreement < 0, 0.0, slopes)
            at = np.clip(at + np.sign(before) * lengths, low, high)
        self.set_parameters(_exponentials(best, parameters.order))

    def _fill(self, points: NDArray[Any], values: NDArray[np.float64]) -> None:
        """Store points and values."""
        self.size = len(points)
        self.arrays.columns[:, : self.size] = points.T
        self.arrays.values[: self.size] = values

    def _log_determinant(self, parameters: Parameters, nugget: float) -> float:
        """Invert the covariances; return the log determinant, NaN if that fails."""
        order = parameters.order
        distances, plain = self.kernel.distances(order), self.kernel.plain(order)
        found = _invert(self.arrays, self.size, distances, plain, parameters.weights, nugget)
        return float(found)

    def _invert(self) -> None:
        """Invert the covariances, with a larger nugget if the precision does not suffice."""
        while math.isnan(self._log_determinant(self.parameters, self.nugget)):
            self.nugget *= 10.0


def _exponentials(logarithms: NDArray[np.float64], order: Order) -> Parameters:
    """Return the parameters with these logarithms of weights and nugget."""
    numbers = [math.exp(logarithm) for logarithm in logarithms.tolist()]
    return Parameters(np.array(numbers[:-1]), numbers[-1], order)


@njit
def _write_factors(distances, weights, factors):
    """Write exp(-w d)."""
    for i in range(weights.size):
        for c in range(distances.shape[1]):
            for g in range(distances.shape[1]):
                factors[i, c, g] = math.exp(-weights[i] * distances[i, c, g])


@part
def write_covariances(point, columns, size, factors, row):
    """Write the covariances of a point with the first `size` data."""
    for a in range(size):
        row[a] = 1.0
    for i in range(factors.shape[0]):
        column, factor = columns[i], factors[i, point[i]]
        for a in range(size):
            row[a] *= factor[unsigned(column[a])]


@njit
def _invert(arrays, size, distances, plain, weights, nugget):
    """Compute and invert the covariance matrix; return its log determinant."""
    columns, matrix = arrays.columns, arrays.covariances
    for a in range(size):
        row = matrix[a]
        for b in range(a + 1):
            row[b] = 0.0
        for i in range(weights.size):
            column, category, weight = columns[i], columns[i, a], weights[i]
            if plain[i]:
                for b in range(a + 1):
                    row[b] += 0.0 if column[b] == category else weight
            else:
                distance = distances[i, category]
                for b in range(a + 1):
                    row[b] += weight * distance[unsigned(column[b])]
        for b in range(a):
            row[b] = math.exp(-row[b])
        row[a] = 1.0 + nugget
    for a in range(size):
        for b in range(a):
            matrix[b, a] = matrix[a, b]
    return invert(matrix, size, arrays.factor, arrays.inverse)


@part
def invert(matrix, size, triangle, inverse):
    """Write the inverse of a symmetric matrix; return its log determinant, NaN if not positive.

    With the Cholesky decomposition A = U'U, the inverse is W W', where W is the inverse of U.
    """
    log_determinant = 0.0
    for i in range(size):
        for j in range(size):
            inverse[i, j] = matrix[i, j]
    for k in range(size):
        pivot = inverse[k, k]
        if not pivot > 0.0:
            return math.nan
        root = math.sqrt(pivot)
        log_determinant += 2.0 * math.log(root)
        upper = inverse[k]
        for j in range(k, size):
            upper[j] /= root
        for i in range(k + 1, size):
            factor, row = upper[i], inverse[i]
            for j in range(i, size):
                row[j] -= factor * upper[j]
    for i in range(size - 1, -1, -1):
        row = triangle[i]
        for j in range(size):
            row[j] = 0.0
        row[i] = 1.0
        for k in range(i + 1, size):
            factor, below = inverse[i, k], triangle[k]
            for j in range(k, size):
                row[j] -= factor * below[j]
        scale = 1.0 / inverse[i, i]
        for j in range(i, size):
            row[j] *= scale
    for a in range(size):
        for b in range(a):
            triangle[a, b] = triangle[b, a]
        for b in range(size):
            inverse[a, b] = 0.0
    for k in range(size):
        column = triangle[k]
        for a in range(k + 1):
            factor, row = column[a], inverse[a]
            for b in range(a + 1):
                row[b] += factor * column[b]
    for a in range(size):
        for b in range(a):
            inverse[b, a] = inverse[a, b]
    return log_determinant


@part
def multiply(inverse, size, vector, product):
    """Write the product of a symmetric matrix and a vector."""
    for b in range(size):
        product[b] = 0.0
    for a in range(size):
        factor, row = vector[a], inverse[a]
        for b in range(size):
            product[b] += factor * row[b]


@njit
def _solve(arrays, size):
    """Write mean and variance, and the inverse times ones and times centred values."""
    ones, alpha, values = arrays.ones, arrays.alpha, arrays.values
    for a in range(size):
        arrays.product[a] = 1.0
    multiply(arrays.inverse, size, arrays.product, ones)
    multiply(arrays.inverse, size, values, alpha)
    total, weighted = 0.0, 0.0
    for a in range(size):
        total += ones[a]
        weighted += alpha[a]
    mean = weighted / total
    square = 0.0
    for a in range(size):
        alpha[a] -= mean * ones[a]
        square += alpha[a] * (values[a] - mean)
    arrays.moments[0] = mean
    arrays.moments[1] = max(square / size, 1e-12)


@njit
def _sum_slopes(arrays, size, distances, plain, sums):
    """Write the derivatives by the weights; return the one by the nugget.

    The covariances are overwritten.
    """
    by_nugget, parts, alpha = 0.0, arrays.product, arrays.alpha
    for a in range(size):
        scaled = alpha[a] / arrays.moments[1]
        by_nugget += scaled * alpha[a] - arrays.inverse[a, a]
        row, inverse = arrays.covariances[a], arrays.inverse[a]
        for b in range(a):
            row[b] *= inverse[b] - scaled * alpha[b]
    for i in range(arrays.columns.shape[0]):
        column = arrays.columns[i]
        for b in range(size):
            parts[b] = 0.0
        for a in range(size):
            row, category = arrays.covariances[a], column[a]
            if plain[i]:
                for b in range(a):
                    parts[b] += 0.0 if column[b] == category else row[b]
            else:
                distance = distances[i, category]
                for b in range(a):
                    parts[b] += row[b] * distance[unsigned(column[b])]
        total = 0.0
        for b in range(size):
            total += parts[b]
        sums[i] = total
    return 0.5 * by_nugget


@njit
def _append_point(arrays, size, point, factors, variance):
    """Extend the inverse by a point; return whether the precision suffices."""
    row, product, inverse = arrays.row, arrays.product, arrays.inverse
    write_covariances(point, arrays.columns, size, factors, row)
    multiply(inverse, size, row, product)
    rest = variance
    for a in range(size):
        rest -= row[a] * product[a]
    if rest < 1e-9:
        return False
    for a in range(size):
        factor, line = product[a] / rest, inverse[a]
        for b in range(size):
            line[b] += factor * product[b]
        line[size] = -factor
        inverse[size, a] = -factor
    inverse[size, size] = 1.0 / rest
    return True


@njit
def _predict(arrays, size, rows, factors, uncertainty, means, deviations):
    """Write the mean and deviation at each point."""
    row, product = arrays.row, arrays.product
    for k in range(rows.shape[0]):
        write_covariances(rows[k], arrays.columns, size, factors, row)
        multiply(arrays.inverse, size, row, product)
        mean, rest, missing = arrays.moments[0], 1.0, 1.0
        for a in range(size):
            mean += row[a] * arrays.alpha[a]
            rest -= row[a] * product[a]
            missing -= row[a] * arrays.ones[a]
        means[k] = mean
        rest = max(rest, SMALLEST) + uncertainty * missing * missing
        deviations[k] = math.sqrt(arrays.moments[1] * rest)
