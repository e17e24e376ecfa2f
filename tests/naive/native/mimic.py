"""Mutual-information-maximizing input clustering, as its description reads.

No entropy is computed. A sum of k·log(k) over counts k is the logarithm of the product of k^k, an
integer, and these compare exactly.
"""

from collections import Counter
from math import prod

from tests.naive.algorithms.pbil import selected
from tests.naive.categories import raised


def search(run, sizes, parameters, random):
    run.evaluate(random.categories(sizes))
    # The first order is of no importance: all distributions are uniform.
    chain = list(range(len(sizes)))
    best = []
    while True:
        # A generation is drawn variable by variable, all of it whatever the budget is.
        points = [[0] * len(sizes) for _ in range(parameters.population)]
        for k, v in enumerate(chain):
            last = chain[k - 1] if k > 0 else None
            distributions = [
                distribution(best, v, last, None if k == 0 else point[last], sizes, parameters)
                for point in points
            ]
            for point, category in zip(points, random.drawn(distributions), strict=True):
                point[v] = category
        samples = [(run.evaluate(point), point) for point in points]
        best = selected(samples, parameters.selection)
        chain = ordered(best, len(sizes))


def distribution(best, v, last, before, sizes, parameters):
    """The distribution of variable v after the category before it; uniform without data."""
    data = [point[v] for point in best if last is None or point[last] == before]
    if not data:
        return [1 / sizes[v]] * sizes[v]
    shares = [data.count(category) / len(data) for category in range(sizes[v])]
    return raised(shares, len(sizes), parameters.margin)


def ordered(best, n):
    """The order of the chain that these samples make."""
    chain = list(range(n))
    for k in range(n):
        if k == 0:
            certainties = [certainty(best, i, i) for i in chain]
        else:
            certainties = [certainty(best, chain[k - 1], i) for i in chain[k:]]
        # The first of the most certain ones.
        next_index = k + certainties.index(max(certainties))
        chain[k], chain[next_index] = chain[next_index], chain[k]
    return chain


def certainty(best, a, b):
    """The larger, the smaller is the entropy of variable b given variable a (alike b alone)."""
    counts = Counter((point[a], point[b]) for point in best).values()
    return prod(count**count for count in counts)
