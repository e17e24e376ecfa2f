"""Solve a Sudoku by the genetic algorithm of pymoo, with the direct and linear representations.

Needs `pip install '.[integrations]'`.
"""

import numpy as np
from pymoo.algorithms.soo.nonconvex.ga import GA
from pymoo.core.problem import Problem
from pymoo.operators.crossover.ux import UniformCrossover
from pymoo.operators.mutation.bitflip import BitflipMutation
from pymoo.operators.sampling.rnd import BinaryRandomSampling
from pymoo.optimize import minimize

import catcube


class Bits(Problem):
    """A BitProblem for pymoo, which evaluates whole populations."""

    def __init__(self, problem: catcube.BitProblem) -> None:
        super().__init__(n_var=problem.n, n_obj=1, xl=0, xu=1, vtype=bool)
        self.problem = problem

    def _evaluate(self, x, out, *args, **kwargs):
        out["F"] = self.problem.values(x)


def search(problem: catcube.BitProblem, budget: int, seed: int) -> np.ndarray:
    """Return the best bits that a genetic algorithm finds within the budget."""
    method = GA(
        pop_size=20,
        sampling=BinaryRandomSampling(),
        crossover=UniformCrossover(),
        mutation=BitflipMutation(prob_var=1 / problem.n),
        eliminate_duplicates=True,
    )
    return minimize(Bits(problem), method, ("n_eval", budget), seed=seed).X


def main(instance: str = "small-dimension-10-a", budget: int = 2000, runs: int = 5) -> None:
    """Search with both representations and print what was found."""
    sudoku = catcube.problems.Sudoku.instance(instance)
    print(f"pymoo, genetic algorithm: {instance}, {budget} evaluations, the optimum is 0")
    for representation in ("direct", "linear"):
        problem = catcube.BitProblem(sudoku, representation=representation)
        found = [problem(search(problem, budget, seed)) for seed in range(1, runs + 1)]
        print(f"{representation:8} {problem.n:4} bits, values {found}")


if __name__ == "__main__":
    main()
