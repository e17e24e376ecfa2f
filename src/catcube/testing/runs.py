"""Runs for the checks of algorithms and problems, and what a check does when something is wrong."""

import copy
from collections.abc import Mapping
from functools import partial
from typing import Any

from catcube.algorithms.algorithm import Algorithm
from catcube.problems import Problem
from catcube.representations.layout import layout_for
from catcube.search.result import Result
from catcube.search.run import Run, execute


def ensure(condition: object, sentence: str) -> None:
    """Raise an AssertionError unless the condition holds, also where `assert` is switched off.

    >>> ensure(1 + 1 == 3, "one and one is not three")
    Traceback (most recent call last):
    AssertionError: one and one is not three
    """
    if not condition:
        raise AssertionError(sentence)


def ensure_equal(what: str, got: object, expected: object) -> None:
    """Raise an AssertionError unless both are equal.

    >>> ensure_equal("one and one", 1 + 1, 3)
    Traceback (most recent call last):
    AssertionError: one and one: expected 3, got 2
    """
    ensure(got == expected, f"{what}: expected {expected}, got {got}")


def ensure_one_line(thing: object, *names: str) -> None:
    """Raise an AssertionError unless these attributes are text of one line each."""
    for name in names:
        text = getattr(thing, name)
        ensure(text and "\n" not in text, f"{name}: expected one line, got {text!r}")


def run_of(
    method: Algorithm,
    problem: Problem,
    budget: int,
    given: Mapping[str, Any] | None = None,
    *,
    preset: str | None = None,
    representation: str = "linear",
    target: float | None = None,
    seed: int = 5,
) -> Result:
    """Return the outcome of a run; what was raised in it is raised."""
    layout = layout_for(problem.space, representation)
    parameters = method.resolve(preset, given or {})
    outcome = execute(Run(problem, layout, method, parameters, budget, target, seed))
    if outcome.failure is not None:
        raise outcome.failure
    return outcome


def improvements(outcome: Result) -> list[tuple[int, float]]:
    """Return the improvements of a run, as pairs of evaluation and value."""
    return list(zip(*(array.tolist() for array in outcome.trace), strict=True))


def outline(outcome: Result) -> list[Any]:
    """Return all that is the same in two runs that found the same in the same way."""
    found = outcome.evaluations, outcome.iterations, outcome.solution.tolist()
    return [*map(list, improvements(outcome)), *found]


def ensure_same_without_changes(
    method: Algorithm, problem: Problem, budget: int, representation: str, seed: int = 5
) -> None:
    """Raise an AssertionError unless a run is the same if each point is evaluated as a whole."""
    whole = copy.copy(problem)
    whole.prepare = whole.change = whole.commit = None  # type: ignore[misc] # of this copy
    run = partial(run_of, method, budget=budget, representation=representation, seed=seed)
    where = f"a run of {method.name} on {problem.name} ({representation})"
    same = outline(run(problem)) == outline(run(whole))
    ensure(same, f"{where} differs without `change`")
