"""Solve a Sudoku by an evolution strategy of nevergrad, with the direct and linear representations.

Needs `pip install '.[integrations]'`.
"""

import nevergrad
import numpy as np

import catcube


def search(problem: catcube.BitProblem, budget: int, seed: int) -> np.ndarray:
    """Return the best bits that a discrete (1+1) evolution strategy finds."""
    bits = nevergrad.p.Array(shape=(problem.n,), lower=0, upper=1).set_integer_casting()
    bits.random_state.seed(seed)
    method = nevergrad.optimizers.DiscreteOnePlusOne(bits, budget=budget)
    return method.minimize(problem).value


def main(instance: str = "small-dimension-10-a", budget: int = 1000, runs: int = 5) -> None:
    """Search with both representations and print what was found."""
    sudoku = catcube.problems.Sudoku.instance(instance)
    print(f"nevergrad, discrete (1+1): {instance}, {budget} evaluations, the optimum is 0")
    for representation in ("direct", "linear"):
        problem = catcube.BitProblem(sudoku, representation=representation)
        found = [problem(search(problem, budget, seed)) for seed in range(1, runs + 1)]
        print(f"{representation:8} {problem.n:4} bits, values {found}")


if __name__ == "__main__":
    main()
