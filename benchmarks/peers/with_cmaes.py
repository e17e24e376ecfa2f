"""cmaes: CatCMA with margin."""

import warnings

from cmaes import CatCMAwM

from benchmarks.peers.objective import Objective


def search(objective: Objective, budget: int, seed: int) -> None:
    """Ask for generations of the default size."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        optimizer = CatCMAwM(c_space=objective.cardinalities, seed=seed)
        while True:
            generation = []
            for _ in range(optimizer.population_size):
                solution = optimizer.ask()
                generation.append((solution, objective(solution.c.argmax(axis=1))))
            optimizer.tell(generation)
