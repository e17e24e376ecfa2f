"""Match: the number of variables that differ from a hidden assignment."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from catcube.engine.compiled.entry import entry
from catcube.problems.problem import Problem
from catcube.problems.registry import kind
from catcube.space import Space

LARGEST = 1_000_000
MOST_CATEGORIES = 65_536


@entry("value")
def match_value(problem):
    """Return the number of variables whose category is not the hidden one."""
    differences = 0
    for variable in range(problem.categories.size):
        if problem.categories[variable] != problem.integers[variable]:
            differences += 1
    return float(differences)


@entry("change")
def match_change(problem, variable, category):
    """Return -1 if the variable becomes the hidden category, 1 if it was, else 0."""
    hidden = problem.integers[variable]
    if category == hidden:
        return -1.0
    return 1.0 if problem.categories[variable] == hidden else 0.0


@kind("match", "how many variables differ from a hidden assignment", instances=["20,9", "100,4"])
class Match(Problem):
    """The number of variables that differ from a hidden assignment: the simplest problem.

    >>> problem = Match(100, 9, seed=1)
    >>> len(problem.space), problem.optimum
    (100, 0.0)
    >>> problem.evaluate(problem.hidden)
    0.0

    `categories` is the number of categories of all variables, or of each.
    """

    name = "match"
    value = match_value
    change = match_change
    exact = True
    optimum = 0.0

    def __init__(self, variables: int, categories: int | ArrayLike, seed: Any = 1) -> None:
        if variables < 1:
            raise ValueError(f"expected at least one variable, got {variables}")
        if variables > LARGEST:  # a plan from elsewhere may ask for any number
            raise ValueError(f"expected at most {LARGEST:,} variables, got {variables:,}")
        sizes = np.broadcast_to(np.asarray(categories, dtype=np.int64), (variables,))
        if sizes.min() < 1:
            raise ValueError(f"expected at least one category, got {sizes.min()}")
        if sizes.max() > MOST_CATEGORIES:
            raise ValueError(
                f"expected at most {MOST_CATEGORIES:,} categories, got {sizes.max():,}"
            )
        labels = {int(size): range(size) for size in np.unique(sizes)}
        self.space = Space({f"x{i}": labels[int(size)] for i, size in enumerate(sizes)})
        self.integers = np.random.default_rng(seed).integers(0, sizes)

    @property
    def hidden(self) -> dict[str, Any]:
        """The hidden assignment, as labels."""
        return self.space.decode(self.integers)
