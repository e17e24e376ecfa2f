"""Linkage trees: which bits belong together, learned from a population.

D. Thierens, "The linkage tree genetic algorithm", PPSN XI (2010). Bits are clustered by average
linkage (see `distances.py`), in O(n^2) by nearest-neighbour chains:
F. Murtagh, "A survey of recent advances in hierarchical clustering algorithms", The Computer
Journal 26 (1983) 354-359.

Every cluster is a mask for crossover. The leaves are put in an order in which each cluster is an
interval, so that a mask is two numbers.
"""

from typing import NamedTuple

import numpy as np

from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.compiled.packed import lowest, ones, words_for
from catcube.engine.compiled.vectors import equal_word, least_of_word
from catcube.engine.distances import FAR, Distances, measure, new_distances
from catcube.engine.rng import below, shuffle

# Clusters merged at a distance that rounds to 0 in units of 1/65536 always go together, so both
# are no masks.
TOGETHER = 2**13
# Averages are rounded to the nearest integer, halves up. Those of up to 2^17 distances that are
# not exact halves are at least 2^-18 from one, and those computed are within 2^-21 of the truth.
HALF = 0.5 + 2.0**-20
STALE = 16  # the list of rows in use is renewed when one in so many is not
BIT = np.uint64(1)


class Tree(NamedTuple):
    """The bits in the order of the leaves, and the masks in the order of their use."""

    order: np.ndarray
    low: np.ndarray  # mask k is order[low[k]:high[k]]
    high: np.ndarray
    masks: np.ndarray  # [number of masks]
    version: np.ndarray  # [how often it was built]


class Workshop(NamedTuple):
    """What is needed only while a tree is built; one for all trees."""

    distances: Distances
    gone: np.ndarray  # FAR for the rows of the distances that hold no cluster any more, else 0
    used: np.ndarray  # the rows that hold one, in order, and some that no longer do
    leasts: np.ndarray  # the least distance in each 64 rows
    nearest: np.ndarray  # a bit for each row, whether it is at the least of all distances
    cluster: np.ndarray  # the node at each row
    size: np.ndarray  # of each node
    left: np.ndarray
    right: np.ndarray
    dropped: np.ndarray  # whether a node is no mask
    place: np.ndarray  # where the interval of a node begins
    chain: np.ndarray


def new_tree(n: int) -> Tree:
    """Room for a tree of n leaves."""
    return Tree(
        order=np.zeros(n, np.int64),
        low=np.zeros(2 * n, np.int64),
        high=np.zeros(2 * n, np.int64),
        masks=np.zeros(1, np.int64),
        version=np.zeros(1, np.int64),
    )


def new_workshop(n: int, most: int) -> Workshop:
    """Room to build trees of n leaves, learned from up to `most` solutions."""
    gone = np.full(64 * words_for(n), FAR, np.int32)
    return Workshop(
        distances=new_distances(n, most),
        gone=gone,
        used=np.zeros(n, np.int64),
        leasts=np.zeros(words_for(n), np.int32),
        nearest=np.zeros(words_for(n), np.uint64),
        cluster=np.zeros(n, np.int64),
        size=np.zeros(2 * n, np.int64),
        left=np.zeros(2 * n, np.int64),
        right=np.zeros(2 * n, np.int64),
        dropped=np.zeros(2 * n, np.bool_),
        place=np.zeros(2 * n, np.int64),
        chain=np.zeros(n + 1, np.int64),
    )


@part
def build(random, tree, shop, pairs, total, table, newcomer):
    """Build the tree of a population of `total`, given how often each pair of bits is 1 and 1.

    A newcomer is counted in `total` already, and in the pairs only now; it may have no bits.
    """
    measure(shop.distances, pairs, total, table, newcomer)
    agglomerate(random, shop)
    arrange(random, tree, shop)


