"""Solve a Sudoku by the genetic algorithm of DEAP, with the direct and linear representations.

Needs `pip install '.[integrations]'`.
"""

import random

from deap import algorithms, base, creator, tools

import catcube

creator.create("Fitness", base.Fitness, weights=(-1.0,))  # to be minimised
creator.create("Individual", list, fitness=creator.Fitness)


def search(problem: catcube.BitProblem, budget: int, seed: int) -> list[int]:
    """Return the best bits that a genetic algorithm finds within the budget."""
    random.seed(seed)
    toolbox = base.Toolbox()
    toolbox.register("bit", random.randint, 0, 1)
    toolbox.register("one", tools.initRepeat, creator.Individual, toolbox.bit, problem.n)
    toolbox.register("evaluate", lambda bits: (problem(bits),))
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", tools.mutFlipBit, indpb=1 / problem.n)
    toolbox.register("select", tools.selTournament, tournsize=3)
    size = 20
    best = tools.HallOfFame(1)
    algorithms.eaMuPlusLambda(
        population=tools.initRepeat(list, toolbox.one, size),
        toolbox=toolbox,
        mu=size,
        lambda_=size,
        cxpb=0.5,
        mutpb=0.5,
        ngen=budget // size - 1,
        halloffame=best,
        verbose=False,
    )
    return list(best[0])


def main(instance: str = "small-dimension-10-a", budget: int = 2000, runs: int = 5) -> None:
    """Search with both representations and print what was found."""
    sudoku = catcube.problems.Sudoku.instance(instance)
    print(f"DEAP, genetic algorithm: {instance}, {budget} evaluations, the optimum is 0")
    for representation in ("direct", "linear"):
        problem = catcube.BitProblem(sudoku, representation=representation)
        found = [problem(search(problem, budget, seed)) for seed in range(1, runs + 1)]
        print(f"{representation:8} {problem.n:4} bits, values {found}")


if __name__ == "__main__":
    main()
