"""DEAP: the simple genetic algorithm with the numbers of its overview page."""

import random

from deap import algorithms, base, creator, tools

from benchmarks.peers.objective import Objective

creator.create("PeersFitness", base.Fitness, weights=(-1.0,))  # to be minimised
creator.create("PeersIndividual", list, fitness=creator.PeersFitness)


def search(objective: Objective, budget: int, seed: int) -> None:
    """Run a GA: a population of 50, two-point crossover, uniform mutation, tournaments of three."""
    random.seed(seed)
    sizes = objective.cardinalities
    toolbox = base.Toolbox()
    toolbox.register("genes", lambda: [random.randrange(size) for size in sizes])
    toolbox.register("individual", tools.initIterate, creator.PeersIndividual, toolbox.genes)
    toolbox.register("evaluate", lambda genes: (objective(genes),))
    toolbox.register("mate", tools.cxTwoPoint)
    highest = [size - 1 for size in sizes]
    toolbox.register("mutate", tools.mutUniformInt, low=0, up=highest, indpb=0.1)
    toolbox.register("select", tools.selTournament, tournsize=3)
    population = [toolbox.individual() for _ in range(50)]
    algorithms.eaSimple(population, toolbox, cxpb=0.5, mutpb=0.2, ngen=budget, verbose=False)
