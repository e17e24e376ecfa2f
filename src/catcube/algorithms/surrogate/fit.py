"""The covariance of the model, the likelihood of its parameters, and their fit.

The values at two points x and x' have the covariance

    k(x, x') = exp(-sum_i w_i d_i(x_i, x'_i)),

in units of their variance. Where the categories of a variable have no order, d_i is 1 for
different ones: the diffusion kernel on complete graphs of Oh et al. (2019, COMBO), and up to the
parameters the transformed overlap kernel of Wan et al. (2021, Casmopolitan). Where their order
counts by the share r, as that of levels or times, or of angles, which are cyclic, d_i is

    d_i(c, g) = (1 - r) [c != g] + r |c - g| / (mean of |c - g| over different c and g),

|c - g| being the distance of two positions on a line or on a circle (Laplacian kernels, both
positive definite). The mean of d_i over different categories is 1 in all cases. A weight w_i near
0 says that the variable matters little; a large one, that the values at two of its categories tell
nothing of each other. Being a product over the variables, the covariance changes by one factor
where one variable changes: `acquisition` lives on that.

With a constant mean and the variance at their best values (both in closed form), the logarithm of
the marginal likelihood of m values y is, up to a constant,

    L = -m/2 log s^2 - 1/2 log|K|,   s^2 = (y - mu)' K^-1 (y - mu) / m

(Rasmussen and Williams 2006, equations 5.8 and 5.9). Priors keep few data from saying too much:
the logarithms of the weights are normal around their common mean, and that of the nugget is normal
around log 1e-3. The ascent is Rprop without backtracking (Igel and Hüsken 2003): it needs the signs
of the gradient only, hence no scaling. The share of the order is the one of a few with the highest
likelihood at the fitted weights; order counts only where that is higher by `EVIDENCE` at least.

Linear algebra is plain loops without BLAS: their order is fixed, so results depend neither on the
library nor on its threads. Inner loops run over rows and add no numbers up, so that they are
vectorised.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.engine.compiled.jit import njit, part, unsigned

SPREAD = 1.0  # standard deviation of the log weights around their mean, a priori, if not given
NUGGET, NUGGET_SPREAD = math.log(1e-3), 3.0
LOWEST_WEIGHT, HIGHEST_WEIGHT = math.log(1e-4), math.log(3.0)
LOWEST_NUGGET, HIGHEST_NUGGET = math.log(1e-6), math.log(100.0)
FIRST_STEP, LONGEST_STEP, LONGER, SHORTER = 0.3, 1.0, 1.3, 0.4
EVIDENCE = 4.0  # in units of the log likelihood

UNKNOWN, UNORDERED, ORDERED, CYCLIC = range(4)  # kinds of variables
DECLARED = 0.9  # share of an order that the user states


class Order(NamedTuple):
    """How the categories of variables of unknown kind are ordered."""

    share: float = 0.0
    cyclic: bool = False


NO_ORDER = Order()
ORDERS = (Order(0.2), Order(0.5), Order(0.9), Order(0.5, True), Order(0.9, True))


class Parameters(NamedTuple):
    """What the likelihood depends on."""

    weights: NDArray[np.float64]
    nugget: float  # variance of the noise, in units of that of the process
    order: Order = NO_ORDER


class Kernel:
    """The distances d of all variables of a space, padded to the largest number of categories.

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
        """Return of each variable whether d is 1 for different categories."""
        unknown = (self.kinds == UNKNOWN) & ((order.share == 0) | (self.cardinalities == 2))
        return unknown | (self.kinds == UNORDERED)

    def distances(self, order: Order) -> NDArray[np.float64]:
        """Return d for each variable and two of its categories."""
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


class Workspace(NamedTuple):
    """Arrays that the compiled functions work on."""

    covariances: np.ndarray
    factor: np.ndarray
    inverse: np.ndarray
    ones: np.ndarray  # the inverse times 1, ...
    solved: np.ndarray  # and times the values, minus the mean


def new_workspace(size: int) -> Workspace:
    """Make the arrays for `size` points."""
    square = (size, size)
    return Workspace(
        np.empty(square), np.empty(square), np.empty(square), np.empty(size), np.empty(size)
    )


class Data(NamedTuple):
    """Points, one column each, and their values, of which the first `size` count."""

    kernel: Kernel
    columns: NDArray[np.int32]
    values: NDArray[np.float64]
    size: int


def fit(
    data: Data,
    parameters: Parameters,
    space: Workspace,
    steps: int,
    spread: float = SPREAD,
    order: Order | None = None,
) -> Parameters:
    """Return parameters of higher likelihood, after `steps` steps of ascent, or twice as many.

    With an `order`, that is not to be found.
    """
    if order is not None:
        return ascend(data, parameters._replace(order=order), space, steps, spread)
    found = ascend(data, parameters, space, steps, spread)
    order = best_order(data, found, space)
    if order == found.order:
        return found
    return ascend(data, found._replace(order=order), space, steps, spread)


def best_order(data: Data, parameters: Parameters, space: Workspace) -> Order:
    """Return the order of the highest likelihood, with a handicap for all but none."""
    moments = np.empty(2)
    best, highest = NO_ORDER, -math.inf
    for order in (NO_ORDER, *data.kernel.orders()):
        found = log_likelihood(data, parameters._replace(order=order), space, moments)
        found -= EVIDENCE * (order != NO_ORDER)
        if found > highest:
            best, highest = order, found
    return best


