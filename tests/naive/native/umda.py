"""The univariate marginal distribution algorithm, as its description reads."""

from tests.naive.native.product_distribution import evolve


def search(run, sizes, parameters, random):
    evolve(run, sizes, parameters, random, lambda p, mean: mean)
