"""Plain searches on categories, each in a few lines, to be beaten by whatever is less plain."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.surrogate.problem import Task

Values = list[float]


def _uniform(random: np.random.Generator, task: Task) -> NDArray[np.int64]:
    return random.integers(task.cardinalities)


def _change(random: np.random.Generator, task: Task, x: NDArray[np.int64], i: int) -> None:
    other = random.integers(task.cardinalities[i] - 1)
    x[i] = other + (other >= x[i])


def _neighbour(random: np.random.Generator, task: Task, x: NDArray[np.int64]) -> NDArray[np.int64]:
    changed = x.copy()
    moves = np.cumsum(task.cardinalities - 1)
    _change(random, task, changed, int(np.searchsorted(moves, random.integers(moves[-1]), "right")))
    return changed


def rls(task: Task, budget: int, seed: int) -> Values:
    """Random local search: one change at a time, kept if not worse."""
    return _walk(task, budget, seed, _neighbour)


def ea(task: Task, budget: int, seed: int) -> Values:
    """The (1+1) EA: each variable changed with probability 1/n, at least one."""

    def mutated(random: np.random.Generator, own: Task, x: NDArray[np.int64]) -> NDArray[np.int64]:
        count = 0
        while count == 0:
            count = random.binomial(x.size, 1 / x.size)
        changed = x.copy()
        for i in random.choice(x.size, count, replace=False):
            _change(random, own, changed, i)
        return changed

    return _walk(task, budget, seed, mutated)


def _walk(task: Task, budget: int, seed: int, step: Callable[..., NDArray[np.int64]]) -> Values:
    random = np.random.default_rng(seed)
    x = _uniform(random, task)
    value = task(x)
    values = [value]
    while len(values) < budget:
        y = step(random, task, x)
        values.append(task(y))
        if values[-1] <= value:
            x, value = y, values[-1]
    return values


def sa(task: Task, budget: int, seed: int) -> Values:
    """Simulated annealing, cooled to a hundredth within the budget, from the best of ten."""
    random = np.random.default_rng(seed)
    points = [_uniform(random, task) for _ in range(10)]
    values = [task(x) for x in points]
    value = min(values)
    x = points[values.index(value)]
    hot = 0.5 * np.std(values) + 1e-12
    while len(values) < budget:
        y = _neighbour(random, task, x)
        values.append(task(y))
        worse = values[-1] - value
        if worse <= 0 or random.random() < np.exp(-worse / (hot * 0.01 ** (len(values) / budget))):
            x, value = y, values[-1]
    return values
