"""Which points to evaluate next, given all points and values so far.

Proposals are a function of the sequence of points and values, of the pending points and of the
seed. `Proposals` takes the sequence point by point and keeps the state that follows from it; built
again from the whole sequence, it makes the same proposals.

- *The first points* are a Latin design, in which all categories occur equally often.
- *The models* are two processes with different priors, whose expectations are averaged, and later
  one. They contain all points if these are few, else those nearest to the best one. They are fitted
  again when the number of values has grown by a tenth; in between, points are added.
- *Failed* points have no value. Another process predicts where evaluations fail, if this depends on
  the point at all.
- *An ascent* of the expected improvement from the best point gives the next point, within an
  adaptive radius, as in the trust region of Wan et al. (2021, Casmopolitan). Here a radius is drawn
  in proportion to the fraction of recent points at this distance from the best one that became the
  best: probability matching (D. E. Goldberg, Machine Learning 5, 1990, 407-425).
- *A walk* begins when all neighbours of the best point have been evaluated (under constraints, when
  as many points have not improved on it), because expected improvements are then tiny, and most
  ascents fail. Of some random neighbours of its position, the most promising is evaluated, and the
  walk moves there as in simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983). After each
  cooling, the next walk begins at the best point.
- *Noisy* values: the best point is the one with the best predicted mean. A point may be evaluated
  again, but not more often than the square root of the number of all evaluations.
- *Several points* are proposed one by one, as if the previous ones had the predicted values: the
  kriging believer of Ginsbourger, Le Riche and Carraro (2010).
"""

import math
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.algorithm import ParameterInfo
from catcube.algorithms.surrogate.acquisition import Acquisition
from catcube.algorithms.surrogate.fit import EVIDENCE, KINDS, Kernel
from catcube.algorithms.surrogate.model import Models
from catcube.algorithms.surrogate.trajectory import Random, Rows, Trajectory, draw_rows
from catcube.base.text import expect, expect_known, quote
from catcube.space import Space

CHOICES = 4  # random neighbours from which the model chooses a step of the walk
ATTEMPTS = 40  # groups of 32 random points among which a free point is sought
ENUMERATED = 100_000  # largest space that is enumerated to find a free point
MOST_KEPT = 4  # kept instances of `Proposals`, which continue with more data

Feasible = Callable[[Rows], NDArray[np.bool_]]
Nearby = Callable[[Rows, int], Rows]


class Settings(NamedTuple):
    """Parameters of the surrogate."""

    initial: Annotated[int, ParameterInfo("points drawn before there is a model", low=1)] = 10
    batch: Annotated[
        int, ParameterInfo("points proposed at once, or evaluated in parallel", 1, 2000)
    ] = 1
    data: Annotated[int, ParameterInfo("points that the model sees at most", low=10, high=2000)] = (
        800
    )
    noisy: Annotated[bool, ParameterInfo("a point may be evaluated again")] = False


DEFAULT = Settings()


