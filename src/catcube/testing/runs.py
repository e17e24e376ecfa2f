"""Runs for the checks of algorithms, and what a check does when something is wrong."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from catcube.algorithms.algorithm import Algorithm
from catcube.problems import Problem
from catcube.representations.layout import layout_for
from catcube.representations.registry import NATIVE
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


class RecordedFunction:
    """A function that records its values."""

    def __init__(self, function: Callable[[Mapping[str, Any]], float]) -> None:
        self.function = function
        self.values: list[float] = []

    def __call__(self, point: Mapping[str, Any]) -> float:
        """Call the function, and record its value."""
        self.values.append(self.function(point))
        return self.values[-1]


def cost(point: Mapping[str, Any]) -> float:
    """Return the value of a point of the space that most checks search."""
    return float(abs(point["digit"] - 7) + "GCTA".index(point["base"]) * 3 + point["flag"])


def constant(value: float, point: Mapping[str, Any]) -> float:
    """Return a constant."""
    return value


def lookup(values: Any, sizes: Any) -> Callable[[Mapping[str, Any]], float]:
    """Return the function of a table of all values."""
    return lambda point: float(values[np.ravel_multi_index(tuple(point.values()), tuple(sizes))])


def prepared(
    method: Algorithm,
    problem: Problem,
    budget: int,
    given: Mapping[str, Any] | None = None,
    *,
    preset: str | None = None,
    representation: str = "linear",
    target: float | None = None,
    seed: int = 5,
) -> Run:
    """Return the run of an algorithm, not yet made."""
    layout = layout_for(problem.space, representation)
    parameters = method.resolve(preset, given or {})
    return Run(problem, layout, method, parameters, budget, target, seed)


def executed(run: Run) -> Result:
    """Return the outcome of a run; what was raised in it is raised."""
    outcome = execute(run)
    if outcome.failure is not None:
        raise outcome.failure
    return outcome


def run_of(
    method: Algorithm, problem: Problem, budget: int, *given: Any, **settings: Any
) -> Result:
    """Return the outcome of a run with these arguments of `prepared`."""
    return executed(prepared(method, problem, budget, *given, **settings))


def run_with(representation: str, *arguments: Any, **settings: Any) -> Result:
    """Return the same with a representation."""
    return run_of(*arguments, representation=representation, **settings)


def with_native(method: Algorithm, *names: str) -> list[str]:
    """Return the names, and that of the native search if the algorithm has one."""
    return [*names, NATIVE] if method.native is not None else [*names]


def improvements(outcome: Result) -> list[tuple[int, float]]:
    """Return the improvements of a run, as pairs of evaluation and value."""
    return list(zip(*(array.tolist() for array in outcome.trace), strict=True))


def same(one: Result, other: Result) -> bool:
    """Return whether two runs found the same in the same way."""
    return (
        improvements(one) == improvements(other)
        and one.solution.tolist() == other.solution.tolist()
        and (one.evaluations, one.iterations) == (other.evaluations, other.iterations)
    )
