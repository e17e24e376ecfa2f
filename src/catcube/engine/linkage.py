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

from catcube.engine.compiled.jit import inlined, natural, part
from catcube.engine.information import entropy, joint_entropy
from catcube.engine.rng import below, shuffle

# Distances are integers in units of 2^-30: vector instructions find the least of them, and equal
# averages are equal. Clusters merged at a distance that rounds to 0 in units of 1/65536 always go
# together, so both are no masks.
ONE = 2.0**30
FAR = np.int32(2**31 - 1)
TOGETHER = 2**13
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
    gone: np.ndarray  # FAR for the rows of the distances that hold no cluster any more, else 0
    cluster: np.ndarray  # the node at each row
    size: np.ndarray  # of each node
    left: np.ndarray
    right: np.ndarray
    dropped: np.ndarray  # whether a node is no mask
    place: np.ndarray  # where the interval of a node begins
    chain: np.ndarray
    ones: np.ndarray  # how many solutions have each bit
    own: np.ndarray  # the entropy of each bit
    joint: np.ndarray  # and of each with a given one


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
        distance=np.zeros((n, n), np.int32),
        gone=np.zeros(n, np.int32),
        cluster=np.zeros(n, np.int64),
        size=np.zeros(2 * n, np.int64),
        left=np.zeros(2 * n, np.int64),
        right=np.zeros(2 * n, np.int64),
        dropped=np.zeros(2 * n, np.bool_),
        place=np.zeros(2 * n, np.int64),
        chain=np.zeros(n + 1, np.int64),
        ones=np.zeros(n, np.int64),
        own=np.zeros(n, np.float64),
        joint=np.zeros(n, np.float64),
    )


@part
def build(random, tree, shop, pairs, total, table):
    """Build the tree of a population of `total`, given how often each pair of bits is 1 and 1.

    `pairs` is the upper triangle, row after row, each from the diagonal on.
    """
    measure(shop, pairs, total, table)
    agglomerate(random, shop)
    arrange(random, tree, shop)


def triangle_size(n: int) -> int:
    """How many pairs n bits have, each bit with itself included."""
    return n * (n + 1) // 2


@inlined
def row_start(i, n):
    """Where the row of bit i begins in the triangle of pairs."""
    return i * n - i * (i - 1) // 2


@part
def measure(shop, pairs, total, table):
    """The distances of all pairs."""
    n = shop.own.size
    constant = table[total]
    for i in range(n):
        shop.ones[i] = pairs[row_start(i, n)]
        shop.own[i] = constant + entropy(table, total, shop.ones[i])
    for i in range(n):
        shop.distance[i, i] = FAR  # a cluster is not its own neighbour
        joint, ones, own = shop.joint[i + 1 :], shop.ones[i + 1 :], shop.own[i + 1 :]
        row, distance = pairs[row_start(i, n) + 1 :], shop.distance[i][i + 1 :]
        for j in range(own.size):
            joint[j] = constant + joint_entropy(
                table, total, shop.ones[i], ones[j], np.int64(row[j])
            )
        for j in range(own.size):
            shared = (shop.own[i] + own[j]) / joint[j] if joint[j] > 0.0 else 2.0
            distance[j] = np.int32((2.0 - shared) * ONE + 0.5)
    mirror(shop.distance)


@part
def mirror(distance):
    """Copy the upper triangle to the lower one, tile by tile for the sake of the cache."""
    n = distance.shape[0]
    for first in range(0, n, TILE):
        for second in range(first, n, TILE):
            for j in range(second, min(second + TILE, n)):
                row = distance[j]
                for i in range(first, min(first + TILE, j)):
                    row[i] = distance[i, j]


@part
def agglomerate(random, shop):
    """Merge nearest neighbours until one cluster is left; nodes are numbered as they are made."""
    n = shop.own.size
    for row in range(n):
        shop.cluster[row] = row
        shop.gone[row] = 0
        shop.size[row] = 1
    length = 0
    for node in range(n, 2 * n - 1):
        if length == 0:
            shop.chain[0] = some_row(random, shop.gone, 2 * n - node)
            length = 1
        while True:
            top = shop.chain[length - 1]
            previous = shop.chain[length - 2] if length > 1 else -1
            nearest = nearest_of(random, shop.distance[top], shop.gone, previous)
            if nearest == previous:
                break
            shop.chain[length] = nearest
            length += 1
        length -= 2
        merge(shop, node, min(top, previous), max(top, previous))


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
def nearest_of(random, distances, gone, previous):
    """The row at the least distance: the previous one if it is, else a uniform one of them."""
    least = FAR
    for row in range(gone.size):
        least = min(least, np.int32(distances[row] | gone[row]))
    if previous >= 0 and distances[previous] == least:
        return previous
    ties = 0
    for row in range(gone.size):
        ties += np.int32(distances[row] | gone[row]) == least
    chosen = below(random, ties) if ties > 1 else 0
    row = 0
    while True:
        if (distances[row] | gone[row]) == least:
            if chosen == 0:
                return row
            chosen -= 1
        row += 1


@part
def merge(shop, node, kept, freed):
    """Merge the clusters of two rows into the first; the second holds none any more."""
    distance = shop.distance
    a, b = shop.cluster[kept], shop.cluster[freed]
    together = distance[kept, freed] < TOGETHER
    shop.dropped[a] = together
    shop.dropped[b] = together
    shop.dropped[node] = False
    shop.left[node] = a
    shop.right[node] = b
    shop.size[node] = shop.size[a] + shop.size[b]
    shop.cluster[kept] = node
    shop.gone[freed] = FAR
    mine, other = distance[kept], distance[freed]
    first, second, both = float(shop.size[a]), float(shop.size[b]), float(shop.size[node])
    for row in range(mine.size):
        mine[row] = np.int32((first * mine[row] + second * other[row]) / both + 0.5)
    mine[kept] = FAR
    for row in range(mine.size):
        if shop.gone[row] == 0:
            distance[row, kept] = mine[row]


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
    shuffle(random, tree.low[singles:masks])
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
