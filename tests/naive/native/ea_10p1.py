"""The (mu+lambda) evolutionary algorithm, as its description reads; ranks are those on bits."""

from tests.naive.algorithms.ea_10p1 import insert, replace_first
from tests.naive.categories import mutated


def search(run, sizes, parameters, random):
    parents = []  # (value, point)
    for _ in range(parameters.population):
        point = random.categories(sizes)
        insert(parents, (run.evaluate(point), point))
    while True:
        offspring = []
        for _ in range(parameters.offspring):
            _, parent = parents[random.below(parameters.population)]
            point = mutated(parent, sizes, random)
            offspring.append((run.evaluate(point), point))
        for newcomer in offspring:
            if parameters.replace_first:
                replace_first(parents, newcomer)
            elif newcomer[0] <= parents[-1][0]:
                parents.pop()
                insert(parents, newcomer)
