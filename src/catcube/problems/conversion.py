"""What a user hands over to be minimised, as a problem."""

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from catcube.base.text import quoted
from catcube.problems.problem import Problem
from catcube.problems.python.callback import PythonProblem
from catcube.problems.python.compilation import Compiled, CompiledProblem, is_compiled, wrapped
from catcube.space import Space


def as_problem(
    given: Problem | Compiled | Callable[[Any], Any],
    space: Space | None,
    vectorized: bool = False,
    executor: Executor | None = None,
    remember: int = 0,
) -> Problem:
    """Make a problem of a problem, a compiled function or a Python function."""
    in_python = not isinstance(given, Problem) and not is_compiled(given)
    if not in_python and (executor is not None or remember):
        wanted = "an executor" if executor is not None else "a cache"
        raise ValueError(f"{wanted} is for functions in Python; this one is compiled")
    if isinstance(given, Problem):
        own = getattr(given, "space", None)
        if not isinstance(own, Space):
            raise TypeError(f"space of problem {given.name!r} must be a Space, not {quoted(own)}")
        if space is not None and space != given.space:
            raise ValueError("a problem brings its own space; give no other")
        return given
    if not callable(given):
        raise TypeError(f"what to minimise must be a function or a problem, not {quoted(given)}")
    if space is None:
        raise ValueError("a function needs a space: minimize(function, Space({...}))")
    if not isinstance(space, Space):
        space = Space(space)
    if is_compiled(given):
        return CompiledProblem(wrapped(given), space)
    return PythonProblem(given, space, vectorized, executor, remember)
