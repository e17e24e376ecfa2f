"""Linkage trees and optimal mixing, as their description reads.

Clusters are frozensets of genes: of bits, or of variables. Distances are whole numbers of 2^-30,
and so are averages of them: that decides between clusters at nearly the same distance. They are
computed with fractions from entropies in which the logarithms of primes are known to 28 binary
places.
"""

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import floor

PLACES = 28  # of the logarithms of primes
UNIT = 2**30  # of distances


def masks(solutions, n, random):
    """The clusters in the order of their use: the last merged first, then single genes."""
    made, dropped, _ = agglomerated(distances(solutions, n), n, random)
    merged = [cluster for cluster in reversed(made) if cluster not in dropped and len(cluster) < n]
    genes = [frozenset([i]) for i in range(n)]
    singles = [gene for gene in genes if gene not in dropped and len(gene) < n]
    return merged + random.shuffled(singles)


def distances(solutions, n):
    """2 - (H(i) + H(j)) / H(i, j) for each pair of single genes, by the frozenset of both."""
    columns = list(zip(*solutions, strict=True))
    single = [entropy(Counter(column)) for column in columns]
    found = {}
    for i, j in combinations(range(n), 2):
        joint = entropy(Counter(zip(columns[i], columns[j], strict=True)))
        distance = 2 - Fraction(single[i] + single[j], joint) if joint else 0
        found[frozenset([frozenset([i]), frozenset([j])])] = rounded(UNIT * distance)
    return found


def rounded(number):
    """The nearest integer, the larger of two."""
    return floor(number + Fraction(1, 2))


def entropy(counter):
    """The entropy of a choice with these counts, times their sum, in units of 2^-28."""
    counts = counter.values()
    return term(sum(counts)) - sum(map(term, counts))


def term(k):
    """k·log2(k) in units of 2^-28; 0 for k = 0."""
    return k * logarithm(k) if k else 0


@cache
def logarithm(k):
    """log2(k) in units of 2^-28: the sum over the prime factors of k."""
    for factor in range(2, k):
        if k % factor == 0:
            return logarithm(factor) + logarithm(k // factor)
    with localcontext() as context:
        context.prec = 60
        return round(2**PLACES * Decimal(k).ln() / Decimal(2).ln())


def agglomerated(distance, n, random):
    """The clusters in the order they are made, those that are no masks, and the heights.

    Where one of several clusters is drawn, they are in the order of their first genes.
    """
    rows = [frozenset([i]) for i in range(n)]
    made, dropped, heights = [], set(), []
    chain = []
    while len(rows) > 1:
        if not chain:
            chain = [rows[random.below(len(rows))]]
        nearest = nearest_to(chain, rows, distance, random)
        if nearest not in chain[-2:-1]:
            chain.append(nearest)
            continue
        a, b = sorted([chain.pop(), chain.pop()], key=rows.index)
        height = distance[frozenset([a, b])]
        if rounded(Fraction(65536 * height, UNIT)) == 0:
            dropped |= {a, b}
        made.append(a | b)
        heights.append(height)
        for other in rows:
            if other not in (a, b):
                average(distance, a, b, other)
        rows[rows.index(a)] = a | b
        rows.remove(b)
    return made, dropped, heights


def nearest_to(chain, rows, distance, random):
    """The nearest cluster to the end of the chain; the one before it, if that is as near."""
    top = chain[-1]
    far = {row: distance[frozenset([top, row])] for row in rows if row != top}
    least = min(far.values())
    nearest = [row for row in rows if row in far and far[row] == least]
    if len(chain) > 1 and chain[-2] in nearest:
        return chain[-2]
    return nearest[random.below(len(nearest))] if len(nearest) > 1 else nearest[0]


def average(distance, a, b, other):
    """The distance of the merged clusters to another one: the mean of all pairs of genes."""
    total = len(a) * distance[frozenset([a, other])] + len(b) * distance[frozenset([b, other])]
    distance[frozenset([a | b, other])] = rounded(Fraction(total, len(a) + len(b)))


def mixed(run, bits, value, masks, population, random):
    """The solution and its value after mixing it with a population."""
    for mask in masks:
        donor = population[random.below(len(population))]
        candidate = [donor[i] if i in mask else bits[i] for i in range(len(bits))]
        if candidate == bits:
            continue
        candidate_value = run.evaluate(candidate)
        if candidate_value <= value:
            bits, value = candidate, candidate_value
    return bits, value
