"""Population-based incremental learning, as its description reads."""

from tests.naive.native.product_distribution import evolve


def search(run, sizes, parameters, random):
    def learned(p, mean):
        return p + parameters.rate * (mean - p) if parameters.rate < 1 else mean

    evolve(run, sizes, parameters, random, learned)
