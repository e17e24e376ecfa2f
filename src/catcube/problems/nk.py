"""NK landscapes over any number of letters (Kauffman and Weinberger 1989), to be minimised.

The value is the sum of n contributions. The contribution of variable i depends on this variable and
on k others: the following ones, in a ring, or random ones. Contributions are uniform in [0, 1) and
multiples of 2^-24, so that sums are never rounded and an optimum is exact.
"""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import expect
from catcube.problems.problem import check_integer
from catcube.problems.registry import kind
from catcube.problems.tables import MOST_ENTRIES, TableProblem
from catcube.space import Space

RESOLUTION = 2**24
NEIGHBOURS = ("adjacent", "random")

MOST_STEPS = 400_000_000
"""Maximum number of steps of the dynamic programming that finds the optimum: some seconds."""


@kind(
    "nk",
    "NK landscape: contributions of each variable and k others",
    instances=["20,2,3", "50,3,4", "100,3,4,random"],
)
class NK(TableProblem):
    """An NK landscape: a sum of contributions, each of a variable and k others.

    Parameters
    ----------
    variables, k, categories
        The numbers of variables, of others on which a contribution depends, and of categories.
    neighbours
        "adjacent": the others follow the variable, in a ring; "random": they are drawn.
    seed
        The seed of contributions and neighbours.

    Attributes
    ----------
    optimum
        The least value, for adjacent neighbours, unless computing it would take long.

    Examples
    --------
    >>> problem = NK(20, 2, 3, seed=1)
    >>> len(problem.space), problem.optimum
    (20, 3.7975255250930786)
    """

    def __init__(
        self,
        variables: int,
        k: int,
        categories: int = 2,
        neighbours: str = "adjacent",
        seed: Any = 1,
    ) -> None:
        check_integer("variables", variables, 1, 1_000_000)
        check_integer("k", k, 0, min(variables - 1, 16))
        check_integer("categories", categories, 1, 1024)
        expect(neighbours in NEIGHBOURS, "neighbours 'adjacent' or 'random'", neighbours)
        check_integer("contributions", variables * categories ** (k + 1), 0, MOST_ENTRIES)
        self.k = k
        self.neighbours = neighbours
        self.space = Space.repeat("x", range(categories), variables)
        random = np.random.default_rng(seed)
        shape = (variables,) + (categories,) * (k + 1)
        self.contributions: NDArray[np.float64] = random.integers(0, RESOLUTION, shape) / RESOLUTION
        self.set_tables(self._scopes(random), list(self.contributions))

    def _scopes(self, random: np.random.Generator) -> list[tuple[int, ...]]:
        """Return the variables of each contribution."""
        n = len(self.space)
        if self.neighbours == "adjacent":
            return [tuple((i + j) % n for j in range(self.k + 1)) for i in range(n)]
        others = (np.sort(random.choice(n - 1, self.k, replace=False)) for _ in range(n))
        return [(i, *(row + (row >= i)).tolist()) for i, row in enumerate(others)]

    @cached_property
    def optimum(self) -> float | None:  # type: ignore[override] # computed when asked for
        """The least value, if it is known."""
        n, letters = self.contributions.shape[:2]
        is_ring = self.neighbours == "adjacent" or self.k == 0
        feasible = n * letters ** (2 * self.k + 1) <= MOST_STEPS
        return ring_minimum(self.contributions) if is_ring and feasible else None


def ring_minimum(contributions: NDArray[np.float64]) -> float:
    """Return the least sum of contributions[i, x_i, ..., x_(i+k)] over all x, indices modulo n.

    By dynamic programming: for all assignments of the first k variables and of the k variables from
    i on, it computes the least sum of the contributions before i. In the end, both coincide.

    >>> ring_minimum(np.array([[[0.0, 1.0], [1.0, 0.5]], [[2.0, 0.0], [0.0, 0.25]]]))
    0.75
    """
    letters = contributions.shape[1]
    k = contributions.ndim - 2
    if k == 0:
        return float(contributions.min(axis=1).sum())
    states = letters**k
    least = np.full((states, states), np.inf)
    np.fill_diagonal(least, 0.0)
    for contribution in contributions:
        before = least.reshape(states, letters, states // letters, 1)
        step = contribution.reshape(1, letters, states // letters, letters)
        after = np.full((states, states // letters, letters), np.inf)
        for letter in range(letters):  # of the variable that no later contribution depends on
            np.minimum(after, before[:, letter] + step[:, letter], out=after)
        least = after.reshape(states, states)
    return float(least.diagonal().min())
