"""Which points to evaluate, given the values of all points before.

The model sees all points while they are few, later those nearest to the best one. Every second
ascent stays near the best point (a trust region as that of Wan et al. 2021, of constant radius),
where the model is good; the others may go as far as it says. No point is proposed twice, unless the
values are noisy.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.surrogate.candidates import LONGEST, NEAR, Candidates
from catcube.algorithms.surrogate.design import draw_design, draw_near
from catcube.algorithms.surrogate.gaussian_process import GaussianProcess
from catcube.algorithms.surrogate.values import standardised

FIRST_STEPS, STEPS = 25, 12  # of ascent of the likelihood
LEAST_DATA = 200  # points that the model sees; later half of all, up to `data`
GROWTH = 1.1  # fitted again when there are so many times as many points


class Settings(NamedTuple):
    """Parameters of the proposals."""

    initial: int = 10
    batch: int = 64  # points without values at most
    data: int = 300
    starts: int = 1
    noisy: bool = False


class Proposals:
    """The points to evaluate next.

    >>> from catcube.engine.rng import seeded
    >>> proposals = Proposals(np.array([3, 4, 5]), Settings(), seeded(1))
    >>> for _ in range(20):
    ...     points = proposals.ask(1)
    ...     proposals.tell(points, points.sum(axis=1))
    >>> int(proposals.values.min()), len({point.tobytes() for point in proposals.points})
    (0, 20)
    """

    def __init__(
        self, cardinalities: NDArray[np.int64], settings: Settings, random: NDArray[np.uint64]
    ) -> None:
        self.cardinalities = cardinalities
        self.settings = settings
        self._random = random
        self._points = np.zeros((16, cardinalities.size), np.int32)
        self._values = np.zeros(16)
        self.count = 0
        self._taken: set[bytes] = set()
        self._pending: list[NDArray[np.int32]] = []  # proposed, without values yet
        self._left = math.prod(cardinalities.tolist())  # points of the space not yet taken
        self._first: list[NDArray[np.int32]] = []
        self._design = self._latin_design()
        self._process: GaussianProcess | None = None
        self._candidates: Candidates | None = None
        self._members: list[int] = []  # the points that the process has, in its order
        self._fitted = 0  # number of points when it was last fitted
        self._ascents = 0

    @property
    def points(self) -> NDArray[np.int32]:
        """All points with values, one per row."""
        return self._points[: self.count]

    @property
    def values(self) -> NDArray[np.float64]:
        """Their values."""
        return self._values[: self.count]

    def tell(self, points: NDArray[Any], values: NDArray[Any]) -> None:
        """Take the values of points, whether they were proposed or not."""
        for point, value in zip(points, values, strict=True):
            if self.count == len(self._values):
                self._points = np.concatenate([self._points, np.zeros_like(self._points)])
                self._values = np.concatenate([self._values, np.zeros_like(self._values)])
            self._points[self.count] = point
            self._values[self.count] = value
            self.count += 1
            self._take(self._points[self.count - 1])
            for index, pending in enumerate(self._pending):
                if (pending == point).all():
                    del self._pending[index]
                    break

    def begin_with(self, points: NDArray[Any]) -> None:
        """Propose these points before all others."""
        self._first.extend(points.astype(np.int32))

    def ask(self, count: int) -> NDArray[np.int32]:
        """Propose at most `count` points.

        None when all points of the space have been proposed, or before the first value is there.
        """
        proposed: list[NDArray[np.int32]] = []
        if self.count >= self.settings.initial:  # other values may be known
            self._design.clear()
        while len(proposed) < count and (self._first or self._design):
            point = self._first.pop(0) if self._first else self._design.pop()
            if self._is_free(point):
                self._take(point)
                proposed.append(point)
        if not proposed and self.count:
            proposed = self._ask_model(count)
        self._pending.extend(proposed)
        return np.array(proposed, np.int32).reshape(len(proposed), self.cardinalities.size)

    def _ask_model(self, count: int) -> list[NDArray[np.int32]]:
        """Propose points by the model, as if those without values had the predicted ones.

        This is the kriging believer of Ginsbourger, Le Riche and Carraro (2010).
        """
        if self.cardinalities.size == 0 or (self._left <= 0 and not self.settings.noisy):
            return []
        process = self._updated()
        believed = [process.mean(point) for point in self._pending]
        for pending, value in zip(self._pending, believed, strict=True):
            process.append(pending, value)
        if believed:
            process.solve()
        proposed: list[NDArray[np.int32]] = []
        while len(proposed) < count:
            point = self._most_promising(process)
            if point is None:
                break
            self._take(point)
            proposed.append(point)
            if len(proposed) < count:
                process.append(point, process.mean(point))
                process.solve()
        while process.size > len(self._members):
            process.remove(process.size - 1)
        return proposed

    def _most_promising(self, process: GaussianProcess) -> NDArray[np.int32] | None:
        """Return the point with the highest expected improvement, or a random one near the best."""
        assert self._candidates is not None
        noisy = self.settings.noisy
        seen = process.fitted_values() if noisy else process.values[: process.size]
        order = np.argsort(seen, kind="stable")[: self.settings.starts]
        starts, level = process.points[order], float(seen[order[0]])
        longest = NEAR if self._ascents % 2 else LONGEST
        self._ascents += 1
        point = self._candidates.best(
            process, starts, level, lambda point: not self._is_free(point), longest
        )
        return self._random_point(starts[0]) if point is None else point

    def _random_point(self, near: NDArray[np.int32]) -> NDArray[np.int32] | None:
        """Return a random point that is free, if there is one: near another, then farther."""
        if self._left <= 0 and not self.settings.noisy:  # by the points proposed at once
            return None
        for attempt in range(200):
            point = near.copy()
            with np.errstate(over="ignore"):
                draw_near(self._random, self.cardinalities, 2 + attempt // 4, point)
            if self._is_free(point):
                return point
        shape = self.cardinalities.tolist()
        for index in range(math.prod(shape)):
            point = np.array(np.unravel_index(index, shape), np.int32)
            if self._is_free(point):
                return point
        return None

    def _updated(self) -> GaussianProcess:
        """Return the process with the present points."""
        best = int(self.values.argmin())
        wanted = self._nearest(best)
        if self._process is None:
            capacity = self.settings.data + self.settings.batch
            self._process = GaussianProcess(self.cardinalities.size, capacity)
            self._candidates = Candidates(self.cardinalities, capacity)
        process = self._process
        values = standardised(self.values[wanted])
        present = set(self._members)
        missing = [index for index in wanted if index not in present]
        fit = self.count >= GROWTH * self._fitted
        if fit or 4 * len(missing) > len(wanted):
            self._members = list(wanted)
            process.replace(self.points[wanted], values)
            if fit:
                process.fit(STEPS if self._fitted else FIRST_STEPS)
                self._fitted = self.count
        else:
            keep = set(wanted)
            for position in reversed(range(len(self._members))):
                if self._members[position] not in keep:
                    process.remove(position)
                    self._members[position] = self._members[-1]
                    self._members.pop()
            for index in missing:
                process.append(self.points[index], 0.0)
                self._members.append(index)
            rank = {index: k for k, index in enumerate(wanted)}
            process.values[: process.size] = values[[rank[member] for member in self._members]]
            process.solve()
        return process

    def _nearest(self, best: int) -> list[int]:
        """Return the points nearest to the best one, the latest first among equally near ones."""
        limit = min(self.settings.data, max(LEAST_DATA, self.count // 2))
        if self.count <= limit:
            return list(range(self.count))
        distances = (self.points != self.points[best]).sum(axis=1)
        order = np.lexsort((-np.arange(self.count), distances))
        nearest: list[int] = np.sort(order[:limit]).tolist()
        return nearest

    def _latin_design(self) -> list[NDArray[np.int32]]:
        rows = np.zeros((self.settings.initial, self.cardinalities.size), np.int32)
        deck = np.zeros(int(self.cardinalities.max(initial=1)), np.int32)
        with np.errstate(over="ignore"):  # with the JIT off: random words wrap around
            draw_design(self._random, self.cardinalities, deck, rows)
        return list(rows)

    def _is_free(self, point: NDArray[Any]) -> bool:
        return self.settings.noisy or point.tobytes() not in self._taken

    def _take(self, point: NDArray[np.int32]) -> None:
        key = point.tobytes()
        if key not in self._taken:
            self._taken.add(key)
            self._left -= 1
