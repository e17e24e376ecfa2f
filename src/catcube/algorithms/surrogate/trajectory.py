"""The sequence of points and values of a search, and the state that follows from it.

The state consists of the best point, the success of radii of ascents, and the walk. A radius is
drawn in proportion to the fraction of recent points at this distance from the best one that became
the best: probability matching (D. E. Goldberg, Machine Learning 5, 1990, 407-425). A walk begins
when all neighbours of the best point have been evaluated, and follows simulated annealing
(Kirkpatrick, Gelatt and Vecchi 1983).
"""

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from catcube.engine.compiled.jit import njit
from catcube.engine.rng import below, shuffle, uniform

RADII = (1, 2, 20)  # maximum numbers of changes of an ascent
MEMORY = 0.97  # factor of the weight of a point for each later one
SUCCESSES, TRIALS = 0.5, 5.0  # initial counts, so that every radius remains possible
LENGTH = 300  # steps of a cooling
HOT, COLD = 0.1, 1e-5  # initial and final acceptance of a mean worsening
MOST_KNOWN = 1000  # evaluated points that a walk passes before one that is not

Rows = NDArray[np.int32]


class Trajectory:
    """All points and values so far, with NaN for failures, and the state that follows from them.

    `walks` means that walks may begin, `restricted` that some neighbours of a point may be
    infeasible or equivalent.
    """

    def __init__(
        self,
        cardinalities: NDArray[np.int64],
        seed: int,
        initial: int = 0,
        walks: bool = True,
        restricted: bool = False,
    ) -> None:
        self._cardinalities, self._seed = cardinalities, seed
        self._initial, self._restricted = initial, restricted
        self._neighbours = int((cardinalities - 1).sum()) if walks else 0
        self._points = np.zeros((16, cardinalities.size), np.int32)
        self._values = np.zeros(16)
        self._indices: dict[bytes, int] = {}  # the indices of points with values
        self.evaluated: Counter[bytes] = Counter()  # how often each point was evaluated
        self.count = 0
        self.best = -1  # the index of the best point, the latest of equally good ones
        self._tried = 0  # evaluated neighbours of the best point, or points since it improved
        self._successes, self._trials = np.full(len(RADII), SUCCESSES), np.full(len(RADII), TRIALS)
        self.walk: Walk | None = None

    @property
    def points(self) -> Rows:
        """All points, one per row, in order."""
        return self._points[: self.count]

    @property
    def values(self) -> NDArray[np.float64]:
        """The values of all points; NaN for failures."""
        return self._values[: self.count]

    def tell(self, point: Rows, value: float) -> None:
        """Add a point and its value; NaN if the evaluation failed."""
        index = self.count
        before = self.values[self.best] if self.best >= 0 else math.inf
        improved = bool(value < before)
        if self.best >= 0 and self.walk is None and index >= self._initial:
            self._count_radius(point, improved)
        if index == len(self._values):
            self._points = np.concatenate([self._points, np.zeros_like(self._points)])
            self._values = np.concatenate([self._values, np.zeros_like(self._values)])
        self._points[index], self._values[index] = point, value
        self.count += 1
        self.evaluated[point.tobytes()] += 1
        if not math.isnan(value):
            self._indices[point.tobytes()] = index
            if value <= before:
                self.best = index
        if self.best >= 0:
            self._count_tried(index, improved)
            self._advance_walk(index, value)

    def radius(self, drawn: float) -> int:
        """Return the radius for a uniform number in [0, 1)."""
        sums = np.cumsum(self._successes / self._trials)
        return RADII[int((drawn * sums[-1] >= sums[:-1]).sum())]

    def _count_radius(self, point: Rows, improved: bool) -> None:
        """Update the success of the radius of a point, given whether it improved on the best."""
        apart = int((point != self.points[self.best]).sum())
        at = np.arange(len(RADII)) == min(np.searchsorted(RADII, apart), len(RADII) - 1)
        self._successes = SUCCESSES + MEMORY * (self._successes - SUCCESSES) + at * improved
        self._trials = TRIALS + MEMORY * (self._trials - TRIALS) + at

    def _count_tried(self, index: int, improved: bool) -> None:
        """Update the number of evaluated neighbours of the best point.

        If some may be infeasible, count all points since the best value improved instead.
        """
        best = self.points[self.best]
        if self._restricted:
            self._tried = 0 if improved else self._tried + 1
        elif self.best == index:
            self._tried = int(((self.points != best).sum(axis=1) == 1).sum())
        else:
            self._tried += int((self.points[index] != best).sum() == 1)

    def _advance_walk(self, index: int, value: float) -> None:
        """Continue the walk, begin one, or end one after a cooling."""
        random = Random(self._seed, index)
        if self.walk is not None:
            if not math.isnan(value):
                self.walk.move(index, value, random.uniform())
            self.walk.steps += 1
            if self.walk.steps >= LENGTH:
                self.walk = None
        if self.walk is None and self._tried >= self._neighbours > 0:
            near = (self.points != self.points[self.best]).sum(axis=1) <= 2
            best = float(self.values[self.best])
            self.walk = Walk(self.best, best, mean_worsening(best, self.values[near]))
        if self.walk is None:
            return
        for _ in range(MOST_KNOWN):  # moves among evaluated points cost nothing
            row = random.neighbour(self.points[self.walk.at], self._cardinalities, 1)
            known = self._indices.get(row.tobytes())
            if known is None:
                break
            self.walk.move(known, float(self.values[known]), random.uniform())


