"""Which points to evaluate next, given all points and values so far.

The proposals are a function of the sequence of points and values, of the points that are pending
and of the seed. `Proposals` takes the sequence point by point and keeps what follows from it; built
anew from the whole sequence, it proposes the same.

- *First points* are a Latin design, in which every category occurs equally often.
- *The models*, two with different priors over whose expectations is averaged, later one, see all
  points while they are few, then those nearest to the best one. They are fitted again whenever
  there are a tenth more values; in between, points are added.
- *Failed* points have no value. A second process predicts where evaluations fail, if that depends
  on the point at all.
- *An ascent* of the expected improvement from the best point gives the next point, within a radius
  that adapts: a trust region whose radius follows its success is that of Wan et al. (2021,
  Casmopolitan). Here a radius is drawn in proportion to the share of recent points at that distance
  from the best one that became the best: probability matching (D. E. Goldberg, Machine Learning 5,
  1990, 407-425).
- *A walk* begins where all neighbours of the best point have been evaluated (under constraints,
  where as many points have not improved it): expected improvements near it are tiny, and most
  ascents end in vain. Of some random
  neighbours of its position the one of which the model expects most is evaluated, and the walk goes
  there as in simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983). After each cooling the next
  one begins at the best point.
- *Noisy* values: the best point is the one with the best mean by the model, and a point is
  evaluated again where its mean is worth knowing better, but never more often than the square root
  of the number of all evaluations.
- *Several points at once* are proposed one after the other, as if those before had the predicted
  values: the kriging believer of Ginsbourger, Le Riche and Carraro (2010).
"""

import math
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.surrogate.acquisition import Acquisition, Rows
from catcube.algorithms.surrogate.fit import (
    CYCLIC,
    EVIDENCE,
    ORDERED,
    UNKNOWN,
    UNORDERED,
    Kernel,
    Order,
    Parameters,
)
from catcube.algorithms.surrogate.process import GaussianProcess, first_parameters
from catcube.engine.compiled.jit import njit
from catcube.engine.rng import below, shuffle, uniform
from catcube.errors import BadValue
from catcube.space import Space

SPREADS = (1.0, 2.0)  # of the log weights a priori, one for each model
SEVERAL = 150  # values from which on the first model suffices
FIRST_STEPS, STEPS = 25, 12  # of ascent of the likelihood
LEAST_DATA = 300  # points that the model sees; later three of four, up to `data`
MOST_FITTED = 200  # points, the nearest ones, whose likelihood the parameters ascend
GROWTH = 1.1  # fitted again when the number of points has grown by this factor
RADII = (1, 2, 20)  # changes of one ascent at most
MEMORY = 0.97  # of an earlier point, for each later one
SUCCESSES, TRIALS = 0.5, 5.0  # taken for granted, so that every radius keeps a chance
LENGTH = 300  # steps of a cooling
CHOICES = 4  # random neighbours among which the model chooses a step
HOT, COLD = 0.1, 1e-5  # chance of a mean worsening to be accepted, at first and in the end
MOST_KNOWN = 1000  # evaluated points that a walk passes on its way to one that is not
ATTEMPTS = 40  # groups of 32 random points among which a free one is sought
ENUMERATED = 100_000  # points of a space that are all looked at

Feasible = Callable[[Rows], NDArray[np.bool_]]


class Settings(NamedTuple):
    """Parameters of the proposals."""

    initial: int = 10
    data: int = 800
    noisy: bool = False


DEFAULT = Settings()

KINDS = {None: UNKNOWN, False: UNORDERED, True: ORDERED, "cyclic": CYCLIC}


