"""The searches of this package, by their names and with their defaults."""

from collections.abc import Callable
from typing import Any

from benchmarks.peers.objective import Objective
from catcube import minimize


def setting(**arguments: Any) -> Callable[[Objective, int, int], None]:
    """Return a search as `minimize` makes it with these arguments."""

    def search(objective: Objective, budget: int, seed: int) -> None:
        minimize(
            lambda rows: [objective(row) for row in rows],
            objective.task.space,
            budget=budget,
            seed=seed,
            vectorized=True,
            **arguments,
        )

    return search
