"""Linkage trees: hierarchical clusters of dependent bits or variables, learned from a population.

D. Thierens, "The linkage tree genetic algorithm", PPSN XI (2010). Bits are clustered by average
linkage of their distances (see `distances.py`), in O(n^2) by nearest-neighbour chains:
F. Murtagh, "A survey of recent advances in hierarchical clustering algorithms", The Computer
Journal 26 (1983) 354-359.

Every cluster is a mask for crossover. The leaves are ordered such that each cluster is an interval,
so that two numbers represent a mask.

A cluster has a row of the matrix of distances, and a position, which is its column. Initially both
are the index of its bit. When two clusters are merged, the distances of the new cluster are stored
in the row of the first one, and its position is a new one behind all others. So the columns of
successive clusters are adjacent, and the distances of eight of them are written into the other rows
at once. When half of the clusters are gone, the matrix is compacted. In a small matrix, a merged
cluster simply keeps the position of the first one.
"""

from typing import NamedTuple

import numpy as np

from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.compiled.packed import (
    SIDE,
    average_word,
    contains,
    equal_word,
    lowest_bit,
    popcount,
    row_minimum,
    scatter_rows,
    words_for,
)
from catcube.engine.distances import FAR, Distances, measure, mirror, new_distances
from catcube.engine.rng import below, shuffle

# Two clusters whose distance rounds to 0 in units of 1/65536 always go together, so that neither of
# them is a mask.
TOGETHER = 2**13
# Averages are rounded to the nearest integer, halves up. An average of up to 2^17 distances that is
# not exactly a half differs from it by at least 2^-18, and its computed value by at most 2^-21.
HALF = 0.5 + 2.0**-20
FEW = 64  # rows of a small matrix
BIT = np.uint64(1)


class Workspace(NamedTuple):
    """Memory to build a tree, shared by all trees."""

    distances: Distances
    leasts: np.ndarray  # the minima of a row (see `row_minimum`)
    latest: np.ndarray  # the distances between the latest eight clusters
    dropped: np.ndarray  # for each node, whether it is not a mask
    chain: np.ndarray  # the positions of the nearest-neighbour chain
    row: np.ndarray  # the row of each position
    gone: np.ndarray  # for each position, 0 if there is a cluster, else FAR
    position: np.ndarray  # the position of the cluster in each row
    cluster: np.ndarray  # the node in each row
    alive: np.ndarray  # for each row, a bit: whether there is a cluster
    nearest: np.ndarray  # for each row, a bit: whether its distance is the minimum
    size: np.ndarray  # the number of leaves of each node
    left: np.ndarray
    right: np.ndarray
    start: np.ndarray  # where the interval of a node begins