def propose(
    space: Space | Sequence[int],
    points: Sequence[Any] | NDArray[Any],
    values: Sequence[float] | NDArray[Any],
    n: int = 1,
    *,
    pending: Sequence[Any] | NDArray[Any] = (),
    constraints: Callable[[dict[str, Any]], bool | float] | Sequence[Any] = (),
    feasible: Feasible | None = None,
    active: Feasible | None = None,
    ordered: Mapping[str, Any] | Sequence[Any] | None = None,
    noisy: bool = False,
    seed: int = 0,
    initial: int = 10,
    data: int = 800,
) -> list[Any]:
    """Propose the points to evaluate next, given points and values, all to be minimised.

    It is a pure function: the same arguments give the same proposals. Calls with growing data are
    fast, because what follows from the data before is kept; so append new points at the end.

    Parameters
    ----------
    space
        The space; or the number of categories of each variable, and then points are sequences of
        categories (0, 1, ...).
    points
        The evaluated points, in the order in which their values became known. Variables that are
        inactive may have any category.
    values
        Their values; NaN, or infinity, where the evaluation failed.
    n
        How many points to propose. Each is proposed as if those before had the predicted values.
    pending
        Points that are being evaluated: they are not proposed, unless values are noisy.
    constraints
        A function of a point of the space, or several, that returns whether the point satisfies
        the constraint, or by how much it is violated.
    feasible
        The same for rows of categories, all at once: returns a boolean array.
    active
        Returns, for rows of categories, a boolean matrix: which variables of each row are active.
    ordered
        For each variable (a sequence, or a mapping from names) whether its categories are in an
        order that matters: True, False, `"cyclic"`, or None, the default: the data decide.
    noisy
        Whether another evaluation of a point may give another value; then it may be proposed again.
    seed
        Seed of all random choices.
    initial
        The number of points before the model proposes any.
    data
        The number of points that the model sees at most.

    Returns
    -------
    list
        `n` points, as those given; fewer if no others are left, or none found that is feasible.

    Examples
    --------
    >>> import catcube
    >>> space = catcube.Space({"base": "ATCG", "digit": range(10)})
    >>> points, values = [], []
    >>> while len(points) < 20:
    ...     points += catcube.propose(space, points, values)
    ...     values.append(abs(points[-1]["digit"] - 7) + (points[-1]["base"] != "G"))
    >>> points[values.index(min(values))]
    {'base': 'G', 'digit': 7}

    The same with numbers of categories, four points at once, the third variable not to be 0:

    >>> catcube.propose([4, 10, 3], [], [], 4, feasible=lambda rows: rows[:, 2] > 0)
    [[2, 0, 2], [3, 9, 1], [1, 4, 1], [0, 7, 1]]
    """
    named = isinstance(space, Space)
    sizes = np.asarray(space.cardinalities if isinstance(space, Space) else space, np.int64)
    if len(points) != len(values):
        raise BadValue(f"expected as many values as points, got {len(values)} and {len(points)}")

    def encode(some: Any) -> Rows:
        rows = [space.encode(point) for point in some] if isinstance(space, Space) else some
        return np.asarray(rows, np.int32).reshape(len(some), sizes.size)

    def satisfied(rows: Rows) -> NDArray[np.bool_]:
        assert isinstance(space, Space)
        decoded = [space.decode(row) for row in rows]
        return np.array([all(_is_satisfied(each(p)) for each in functions) for p in decoded], bool)

    functions = [constraints] if callable(constraints) else list(constraints)
    if functions and not named:
        raise BadValue("expected a Space with constraints=, or feasible= for rows of categories")
    if functions:
        given = feasible
        feasible = lambda rows: satisfied(rows) & (True if given is None else given(rows))  # noqa: E731
    if isinstance(ordered, Mapping) and isinstance(space, Space):
        ordered = [ordered.get(name) for name in space.names]
    kinds = np.array([KINDS[kind] for kind in ordered or [None] * sizes.size], np.int64)
    settings = Settings(initial, data, noisy)
    proposals = Proposals(sizes, settings, seed, kinds, feasible, active)
    rows, numbers = proposals.canonical(encode(points)), np.asarray(values, np.float64)
    proposals = _RECENT.take(proposals, rows, numbers)
    proposals.tell(rows[len(proposals.values) :], numbers[len(proposals.values) :])
    found = proposals.ask(n, encode(pending))
    _RECENT.put(proposals)
    return [space.decode(row) if isinstance(space, Space) else row.tolist() for row in found]