def ascend(
    data: Data, parameters: Parameters, space: Workspace, steps: int, spread: float
) -> Parameters:
    """Return weights and nugget after `steps` steps of ascent from those given."""
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
        value = gradient(data, _exponentials(at, parameters.order), space, moments, slopes)
        if math.isnan(value):  # not positive definite with the digits there are
            at = at.copy()
            at[n] = min(at[n] + 1.0, HIGHEST_NUGGET)
            continue
        offsets = at[:n] - math.fsum(at[:n]) / max(n, 1)
        offset = (at[n] - NUGGET) / NUGGET_SPREAD
        value -= 0.5 * (math.fsum(offsets**2) / spread**2 + offset**2)
        slopes[:n] -= offsets / spread**2
        slopes[n] -= offset / NUGGET_SPREAD
        if value > best_value:
            best, best_value = at, value
        agreement = slopes * before
        lengths = np.where(agreement > 0, np.minimum(lengths * LONGER, LONGEST_STEP), lengths)
        lengths = np.where(agreement < 0, lengths * SHORTER, lengths)
        before = np.where(agreement < 0, 0.0, slopes)
        at = np.clip(at + np.sign(before) * lengths, low, high)
    return _exponentials(best, parameters.order)


def _exponentials(logarithms: NDArray[np.float64], order: Order) -> Parameters:
    numbers = [math.exp(logarithm) for logarithm in logarithms.tolist()]
    return Parameters(np.array(numbers[:-1]), numbers[-1], order)


def factors_of(kernel: Kernel, parameters: Parameters) -> NDArray[np.float64]:
    """Return exp(-w d) for each variable and two of its categories."""
    distances = kernel.distances(parameters.order)
    factors = np.empty(distances.shape)
    _write_factors(distances, parameters.weights, factors)
    return factors


def invert_covariances(
    kernel: Kernel,
    columns: NDArray[np.int32],
    size: int,
    parameters: Parameters,
    nugget: float,
    space: Workspace,
) -> float:
    """Write the inverse of the covariances; log of their determinant, NaN if that fails."""
    order = parameters.order
    return float(
        _posterior(
            columns,
            size,
            kernel.distances(order),
            kernel.plain(order),
            parameters.weights,
            nugget,
            space,
        )
    )


def log_likelihood(
    data: Data, parameters: Parameters, space: Workspace, moments: NDArray[np.float64]
) -> float:
    """Return L, and write mean and variance; NaN where the digits do not suffice."""
    log_determinant = invert_covariances(
        data.kernel, data.columns, data.size, parameters, parameters.nugget, space
    )
    if math.isnan(log_determinant):
        return math.nan
    # The factor is no longer needed: its first row holds a vector of ones.
    solve(data.values, data.size, space.inverse, space.ones, space.solved, space.factor[0], moments)
    return -0.5 * data.size * math.log(moments[1]) - 0.5 * float(log_determinant)


def gradient(
    data: Data,
    parameters: Parameters,
    space: Workspace,
    moments: NDArray[np.float64],
    slopes: NDArray[np.float64],
) -> float:
    """Write the derivatives of L by the log weights and the log nugget; L itself."""
    likelihood = log_likelihood(data, parameters, space, moments)
    if math.isnan(likelihood):
        return math.nan
    distances = data.kernel.distances(parameters.order)
    plain = data.kernel.plain(parameters.order)
    by_nugget = _sum_slopes(data.columns, data.size, distances, plain, space, moments[1], slopes)
    slopes[:-1] *= parameters.weights
    slopes[-1] = by_nugget * parameters.nugget
    return likelihood


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
def _posterior(columns, size, distances, plain, weights, nugget, space):
    """Invert the covariance matrix; log of its determinant."""
    matrix = space.covariances
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
    return invert(matrix, size, space.factor, space.inverse)


@part
def invert(matrix, size, triangle, inverse):
    """Write the inverse of a symmetric matrix; log of its determinant, NaN if it is not positive.

    Cholesky: with A = U'U, the inverse is W W' where W is the inverse of U.
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
    for i in range(size):
        for j in range(size):
            triangle[i, j] = 0.0
    for i in range(size - 1, -1, -1):
        row = triangle[i]
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


@njit
def _sum_slopes(columns, size, distances, plain, space, variance, sums):
    """Write the derivatives by the weights of all variables; that by the nugget.

    The covariances and the factor are no longer needed, and overwritten.
    """
    by_nugget = 0.0
    for a in range(size):
        scaled = space.solved[a] / variance
        by_nugget += scaled * space.solved[a] - space.inverse[a, a]
        row, inverse = space.covariances[a], space.inverse[a]
        for b in range(a):
            row[b] *= inverse[b] - scaled * space.solved[b]
    parts = space.factor[0]
    for i in range(columns.shape[0]):
        column = columns[i]
        for b in range(size):
            parts[b] = 0.0
        for a in range(size):
            row, category = space.covariances[a], column[a]
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
def append_point(point, columns, size, factors, variance, inverse, row, filler):
    """Extend the inverse by a point; whether that is possible with the digits there are."""
    write_covariances(point, columns, size, factors, row)
    multiply(inverse, size, row, filler)
    rest = variance
    for a in range(size):
        rest -= row[a] * filler[a]
    if rest < 1e-9:
        return False
    for a in range(size):
        factor, line = filler[a] / rest, inverse[a]
        for b in range(size):
            line[b] += factor * filler[b]
        line[size] = -factor
        inverse[size, a] = -factor
    inverse[size, size] = 1.0 / rest
    return True
