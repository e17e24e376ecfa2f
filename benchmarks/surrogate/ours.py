"""The searches of this package on the same tasks."""

from collections.abc import Callable

import numpy as np

import catcube
from benchmarks.surrogate.plain import Values
from benchmarks.surrogate.problem import Task


def setting(algorithm: str, representation: str) -> Callable[[Task, int, int], Values]:
    """A search with its defaults, as a function of task, budget and seed."""

    def values(task: Task, budget: int, seed: int) -> Values:
        names = [f"x{i}" for i in range(task.cardinalities.size)]
        sizes = task.cardinalities.tolist()
        space = catcube.Space(dict(zip(names, map(range, sizes), strict=True)))
        result = catcube.minimize(
            lambda rows: [task(own) for own in rows],
            space,
            algorithm=algorithm,
            representation=representation,
            budget=budget,
            seed=seed,
            vectorized=True,
        )
        best = np.full(budget, np.inf)
        best[result.trace.evaluations - 1] = result.trace.values
        return np.minimum.accumulate(best).tolist()

    return values