@dataclass
class Walk:
    """A walk by simulated annealing: the index of its point, the value, and the temperature.

    >>> walk = Walk(at=7, value=1.0, worsening=0.5)
    >>> walk.move(8, value=2.0, drawn=0.5)  # accepted with a probability of 0.1 ** 2
    >>> walk.at
    7
    >>> walk.move(9, value=1.0, drawn=0.5)
    >>> walk.at
    9
    """

    at: int
    value: float
    worsening: float
    steps: int = 0

    def move(self, index: int, value: float, drawn: float) -> None:
        """Move to a point if its value is not worse, or accepted at the current temperature."""
        worsening = (value - self.value) / self.worsening
        if worsening <= 0 or drawn < self._chance() ** worsening:
            self.at, self.value = index, value

    def _chance(self) -> float:
        """Return the acceptance of a mean worsening, whose logarithm grows exponentially."""
        cooled = (math.log(COLD) / math.log(HOT)) ** (self.steps / LENGTH)
        return math.exp(math.log(HOT) * cooled)


def mean_worsening(value: float, others: NDArray[np.float64]) -> float:
    """Return the mean of the differences to values that are worse; 1 if there are none.

    >>> mean_worsening(1.0, np.array([1.0, 2.0, 4.0]))
    2.0
    """
    worse = others[others > value]
    return float(np.mean(worse - value)) if worse.size else 1.0


class Random:
    """Random numbers that depend on a key only."""

    def __init__(self, *key: int) -> None:
        self.state = np.random.SeedSequence(key).generate_state(4, np.uint64)

    def uniform(self) -> float:
        """Return a uniform number in [0, 1)."""
        with np.errstate(over="ignore"):  # with the JIT off, random words overflow
            return float(_draw_uniform(self.state))

    def neighbour(self, point: Rows, cardinalities: NDArray[np.int64], changes: int) -> Rows:
        """Return a point with `changes` variables, not always distinct, at random categories."""
        changed = point.copy()
        with np.errstate(over="ignore"):
            _draw_near(self.state, cardinalities, changes, changed)
        return changed

    def exchange(self, point: Rows, cardinalities: NDArray[np.int64], times: int = 1) -> Rows:
        """Return a point with exchanged categories of two random variables, where possible."""
        changed = point.copy()
        for _ in range(times):
            i, j = int(self.uniform() * point.size), int(self.uniform() * point.size)
            if changed[j] < cardinalities[i] and changed[i] < cardinalities[j]:
                changed[i], changed[j] = changed[j], changed[i]
        return changed


def draw_rows(random: Random, cardinalities: NDArray[np.int64], count: int) -> Rows:
    """Return a Latin design: frequencies of the categories of a variable differ by at most 1."""
    rows = np.zeros((count, cardinalities.size), np.int32)
    deck = np.zeros(int(cardinalities.max(initial=1)), np.int32)
    with np.errstate(over="ignore"):
        _draw_design(random.state, cardinalities, deck, rows)
    return rows


@njit
def _draw_design(random, cardinalities, deck, rows):
    """Write a Latin design; `deck` is scratch memory for the categories of a variable."""
    for i in range(cardinalities.size):
        count = cardinalities[i]
        for r in range(rows.shape[0]):
            if r % count == 0:  # shuffle all categories again
                for c in range(count):
                    deck[c] = c
                shuffle(random, deck[:count])
            rows[r, i] = deck[r % count]
        shuffle(random, rows[:, i])


@njit
def _draw_near(random, cardinalities, changes, point):
    """Set `changes` variables, not always distinct, to random categories."""
    for _ in range(changes):
        i = below(random, cardinalities.size)
        point[i] = below(random, cardinalities[i])


@njit
def _draw_uniform(random):
    """Return a uniform number in [0, 1)."""
    return uniform(random)