def _is_satisfied(answer: Any) -> bool:
    return bool(answer) if isinstance(answer, bool | np.bool_) else bool(answer <= 0)


class Proposals:
    """The points to evaluate next.

    >>> proposals = Proposals(np.array([3, 4, 5]))
    >>> for _ in range(20):
    ...     points = proposals.ask(1)
    ...     proposals.tell(points, points.sum(axis=1))
    >>> int(min(proposals.values)), len({point.tobytes() for point in proposals.points})
    (0, 20)
    """

    def __init__(
        self,
        cardinalities: NDArray[np.int64],
        settings: Settings = DEFAULT,
        seed: int = 0,
        kinds: NDArray[np.int64] | None = None,
        feasible: Feasible | None = None,
        active: Feasible | None = None,
    ) -> None:
        self.cardinalities = cardinalities
        self.settings = settings
        self.kernel = Kernel(cardinalities, kinds)
        self._seed = seed
        self._feasible = feasible
        self._active = active
        self._course = Course(cardinalities, settings, seed, self._restricted)
        self._taken: Counter[bytes] = Counter()  # how often each point was evaluated
        self._objective = Fitted(self.kernel, settings.data, SPREADS)
        self._failure = Fitted(self.kernel, settings.data, SPREADS[:1])
        self._random = Random(seed)
        self._design = self.canonical(draw_rows(self._random, cardinalities, settings.initial))

    @property
    def _restricted(self) -> bool:
        """Whether some neighbours of a point may be infeasible, or the same point."""
        return self._feasible is not None or self._active is not None

    @property
    def points(self) -> Rows:
        """All points told, one per row, in order."""
        return self._course.points.rows

    @property
    def values(self) -> NDArray[np.float64]:
        """Their values; NaN where the evaluation failed."""
        return self._course.values.rows

    def canonical(self, rows: NDArray[Any]) -> Rows:
        """Return the rows with the first category for each inactive variable."""
        rows = np.asarray(rows, np.int32).reshape(len(rows), self.cardinalities.size)
        return rows if self._active is None else np.where(self._active(rows), rows, np.int32(0))

    def tell(self, points: NDArray[Any], values: NDArray[Any]) -> None:
        """Take the values of points, whether they were proposed or not; NaN for failed ones."""
        numbers = _without_infinity(np.asarray(values, np.float64))
        for point, value in zip(self.canonical(points), numbers.tolist(), strict=True):
            self._course.tell(point, value)
            self._taken[point.tobytes()] += 1

    def continues(self, fresh: "Proposals", points: Rows, values: NDArray[np.float64]) -> bool:
        """Take the functions of fresh proposals, if all else and the data until now agree."""
        count = len(self.values)
        agree = (
            (self.settings, self._seed) == (fresh.settings, fresh._seed)
            and self._restricted == fresh._restricted
            and np.array_equal(self.cardinalities, fresh.cardinalities)
            and np.array_equal(self.kernel.kinds, fresh.kernel.kinds)
            and count <= len(values)
            and np.array_equal(self.values, _without_infinity(values[:count]), equal_nan=True)
            and np.array_equal(self.points, points[:count])
        )
        if agree:
            self._feasible, self._active = fresh._feasible, fresh._active
        return agree

    def ask(self, count: int, pending: NDArray[Any] | Sequence[Any] = ()) -> Rows:
        """Propose at most `count` points besides those pending; fewer if no more are found."""
        waiting = list(self.canonical(np.asarray(pending, np.int32)))
        proposed: list[Rows] = []
        session: _Session | None = None
        for _ in range(count):
            taken = self._taken
            if waiting:
                taken = taken + Counter(point.tobytes() for point in waiting)
            self._random = Random(self._seed, self._course.count, len(waiting))
            point = self._first(taken, len(waiting))
            if point is None and self._course.valued and self.cardinalities.size:
                session = session or _Session(self, waiting)
                point = session.propose(taken)
            if point is None:
                point = self._random_point(taken)
            if point is None:
                break
            proposed.append(point)
            waiting.append(point)
            if session is not None:
                session.believe(point)
        if session is not None:
            session.end()
        return np.array(proposed, np.int32).reshape(len(proposed), self.cardinalities.size)

    def _first(self, taken: Counter[bytes], waiting: int) -> Rows | None:
        """Return a point of the design while fewer points than it has are known or pending."""
        if self._course.count + waiting >= self.settings.initial:
            return None
        free = self._free(self._design, taken)
        return self._design[free.argmax()] if free.any() else None

    def _free(self, rows: Rows, taken: Counter[bytes]) -> NDArray[np.bool_]:
        """Return of each point whether it may be proposed."""
        most = max(1, math.isqrt(self._course.count)) if self.settings.noisy else 1
        free = np.array([taken[row.tobytes()] < most for row in rows], bool)
        if self._feasible is not None and free.any():
            free[free] = self._feasible(rows[free])
        return free

    def _random_point(self, taken: Counter[bytes]) -> Rows | None:
        """Return a random point that is free, if one is found: near the best, then farther."""
        course, random, sizes = self._course, self._random, self.cardinalities
        near = course.points.rows[course.best] if course.count else None
        if sizes.size == 0:
            return None  # the design has its only point
        for attempt in range(ATTEMPTS):
            rows = draw_rows(random, sizes, 32)
            if near is not None and attempt % 4 != 3:
                changes = 1 + attempt // 2
                rows = np.array([random.neighbour(near, sizes, changes) for _ in rows])
                if self._feasible is not None:  # where counts are fixed, only exchanges remain
                    if attempt >= 4:
                        near = course.points.rows[int(random.uniform() * course.count)]
                    rows[::2] = [random.exchange(near, sizes, changes) for _ in rows[::2]]
            free = self._free(self.canonical(rows), taken)
            if free.any():
                return self.canonical(rows)[free.argmax()]
        shape = self.cardinalities.tolist()
        for begin in range(0, min(math.prod(shape), ENUMERATED), 1000):
            indices = np.arange(begin, min(begin + 1000, math.prod(shape)))
            rows = self.canonical(np.stack(np.unravel_index(indices, shape), axis=1))
            free = self._free(rows, taken)
            if free.any():
                return rows[free.argmax()]
        return None


