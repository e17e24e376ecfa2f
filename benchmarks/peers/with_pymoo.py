"""pymoo: its genetic algorithm for choices."""

from typing import Any

import numpy as np
from pymoo.core.mixed import MixedVariableGA
from pymoo.core.problem import ElementwiseProblem
from pymoo.core.variable import Choice
from pymoo.optimize import minimize

from benchmarks.peers.objective import Objective


class Choices(ElementwiseProblem):
    """A choice for each variable."""

    def __init__(self, objective: Objective) -> None:
        self.call = objective
        self.names = [f"x{i}" for i in range(len(objective.cardinalities))]
        sizes = objective.cardinalities
        choices = {n: Choice(options=range(k)) for n, k in zip(self.names, sizes, strict=True)}
        super().__init__(vars=choices, n_obj=1)

    def _evaluate(self, x: Any, out: Any, *args: Any, **kwargs: Any) -> None:
        out["F"] = self.call(np.array([x[name] for name in self.names]))


def search(objective: Objective, budget: int, seed: int) -> None:
    """Run the genetic algorithm with its defaults."""
    algorithm = MixedVariableGA()
    minimize(Choices(objective), algorithm, ("n_evals", budget), seed=seed, copy_algorithm=False)
