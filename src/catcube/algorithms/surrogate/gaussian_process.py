"""A Gaussian process on some of the evaluated points, changed by one point at a time."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.surrogate.fit import fitted
from catcube.algorithms.surrogate.inverse import append_point, remove_point
from catcube.algorithms.surrogate.kernel import covariances_with, rates_of
from catcube.algorithms.surrogate.likelihood import Data, Parameters, new_room, posterior, solve

FIRST_WEIGHT = 2.0  # of all variables together, before anything is known
FIRST_NUGGET = 1e-3


class GaussianProcess:
    """The values at `capacity` points at most; memory and time a change are O(capacity^2).

    >>> process = GaussianProcess(np.array([2, 2]), capacity=10)
    >>> process.replace(np.array([[0, 0], [0, 1], [1, 0]]), np.array([0.0, 1.0, 1.0]))
    >>> mean, deviation = process.predict(np.array([0, 0]))
    >>> round(mean, 2), deviation < 0.1
    (0.0, True)
    """

    def __init__(self, cardinalities: NDArray[np.int64], capacity: int) -> None:
        variables = cardinalities.size
        self.cardinalities = cardinalities
        self.size = 0
        self.points = np.zeros((capacity + 1, variables), np.int32)
        self.columns = np.zeros((variables, capacity + 1), np.int32)
        self.values = np.zeros(capacity + 1)
        self.moments = np.array([0.0, 1.0])  # mean and variance of the process
        self._room = new_room(capacity + 1)
        self._row = np.empty(capacity + 1)
        self._filler = np.empty(capacity + 1)
        weights = np.full(variables, FIRST_WEIGHT / max(variables, 1))
        self.set_parameters(Parameters(weights, FIRST_NUGGET, ordinal=0.0))

    @property
    def inverse(self) -> NDArray[np.float64]:
        """Inverse of the covariance matrix, in units of the variance."""
        return self._room.inverse

    @property
    def alpha(self) -> NDArray[np.float64]:
        """The inverse times the values, minus their mean."""
        return self._room.solved

    def set_parameters(self, parameters: Parameters) -> None:
        """Take these parameters; `replace` or `fit` must follow."""
        self.parameters = parameters
        self.nugget = parameters.nugget
        self.rates = rates_of(parameters.weights, parameters.ordinal, self.cardinalities)

    def replace(self, points: NDArray[Any], values: NDArray[np.float64]) -> None:
        """Take these points instead of all others."""
        self._fill(points, values)
        self._invert()
        self.solve()

    def fit(self, points: NDArray[Any], values: NDArray[np.float64], steps: int, most: int) -> None:
        """Take these points, and let the parameters ascend the likelihood of the first `most`."""
        self._fill(points, values)
        data = Data(self.cardinalities, self.columns, self.values, min(self.size, most))
        self.set_parameters(fitted(data, self.parameters, self._room, steps))
        self._invert()
        self.solve()

    def append(self, point: NDArray[Any], value: float) -> None:
        """Add a point; `solve` must follow."""
        size = self.size
        covariances_with(point, self.points, size, self.rates, self._row)
        self.points[size] = point
        self.columns[:, size] = point
        self.values[size] = value
        self.size += 1
        if not append_point(self.inverse, size, self._row, 1.0 + self.nugget, self._filler):
            self._invert()

    def remove(self, position: int) -> None:
        """Forget a point, whose position the last one takes; `solve` must follow."""
        remove_point(self.inverse, self.size, position)
        self.size -= 1
        for rows in (self.points, self.values):
            rows[position] = rows[self.size]
        self.columns[:, position] = self.columns[:, self.size]

    def solve(self) -> None:
        """Find mean and variance of the process for the present points and values."""
        room = self._room
        solve(
            self.values, self.size, room.inverse, room.ones, room.solved, self._filler, self.moments
        )

    def mean(self, point: NDArray[Any]) -> float:
        """Return the mean at a point."""
        row, size = self._row, self.size
        covariances_with(point, self.points, size, self.rates, row)
        return float(self.moments[0] + math.fsum((row[:size] * self.alpha[:size]).tolist()))

    def predict(self, point: NDArray[Any]) -> tuple[float, float]:
        """Return mean and standard deviation at a point, without the noise of the values."""
        mean, size = self.mean(point), self.size
        k = self._row[:size]
        solved = [math.fsum((row[:size] * k).tolist()) for row in self.inverse[:size]]
        rest = max(1.0 - math.fsum((k * np.array(solved)).tolist()), 0.0)
        return mean, math.sqrt(rest * self.moments[1])

    def fitted_values(self) -> NDArray[np.float64]:
        """Return the means at the points themselves: the values without their noise."""
        size = self.size
        smooth: NDArray[np.float64] = self.values[:size] - self.nugget * self.alpha[:size]
        return smooth

    def _fill(self, points: NDArray[Any], values: NDArray[np.float64]) -> None:
        self.size = len(points)
        self.points[: self.size] = points
        self.columns[:, : self.size] = points.T
        self.values[: self.size] = values

    def _invert(self) -> None:
        """Invert afresh, with a larger nugget where the digits do not suffice."""
        while math.isnan(posterior(self.columns, self.size, self.rates, self.nugget, self._room)):
            self.nugget *= 10.0