class Recent:
    """The last few proposals, so that more data need not be taken from the beginning."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: list[Proposals] = []

    def take(self, fresh: Proposals, points: Rows, values: NDArray[np.float64]) -> Proposals:
        """Return kept proposals whose data these ones begin with, or else the fresh ones."""
        with self._lock:
            for kept in sorted(self._kept, key=lambda kept: -len(kept.values)):
                if kept.continues(fresh, points, values):
                    self._kept.remove(kept)
                    return kept
        return fresh

    def put(self, proposals: Proposals) -> None:
        """Keep proposals instead of the oldest ones."""
        with self._lock:
            self._kept = [*self._kept, proposals][-self._most :]


_RECENT = Recent(4)


class _Session:
    """One call of `ask` by the model: points that are pending have their predicted values."""

    def __init__(self, proposals: Proposals, waiting: Sequence[Rows]) -> None:
        self._proposals = proposals
        course, objective = proposals._course, proposals._objective
        objective.update(course.valued_points.rows, course.valued_values.rows, course.best_valued)
        self._processes = objective.processes
        self._failure = None
        if course.count > course.valued:
            failed = np.isnan(course.values.rows).astype(float)
            proposals._failure.update(course.points.rows, failed, course.best_all)
            if proposals._failure.informative:
                middle = proposals._failure.standardise((1 + failed.mean()) / 2)
                self._failure = proposals._failure.processes[0], middle
        if proposals.settings.noisy:
            seen = [process.fitted_values() for process in self._processes]
            best = int(np.sum(seen, axis=0).argmin())
            self._start = self._processes[0].columns[:, best].copy()
            self._levels = [float(values.min()) for values in seen]
        else:
            at = course.best if course.walk is None else course.walk.at
            self._start = course.points.rows[at]
            level = objective.standardise(float(course.values.rows[at]))
            self._levels = [level] * len(self._processes)
        self._saved = [process.save() for process in self._processes]
        for point in waiting:
            self.believe(point)

    def believe(self, point: Rows) -> None:
        """Take the predicted value for that of a point."""
        for process in self._processes:
            process.append(point, float(process.predict(point[None])[0][0]))
            process.solve()

    def propose(self, taken: Counter[bytes]) -> Rows | None:
        """Return the point of which most is expected, or one step of the walk."""
        proposals, random = self._proposals, self._proposals._random
        course, constrained = proposals._course, proposals._feasible is not None

        def free(rows: Rows) -> NDArray[np.bool_]:
            return proposals._free(rows, taken)

        acquisition = Acquisition(
            self._processes,
            self._failure,
            free,
            proposals._active,
            random.uniform,
            noisy=proposals.settings.noisy,
            pairs=constrained,
        )
        if course.walk is None:
            return acquisition.ascend(self._start, self._levels, course.radius(random.uniform()))
        sizes, start = proposals.cardinalities, self._start
        rows = np.empty((0, sizes.size), np.int32)
        for _ in range(ATTEMPTS if constrained else 1):  # few neighbours may be feasible
            drawn = [random.neighbour(start, sizes, 1) for _ in range(4 * CHOICES)]
            if constrained:
                drawn += [random.exchange(start, sizes) for _ in range(4 * CHOICES)]
                drawn += [random.neighbour(start, sizes, 2) for _ in range(4 * CHOICES)]
            fresh = proposals.canonical(np.array(drawn))
            rows = np.concatenate([rows, fresh[free(fresh)]])
            if len(rows) >= CHOICES:
                break
        if constrained and len(rows):  # not the single changes alone
            rows = rows[np.argsort([random.uniform() for _ in rows])]
        rows = rows[:CHOICES]
        return rows[acquisition.expected(rows, self._levels).argmax()] if len(rows) else None

    def end(self) -> None:
        """Forget the values that were predicted."""
        for process, saved in zip(self._processes, self._saved, strict=True):
            if process.size > saved[0]:
                process.restore(saved)


class Fitted:
    """Processes that are fitted when the number of data has grown by a tenth.

    They differ in how much the weights of the variables may differ, a priori.
    """

    def __init__(self, kernel: Kernel, data: int, spreads: Sequence[float]) -> None:
        self._kernel = kernel
        self._data = data
        self._spreads = spreads
        self._parameters: list[Parameters] = [first_parameters(kernel) for _ in spreads]
        self._fitted = 0
        self._taken = 0  # data that the processes have, or have left out
        self._members = np.empty(0, np.int64)
        self._scale = (0.0, 1.0)
        self.processes: list[GaussianProcess] = []

    def update(self, points: Rows, values: NDArray[np.float64], best: NDArray[np.int64]) -> None:
        """Take all points and values so far; `best` is the best of the first 1, 2, ... of them."""
        count = len(values)
        due = self._due()
        while due <= count:
            wanted = nearest(points[:due], int(best[due - 1]), self._limit(due))
            self._fit(points[wanted], standardise(values[wanted]))
            self._members, self._fitted, self._taken = wanted, due, due
            due = self._due()
            if due > count:
                for process in self.processes:
                    process.replace(points[wanted], values[wanted])
        fresh = np.arange(self._taken, count)
        self._members, self._taken = np.append(self._members, fresh), count
        self._scale = moments_of(values[self._members])
        for process in self.processes:
            for index in fresh:
                process.append(points[index], 0.0)
            process.values[: process.size] = standardise(values[self._members])
            process.solve()

    def standardise(self, value: float) -> float:
        """Return a value as the processes see it."""
        return (value - self._scale[0]) / self._scale[1]

    @property
    def informative(self) -> bool:
        """Whether values depend on points: noise alone would have the log likelihood 0."""
        return self.processes[0].likelihood > EVIDENCE

    def _due(self) -> int:
        return max(self._fitted + 1, math.ceil(GROWTH * self._fitted))

    def _limit(self, count: int) -> int:
        return min(self._data, max(LEAST_DATA, 3 * count // 4))

    def _fit(self, points: Rows, values: NDArray[np.float64]) -> None:
        """Fit the parameters, in processes that usually suffice until the next fit."""
        capacity = math.ceil(GROWTH * len(values)) + 20
        steps = STEPS if self._fitted else FIRST_STEPS
        used = self._parameters[: None if len(values) < SEVERAL else 1]
        self.processes = [GaussianProcess(self._kernel, capacity, each) for each in used]
        order: Order | None = None  # found by the first
        for process, spread in zip(self.processes, self._spreads, strict=False):
            process.fit(points, values, steps, MOST_FITTED, spread, order)
            order = process.parameters.order
        self._parameters = [process.parameters for process in self.processes]


class Course:
    """What follows from the sequence of points and values: the best point, radii, the walk."""

    def __init__(
        self,
        cardinalities: NDArray[np.int64],
        settings: Settings,
        seed: int,
        restricted: bool = False,
    ) -> None:
        self._cardinalities = cardinalities
        self._restricted = restricted
        self._settings = settings
        self._seed = seed
        self._neighbours = int((cardinalities - 1).sum())
        self.points = Growing((cardinalities.size,), np.int32)
        self.values = Growing((), np.float64)
        self.valued_points = Growing((cardinalities.size,), np.int32)
        self.valued_values = Growing((), np.float64)
        self._best_valued = Growing((), np.int64)  # of the first 1, 2, ... points with values
        self._best_all = Growing((), np.int64)
        self._indices: dict[bytes, int] = {}
        self.best = 0  # the last among equally good ones
        self._tried = 0  # neighbours of the best point, or all points since it improved
        self._successes = dict.fromkeys(RADII, SUCCESSES)
        self._trials = dict.fromkeys(RADII, TRIALS)
        self.walk: Walk | None = None

    @property
    def count(self) -> int:
        """Number of points."""
        return len(self.values.rows)

    @property
    def valued(self) -> int:
        """Number of points that have values."""
        return len(self.valued_values.rows)

    @property
    def best_valued(self) -> NDArray[np.int64]:
        """For each number of points with values, which of them is the best."""
        return self._best_valued.rows

    @property
    def best_all(self) -> NDArray[np.int64]:
        """For each number of points, which of them is the best."""
        return self._best_all.rows

    def tell(self, point: Rows, value: float) -> None:
        """Take the value of a point; NaN if it has failed."""
        index, failed = self.count, math.isnan(value)
        before = self.values.rows[self.best] if self.valued else math.inf
        improved = bool(value < before)
        if self.valued and self.walk is None and index >= self._settings.initial:
            self._count_radius(point, improved)
        self.points.append(point)
        self.values.append(value)
        if not failed:
            self._indices[point.tobytes()] = index
            self.valued_points.append(point)
            self.valued_values.append(value)
            if value <= before:
                self.best = index
            latest = self._best_valued.rows[-1] if self.valued > 1 else 0
            self._best_valued.append(self.valued - 1 if value <= before else latest)
        self._best_all.append(self.best)
        self._count_tried(index, improved)
        self._walk(index, value)

    def radius(self, drawn: float) -> int:
        """Return the radius for a uniform number in [0, 1)."""
        shares = [self._successes[radius] / self._trials[radius] for radius in RADII]
        left = drawn * sum(shares)
        for radius, share in zip(RADII, shares, strict=True):
            left -= share
            if left < 0:
                return radius
        return RADII[-1]

    def _count_radius(self, point: Rows, improved: bool) -> None:
        """Take into account whether a point at this distance from the best one was better."""
        apart = int((point != self.points.rows[self.best]).sum())
        radius = next((radius for radius in RADII if apart <= radius), RADII[-1])
        for sums, granted in ((self._successes, SUCCESSES), (self._trials, TRIALS)):
            for each in RADII:
                sums[each] = granted + MEMORY * (sums[each] - granted)
        self._successes[radius] += improved
        self._trials[radius] += 1

    def _count_tried(self, index: int, improved: bool) -> None:
        """Count the neighbours of the best point that have been evaluated.

        Where some are infeasible, count all points since the best value improved instead.
        """
        if self._restricted:
            self._tried = 0 if improved else self._tried + 1
        elif self.best == index:
            apart = (self.points.rows != self.points.rows[index]).sum(axis=1)
            self._tried = int((apart == 1).sum())
        else:
            best = self.points.rows[self.best]
            self._tried += int((self.points.rows[index] != best).sum() == 1)

    def _walk(self, index: int, value: float) -> None:
        """Walk on, begin to walk, or end a walk that has cooled down."""
        random = Random(self._seed, index)
        if self.walk is not None:
            if not math.isnan(value):
                self.walk.move(index, value, random.uniform())
            self.walk.steps += 1
            if self.walk.steps >= LENGTH:
                self.walk = None
        if self._settings.noisy or not self.valued or self._neighbours == 0:
            return
        if self.walk is None and self._tried >= self._neighbours:
            best = float(self.values.rows[self.best])
            near = (self.valued_points.rows != self.points.rows[self.best]).sum(axis=1) <= 2
            worsening = mean_worsening(best, self.valued_values.rows[near])
            self.walk = Walk(self.best, best, worsening)
        if self.walk is None:
            return
        for _ in range(MOST_KNOWN):  # among evaluated points, which costs nothing
            row = random.neighbour(self.points.rows[self.walk.at], self._cardinalities, 1)
            known = self._indices.get(row.tobytes())
            if known is None:
                break
            self.walk.move(known, float(self.values.rows[known]), random.uniform())


class Walk:
    """The position of an annealed walk, as the index of its point, and its temperature.

    >>> walk = Walk(at=7, value=1.0, worsening=0.5)
    >>> walk.move(8, value=2.0, drawn=0.5)  # the chance is below 0.1 ** 2
    >>> walk.at
    7
    >>> walk.move(9, value=1.0, drawn=0.5)
    >>> walk.at
    9
    """

    def __init__(self, at: int, value: float, worsening: float) -> None:
        self.at = at
        self.value = value
        self._worsening = worsening
        self.steps = 0

    def move(self, index: int, value: float, drawn: float) -> None:
        """Go to a point with this value if it is not worse, or by chance."""
        worsening = (value - self.value) / self._worsening
        if worsening <= 0 or drawn < self._chance() ** worsening:
            self.at, self.value = index, value

    def _chance(self) -> float:
        """Return the present chance of a mean worsening; its logarithm grows exponentially."""
        cooled = (math.log(COLD) / math.log(HOT)) ** (self.steps / LENGTH)
        return math.exp(math.log(HOT) * cooled)


def mean_worsening(value: float, others: NDArray[np.float64]) -> float:
    """Return by how much the others are worse, in the mean of those that are; 1 if none is.

    >>> mean_worsening(1.0, np.array([1.0, 2.0, 4.0]))
    2.0
    """
    worse = others[others > value]
    return float(np.mean(worse - value)) if worse.size else 1.0


def _without_infinity(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values with NaN for infinity, which is no value, and a bound for its opposite."""
    return np.where(values == math.inf, math.nan, np.maximum(values, -1e300))


