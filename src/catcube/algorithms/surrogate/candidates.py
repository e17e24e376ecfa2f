"""Where to evaluate next: ascents of the expected improvement by single changes.

An ascent begins at an evaluated point, looks at all points that differ in one variable, moves to
the one of which most is expected and goes on from there while that grows (the local search of Oh
et al. 2019), for so many changes at most. A point that is `taken` is passed over. Among categories
of which the data say nothing, all alike, one is drawn at random.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.surrogate.acquisition import improvement, improvements
from catcube.algorithms.surrogate.gaussian_process import GaussianProcess
from catcube.algorithms.surrogate.neighbourhood import evaluate_changes, new_sums

ALIKE = 1e-8  # difference of log improvements that is none


class Candidates:
    """The ascents on one space."""

    def __init__(self, cardinalities: NDArray[np.int64], capacity: int) -> None:
        self.cardinalities = cardinalities
        self._sums = new_sums(capacity + 1, cardinalities)
        self._table: NDArray[np.float64] = np.empty(self._sums.mean.shape)

    def best(
        self,
        process: GaussianProcess,
        start: NDArray[Any],
        level: float,
        taken: Callable[[NDArray[Any]], bool],
        uniform: Callable[[], float],
        longest: int,
    ) -> NDArray[np.int32] | None:
        """Return the point where an ascent ends; None if all it looks at are taken.

        `uniform` draws a number in [0, 1).
        """
        point, expected = start.astype(np.int32), -math.inf
        if not taken(point):  # values are noisy: it may be worth another look
            expected = improvement(*process.predict(point), level)
        for _ in range(longest):
            change = self._change(process, point, level, expected, taken, uniform)
            if change is None:
                break
            point, expected = change
        return point if expected > -math.inf else None

    def best_of(
        self,
        process: GaussianProcess,
        point: NDArray[np.int32],
        neighbours: Sequence[NDArray[np.int32]],
        level: float,
    ) -> NDArray[np.int32]:
        """Return the one of which most is expected among neighbours of a point."""
        self._improvements(process, point, level)
        return max(neighbours, key=lambda neighbour: self._expected(point, neighbour))

    def _expected(self, point: NDArray[np.int32], neighbour: NDArray[np.int32]) -> float:
        variable = int((neighbour != point).argmax())
        return float(self._table[variable, neighbour[variable]])

    def means(self, process: GaussianProcess, point: NDArray[Any]) -> NDArray[np.float64]:
        """Predict the mean for every category of every variable, with the others unchanged."""
        self._evaluate(process, point.astype(np.int32))
        return self._sums.mean

    def _change(
        self,
        process: GaussianProcess,
        point: NDArray[np.int32],
        level: float,
        expected: float,
        taken: Callable[[NDArray[Any]], bool],
        uniform: Callable[[], float],
    ) -> tuple[NDArray[np.int32], float] | None:
        """Return a change with the highest expectation above `expected`, or None."""
        table = self._table
        self._improvements(process, point, level)
        while True:
            value = float(table.max())
            if not value > expected:
                return None
            alike = np.flatnonzero(table >= value - ALIKE)
            drawn = int(alike[int(uniform() * alike.size)])
            variable, category = divmod(drawn, table.shape[1])
            changed = point.copy()
            changed[variable] = category
            if not taken(changed):
                return changed, value
            table[variable, category] = -math.inf

    def _improvements(
        self, process: GaussianProcess, point: NDArray[np.int32], level: float
    ) -> None:
        """Fill the table with what is expected of every change of the point."""
        sums = self._sums
        self._evaluate(process, point)
        improvements(point, self.cardinalities, sums.mean, sums.deviation, level, self._table)

    def _evaluate(self, process: GaussianProcess, point: NDArray[np.int32]) -> None:
        evaluate_changes(
            point,
            self.cardinalities,
            process.points,
            process.size,
            process.inverse,
            process.alpha,
            process.rates,
            process.moments,
            self._sums,
        )
