"""Which points to evaluate, given the values of all points before.

The model sees all points while they are few, later those nearest to the best one. A point is where
an ascent from the best one ends, whose radius adapts; at a local optimum the search walks. No point
is proposed twice, unless the values are noisy.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.surrogate.candidates import Candidates
from catcube.algorithms.surrogate.design import draw_design, draw_near, draw_uniform
from catcube.algorithms.surrogate.evaluated import Evaluated
from catcube.algorithms.surrogate.gaussian_process import GaussianProcess
from catcube.algorithms.surrogate.radius import Radius
from catcube.algorithms.surrogate.values import standardised
from catcube.algorithms.surrogate.walk import CHOICES, Walk, mean_worsening

FIRST_STEPS, STEPS = 25, 12  # of ascent of the likelihood
LEAST_DATA = 300  # points that the model sees; later three of four, up to `data`
MOST_KNOWN = 1000  # points that a walk passes on its way to one without a value
MOST_FITTED = 300  # points, the nearest ones, whose likelihood the parameters ascend
GROWTH = 1.1  # fitted again when there are so many times as many points


class Settings(NamedTuple):
    """Parameters of the proposals."""

    initial: int = 10
    batch: int = 64  # points without values at most
    data: int = 800
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
        self._evaluated = Evaluated(cardinalities.size)
        self._taken: set[bytes] = set()  # proposed or evaluated
        self._pending: list[NDArray[np.int32]] = []  # proposed, without values yet
        self._left = math.prod(cardinalities.tolist())  # points of the space not yet taken
        self._first: list[NDArray[np.int32]] = []
        self._design = self._latin_design()
        self._process: GaussianProcess | None = None
        self._candidates: Candidates | None = None
        self._members: list[int] = []  # the points that the process has, in its order
        self._fitted = 0  # number of points when it was last fitted
        self._radius = Radius()
        self._radii: dict[bytes, int] = {}  # of the ascents to points without values yet
        self._walk: Walk | None = None
        self._steps: set[bytes] = set()  # of the walk, without values yet

    @property
    def points(self) -> NDArray[np.int32]:
        """All points with values, one per row."""
        return self._evaluated.points

    @property
    def values(self) -> NDArray[np.float64]:
        """Their values."""
        return self._evaluated.values

    @property
    def count(self) -> int:
        """Their number."""
        return self._evaluated.count

    def tell(self, points: NDArray[Any], values: NDArray[Any]) -> None:
        """Take the values of points, whether they were proposed or not."""
        for point, value in zip(points, values, strict=True):
            improved = bool(self.count and value < self.values.min())
            index = self._evaluated.append(point, value)
            key = self._take(self.points[index])
            if key in self._radii:
                self._radius.tell(self._radii.pop(key), improved)
            if key in self._steps:
                self._steps.remove(key)
                if self._walk is not None:
                    self._walk.tell(index, float(value), self._uniform())
            for position, pending in enumerate(self._pending):
                if (pending == point).all():
                    del self._pending[position]
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
        self._walk_or_ascend()
        if self._walk is not None:
            self._walk_on(self._walk)
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
        if self._walk is not None:
            return self._step(process, self._walk)
        noisy = self.settings.noisy
        seen = process.fitted_values() if noisy else process.values[: process.size]
        best = int(seen.argmin()) if noisy else self._members.index(self._evaluated.best)
        start, level = process.points[best], float(seen.min())
        radius = self._radius.drawn(self._uniform())
        point = self._candidates.best(
            process, start, level, lambda point: not self._is_free(point), self._uniform, radius
        )
        if point is None:
            return self._random_point(start)
        self._radii[point.tobytes()] = radius
        return point

    def _walk_or_ascend(self) -> None:
        """Begin to walk where the best point is a local optimum, or end a walk that is over."""
        if self._walk is not None and self._walk.over:
            self._walk = None
        changes = int((self.cardinalities - 1).sum())
        if self._walk is not None or self.settings.noisy or self.count <= changes:
            return
        best = self._evaluated.best
        neighbours = self._evaluated.distances(best) == 1
        if neighbours.sum() >= changes:
            value = float(self.values[best])
            self._walk = Walk(best, value, mean_worsening(value, self.values[neighbours]))

    def _walk_on(self, walk: Walk) -> None:
        """Walk among evaluated points, which costs nothing, until another one is drawn."""
        for _ in range(MOST_KNOWN):
            index = self._evaluated.index(self._neighbour(walk))
            if index is None:
                return
            walk.move(index, float(self.values[index]), self._uniform())

    def _neighbour(self, walk: Walk) -> NDArray[np.int32]:
        """Draw a point that differs from the walk's position in one variable, or in none."""
        point = self.points[walk.at].copy()
        with np.errstate(over="ignore"):
            draw_near(self._random, self.cardinalities, 1, point)
        return point

    def _step(self, process: GaussianProcess, walk: Walk) -> NDArray[np.int32] | None:
        """Return the most promising of some random neighbours of the walk's position."""
        assert self._candidates is not None
        here = self.points[walk.at]
        drawn = [self._neighbour(walk) for _ in range(4 * CHOICES)]
        free = [neighbour for neighbour in drawn if self._is_free(neighbour)][:CHOICES]
        point: NDArray[np.int32] | None
        if free:
            level = float(process.values[self._members.index(walk.at)])
            point = self._candidates.best_of(process, here, free, level)
        else:
            point = self._random_point(here)
        if point is not None:
            self._steps.add(point.tobytes())
        return point

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
        centre = self._evaluated.best if self._walk is None else self._walk.at
        limit = min(self.settings.data, max(LEAST_DATA, 3 * self.count // 4))
        wanted = self._evaluated.nearest(centre, limit)
        if self._process is None:
            capacity = self.settings.data + self.settings.batch
            self._process = GaussianProcess(self.cardinalities, capacity)
            self._candidates = Candidates(self.cardinalities, capacity)
        process = self._process
        values = standardised(self.values[wanted])
        present = set(self._members)
        missing = [index for index in wanted if index not in present]
        fit = self.count >= GROWTH * self._fitted
        if fit or 4 * len(missing) > len(wanted):
            self._members = list(wanted)
            if fit:
                steps = STEPS if self._fitted else FIRST_STEPS
                process.fit(self.points[wanted], values, steps, MOST_FITTED)
                self._fitted = self.count
            else:
                process.replace(self.points[wanted], values)
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

    def _latin_design(self) -> list[NDArray[np.int32]]:
        rows = np.zeros((self.settings.initial, self.cardinalities.size), np.int32)
        deck = np.zeros(int(self.cardinalities.max(initial=1)), np.int32)
        with np.errstate(over="ignore"):  # with the JIT off: random words wrap around
            draw_design(self._random, self.cardinalities, deck, rows)
        return list(rows)

    def _is_free(self, point: NDArray[Any]) -> bool:
        return self.settings.noisy or point.tobytes() not in self._taken

    def _take(self, point: NDArray[np.int32]) -> bytes:
        """Mark a point as proposed, and return its key."""
        key = point.tobytes()
        if key not in self._taken:
            self._taken.add(key)
            self._left -= 1
        return key

    def _uniform(self) -> float:
        with np.errstate(over="ignore"):
            return float(draw_uniform(self._random))
