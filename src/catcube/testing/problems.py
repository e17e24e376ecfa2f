"""Checks of every problem, on random points and random changes of them."""

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms import algorithm
from catcube.engine.compiled.entry import Frame, call_entry
from catcube.engine.compiled.jit import JIT
from catcube.problems import Problem, make
from catcube.problems.instances import problem_of
from catcube.problems.sudoku import instances as boards
from catcube.testing.runs import ensure, ensure_equal, outline, run_of, without_changes

POINTS = 50 if JIT else 10
STEPS = 300 if JIT else 60  # of a walk of changes
BUDGET = 2000 if JIT else 120

Categories = NDArray[np.int64]


def made(problem: str | Problem | Callable[[], Problem]) -> Callable[[], Problem]:
    """Return a function that builds the problem to check; an instance is not built again."""
    if isinstance(problem, str):
        if problem not in boards.names():
            return lambda: make(problem)
        board = boards.load(problem)
        return lambda: problem_of(board, problem)
    return (lambda: problem) if isinstance(problem, Problem) else problem


def values(make: Callable[[], Problem]) -> None:
    """Check that every point has a value, the same for labels and for categories."""
    problem = make()
    ensure(len(problem.space) > 0, "expected at least one variable, got none")
    for point in _points(problem):
        value = problem.evaluate(point)
        ensure(not math.isnan(value), f"the value of {_short(point)} is NaN")
        by_labels = problem.evaluate(problem.space.decode(point))
        ensure_equal(f"the value of {_short(point)} by its labels", by_labels, value)


def repeatable(make: Callable[[], Problem]) -> None:
    """Check that a problem is the same when it is built again, and after a run."""
    problem, again = make(), make()
    one, other = ({name: tuple(p.space[name]) for name in p.space.names} for p in (problem, again))
    ensure(list(one.items()) == list(other.items()), "built again, it has other labels")
    points = list(_points(problem))
    before = [problem.evaluate(point) for point in points]
    run_of(algorithm("rls"), problem, BUDGET // 10, seed=3)
    for point, value in zip(points, before, strict=True):
        for when, other_problem in (("after a run", problem), ("built again", again)):
            found = other_problem.evaluate(point)
            ensure_equal(f"the value of {_short(point)} {when}", found, value)


def optimum(make: Callable[[], Problem]) -> None:
    """Check that no value is below the optimum, if it is known."""
    problem = make()
    if problem.optimum is None:
        return
    found = [problem.evaluate(point) for point in _points(problem)]
    lowest = min(*found, run_of(algorithm("sa"), problem, BUDGET, seed=3).value)
    below = f"a point has the value {lowest}, below the optimum {problem.optimum}"
    ensure(lowest >= problem.optimum, below)


def changes(make: Callable[[], Problem]) -> None:
    """Check that `change` is the change of the value, and `commit` equals `prepare`."""
    problem = make()
    walk = _Walk(problem)
    if not walk.functions.change:
        ensure(not walk.functions.commit, "expected a change beside commit, got none")
        return
    for _ in range(STEPS):
        walk.step()


def whole_runs(make: Callable[[], Problem]) -> None:
    """Check that incremental and whole evaluations give the same run."""
    problem = make()
    if problem.change is None or not problem.exact:  # sums of changes may round
        return
    pairs = (("rls", "linear"), ("ea-10p1", "direct"), ("p3", "linear"), ("ltga", "native"))
    for name, representation in pairs:
        one, other = (
            outline(run_of(algorithm(name), variant, BUDGET, representation=representation, seed=3))
            for variant in (problem, without_changes(problem))
        )
        ensure(one == other, f"a run of {name} differs without `change`")


CHECKS = (values, repeatable, changes, optimum, whole_runs)


class _Walk:
    """A point that is changed variable by variable, as in a search."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.objective = problem.objective(lambda: None)
        self.functions = self.objective.functions
        self.random = np.random.default_rng(1)
        self.sizes = problem.space.cardinalities
        self.changing = np.flatnonzero(self.sizes > 1)
        self.frame = self.frame_of(self.random.integers(0, self.sizes))
        self.call("prepare", self.frame)
        self.value = self.call("value", self.frame)

    def frame_of(self, categories: Categories) -> Frame:
        """Return a point of these categories, not yet prepared."""
        counts = np.zeros(self.objective.count_size, np.int32)
        objective = self.objective
        return Frame(categories.astype(np.int32), objective.integers, objective.reals, counts)

    def call(self, role: str, frame: Frame, *arguments: int) -> float:
        """Call a function of the problem, if it has one."""
        address = getattr(self.functions, role)
        return call_entry(role, address, frame, *arguments) if address else 0.0

    def step(self) -> None:
        """Change a random variable, and compare with whole evaluations."""
        if not self.changing.size:
            return
        frame, random = self.frame, self.random
        variable = int(random.choice(self.changing))
        before, size = int(frame.categories[variable]), int(self.sizes[variable])
        category = (before + int(random.integers(1, size))) % size
        step = f"changing variable {variable} from category {before} to {category}"
        change = self.call("change", frame, variable, category)
        self.call("commit", frame, variable, category)
        frame.categories[variable] = category
        fresh = self.frame_of(frame.categories)
        value = self.call("value", fresh)
        tolerance = 0.0 if self.problem.exact else 1e-9
        ensure(
            self.value + change == value
            or math.isclose(self.value + change, value, rel_tol=tolerance, abs_tol=tolerance),
            f"{step}: `change` returns {change}, but the value changes from {self.value} to "
            f"{value}",
        )
        # The counts after the steps must serve as well as those of `prepare`, and `value` must
        # not change them.
        self.call("prepare", fresh)
        self.call("value", frame)
        for other in random.choice(self.changing, 3):
            to = int(random.integers(self.sizes[other] - 1))
            to += to >= frame.categories[other]
            ours, theirs = (self.call("change", one, other, to) for one in (frame, fresh))
            what = f"{step}: after `commit` (as after `prepare`), `change` of variable {other}"
            ensure_equal(f"{what} to {to}", ours, theirs)
        self.value = value


def _points(problem: Problem) -> Iterator[Categories]:
    """Yield random points, the same at every call."""
    random = np.random.default_rng(2)
    for _ in range(POINTS):
        yield random.integers(0, problem.space.cardinalities)


def _short(point: Categories) -> str:
    shown = ", ".join(map(str, point[:20].tolist()))
    return f"the point ({shown}{', …' if point.size > 20 else ''})"
