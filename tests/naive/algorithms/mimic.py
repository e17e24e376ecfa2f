"""Mutual-information-maximizing input clustering, as its description reads.

No entropy is computed. A sum of k·log(k) over counts k is the logarithm of the product of k^k, an
integer, and these compare exactly.
"""

from collections import Counter
from math import prod

from tests.naive.algorithms.pbil import clipped, selected


def search(run, points, parameters, random):
    run.evaluate(points.draw())
    n = points.n
    # The first order is of no importance: all probabilities are 1/2.
    chain = list(range(n))
    after_zero = [0.5] * n
    after_one = [0.5] * n
    while True:
        samples = []
        for _ in range(parameters.population):
            bits = sampled(chain, after_zero, after_one, random)
            samples.append((run.evaluate(bits), bits))
        best = selected(samples, parameters.selection)
        chain = ordered(best, n)
        for k in range(n):
            zero, one = probabilities(best, chain, k)
            after_zero[k] = clipped(zero, n, parameters)
            after_one[k] = clipped(one, n, parameters)


def sampled(chain, after_zero, after_one, random):
    """A point along the chain: what each bit is after a 0 and after a 1 is decided for all first.

    Both are decided by the same bytes.
    """
    thrown = random.bytes(len(chain))
    if_zero = random.decided(thrown, after_zero)
    if_one = random.decided(thrown, after_one)
    bits = [0] * len(chain)
    before = 0
    for k, i in enumerate(chain):
        before = if_one[k] if before else if_zero[k]
        bits[i] = before
    return bits


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
    """The larger, the smaller is the entropy of gene b given gene a (or of b, if a is b); exact."""
    counts = Counter((point[a], point[b]) for point in best).values()
    return prod(count**count for count in counts)


def probabilities(best, chain, k):
    """How often the bit at position k of the chain is 1 after a 0, and after a 1."""
    shares = []
    for before in (0, 1):
        if k == 0:
            data = [bits[chain[0]] for bits in best]
        else:
            data = [bits[chain[k]] for bits in best if bits[chain[k - 1]] == before]
        shares.append(sum(data) / len(data) if data else 0.5)
    return shares
