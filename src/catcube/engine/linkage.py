"""Linkage trees: which bits, or variables, belong together, learned from a population.

D. Thierens, "The linkage tree genetic algorithm", PPSN XI (2010). They are clustered by average
linkage of their distances (see `distances.py`), in O(n^2) by nearest-neighbour chains:
F. Murtagh, "A survey of recent advances in hierarchical clustering algorithms", The Computer
Journal 26 (1983) 354-359.

Every cluster is a mask for crossover. The leaves are put in an order in which each cluster is an
interval, so that a mask is two numbers.

A cluster has a row of the matrix of distances and a position, which is its column. At first both
are the number of its bit. Two clusters that are merged leave their distances in the row of the
first one, and get a new position behind all others. So the columns of clusters that are merged one
after the other lie side by side, and the distances of eight of them are written into the rows of
all others at once. When half of the clusters are gone the matrix is made smaller. A small matrix
stays as it is: there a merged cluster keeps the position of the first one.
"""

from typing import NamedTuple

import numpy as np

from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.compiled.packed import (
    SIDE,
    equal_word,
    holds,
    least_of_row,
    lowest,
    middle_word,
    ones,
    spread_rows,
    words_for,
)
from catcube.engine.distances import FAR, Distances, measure, mirror, new_distances
from catcube.engine.rng import below, shuffle

# Clusters merged at a distance that rounds to 0 in units of 1/65536 always go together, so both
# are no masks.
TOGETHER = 2**13
# Averages are rounded to the nearest integer, halves up. Those of up to 2^17 distances that are
# not exact halves are at least 2^-18 from one, and those computed are within 2^-21 of the truth.
HALF = 0.5 + 2.0**-20
FEW = 64  # clusters whose matrix is small
BIT = np.uint64(1)


class Workspace(NamedTuple):
    """What is needed only while a tree is built; one for all trees."""

    distances: Distances
    leasts: np.ndarray  # of a row: see `least_of_row`
    latest: np.ndarray  # the distances of the latest eight clusters from each other
    dropped: np.ndarray  # whether a node is no mask
    chain: np.ndarray  # positions
    row: np.ndarray  # of each position
    gone: np.ndarray  # FAR for positions that hold no cluster, or none any more, else 0
    position: np.ndarray  # of the cluster in each row
    cluster: np.ndarray  # the node in each row
    alive: np.ndarray  # a bit for each row, whether it holds a cluster
    nearest: np.ndarray  # a bit for each row, whether it is at the least of all distances
    size: np.ndarray  # of each node
    left: np.ndarray
    right: np.ndarray
    start: np.ndarray  # where the interval of a node begins


