"""GOMEA of the Python library of its authors, with a linkage tree."""

import math
from typing import Any

import gomea

from benchmarks.peers.objective import BudgetError, Objective


class Fitness(gomea.fitness.BBOFitnessFunctionDiscrete):
    """The function for GOMEA, which maximises and knows one number of categories."""

    call: Objective

    def objective_function(self, index: int, variables: Any) -> float:
        """Return minus the value; no exception can pass through the library."""
        if self.call.over():
            return -math.inf
        categories = [k % size for k, size in zip(variables, self.call.cardinalities, strict=True)]
        return -self.call(categories)


def search(objective: Objective, budget: int, seed: int) -> None:
    """No parameter to set: populations grow by themselves."""
    sizes = objective.cardinalities
    fitness = Fitness(len(sizes), alphabet_size=max(sizes), value_to_reach=math.inf)
    fitness.call = objective
    linkage = gomea.linkage.LinkageTree()  # named, so that it lives as long as the run
    gomea.DiscreteGOMEA(
        fitness=fitness,
        linkage_model=linkage,
        max_number_of_evaluations=budget,
        random_seed=seed + 1,
    ).run()
    raise BudgetError