def new_workspace(n: int, most: int) -> Workspace:
    """Allocate memory to build trees of n leaves from up to `most` solutions."""
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
def merge_capacity(rows):
    """Return the number of merges after which a matrix of `rows` rows is compacted."""
    return (rows // 2 + SIDE - 1) // SIDE * SIDE


@inlined
def first_free(rows):
    """Return the first position of a merged cluster in a matrix of `rows` rows."""
    return (rows + 63) // 64 * 64


@part
def agglomerate(random, work):
    """Merge nearest neighbours until one cluster is left; nodes are numbered in this order."""
    n = work.cluster.size
    for row in range(n):
        work.cluster[row] = row
        work.size[row] = 1
    reset_rows(work, n)
    rows, end, length = n, first_free(n), 0
    for node in range(n, 2 * n - 1):
        count = 2 * n - node
        if rows > FEW and end == first_free(rows) + merge_capacity(rows):
            compact(work, rows, count, length)
            rows, end = count, first_free(count)
        if length == 0:
            work.chain[0] = work.position[nth_set_bit(work.alive, below(random, count))]
            length = 1
        while True:
            top = work.chain[length - 1]
            previous = work.chain[length - 2] if length > 1 else -1
            nearest = find_nearest(random, work, top, previous, first_free(rows), end)
            if nearest == previous:
                break
            work.chain[length] = nearest
            length += 1
        length -= 2
        complete_row(work, previous, end)
        if work.row[top] < work.row[previous]:
            top, previous = previous, top
        merge(work, node, previous, top, end)
        if rows > FEW:
            move_cluster(work, previous, end)
            end += 1
            if end % SIDE == 0:
                write_columns(work, end - SIDE)
        else:
            write_column(work, previous)


@part
def reset_rows(work, rows):
    """Assign the first `rows` rows to clusters whose positions are their indices."""
    for position in range(work.gone.size):
        work.row[position] = position
        work.gone[position] = 0 if position < rows else FAR
    for w in range(work.alive.size):
        work.alive[w] = 0
    for row in range(rows):
        work.position[row] = row
        work.alive[row >> 6] |= BIT << np.uint64(row & 63)


@inlined
def nth_set_bit(words, rank):
    """Return the index of the set bit with this rank, from 0."""
    w = 0
    while rank >= popcount(words[w]):
        rank -= popcount(words[w])
        w += 1
    word = words[w]
    for _ in range(rank):
        word &= word - BIT
    return 64 * w + lowest_bit(word)


@inlined
def complete_row(work, position, end):
    """Add the distances from the latest clusters, which are in their rows only, to a row."""
    matrix = work.distances.matrix
    row = matrix[unsigned(work.row[unsigned(position)])]
    for latest in range(max(end // SIDE * SIDE, position + 1), end):
        row[unsigned(latest)] = matrix[unsigned(work.row[unsigned(latest)]), unsigned(position)]


@inlined
def find_nearest(random, work, top, previous, behind, end):
    """Return the position of a nearest neighbour: `previous` if it is one, else a random one."""
    complete_row(work, top, end)
    row = work.distances.matrix[unsigned(work.row[unsigned(top)])]
    gone, leasts, nearest = work.gone, work.leasts, work.nearest
    words = (end + 63) // 64
    least = row_minimum(row, gone, words, leasts)
    if previous >= 0 and row[unsigned(previous)] == least:
        return previous
    # Ties are ordered by row, so that they do not depend on when the matrix is compacted.
    ties, found = 0, np.int64(0)
    for w in range(behind // 64):
        nearest[w] = 0
        if contains(leasts, SIDE * w, least):
            nearest[w] = equal_word(row, gone, 64 * w, least)
            ties += popcount(nearest[w])
            found = 64 * w + lowest_bit(nearest[w])
    for w in range(behind // 64, words):
        if contains(leasts, SIDE * w, least):
            equal = equal_word(row, gone, 64 * w, least)
            ties += popcount(equal)
            while equal != 0:
                found = np.int64(work.row[unsigned(64 * w + lowest_bit(equal))])
                nearest[unsigned(found >> 6)] |= BIT << np.uint64(found & 63)
                equal &= equal - BIT
    if ties > 1:
        found = nth_set_bit(nearest, below(random, ties))
    return work.position[unsigned(found)]


@inlined
def merge(work, node, kept, freed, end):
    """Merge the clusters at two positions into the row of the first one, up to column `end`."""
    matrix = work.distances.matrix
    row, freed_row = np.int64(work.row[kept]), np.int64(work.row[freed])
    a, b = work.cluster[row], work.cluster[freed_row]
    together = matrix[row, freed] < TOGETHER
    work.dropped[a] = together
    work.dropped[b] = together
    work.dropped[node] = False
    work.left[node] = a
    work.right[node] = b
    work.size[node] = work.size[a] + work.size[b]
    work.cluster[row] = node
    if work.size[a] == work.size[b]:
        mine, other = matrix[row], matrix[freed_row]
        for start in range(0, end, 64):
            average_word(mine, other, start)
    else:
        first, second = work.size[a] / work.size[node], work.size[b] / work.size[node]
        mine, other = matrix[row][:end], matrix[freed_row]
        for k in range(mine.size):
            mine[k] = np.int32(first * mine[k] + second * other[k] + HALF)
    work.gone[freed] = FAR
    work.alive[freed_row >> 6] ^= BIT << np.uint64(freed_row & 63)


@inlined
def move_cluster(work, position, end):
    """Move a merged cluster to a new position at the end."""
    row = work.row[position]
    work.distances.matrix[row, end] = FAR  # a cluster is not a neighbour of itself
    work.gone[position] = FAR
    work.gone[end] = 0
    work.row[end] = row
    work.position[row] = end


@inlined
def write_column(work, position):
    """Write the distances of a merged cluster that keeps its position into all other rows."""
    matrix = work.distances.matrix
    row = matrix[position]
    row[position] = FAR
    for w in range(work.alive.size):
        alive = work.alive[w]
        while alive != 0:
            other = unsigned(64 * w + lowest_bit(alive))
            matrix[other, unsigned(position)] = row[other]
            alive &= alive - BIT


@part
def write_columns(work, first):
    """Write the distances of the latest eight clusters into the rows of all others.

    A row is written once for each position that it has had; the last one is valid.
    """
    matrix, rows, latest = work.distances.matrix, work.row, work.latest
    for k in range(SIDE):
        for other in range(k + 1):
            latest[k, other] = latest[other, k] = matrix[rows[first + k], first + other]
    scatter_rows(matrix, rows, work.gone, first)
    for k in range(SIDE):
        for other in range(SIDE):
            matrix[rows[first + k], first + other] = latest[k, other]


@part
def compact(work, rows, count, length):
    """Remove the rows and columns without a cluster, and keep the order of the rows."""
    matrix = work.distances.matrix
    for k in range(length):
        work.chain[k] = work.row[work.chain[k]]
    kept = 0
    for row in range(rows):
        work.row[kept] = row
        if (work.alive[row >> 6] >> np.uint64(row & 63)) & BIT != 0:
            work.position[kept] = work.position[row]
            work.cluster[kept] = work.cluster[row]
            for k in range(length):
                if work.chain[k] == row:
                    work.chain[k] = kept
            kept += 1
    columns = work.position[:count]
    for kept in range(count):
        source, target = matrix[unsigned(work.row[kept])], matrix[kept]
        for k in range(kept, columns.size):
            target[k] = source[unsigned(columns[k])]
    mirror(matrix, count)
    reset_rows(work, count)


class Tree(NamedTuple):
    """The order of the leaves, and the masks in the order in which they are used."""

    order: np.ndarray
    low: np.ndarray  # mask k consists of order[low[k]:high[k]]
    high: np.ndarray
    masks: np.ndarray  # [number of masks]
    version: np.ndarray  # [how often it was built]


def new_tree(n: int, *count: int) -> Tree:
    """Allocate memory for a tree of n leaves, or for several trees in rows of the arrays."""
    return Tree(*(np.zeros((*count, size), np.int64) for size in (n, 2 * n, 2 * n, 1, 1)))


@part
def build_tree(random, tree, work, pairs, total, table, newcomer):
    """Build the tree of a population, given the number of solutions with each pair of bits.

    A newcomer, which may be empty, is included in `total` but not yet in `pairs`.
    """
    measure(work.distances, pairs, total, table, newcomer)
    agglomerate(random, work)
    order_leaves(random, tree, work)


@part
def build_variable_tree(random, tree, work, variables):
    """Build the tree of variables whose distances have been computed."""
    agglomerate(random, work)
    order_leaves(random, tree, work)
    for leaf in range(tree.order.size):
        tree.order[leaf] = variables[unsigned(tree.order[leaf])]


@part
def order_leaves(random, tree, work):
    """Order the leaves such that clusters are intervals; list the masks, latest merges first."""
    n = work.cluster.size
    root = 2 * n - 2
    masks = 0
    work.start[root] = 0
    for node in range(root, n - 1, -1):
        a, b = work.left[node], work.right[node]
        work.start[a] = work.start[node]
        work.start[b] = work.start[node] + work.size[a]
        if node != root and not work.dropped[node]:
            masks = add_mask(tree, masks, work.start[node], work.size[node])
    singles = masks
    for leaf in range(n):
        tree.order[work.start[leaf]] = leaf
        if n > 1 and not work.dropped[leaf]:
            masks = add_mask(tree, masks, work.start[leaf], 1)
    shuffle(random, tree.low[singles:masks])
    for k in range(singles, masks):
        tree.high[k] = tree.low[k] + 1
    tree.masks[0] = masks
    tree.version[0] += 1


@inlined
def add_mask(tree, masks, start, size):
    """Add the interval of a cluster to the masks; return their number."""
    tree.low[unsigned(masks)] = start
    tree.high[unsigned(masks)] = start + size
    return masks + 1
