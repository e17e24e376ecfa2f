"""nevergrad: NGOpt, which chooses among its searches, and the discrete (1+1)."""

import warnings
from typing import Any

import nevergrad as ng
import numpy as np

from benchmarks.peers.objective import Objective


def ngopt(objective: Objective, budget: int, seed: int) -> None:
    """NGOpt on unordered choices."""
    _search(objective, budget, seed, ng.p.Choice, ng.optimizers.NGOpt)


def one_plus_one(objective: Objective, budget: int, seed: int) -> None:
    """DiscreteOnePlusOne, with the choices that its documentation recommends for it."""
    _search(objective, budget, seed, ng.p.TransitionChoice, ng.optimizers.DiscreteOnePlusOne)


def _search(objective: Objective, budget: int, seed: int, choice: Any, method: Any) -> None:
    sizes = np.array(objective.cardinalities)
    groups = [np.flatnonzero(sizes == size) for size in np.unique(sizes)]
    space = ng.p.Tuple(
        *(choice(range(sizes[group[0]]), repetitions=len(group)) for group in groups)
    )
    space.random_state.seed(seed)
    categories = np.empty(len(sizes), np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        optimizer = method(space, budget=budget)
        while True:
            candidate = optimizer.ask()
            for group, values in zip(groups, candidate.value, strict=True):
                categories[group] = values
            optimizer.tell(candidate, objective(categories))
