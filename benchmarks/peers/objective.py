"""The function that a search calls: it counts, keeps the best values, and ends the run."""

import math
import time

import numpy as np
from numpy.typing import NDArray

from benchmarks.families.task import Task


class BudgetError(Exception):
    """The calls, or the seconds, are used up."""


class Objective:
    """A task that may be called so many times, for so many seconds of the processor."""

    def __init__(self, task: Task, budget: int, seconds: float = math.inf) -> None:
        self.task = task
        self.cardinalities: list[int] = task.cardinalities.tolist()
        self.budget = budget
        self.limit = seconds
        self.bests: list[float] = []
        self.spent: list[float] = []
        self.inside = 0.0  # seconds in the function itself
        self.began = time.process_time()

    def __call__(self, categories: NDArray[np.int64]) -> float:
        """Return the value of a point, or raise `BudgetError`."""
        entered = time.process_time()
        if self.over(entered):
            raise BudgetError
        value = self.task(np.asarray(categories, np.int64))
        self.bests.append(min(value, self.bests[-1]) if self.bests else value)
        self.spent.append(entered - self.began - self.inside)
        self.inside += time.process_time() - entered
        return value

    def over(self, now: float | None = None) -> bool:
        """Whether no call is left, or no second."""
        now = time.process_time() if now is None else now
        return len(self.bests) >= self.budget or now - self.began - self.inside > self.limit

    def best_after(self, calls: int) -> tuple[float, float]:
        """Best value, and the search's seconds per call, after so many calls."""
        return self.bests[calls - 1], self.spent[calls - 1] / calls