@part
def agglomerate(random, shop):
    """Merge nearest neighbours until one cluster is left; nodes are numbered as they are made."""
    n = shop.cluster.size
    for row in range(n):
        shop.cluster[row] = row
        shop.gone[row] = 0
        shop.used[row] = row
        shop.size[row] = 1
    listed = n
    length = 0
    for node in range(n, 2 * n - 1):
        count = 2 * n - node
        if (listed - count) * STALE > listed:
            listed = renew_used(shop, listed)
        if length == 0:
            shop.chain[0] = some_row(random, shop.gone, count)
            length = 1
        while True:
            top = shop.chain[length - 1]
            previous = shop.chain[length - 2] if length > 1 else -1
            nearest = nearest_of(random, shop, top, previous)
            if nearest == previous:
                break
            shop.chain[length] = nearest
            length += 1
        length -= 2
        merge(shop, node, min(top, previous), max(top, previous), listed)


@part
def renew_used(shop, listed):
    """Leave out the rows that hold no cluster any more; how many are left."""
    kept = 0
    for k in range(listed):
        row = shop.used[k]
        shop.used[unsigned(kept)] = row
        kept += shop.gone[unsigned(row)] == 0
    return kept


@part
def some_row(random, gone, count):
    """A uniform row of the `count` that hold a cluster."""
    chosen = below(random, count)
    row = 0
    while gone[row] != 0 or chosen > 0:
        if gone[row] == 0:
            chosen -= 1
        row += 1
    return row


@part
def nearest_of(random, shop, top, previous):
    """The row at the least distance: the previous one if it is, else a uniform one of them."""
    row, gone, leasts, nearest = shop.distances.matrix[top], shop.gone, shop.leasts, shop.nearest
    least = FAR
    for w in range(leasts.size):
        leasts[w] = least_of_word(row, gone, 64 * w)
        least = min(least, leasts[w])
    if previous >= 0 and row[previous] == least:
        return previous
    ties = 0
    found = 0
    for w in range(leasts.size):
        nearest[w] = 0
        if leasts[w] == least:
            nearest[w] = equal_word(row, gone, 64 * w, least)
            ties += ones(nearest[w])
            found = w
    if ties > 1:
        chosen = below(random, ties)
        found = 0
        while chosen >= ones(nearest[found]):
            chosen -= ones(nearest[found])
            found += 1
        for _ in range(chosen):
            nearest[found] &= nearest[found] - BIT
    return 64 * found + lowest(nearest[found])


@part
def merge(shop, node, kept, freed, listed):
    """Merge the clusters of two rows into the first; the second holds none any more."""
    matrix = shop.distances.matrix
    a, b = shop.cluster[kept], shop.cluster[freed]
    together = matrix[kept, freed] < TOGETHER
    shop.dropped[a] = together
    shop.dropped[b] = together
    shop.dropped[node] = False
    shop.left[node] = a
    shop.right[node] = b
    shop.size[node] = shop.size[a] + shop.size[b]
    shop.cluster[kept] = node
    shop.gone[freed] = FAR
    first, second = shop.size[a] / shop.size[node], shop.size[b] / shop.size[node]
    mine, other = matrix[kept][: shop.cluster.size], matrix[freed]
    for row in range(mine.size):
        mine[row] = np.int32(first * mine[row] + second * other[row] + HALF)
    mine[kept] = FAR
    for k in range(listed):
        other_row = unsigned(shop.used[k])
        matrix[other_row, unsigned(kept)] = mine[other_row]


@part
def arrange(random, tree, shop):
    """Leaves in an order in which clusters are intervals; masks, the last merged first."""
    n = shop.cluster.size
    root = 2 * n - 2
    masks = 0
    shop.place[root] = 0
    for node in range(root, n - 1, -1):
        a, b = shop.left[node], shop.right[node]
        shop.place[a] = shop.place[node]
        shop.place[b] = shop.place[node] + shop.size[a]
        if node != root and not shop.dropped[node]:
            masks = add_mask(tree, masks, shop.place[node], shop.size[node])
    singles = masks
    for leaf in range(n):
        tree.order[shop.place[leaf]] = leaf
        if n > 1 and not shop.dropped[leaf]:
            masks = add_mask(tree, masks, shop.place[leaf], 1)
    shuffle(random, tree.low[singles:masks])
    for k in range(singles, masks):
        tree.high[k] = tree.low[k] + 1
    tree.masks[0] = masks
    tree.version[0] += 1


@inlined
def add_mask(tree, masks, place, size):
    """Add the interval of a cluster; how many masks there are now."""
    tree.low[unsigned(masks)] = place
    tree.high[unsigned(masks)] = place + size
    return masks + 1
