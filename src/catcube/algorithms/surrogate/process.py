"""A Gaussian process on some of the evaluated points, to which points are added one by one."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.surrogate.fit import (
    SPREAD,
    Data,
    Kernel,
    Order,
    Parameters,
    Workspace,
    append_point,
    factors_of,
    fit,
    invert_covariances,
    log_likelihood,
    multiply,
    new_workspace,
    solve,
    write_covariances,
)
from catcube.engine.compiled.jit import njit

FIRST_WEIGHT = 2.0  # of all variables together, before anything is known
FIRST_NUGGET = 1e-3
SMALLEST = 1e-10  # variance, in units of that of the values


def first_parameters(kernel: Kernel) -> Parameters:
    """Return the parameters with which a fit begins."""
    count = kernel.cardinalities.size
    return Parameters(np.full(count, FIRST_WEIGHT / max(count, 1)), FIRST_NUGGET)


class GaussianProcess:
    """The values at some points; memory and time of a change are quadratic in their number.

    >>> process = GaussianProcess(Kernel(np.array([2, 2])), capacity=10)
    >>> process.replace(np.array([[0, 0], [0, 1], [1, 0]]), np.array([0.0, 1.0, 1.0]))
    >>> means, deviations = process.predict(np.array([[0, 0]]))
    >>> means.round(2).tolist(), bool(deviations[0] < 0.1)
    ([0.0], True)
    """

    def __init__(self, kernel: Kernel, capacity: int, parameters: Parameters | None = None) -> None:
        variables = kernel.cardinalities.size
        self.kernel = kernel
        self.size = 0
        self.columns = np.zeros((variables, capacity), np.int32)
        self.values = np.zeros(capacity)
        self.moments = np.array([0.0, 1.0])  # mean and variance of the process
        self._space = new_workspace(capacity)
        self._row = np.empty(capacity)
        self._filler = np.empty(capacity)
        self.set_parameters(parameters or first_parameters(kernel))

    @property
    def inverse(self) -> NDArray[np.float64]:
        """Inverse of the covariance matrix, in units of the variance."""
        return self._space.inverse

    @property
    def alpha(self) -> NDArray[np.float64]:
        """The inverse times the values, minus their mean."""
        return self._space.solved

    @property
    def noise(self) -> float:
        """Standard deviation of the noise of the values."""
        return math.sqrt(self.nugget * float(self.moments[1]))

    def set_parameters(self, parameters: Parameters) -> None:
        """Take these parameters; `replace` or `fit` must follow."""
        self.parameters = parameters
        self.nugget = parameters.nugget
        self.factors = factors_of(self.kernel, parameters)

    def replace(self, points: NDArray[Any], values: NDArray[np.float64]) -> None:
        """Take these points instead of all others."""
        self._fill(points, values)
        self._invert()
        self.solve()

    def fit(
        self,
        points: NDArray[Any],
        values: NDArray[np.float64],
        steps: int,
        most: int,
        spread: float = SPREAD,
        order: Order | None = None,
    ) -> None:
        """Let the parameters ascend the likelihood of the first `most` of these points."""
        self._fill(points, values)
        data = Data(self.kernel, self.columns, self.values, min(self.size, most))
        self.set_parameters(fit(data, self.parameters, self._space, steps, spread, order))
        self.likelihood = log_likelihood(data, self.parameters, self._space, self.moments)

    def append(self, point: NDArray[Any], value: float) -> None:
        """Add a point; `solve` must follow."""
        size = self.size
        if size == self.values.size:
            self._grow()
        self.columns[:, size] = point
        self.values[size] = value
        self.size += 1
        variance, inverse = 1.0 + self.nugget, self.inverse
        if not append_point(
            point, self.columns, size, self.factors, variance, inverse, self._row, self._filler
        ):
            self._invert()

    def solve(self) -> None:
        """Find mean and variance of the process for the present points and values."""
        space = self._space
        solve(
            self.values,
            self.size,
            space.inverse,
            space.ones,
            space.solved,
            self._filler,
            self.moments,
        )

    def predict(
        self, rows: NDArray[Any], whole: bool = False
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return means and standard deviations at some points, without the noise of values.

        The `whole` deviation includes the uncertainty of the constant mean (Rasmussen and Williams
        2006, equation 2.42).
        """
        means, deviations = np.empty(len(rows)), np.empty(len(rows))
        ones = self._space.ones
        _predict(
            rows,
            self.columns,
            self.size,
            self.factors,
            self.inverse,
            self.alpha,
            self.moments,
            ones,
            1.0 / math.fsum(ones[: self.size].tolist()) if whole else 0.0,
            self._row,
            self._filler,
            means,
            deviations,
        )
        return means, deviations

    def fitted_values(self) -> NDArray[np.float64]:
        """Return the means at the points themselves: the values without their noise."""
        size = self.size
        smooth: NDArray[np.float64] = self.values[:size] - self.nugget * self.alpha[:size]
        return smooth

    def save(self) -> tuple[int, float, NDArray[np.float64]]:
        """Return what `restore` needs to forget points that are added from now on."""
        return self.size, self.nugget, self.inverse[: self.size, : self.size].copy()

    def restore(self, saved: tuple[int, float, NDArray[np.float64]]) -> None:
        """Forget the points added since, to the last digit; `solve` must follow."""
        self.size, self.nugget, inverse = saved
        self.inverse[: self.size, : self.size] = inverse

    def _fill(self, points: NDArray[Any], values: NDArray[np.float64]) -> None:
        self.size = len(points)
        self.columns[:, : self.size] = points.T
        self.values[: self.size] = values

    def _grow(self) -> None:
        """Double the memory."""
        more = self.values.size
        self.columns = np.pad(self.columns, ((0, 0), (0, more)))
        self.values = np.pad(self.values, (0, more))
        self._space = Workspace(*(np.pad(array, (0, more)) for array in self._space))
        self._row, self._filler = np.empty(2 * more), np.empty(2 * more)

    def _invert(self) -> None:
        """Invert afresh, with a larger nugget where the digits do not suffice."""
        while math.isnan(
            invert_covariances(
                self.kernel, self.columns, self.size, self.parameters, self.nugget, self._space
            )
        ):
            self.nugget *= 10.0


@njit
def _predict(
    rows,
    columns,
    size,
    factors,
    inverse,
    alpha,
    moments,
    ones,
    uncertainty,
    row,
    filler,
    means,
    deviations,
):
    """Write mean and deviation at every point."""
    for k in range(rows.shape[0]):
        write_covariances(rows[k], columns, size, factors, row)
        multiply(inverse, size, row, filler)
        mean, rest, missing = moments[0], 1.0, 1.0
        for a in range(size):
            mean += row[a] * alpha[a]
            rest -= row[a] * filler[a]
            missing -= row[a] * ones[a]
        means[k] = mean
        rest = max(rest, SMALLEST) + uncertainty * missing * missing
        deviations[k] = math.sqrt(moments[1] * rest)
