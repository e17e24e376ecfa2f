"""Linkage trees of variables, as their description reads; clusters merge as those of bits do."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

from tests.naive.linkage import UNIT, agglomerated, entropy, rounded


def masks(solutions, n, random):
    """The clusters in the order of their use: the last merged first, then single variables."""
    made, dropped, _ = agglomerated(distances(solutions, n), n, random)
    merged = [cluster for cluster in reversed(made) if cluster not in dropped and len(cluster) < n]
    variables = [frozenset([i]) for i in range(n)]
    singles = [group for group in variables if group not in dropped and len(group) < n]
    return merged + random.shuffled(singles)


def distances(solutions, n):
    """The distance of each pair of single variables, by the frozenset of both."""
    single = [entropy(*Counter(point[i] for point in solutions).values()) for i in range(n)]
    found = {}
    for i, j in combinations(range(n), 2):
        joint = entropy(*Counter((point[i], point[j]) for point in solutions).values())
        distance = 2 - Fraction(single[i] + single[j], joint) if joint else 0
        found[frozenset([frozenset([i]), frozenset([j])])] = rounded(UNIT * distance)
    return found
