"""Match: the number of variables that differ from a hidden assignment."""

from typing import Any

from numpy.typing import ArrayLike

from catcube.engine.compiled.entry import entry
from catcube.problems.hidden import hidden_target
from catcube.problems.problem import Problem
from catcube.problems.registry import kind


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
        self.space, self.integers = hidden_target(variables, categories, seed)

    @property
    def hidden(self) -> dict[str, Any]:
        """The hidden assignment, as labels."""
        return self.space.decode(self.integers)
