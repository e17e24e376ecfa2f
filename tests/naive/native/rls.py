"""Random local search with restart, as its description reads."""

from tests.naive.categories import random_neighbour


def search(run, sizes, parameters, random):
    while True:
        point = random.categories(sizes)
        value = run.evaluate(point)
        failures = 0
        while sizes and failures < parameters.patience:
            other = random_neighbour(point, sizes, random)
            other_value = run.evaluate(other)
            if other_value <= value:
                point, value = other, other_value
                failures = 0
            else:
                failures += 1
