"""Linkage trees: which bits belong together, learned from a population.

D. Thierens, "The linkage tree genetic algorithm", PPSN XI (2010). Bits are clustered by average
linkage under D(i, j) = 2 - (H(i) + H(j)) / H(i, j), in O(n^2) by nearest-neighbour chains:
F. Murtagh, "A survey of recent advances in hierarchical clustering algorithms", The Computer
Journal 26 (1983) 354-359.

Every cluster is a mask for crossover. The leaves are put in an order in which each cluster is an
interval, so that a mask is two numbers.
"""

from typing import NamedTuple

import numpy as np

from catcube.engine.information import entropy, joint_entropy
from catcube.engine.jit import inlined, natural, part
from catcube.engine.rng import below

# Clusters merged at a distance that rounds to 0 in units of 1/65536 always go together.
UNIT = 65536.0
TILE = 64


class Tree(NamedTuple):
    """The bits in the order of the leaves, and the masks in the order of their use."""

    order: np.ndarray
    low: np.ndarray  # mask k is order[low[k]:high[k]]
    high: np.ndarray
    masks: np.ndarray  # [number of masks]
    version: np.ndarray  # [how often it was built]


class Workshop(NamedTuple):
    """What is needed only while a tree is built; one for all trees."""

    distance: np.ndarray
    cluster: np.ndarray  # the node at each row of the distances
    size: np.ndarray  # of each node
    left: np.ndarray
    right: np.ndarray
    dropped: np.ndarray  # whether a node is no mask
    place: np.ndarray  # where the interval of a node begins
    chain: np.ndarray
    own: np.ndarray  # the entropy of each bit


def new_tree(n: int) -> Tree:
    """Room for a tree of n leaves."""
    return Tree(
        order=np.zeros(n, np.int64),
        low=np.zeros(2 * n, np.int64),
        high=np.zeros(2 * n, np.int64),
        masks=np.zeros(1, np.int64),
        version=np.zeros(1, np.int64),
    )


def new_workshop(n: int) -> Workshop:
    """Room to build trees of n leaves."""
    return Workshop(
        distance=np.zeros((n, n), np.float32),
        cluster=np.zeros(n, np.int64),
        size=np.zeros(2 * n, np.int64),
        left=np.zeros(2 * n, np.int64),
        right=np.zeros(2 * n, np.int64),
        dropped=np.zeros(2 * n, np.bool_),
        place=np.zeros(2 * n, np.int64),
        chain=np.zeros(n + 1, np.int64),
        own=np.zeros(n, np.int64),
    )


@part
def build(random, tree, shop, pairs, total, table):
    """Build the tree of a population of `total`, given how often each pair of bits is 1 and 1."""
    measure(shop, pairs, total, table)
    agglomerate(random, shop)
    arrange(random, tree, shop)


@part
def measure(shop, pairs, total, table):
    """The distances of all pairs, tile by tile because the matrix is written both ways."""
    n = shop.own.size
    constant = table[total]
    for i in range(n):
        shop.own[i] = constant + entropy(table, total, pairs[i, i])
    for first in range(0, n, TILE):
        for second in range(first, n, TILE):
            for i in range(first, min(first + TILE, n)):
                ones = np.int64(pairs[i, i])
                for j in range(max(second, i + 1), min(second + TILE, n)):
                    joint = constant + joint_entropy(
                        table, total, ones, np.int64(pairs[j, j]), np.int64(pairs[i, j])
                    )
                    distance = np.float32(0.0)
                    if joint > 0:
                        distance = np.float32(2.0 - (shop.own[i] + shop.own[j]) / joint)
                    shop.distance[i, j] = distance
                    shop.distance[j, i] = distance
    for i in range(n):
        shop.distance[i, i] = np.float32(np.inf)  # a cluster is not its own neighbour


@part
def agglomerate(random, shop):
    """Merge nearest neighbours until one cluster is left; nodes are numbered as they are made."""
    n = shop.own.size
    for row in range(n):
        shop.cluster[row] = row
        shop.size[row] = 1
        shop.dropped[row] = False
    rows = n
    length = 0
    for node in range(n, 2 * n - 1):
        if length == 0:
            shop.chain[0] = below(random, rows)
            length = 1
        while True:
            top = shop.chain[length - 1]
            previous = shop.chain[length - 2] if length > 1 else -1
            nearest = nearest_of(random, shop.distance[top], rows, previous)
            if nearest == previous:
                break
            shop.chain[length] = nearest
            length += 1
        length -= 2
        rows = merge(shop, node, min(top, previous), max(top, previous), rows, length)


@part
def nearest_of(random, distances, rows, previous):
    """The row at the least distance: the previous one if it is, else a uniform one of them."""
    least = distances[0]
    for row in range(1, rows):
        least = min(least, distances[row])
    if previous >= 0 and distances[previous] == least:
        return previous
    ties = 0
    for row in range(rows):
        ties += distances[row] == least
    chosen = below(random, ties) if ties > 1 else 0
    for row in range(rows):
        if distances[row] == least:
            if chosen == 0:
                return row
            chosen -= 1
    return previous


@part
def merge(shop, node, kept, freed, rows, length):
    """Merge the clusters of two rows into the first; the last row moves to the second."""
    distance = shop.distance
    a, b = shop.cluster[kept], shop.cluster[freed]
    together = np.rint(distance[kept, freed] * np.float32(UNIT)) <= 0
    shop.dropped[a] = together
    shop.dropped[b] = together
    shop.dropped[node] = False
    shop.left[node] = a
    shop.right[node] = b
    shop.size[node] = shop.size[a] + shop.size[b]
    shop.cluster[kept] = node
    share = np.float32(shop.size[a] / shop.size[node])
    rest = np.float32(1.0) - share
    mine, other = distance[kept], distance[freed]
    for row in range(rows):
        mine[row] = share * mine[row] + rest * other[row]
    mine[kept] = np.float32(np.inf)
    last = rows - 1
    mine[freed] = mine[last]
    for row in range(last):
        distance[row, kept] = mine[row]
    if freed != last:
        shop.cluster[freed] = shop.cluster[last]
        moved = distance[last]
        for row in range(last):
            other[row] = moved[row]
        other[kept] = mine[freed]
        other[freed] = np.float32(np.inf)
        for row in range(last):
            distance[row, freed] = other[row]
        for k in range(length):
            if shop.chain[k] == last:
                shop.chain[k] = freed
    return last


@part
def arrange(random, tree, shop):
    """Leaves in an order in which clusters are intervals; masks, the last merged first."""
    n = shop.own.size
    root = 2 * n - 2
    masks = 0
    if n > 0:
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
    for k in range(masks - 1, singles, -1):
        other = singles + below(random, k - singles + 1)
        held = tree.low[k]
        tree.low[k] = tree.low[other]
        tree.low[other] = held
    for k in range(singles, masks):
        tree.high[k] = tree.low[k] + 1
    tree.masks[0] = masks
    tree.version[0] += 1


@inlined
def add_mask(tree, masks, place, size):
    """Add the interval of a cluster; how many masks there are now."""
    tree.low[natural(masks)] = place
    tree.high[natural(masks)] = place + size
    return masks + 1