def new_workspace(n: int, most: int) -> Workspace:
    """Allocate memory to build trees of n leaves, learned from up to `most` solutions."""
    positions = 64 * (words_for(n) + (words_for(n // 2 + SIDE) if n > FEW else 0))
    return Workspace(
        new_distances(n, most, positions),
        np.zeros(positions // SIDE, np.int32),
        np.zeros((SIDE, SIDE), np.int32),
        np.zeros(2 * n, np.bool_),
        np.zeros(n + 1, np.int64),
        *np.zeros((2, positions), np.int32),
        *np.zeros((2, n), np.int64),
        *np.zeros((2, words_for(n)), np.uint64),
        *np.zeros((4, 2 * n), np.int64),
    )


@inlined
def capacity_behind(rows):
    """Return the number of merges before a matrix of `rows` rows is made smaller."""
    return (rows // 2 + SIDE - 1) // SIDE * SIDE


@inlined
def first_behind(rows):
    """Return the first position after those of `rows` rows."""
    return (rows + 63) // 64 * 64


@part
def agglomerate(random, shop):
    """Merge nearest neighbours until one cluster is left; nodes are numbered as they are made."""
    n = shop.cluster.size
    for row in range(n):
        shop.cluster[row] = row
        shop.size[row] = 1
    begin(shop, n)
    rows, end, length = n, first_behind(n), 0
    for node in range(n, 2 * n - 1):
        count = 2 * n - node
        if rows > FEW and end == first_behind(rows) + capacity_behind(rows):
            shrink(shop, rows, count, length)
            rows, end = count, first_behind(count)
        if length == 0:
            shop.chain[0] = shop.position[chosen_bit(shop.alive, below(random, count))]
            length = 1
        while True:
            top = shop.chain[length - 1]
            previous = shop.chain[length - 2] if length > 1 else -1
            nearest = nearest_of(random, shop, top, previous, first_behind(rows), end)
            if nearest == previous:
                break
            shop.chain[length] = nearest
            length += 1
        length -= 2
        complete(shop, previous, end)
        if shop.row[top] < shop.row[previous]:
            top, previous = previous, top
        merge(shop, node, previous, top, end)
        if rows > FEW:
            move(shop, previous, end)
            end += 1
            if end % SIDE == 0:
                spread(shop, end - SIDE)
        else:
            write_column(shop, previous)


@part
def begin(shop, rows):
    """Assign a cluster to every row; its position is its number."""
    for position in range(shop.gone.size):
        shop.row[position] = position
        shop.gone[position] = 0 if position < rows else FAR
    for w in range(shop.alive.size):
        shop.alive[w] = 0
    for row in range(rows):
        shop.position[row] = row
        shop.alive[row >> 6] |= BIT << np.uint64(row & 63)


@inlined
def chosen_bit(words, rank):
    """Return the index of the set bit with this rank, from 0."""
    w = 0
    while rank >= ones(words[w]):
        rank -= ones(words[w])
        w += 1
    word = words[w]
    for _ in range(rank):
        word &= word - BIT
    return 64 * w + lowest(word)


@inlined
def complete(shop, position, end):
    """Write the distances from the latest clusters, which are not spread yet, into a row."""
    matrix = shop.distances.matrix
    row = matrix[unsigned(shop.row[unsigned(position)])]
    for latest in range(max(end // SIDE * SIDE, position + 1), end):
        row[unsigned(latest)] = matrix[unsigned(shop.row[unsigned(latest)]), unsigned(position)]


@inlined
def nearest_of(random, shop, top, previous, behind, end):
    """Return the position at the least distance: the previous one if it is, else a random one."""
    complete(shop, top, end)
    row = shop.distances.matrix[unsigned(shop.row[unsigned(top)])]
    gone, leasts, nearest = shop.gone, shop.leasts, shop.nearest
    words = (end + 63) // 64
    least = least_of_row(row, gone, words, leasts)
    if previous >= 0 and row[unsigned(previous)] == least:
        return previous
    # In the order of rows: where clusters were merged does not count.
    ties, found = 0, np.int64(0)
    for w in range(behind // 64):
        nearest[w] = 0
        if holds(leasts, SIDE * w, least):
            nearest[w] = equal_word(row, gone, 64 * w, least)
            ties += ones(nearest[w])
            found = 64 * w + lowest(nearest[w])
    for w in range(behind // 64, words):
        if holds(leasts, SIDE * w, least):
            equal = equal_word(row, gone, 64 * w, least)
            ties += ones(equal)
            while equal != 0:
                found = np.int64(shop.row[unsigned(64 * w + lowest(equal))])
                nearest[unsigned(found >> 6)] |= BIT << np.uint64(found & 63)
                equal &= equal - BIT
    if ties > 1:
        found = chosen_bit(nearest, below(random, ties))
    return shop.position[unsigned(found)]


@inlined
def merge(shop, node, kept, freed, end):
    """Merge the clusters at two positions into the row of the first one, up to the last column."""
    matrix = shop.distances.matrix
    row, freed_row = np.int64(shop.row[kept]), np.int64(shop.row[freed])
    a, b = shop.cluster[row], shop.cluster[freed_row]
    together = matrix[row, freed] < TOGETHER
    shop.dropped[a] = together
    shop.dropped[b] = together
    shop.dropped[node] = False
    shop.left[node] = a
    shop.right[node] = b
    shop.size[node] = shop.size[a] + shop.size[b]
    shop.cluster[row] = node
    if shop.size[a] == shop.size[b]:
        mine, other = matrix[row], matrix[freed_row]
        for start in range(0, end, 64):
            middle_word(mine, other, start)
    else:
        first, second = shop.size[a] / shop.size[node], shop.size[b] / shop.size[node]
        mine, other = matrix[row][:end], matrix[freed_row]
        for k in range(mine.size):
            mine[k] = np.int32(first * mine[k] + second * other[k] + HALF)
    shop.gone[freed] = FAR
    shop.alive[freed_row >> 6] ^= BIT << np.uint64(freed_row & 63)


@inlined
def move(shop, position, end):
    """Move a merged cluster to the position at the end."""
    row = shop.row[position]
    shop.distances.matrix[row, end] = FAR  # a cluster is not a neighbour of itself
    shop.gone[position] = FAR
    shop.gone[end] = 0
    shop.row[end] = row
    shop.position[row] = end


@inlined
def write_column(shop, position):
    """Write the distances from a merged cluster, which keeps its position, into all other rows."""
    matrix = shop.distances.matrix
    row = matrix[position]
    row[position] = FAR
    for w in range(shop.alive.size):
        alive = shop.alive[w]
        while alive != 0:
            other = unsigned(64 * w + lowest(alive))
            matrix[other, unsigned(position)] = row[other]
            alive &= alive - BIT


@part
def spread(shop, first):
    """Write the distances from the latest eight clusters into the rows of all others.

    A row is written for each of its positions; the last one is the cluster's.
    """
    matrix, rows, latest = shop.distances.matrix, shop.row, shop.latest
    for k in range(SIDE):
        for other in range(k + 1):
            latest[k, other] = latest[other, k] = matrix[rows[first + k], first + other]
    spread_rows(matrix, rows, shop.gone, first)
    for k in range(SIDE):
        for other in range(SIDE):
            matrix[rows[first + k], first + other] = latest[k, other]


@part
def shrink(shop, rows, count, length):
    """Leave out the rows and columns without a cluster; the order of the rows stays."""
    matrix = shop.distances.matrix
    for k in range(length):
        shop.chain[k] = shop.row[shop.chain[k]]
    kept = 0
    for row in range(rows):
        shop.row[kept] = row
        if (shop.alive[row >> 6] >> np.uint64(row & 63)) & BIT != 0:
            shop.position[kept] = shop.position[row]
            shop.cluster[kept] = shop.cluster[row]
            for k in range(length):
                if shop.chain[k] == row:
                    shop.chain[k] = kept
            kept += 1
    columns = shop.position[:count]
    for kept in range(count):
        source, target = matrix[unsigned(shop.row[kept])], matrix[kept]
        for k in range(kept, columns.size):
            target[k] = source[unsigned(columns[k])]
    mirror(matrix, count)
    begin(shop, count)


class Tree(NamedTuple):
    """The bits in the order of the leaves, and the masks in the order of their use."""

    order: np.ndarray
    low: np.ndarray  # mask k is order[low[k]:high[k]]
    high: np.ndarray
    masks: np.ndarray  # [number of masks]
    version: np.ndarray  # [how often it was built]


def new_tree(n: int, *count: int) -> Tree:
    """Allocate memory for a tree of n leaves, or for some of them in the rows of its arrays."""
    return Tree(*(np.zeros((*count, size), np.int64) for size in (n, 2 * n, 2 * n, 1, 1)))


@part
def build(random, tree, shop, pairs, total, table, newcomer):
    """Build the tree of a population of `total`, given how often each pair of bits is 1 and 1.

    A newcomer is counted in `total` already, and in the pairs only now; it may have no bits.
    """
    measure(shop.distances, pairs, total, table, newcomer)
    agglomerate(random, shop)
    arrange(random, tree, shop)


@part
def build_of_variables(random, tree, shop, variables):
    """Build the tree of these variables, whose distances are measured already."""
    agglomerate(random, shop)
    arrange(random, tree, shop)
    for leaf in range(tree.order.size):
        tree.order[leaf] = variables[unsigned(tree.order[leaf])]


@part
def arrange(random, tree, shop):
    """Order the leaves so that clusters are intervals; list the masks, the last merged first."""
    n = shop.cluster.size
    root = 2 * n - 2
    masks = 0
    shop.start[root] = 0
    for node in range(root, n - 1, -1):
        a, b = shop.left[node], shop.right[node]
        shop.start[a] = shop.start[node]
        shop.start[b] = shop.start[node] + shop.size[a]
        if node != root and not shop.dropped[node]:
            masks = add_mask(tree, masks, shop.start[node], shop.size[node])
    singles = masks
    for leaf in range(n):
        tree.order[shop.start[leaf]] = leaf
        if n > 1 and not shop.dropped[leaf]:
            masks = add_mask(tree, masks, shop.start[leaf], 1)
    shuffle(random, tree.low[singles:masks])
    for k in range(singles, masks):
        tree.high[k] = tree.low[k] + 1
    tree.masks[0] = masks
    tree.version[0] += 1


@inlined
def add_mask(tree, masks, start, size):
    """Add the interval of a cluster; return the number of masks."""
    tree.low[unsigned(masks)] = start
    tree.high[unsigned(masks)] = start + size
    return masks + 1
