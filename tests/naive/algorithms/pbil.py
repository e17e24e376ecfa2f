"""Population-based incremental learning, as its description reads."""

from tests.naive.product_distribution import evolve


def search(run, n, parameters, random):
    def learned(p, mean):
        return p + parameters.rate * (mean - p)

    evolve(run, n, parameters, random, learned)
