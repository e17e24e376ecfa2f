"""LeadingOnes for variables of many values: how many variables follow the first wrong one.

As in F. Ben Jedidia, B. Doerr, M. S. Krejca, "Estimation-of-distribution algorithms for
multi-valued decision variables" (2023), minimised, with a hidden target for the value to be had.
"""

from typing import Any

from numpy.typing import ArrayLike

from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import inlined
from catcube.problems.hidden import hidden_target
from catcube.problems.problem import Problem
from catcube.problems.registry import kind

# integers: the target of each variable. counts: how many variables are right before the first
# wrong one.


@inlined
def right_from(problem, variable):
    """Return the first wrong variable from this one on, or the number of variables."""
    while (
        variable < problem.categories.size
        and problem.categories[variable] == problem.integers[variable]
    ):
        variable += 1
    return variable


@inlined
def prefix_after(problem, variable, category):
    """Return the number of right variables before the first wrong one after a change."""
    prefix = problem.counts[0]
    if variable < prefix:
        return prefix if category == problem.integers[variable] else variable
    if variable == prefix and category == problem.integers[variable]:
        return right_from(problem, variable + 1)
    return prefix


@entry("value")
def leadingones_value(problem):
    """Return the number of variables that are wrong or follow a wrong one."""
    return float(problem.categories.size - right_from(problem, 0))


@entry("prepare")
def leadingones_prepare(problem):
    """Count the right variables before the first wrong one."""
    problem.counts[0] = right_from(problem, 0)


@entry("change")
def leadingones_change(problem, variable, category):
    """Return the change: 0 unless the variable is the first wrong one, or before it."""
    return float(problem.counts[0] - prefix_after(problem, variable, category))


@entry("commit")
def leadingones_commit(problem, variable, category):
    """Count the right variables before the first wrong one."""
    problem.counts[0] = prefix_after(problem, variable, category)


@kind(
    "leadingones",
    "multi-valued LeadingOnes: variables from the first one on that is not as in a target",
    instances=["20,9", "50,4"],
)
class LeadingOnes(Problem):
    """How many variables are wrong or follow a wrong one, where a hidden target is right.

    >>> problem = LeadingOnes(10, 4)
    >>> problem.evaluate(problem.hidden), problem.optimum
    (0.0, 0.0)

    `categories` is the number of categories of all variables, or of each.
    """

    name = "leadingones"
    value = leadingones_value
    prepare = leadingones_prepare
    change = leadingones_change
    commit = leadingones_commit
    exact = True
    optimum = 0.0
    count_size = 1

    def __init__(self, variables: int, categories: int | ArrayLike, seed: Any = 1) -> None:
        self.space, self.integers = hidden_target(variables, categories, seed)

    @property
    def hidden(self) -> dict[str, Any]:
        """The hidden target, as labels."""
        return self.space.decode(self.integers)
