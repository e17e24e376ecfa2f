"""Where to evaluate next: ascents of the expected improvement by single changes.

Each ascent begins at an evaluated point, one of the best, looks at all points that differ in one
variable, moves to the one of which most is expected and goes on from there while that grows
(the local search of Oh et al. 2019), for so many changes at most. A point that is `taken` is
passed over.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.surrogate.acquisition import improvement, improvements
from catcube.algorithms.surrogate.gaussian_process import GaussianProcess
from catcube.algorithms.surrogate.neighbourhood import evaluate_changes, new_sums

LONGEST = 20  # changes of one ascent
NEAR = 2  # and of one that stays in a trust region


class Candidates:
    """The ascents on one space."""

    def __init__(self, cardinalities: NDArray[np.int64], capacity: int) -> None:
        self.cardinalities = cardinalities
        self._sums = new_sums(capacity + 1, cardinalities)
        self._table: NDArray[np.float64] = np.empty(self._sums.mean.shape)

    def best(
        self,
        process: GaussianProcess,
        starts: NDArray[Any],
        level: float,
        taken: Callable[[NDArray[Any]], bool],
        longest: int = LONGEST,
    ) -> NDArray[np.int32] | None:
        """Return the point with the highest expected improvement; None if all are taken."""
        found, most = None, -math.inf
        for start in starts:
            point, expected = self._ascend(process, start, level, taken, longest)
            if expected > most:
                found, most = point, expected
        return found

    def means(self, process: GaussianProcess, point: NDArray[Any]) -> NDArray[np.float64]:
        """Predict the mean for every category of every variable, with the others unchanged."""
        self._evaluate(process, point.astype(np.int32))
        return self._sums.mean

    def _ascend(
        self,
        process: GaussianProcess,
        start: NDArray[Any],
        level: float,
        taken: Callable[[NDArray[Any]], bool],
        longest: int,
    ) -> tuple[NDArray[np.int32], float]:
        point, expected = start.astype(np.int32), -math.inf
        if not taken(point):  # values are noisy: it may be worth another look
            expected = improvement(*process.predict(point), level)
        for _ in range(longest):
            change = self._change(process, point, level, expected, taken)
            if change is None:
                break
            point, expected = change
        return point, expected

    def _change(
        self,
        process: GaussianProcess,
        point: NDArray[np.int32],
        level: float,
        expected: float,
        taken: Callable[[NDArray[Any]], bool],
    ) -> tuple[NDArray[np.int32], float] | None:
        """Return the change with the highest expectation above `expected`, or None."""
        table, sums = self._table, self._sums
        self._evaluate(process, point)
        improvements(point, self.cardinalities, sums.mean, sums.deviation, level, table)
        while True:
            variable, category = divmod(int(table.argmax()), table.shape[1])
            value = float(table[variable, category])
            if not value > expected:
                return None
            changed = point.copy()
            changed[variable] = category
            if not taken(changed):
                return changed, value
            table[variable, category] = -math.inf

    def _evaluate(self, process: GaussianProcess, point: NDArray[np.int32]) -> None:
        evaluate_changes(
            point,
            self.cardinalities,
            process.points,
            process.size,
            process.inverse,
            process.alpha,
            process.weights,
            process.moments,
            self._sums,
        )
