"""What to minimise: a function of an array of categories, with its numbers of categories."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube import Result, Space
from catcube.engine.compiled.entry import evaluate_frame
from catcube.problems import Problem

MOST_IN_PYTHON = 10_000
"""Evaluations up to which a function in Python is used."""


@dataclass(frozen=True)
class Task:
    """One instance of a family; `least` and `most` are the budgets that are worth its time."""

    name: str
    family: str
    cardinalities: NDArray[np.int64]
    function: Callable[[NDArray[np.int64]], Any]
    problem: Problem | None = None
    least: int = 1
    most: int = MOST_IN_PYTHON

    def __call__(self, categories: NDArray[np.int64]) -> float:
        return float(self.function(categories))

    @property
    def space(self) -> Space:
        """The space, its categories named by their indices."""
        if self.problem is not None:
            return self.problem.space
        sizes = self.cardinalities.tolist()
        return Space({f"x{i}": range(size) for i, size in enumerate(sizes)})

    def arguments(self, seed: int) -> dict[str, Any]:
        """Return the arguments of `minimize` for one run; a function in Python gets many points."""
        if self.problem is not None:
            return {"fun_or_problem": self.problem}

        def values(rows: NDArray[np.int64]) -> list[float]:
            return [self(row) for row in rows]

        return {"fun_or_problem": values, "space": self.space, "vectorized": True}

    def judge(self, result: Result) -> float:
        """Return the value by which a run is judged."""
        return result.fun


def equal(variables: int, categories: int) -> NDArray[np.int64]:
    """So many variables of so many categories each."""
    return np.full(variables, categories)


def compiled_task(name: str, family: str, problem: Problem) -> Task:
    """Return a problem of the package, which others call as a function."""

    def function(categories: NDArray[np.int64]) -> float:
        return evaluate_frame(problem.value, problem.frame(categories))

    cardinalities = problem.space.cardinalities.astype(np.int64)
    return Task(name, family, cardinalities, function, problem, most=1_000_000)
