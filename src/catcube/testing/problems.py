"""Checks of problems, at random points and for random changes."""

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms import algorithm
from catcube.engine.compiled.entry import Frame, call_entry
from catcube.engine.compiled.jit import JIT
from catcube.problems import Problem
from catcube.problems.instances import build_instance
from catcube.testing.algorithms import (
    ensure,
    ensure_equal,
    ensure_same_without_changes,
    run_algorithm,
)

POINTS = 50 if JIT else 10
STEPS = 300 if JIT else 60  # of a walk of changes
BUDGET = 2000 if JIT else 120

Categories = NDArray[np.int64]


def builder(problem: str | Problem | Callable[[], Problem]) -> Callable[[], Problem]:
    """Return a function that builds the problem; a given object is returned as it is."""
    if isinstance(problem, str):
        return lambda: build_instance(problem)
    return (lambda: problem) if isinstance(problem, Problem) else problem


def values(make: Callable[[], Problem]) -> None:
    """Check that points have values, the same for labels and for categories."""
    problem = make()
    ensure(len(problem.space) > 0, "expected at least one variable, got none")
    for point in _points(problem):
        value = problem.evaluate(point)
        ensure(not math.isnan(value), f"the value of {_short(point)} is NaN")
        by_labels = problem.evaluate(problem.space.decode(point))
        ensure_equal(f"the value of {_short(point)} by its labels", by_labels, value)


def repeatable(make: Callable[[], Problem]) -> None:
    """Check that the values are the same after a run, and when the problem is built again."""
    problem, again = make(), make()
    one, other = ({name: tuple(p.space[name]) for name in p.space.names} for p in (problem, again))
    ensure(list(one.items()) == list(other.items()), "built again, it has other labels")
    points = list(_points(problem))
    before = [problem.evaluate(point) for point in points]
    run_algorithm(algorithm("rls"), problem, BUDGET // 10, seed=3)
    for point, value in zip(points, before, strict=True):
        for when, other_problem in (("after a run", problem), ("built again", again)):
            found = other_problem.evaluate(point)
            ensure_equal(f"the value of {_short(point)} {when}", found, value)


def optimum(make: Callable[[], Problem]) -> None:
    """Check that no value is below the known optimum."""
    problem = make()
    if problem.optimum is None:
        return
    found = [problem.evaluate(point) for point in _points(problem)]
    lowest = min(*found, run_algorithm(algorithm("sa"), problem, BUDGET, seed=3).value)
    below = f"a point has the value {lowest}, below the optimum {problem.optimum}"
    ensure(lowest >= problem.optimum, below)


def changes(make: Callable[[], Problem]) -> None:
    """Check `change` against the values, and the counts after `commit` against `prepare`."""
    problem = make()
    functions, sizes = problem.objective(lambda: None).functions, problem.space.cardinalities
    changing = np.flatnonzero(sizes > 1)
    if not functions.change:
        ensure(not functions.commit, "expected a change beside commit, got none")
    if not functions.change or not changing.size:
        return

    def call(role: str, frame: Frame, *arguments: int) -> float:
        address = getattr(functions, role)
        return call_entry(role, address, frame, *arguments) if address else 0.0

    random = np.random.default_rng(1)
    frame = problem.frame(random.integers(0, sizes))
    call("prepare", frame)
    value = call("value", frame)
    tolerance = 0.0 if problem.exact else 1e-9
    for _ in range(STEPS):
        variable = int(random.choice(changing))
        before, size = int(frame.categories[variable]), int(sizes[variable])
        category = (before + int(random.integers(1, size))) % size
        step = f"changing variable {variable} from category {before} to {category}"
        change = call("change", frame, variable, category)
        call("commit", frame, variable, category)
        frame.categories[variable] = category
        fresh = problem.frame(frame.categories)
        old, value = value, call("value", fresh)
        said = f"{step}: `change` returns {change}, but the value changes from {old} to {value}"
        equal = math.isclose(old + change, value, rel_tol=tolerance, abs_tol=tolerance)
        ensure(equal or old + change == value, said)
        # `commit` must leave the same counts as `prepare`, and `value` must not change them.
        call("prepare", fresh)
        call("value", frame)
        for other in random.choice(changing, 3):
            to = int(random.integers(sizes[other] - 1))
            to += to >= frame.categories[other]
            ours, theirs = (call("change", one, other, to) for one in (frame, fresh))
            what = f"{step}: after `commit` (as after `prepare`), `change` of variable {other}"
            ensure_equal(f"{what} to {to}", ours, theirs)


def whole_runs(make: Callable[[], Problem]) -> None:
    """Check that a run is the same with and without incremental evaluation."""
    problem = make()
    if problem.change is None or not problem.exact:  # sums of changes may be rounded
        return
    pairs = (("rls", "linear"), ("ea-10p1", "direct"), ("p3", "linear"), ("ltga", "native"))
    for name, representation in pairs:
        ensure_same_without_changes(algorithm(name), problem, BUDGET, representation, seed=3)


CHECKS = (values, repeatable, changes, optimum, whole_runs)


def _points(problem: Problem) -> Iterator[Categories]:
    """Yield random points, the same ones in every call."""
    random = np.random.default_rng(2)
    for _ in range(POINTS):
        yield random.integers(0, problem.space.cardinalities)


def _short(point: Categories) -> str:
    """Format a point for a message."""
    shown = ", ".join(map(str, point[:20].tolist()))
    return f"the point ({shown}{', …' if point.size > 20 else ''})"
