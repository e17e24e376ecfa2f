"""The genetic algorithm, as its description reads."""

from tests.naive.algorithms.ga import crossed, winner
from tests.naive.categories import mutated


def search(run, sizes, parameters, random):
    parents = []
    values = []
    for _ in range(parameters.population):
        parents.append(random.categories(sizes))
        values.append(run.evaluate(parents[-1]))
    while True:
        offspring = []
        offspring_values = []
        for _ in range(parameters.population):
            child = parents[winner(values, parameters, random)]
            if random.uniform() < parameters.crossover:
                other = parents[winner(values, parameters, random)]
                # A coin for every variable of the space, also for those without a choice.
                coins = zip(random.bits(len(run.cardinalities)), run.cardinalities, strict=True)
                mask = [coin for coin, size in coins if size > 1]
                child = crossed(child, other, mask)
            offspring.append(mutated(child, sizes, random))
            offspring_values.append(run.evaluate(offspring[-1]))
        parents, values = offspring, offspring_values
