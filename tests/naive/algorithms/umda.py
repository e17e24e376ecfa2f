"""The univariate marginal distribution algorithm, as its description reads."""

from tests.naive.product_distribution import evolve


def search(run, n, parameters, random):
    evolve(run, n, parameters, random, lambda p, mean: mean)
