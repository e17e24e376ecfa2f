"""Solve a Sudoku by GOMEA, with the direct and linear representations.

Needs `pip install '.[integrations]'`.
"""

import gomea

import catcube


class Fitness(gomea.fitness.BBOFitnessFunctionDiscrete):
    """A BitProblem for GOMEA, which maximises."""

    problem: catcube.BitProblem

    def objective_function(self, objective_index, variables):
        return -self.problem(variables)


def search(problem: catcube.BitProblem, budget: int, seed: int) -> list[int]:
    """Return the best bits that GOMEA finds within the budget."""
    fitness = Fitness(problem.n, value_to_reach=0)
    fitness.problem = problem
    linkage = gomea.linkage.LinkageTree()  # named, so that it lives as long as the run
    method = gomea.DiscreteGOMEA(
        fitness=fitness,
        linkage_model=linkage,
        max_number_of_evaluations=budget,
        random_seed=seed,
    )
    best = method.run().getFinalStatistics()["best_solution"]
    return [int(bit) for bit in best.strip("[]")]


def main(instance: str = "small-dimension-10-a", budget: int = 2000, runs: int = 5) -> None:
    """Search with both representations and print what was found."""
    sudoku = catcube.problems.Sudoku.instance(instance)
    print(f"GOMEA with a linkage tree: {instance}, {budget} evaluations, the optimum is 0")
    for representation in ("direct", "linear"):
        problem = catcube.BitProblem(sudoku, representation=representation)
        found = [problem(search(problem, budget, seed)) for seed in range(1, runs + 1)]
        print(f"{representation:8} {problem.n:4} bits, values {found}")


if __name__ == "__main__":
    main()