def nearest(points: Rows, centre: int, limit: int) -> NDArray[np.int64]:
    """Return the points nearest to one of them, the latest of equally near ones first."""
    distances = (points != points[centre]).sum(axis=1)
    return np.lexsort((-np.arange(len(points)), distances))[:limit]


def moments_of(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return mean and standard deviation of the values; 1 for the latter if all are equal.

    >>> moments_of(np.array([1.0, 3.0]))
    (2.0, 1.0)
    """
    largest = float(np.abs(values).max(initial=0.0))
    unit = largest if largest > 1e100 else 1.0  # squares must not overflow
    values = values / unit
    mean = math.fsum(values.tolist()) / max(values.size, 1)
    square = math.fsum(((values - mean) ** 2).tolist()) / max(values.size, 1)
    return mean * unit, math.sqrt(square) * unit if square > 0 else 1.0


def standardise(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values minus their mean, in units of their standard deviation.

    >>> standardise(np.array([1.0, 3.0])).tolist()
    [-1.0, 1.0]
    """
    mean, deviation = moments_of(values)
    return (values - mean) / deviation


class Growing:
    """An array to which rows are appended."""

    def __init__(self, shape: tuple[int, ...], kind: Any) -> None:
        self._rows = np.zeros((16, *shape), kind)
        self._count = 0

    @property
    def rows(self) -> NDArray[Any]:
        """All rows, in order."""
        return self._rows[: self._count]

    def append(self, row: Any) -> None:
        """Add a row."""
        if self._count == len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        self._rows[self._count] = row
        self._count += 1


class Random:
    """Random numbers that depend on a key alone."""

    def __init__(self, *key: int) -> None:
        self.state = np.random.SeedSequence(key).generate_state(4, np.uint64)

    def uniform(self) -> float:
        """Return a uniform number in [0, 1)."""
        with np.errstate(over="ignore"):  # with the JIT off: random words wrap around
            return float(_draw_uniform(self.state))

    def neighbour(self, point: Rows, cardinalities: NDArray[np.int64], changes: int) -> Rows:
        """Return the point with `changes` variables, not always distinct, at random categories."""
        changed = point.copy()
        with np.errstate(over="ignore"):
            _draw_near(self.state, cardinalities, changes, changed)
        return changed

    def exchange(self, point: Rows, cardinalities: NDArray[np.int64], times: int = 1) -> Rows:
        """Return the point with the categories of two random variables exchanged, if they fit."""
        changed = point.copy()
        for _ in range(times):
            i, j = int(self.uniform() * point.size), int(self.uniform() * point.size)
            if changed[j] < cardinalities[i] and changed[i] < cardinalities[j]:
                changed[i], changed[j] = changed[j], changed[i]
        return changed


def draw_rows(random: Random, cardinalities: NDArray[np.int64], count: int) -> Rows:
    """Return a Latin design: each variable has its categories equally often, or once more."""
    rows = np.zeros((count, cardinalities.size), np.int32)
    deck = np.zeros(int(cardinalities.max(initial=1)), np.int32)
    with np.errstate(over="ignore"):
        _draw_design(random.state, cardinalities, deck, rows)
    return rows


@njit
def _draw_design(random, cardinalities, deck, rows):
    """Draw points such that each variable has its categories equally often, or once more."""
    for i in range(cardinalities.size):
        count = cardinalities[i]
        for r in range(rows.shape[0]):
            if r % count == 0:  # a fresh deck of all categories
                for c in range(count):
                    deck[c] = c
                shuffle(random, deck[:count])
            rows[r, i] = deck[r % count]
        shuffle(random, rows[:, i])


@njit
def _draw_near(random, cardinalities, changes, point):
    """Give `changes` variables, not necessarily distinct ones, uniform categories."""
    for _ in range(changes):
        i = below(random, cardinalities.size)
        point[i] = below(random, cardinalities[i])


@njit
def _draw_uniform(random):
    """Return a uniform number in [0, 1)."""
    return uniform(random)
