"""Plain searches on categories, each in a few lines, to be beaten by whatever is less plain."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.objective import Objective

Point = NDArray[np.int64]


class Neighbours:
    """Points that differ in few variables."""

    def __init__(self, objective: Objective, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.sizes = np.array(objective.cardinalities)
        self.moves = np.cumsum(self.sizes - 1)

    def uniform(self) -> Point:
        """Any point."""
        return self.random.integers(self.sizes)

    def change(self, x: Point, i: int) -> None:
        """Give a variable another category."""
        other = self.random.integers(self.sizes[i] - 1)
        x[i] = other + (other >= x[i])

    def neighbour(self, x: Point) -> Point:
        """Return a point that differs in one variable."""
        changed = x.copy()
        move = self.random.integers(self.moves[-1])
        self.change(changed, int(np.searchsorted(self.moves, move, "right")))
        return changed

    def mutant(self, x: Point) -> Point:
        """Return a point, each variable changed with probability 1/n, at least one."""
        count = 0
        while count == 0:
            count = self.random.binomial(x.size, 1 / x.size)
        changed = x.copy()
        for i in self.random.choice(x.size, count, replace=False):
            if self.sizes[i] > 1:
                self.change(changed, i)
        return changed


def rls(objective: Objective, budget: int, seed: int) -> None:
    """Random local search: one change at a time, kept if not worse."""
    neighbours = Neighbours(objective, seed)
    _climb(objective, neighbours, neighbours.neighbour)


def ea(objective: Objective, budget: int, seed: int) -> None:
    """Run the (1+1) EA."""
    neighbours = Neighbours(objective, seed)
    _climb(objective, neighbours, neighbours.mutant)


def _climb(objective: Objective, neighbours: Neighbours, step: Callable[[Point], Point]) -> None:
    x = neighbours.uniform()
    value = objective(x)
    while True:
        y = step(x)
        found = objective(y)
        if found <= value:
            x, value = y, found


def sa(objective: Objective, budget: int, seed: int) -> None:
    """Run simulated annealing, cooled to a hundredth within the budget, from the best of ten."""
    neighbours = Neighbours(objective, seed)
    points = [neighbours.uniform() for _ in range(10)]
    values = [objective(x) for x in points]
    value = min(values)
    x = points[values.index(value)]
    hot = 0.5 * np.std(values) + 1e-12
    for calls in range(len(values), budget + 1):
        y = neighbours.neighbour(x)
        found = objective(y)
        temperature = hot * 0.01 ** (calls / budget)
        if found <= value or neighbours.random.random() < np.exp((value - found) / temperature):
            x, value = y, found


def random_search(objective: Objective, budget: int, seed: int) -> None:
    """Draw every point uniformly."""
    random = np.random.default_rng(seed)
    while True:
        objective(random.integers(objective.cardinalities))
