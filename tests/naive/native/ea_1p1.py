"""The (1+1) evolutionary algorithm, as its description reads."""

from tests.naive.categories import mutated


def search(run, sizes, parameters, random):
    point = random.categories(sizes)
    value = run.evaluate(point)
    while True:
        offspring = mutated(point, sizes, random)
        offspring_value = run.evaluate(offspring)
        if offspring_value <= value:
            point, value = offspring, offspring_value