def propose(
    space: Space | Sequence[int],
    points: Sequence[Any] | NDArray[Any],
    values: Sequence[float] | NDArray[Any],
    n: int = 1,
    *,
    pending: Sequence[Any] | NDArray[Any] = (),
    constraints: Callable[[dict[str, Any]], bool | float] | Sequence[Any] = (),
    feasible: Feasible | None = None,
    nearby: Nearby | None = None,
    active: Feasible | None = None,
    ordered: Mapping[str, Any] | Sequence[Any] | None = None,
    noisy: bool = False,
    seed: int = 0,
    initial: int = 10,
    data: int = 800,
    kept: list[Any] | None = None,
) -> list[Any]:
    """Propose the points to evaluate next, given points and values, all to be minimised.

    It is a pure function: the same arguments give the same proposals. Calls with growing data are
    fast, because intermediate results are kept; so append new points at the end.

    Parameters
    ----------
    space
        The space; or the number of categories of each variable, in which case points are sequences
        of categories (0, 1, ...).
    points
        The evaluated points, in the order in which their values became known. Variables that are
        inactive may have any category.
    values
        Their values; NaN, or infinity, where the evaluation failed.
    n
        The number of points to propose. Each is proposed as if the ones before it had the predicted
        values.
    pending
        Points that are being evaluated: they are not proposed, unless values are noisy.
    constraints
        A function of a point of the space, or several, that returns whether the point satisfies
        the constraint, or by how much it is violated.
    feasible
        The same for rows of categories, all at once: returns a boolean array.
    nearby
        Returns, for a row of categories and a seed, feasible rows near it; called where changes of
        a few variables and exchanges lead to none.
    active
        Returns, for rows of categories, a boolean matrix: which variables of each row are active;
        by default as the conditions of the space say.
    ordered
        For each variable (a sequence, or a mapping from names) whether its categories are in an
        order that matters: True, False, `"cyclic"`, or None, the default: the data decide.
    noisy
        Whether repeated evaluations of a point may give different values; if so, it may be proposed
        again.
    seed
        Seed of all random choices.
    initial
        The number of points before the model proposes any.
    data
        The maximum number of points in the model.
    kept
        A list, initially empty, that stores intermediate results for the next call. Pass a separate
        list for each search if many run at the same time; by default, the process keeps the results
        of the last four.

    Returns
    -------
    list
        `n` points, in the form of `points`; fewer if no feasible points are left or found.

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
    sizes = np.array(space.cardinalities if isinstance(space, Space) else space, np.int64)
    expect(
        sizes.ndim == 1 and (sizes > 0).all(), "the number of categories of each variable", space
    )
    expect(len(points) == len(values), f"{len(points)} values, as many as points", len(values))

    def encode(some: Any) -> Rows:
        rows = [space.encode(point) for point in some] if isinstance(space, Space) else some
        return _as_rows(rows, sizes)

    def satisfied(rows: Rows) -> NDArray[np.bool_]:
        assert isinstance(space, Space)
        points = [space.decode(row) for row in rows]
        found = [all(_is_satisfied(each(point)) for each in functions) for point in points]
        return np.array(found, bool) & (True if given is None else given(rows))

    given = feasible
    functions = [constraints] if callable(constraints) else list(constraints)
    if functions:
        wanted = "a Space with constraints=, or feasible= for rows of categories"
        expect(isinstance(space, Space), wanted, space)
        feasible = satisfied
    if isinstance(space, Space) and space.conditions:
        active = active or space.active
    if isinstance(ordered, Mapping) and isinstance(space, Space):
        for name in ordered:
            expect_known("variable", name, space, "ordered: ")
        ordered = [ordered.get(name) for name in space.names]
    ordered = list(ordered or [None] * sizes.size)
    wanted = "True, False, 'cyclic' or None for each variable"
    expect(len(ordered) == sizes.size and KINDS.keys() >= {*ordered}, wanted, ordered)
    kinds = np.array([KINDS[kind] for kind in ordered], np.int64)
    settings = Settings(initial, data=data, noisy=noisy)
    key = settings, seed, bool(feasible or active), sizes.tobytes(), kinds.tobytes()
    rows, numbers = canonical(encode(points), active), np.asarray(values, np.float64)
    kept = _KEPT if kept is None else kept
    with _LOCK:
        known = [one for one in kept if one[0] == key and one[1].continues_in(rows, numbers)]
        longest = max(known, key=lambda one: len(one[1].values), default=None)
        if longest is not None:
            kept.remove(longest)
    proposals = (
        Proposals(sizes, settings, seed, kinds, feasible, active) if longest is None else longest[1]
    )
    proposals.feasible, proposals.active, proposals.nearby = feasible, active, nearby
    told = len(proposals.values)
    proposals.tell(rows[told:], numbers[told:])
    found = proposals.ask(n, encode(pending))
    with _LOCK:
        kept[:] = [*kept, (key, proposals)][-MOST_KEPT:]
    return [space.decode(row) if isinstance(space, Space) else row.tolist() for row in found]


def _as_rows(points: Any, sizes: NDArray[np.int64]) -> Rows:
    """Return points as rows of categories, checked for compiled code."""
    rows = np.asarray(points) if len(points) else np.zeros((0, sizes.size), np.int32)
    fits = rows.shape[1:] == sizes.shape and (rows.dtype.kind in "biu" or not rows.size)
    fits = fits and bool(((rows >= 0) & (rows < sizes)).all())
    expect(fits, f"points of categories (0, 1, ...) below {quote(sizes.tolist())}", points)
    return rows.astype(np.int32, copy=False)


def _is_satisfied(answer: Any) -> bool:
    """Return whether a constraint is satisfied: a truth value, or a violation <= 0."""
    return bool(answer) if isinstance(answer, bool | np.bool_) else bool(answer <= 0)


def canonical(rows: Rows, active: Feasible | None) -> Rows:
    """Return rows with category 0 in inactive variables."""
    return rows if active is None else np.where(active(rows), rows, np.int32(0))


class Proposals:
    """The state of a search that proposes points.

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
        kernel = Kernel(cardinalities, kinds)
        self.cardinalities, self.settings, self.feasible = cardinalities, settings, feasible
        self.active = active
        self.nearby: Nearby | None = None
        self._seed, self._random, self._shape = seed, Random(seed), cardinalities.tolist()
        restricted = feasible is not None or active is not None
        self.trajectory = Trajectory(
            cardinalities, seed, settings.initial, not settings.noisy, restricted
        )
        self.objective = Models(kernel, settings.data)
        self.failure = Models(kernel, settings.data, several=False)
        designs = [draw_rows(self._random, cardinalities, settings.initial) for _ in range(2)]
        self._design = np.concatenate(designs)  # the second replaces failures

    @property
    def points(self) -> Rows:
        """All points, one per row, in order."""
        return self.trajectory.points

    @property
    def values(self) -> NDArray[np.float64]:
        """The values of all points; NaN for failures."""
        return self.trajectory.values

    def canonical(self, rows: NDArray[Any]) -> Rows:
        """Return rows with category 0 in inactive variables."""
        rows = np.asarray(rows, np.int32).reshape(len(rows), self.cardinalities.size)
        return canonical(rows, self.active)

    def tell(self, points: NDArray[Any], values: NDArray[Any]) -> None:
        """Add points, proposed or not, and their values; NaN for failures."""
        numbers = _replace_infinity(np.asarray(values, np.float64))
        for point, value in zip(self.canonical(points), numbers.tolist(), strict=True):
            self.trajectory.tell(point, value)

    def continues_in(self, points: Rows, values: NDArray[np.float64]) -> bool:
        """Return whether data begin with the points and values told."""
        known = _replace_infinity(values[: len(self.values)])
        return np.array_equal(self.values, known, equal_nan=True) and np.array_equal(
            self.points, points[: len(known)]
        )

    def ask(self, count: int, pending: NDArray[Any] | Sequence[Any] = ()) -> Rows:
        """Propose `count` points apart from the pending ones; fewer if no more are found."""
        waiting = list(self.canonical(np.asarray(pending, np.int32)))
        before = len(waiting)
        session: _Session | None = None
        while len(waiting) < before + count:
            taken = Counter(point.tobytes() for point in waiting)
            self._random = Random(self._seed, self.trajectory.count, len(waiting))
            point = self._first(taken)
            if point is None and self.trajectory.best >= 0 and self.cardinalities.size:
                session = session or _Session(self, waiting, alone=before + count == 1)
                point = session.propose(taken, self._random)
            if point is None:
                point = self._random_point(taken)
            if point is None and session is not None:
                point = session.propose_nearby(taken, self._random)
            if point is None and self.settings.noisy and self.trajectory.count:
                often = self.trajectory.evaluated
                rarest = min(often, key=lambda key: often[key] + taken[key])
                point = np.frombuffer(rarest, np.int32)
            if point is None:
                break
            waiting.append(point)
            if session is not None and len(waiting) < before + count:
                session.believe(point)
        proposed = waiting[before:]
        return np.array(proposed, np.int32).reshape(len(proposed), self.cardinalities.size)

    def free(self, rows: Rows, taken: Counter[bytes]) -> NDArray[np.bool_]:
        """Return which points may be proposed, given how often points are taken."""
        most, count = 1, self.trajectory.count + taken.total()
        if self.settings.noisy:
            most = max(math.isqrt(self.trajectory.count), 1 + count // math.prod(self._shape))
        keys = [row.tobytes() for row in rows]
        free = np.array([self.trajectory.evaluated[key] + taken[key] < most for key in keys], bool)
        if self.feasible is not None and free.any():
            free[free] = self.feasible(rows[free])
        return free

    def _first(self, taken: Counter[bytes]) -> Rows | None:
        """Return a point of the design, while fewer points have values or are pending."""
        if np.isfinite(self.values).sum() + taken.total() >= self.settings.initial:
            return None
        design = self.canonical(self._design)  # `active` may have changed since
        free = self.free(design, taken)
        return design[free.argmax()] if free.any() else None

    def _random_point(self, taken: Counter[bytes]) -> Rows | None:
        """Return a random free point; None if none is found."""
        for drawn in self._candidates():
            rows = self.canonical(drawn)
            free = self.free(rows, taken)
            if free.any():
                return rows[free.argmax()]
        return None

    def _candidates(self) -> Iterator[NDArray[Any]]:
        """Yield groups of random points, first near the best one; then all points, if few."""
        random, sizes, trajectory = self._random, self.cardinalities, self.trajectory
        near, shape = (
            self.points[max(trajectory.best, 0)] if trajectory.count else None,
            self._shape,
        )
        if not shape:
            return  # the only point is in the design
        for attempt in range(ATTEMPTS):
            rows = draw_rows(random, sizes, 32)
            if near is not None and attempt % 4 != 3:
                changes = 1 + attempt // 2
                rows = np.array([random.neighbour(near, sizes, changes) for _ in rows])
                if self.feasible is not None:  # where counts are fixed, only exchanges remain
                    if attempt >= 4:
                        near = self.points[int(random.uniform() * trajectory.count)]
                    rows[::2] = [random.exchange(near, sizes, changes) for _ in rows[::2]]
            yield rows
        all_of_them = math.prod(shape) if math.prod(shape) <= ENUMERATED else 0
        for begin in range(0, all_of_them, 1000):
            indices = np.arange(begin, min(begin + 1000, math.prod(shape)))
            yield np.stack(np.unravel_index(indices, shape), axis=1)


_LOCK = threading.Lock()
_KEPT: list[Any] = []


class _Session:
    """The models during a call of `ask`, in which pending points have their predicted values.

    These are added to copies of the processes, unless a single point is proposed (`alone`).
    """

    def __init__(self, proposals: Proposals, waiting: Sequence[Rows], alone: bool) -> None:
        self._proposals = proposals
        trajectory, objective, failure = (
            proposals.trajectory,
            proposals.objective,
            proposals.failure,
        )
        failed = np.isnan(trajectory.values)
        values = np.where(failed, math.inf, trajectory.values)
        objective.update(trajectory.points[~failed], values[~failed], values[~failed])
        self._failure = None
        if failed.any():
            failure.update(trajectory.points, failed.astype(float), values)
            if failure.evidence() > EVIDENCE:
                middle = float(failure.scale(np.array([(1 + failed.mean()) / 2]))[0])
                self._failure = failure.processes[0], middle
        if proposals.settings.noisy:
            seen = [process.fitted_values() for process in objective.processes]
            self._start = objective.processes[0].point(int(np.sum(seen, axis=0).argmin()))
            levels = [float(means.min()) for means in seen]
        else:
            at = trajectory.best if trajectory.walk is None else trajectory.walk.at
            self._start = trajectory.points[at]
            levels = objective.scale(trajectory.values[[at]]).tolist() * len(objective.processes)
        processes = [each if alone else each.copy() for each in objective.processes]
        self._models = list(zip(processes, levels, strict=True))
        for point in waiting:
            self.believe(point)

    def believe(self, point: Rows) -> None:
        """Add a point with its predicted value to the models."""
        for process, _ in self._models:
            process.append(point, float(process.predict(point[None])[0][0]))
            process.solve()

    def propose(self, taken: Counter[bytes], random: Random) -> Rows | None:
        """Return the end of an ascent, or a step of the walk; None if no point is free."""
        proposals, start = self._proposals, self._start
        sizes, constrained = proposals.cardinalities, proposals.feasible is not None
        free, acquisition = self._acquisition(taken, random)
        if proposals.trajectory.walk is None:
            return acquisition.ascend(start, proposals.trajectory.radius(random.uniform()))
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
        if constrained and len(rows):  # mix the kinds of changes
            rows = rows[np.argsort([random.uniform() for _ in rows])]
        rows = rows[:CHOICES]
        return rows[acquisition.evaluate(rows).argmax()] if len(rows) else None

    def propose_nearby(self, taken: Counter[bytes], random: Random) -> Rows | None:
        """Return the most promising of some feasible points near the best one; None if none."""
        proposals = self._proposals
        if proposals.nearby is None:
            return None
        rows = proposals.nearby(self._start, int(random.uniform() * 2**53))
        free, acquisition = self._acquisition(taken, random)
        rows = proposals.canonical(rows)
        rows = rows[free(rows)]
        return rows[acquisition.evaluate(rows).argmax()] if len(rows) else None

    def _acquisition(self, taken: Counter[bytes], random: Random) -> tuple[Feasible, Acquisition]:
        """Return the function that says which points are free, and the acquisition."""
        proposals = self._proposals

        def free(rows: Rows) -> NDArray[np.bool_]:
            return proposals.free(rows, taken)

        constrained = proposals.feasible is not None
        rules = free, proposals.active, random.uniform, proposals.settings.noisy, constrained
        return free, Acquisition(self._models, self._failure, *rules)


def _replace_infinity(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values with NaN instead of infinity, and bounded below."""
    return np.where(values == math.inf, math.nan, np.maximum(values, -1e300))
