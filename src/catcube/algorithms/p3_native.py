"""The pyramid on categories: what differs from that on bits.

For each level and pair of variables the sum of k·log2(k) over the counts k of pairs of categories
is kept. A new member raises one of these counts; which, the sets of members that share its category
say, so that no count is kept, and a level takes no more memory for many categories.
"""

from typing import NamedTuple

import numpy as np

from catcube.engine.clusters import Workshop, agglomerate, new_workshop
from catcube.engine.compiled.dispatch import native
from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.compiled.packed import ones, words_for
from catcube.engine.distances import mirror, row_start, triangle_size
from catcube.engine.information import entropy_table
from catcube.engine.linkage import Tree, arrange
from catcube.engine.native_distances import set_row
from catcube.engine.native_mixing import NativeDonors, NativeMixer, name_leaves, new_native_mixer
from catcube.engine.point import flip, flipped
from catcube.engine.recorder import running
from catcube.engine.rng import shuffle
from catcube.engine.search import CATEGORY, Genes

SET = np.uint64(1)


@native
class NativeMemory(NamedTuple):
    """The levels of the pyramid, a row each, and all solutions it has ever held."""

    sizes: np.ndarray
    members: np.ndarray
    donors: NativeDonors
    sums: np.ndarray  # for each level and pair of genes
    sets: np.ndarray  # for each level, gene and category, the members that have it, as bits
    same: np.ndarray  # for each gene, the members that have the category of the new one
    steps: np.ndarray  # by how much a sum grows when a count becomes larger than k
    trees: Tree
    held: np.ndarray
    slots: np.ndarray
    table: np.ndarray
    workshop: Workshop
    mixer: NativeMixer
    order: np.ndarray  # of all categories of all genes
    tried: np.ndarray
    gene: np.ndarray  # of each of them
    first: np.ndarray  # where those of each gene begin


def new_native_memory(genes: Genes, levels: int, members: int) -> NativeMemory:
    """Return an empty pyramid with room for so many levels of so many members."""
    n, variables, categories = genes.size.size, genes.first_move.size, int(genes.size.sum())
    held = 2 * members
    table = entropy_table(members)
    return NativeMemory(
        sizes=np.zeros(2, np.int64),
        members=np.zeros(levels, np.int64),
        donors=NativeDonors(np.zeros((levels, members, variables), CATEGORY)),
        sums=np.zeros((levels, triangle_size(n))),
        sets=np.zeros((levels, categories, words_for(members)), np.uint64),
        same=np.zeros((n, words_for(members)), np.uint64),
        steps=np.diff(table),
        trees=Tree(
            np.zeros((levels, n), np.int64),
            np.zeros((levels, 2 * n), np.int64),
            np.zeros((levels, 2 * n), np.int64),
            np.zeros((levels, 1), np.int64),
            np.zeros((levels, 1), np.int64),
        ),
        held=np.zeros((held, variables), CATEGORY),
        slots=np.zeros(4 * held, np.int64),
        table=table,
        workshop=new_workshop(n, members),
        mixer=new_native_mixer(genes),
        order=np.zeros(categories, np.int64),
        tried=np.zeros(categories, np.bool_),
        gene=np.repeat(np.arange(n), genes.size),
        first=(np.cumsum(genes.size) - genes.size).astype(np.int64),
    )


@part
def climb_categories(search, point, value, memory):
    """Try all categories of all variables in random order, keep what is strictly better."""
    layout = search.layout
    left = forget(memory, layout, point)
    for k in range(memory.order.size):
        memory.order[k] = k
    while left > 0:
        shuffle(search.random, memory.order)
        for k in memory.order:
            if memory.tried[k]:
                continue
            gene = memory.gene[k]
            variable = unsigned(layout.variable[gene])
            category = k - memory.first[gene]
            before = np.int64(point.categories[variable])
            move = layout.first_move[variable] + category - (category > before)
            candidate = flipped(search, point, move, value)
            if candidate < value:
                flip(search, point, move)
                value = candidate
                left = forget(memory, layout, point)
                k = memory.first[gene] + before  # the way back is known
            memory.tried[k] = True
            left -= 1
            if not running(search.recorder):
                return value
    return value


@part
def forget(memory, layout, point):
    """Take all moves of the point for untried; how many they are."""
    for k in range(memory.tried.size):
        memory.tried[k] = False
    for gene in range(memory.first.size):
        category = np.int64(point.categories[unsigned(layout.variable[gene])])
        memory.tried[memory.first[gene] + category] = True
    return layout.moves


@part
def learn_categories(search, memory, level, tree):
    """Renew the sums and the tree of a level to which the last solution held was added."""
    distances, sums = memory.workshop.distances, memory.sums[level]
    variables = search.layout.variable
    total = memory.members[level]
    n = variables.size
    add_member(memory, level, total - 1, variables)
    for i in range(n):
        distances.marginal[i] = memory.table[total] - sums[row_start(i, n)]
    for i in range(n):
        row, joint = sums[row_start(i, n) + 1 :], distances.joint[i + 1 :]
        for j in range(joint.size):
            joint[j] = memory.table[total] - row[j]
        set_row(distances, i, n)
    mirror(distances.matrix, n)
    agglomerate(search.random, memory.workshop)
    arrange(search.random, tree, memory.workshop)
    name_leaves(tree, variables)


@inlined
def add_member(memory, level, member, variables):
    """Raise the counts of the pairs of categories that a new member of a level has."""
    n = variables.size
    row = memory.donors.solutions[level, member]
    sets, same, sums = memory.sets[level], memory.same, memory.sums[level]
    words = (member + 63) >> 6
    for i in range(n):
        category = np.int64(row[unsigned(variables[i])])
        bitset = sets[unsigned(memory.first[i] + category)]
        for w in range(words):
            same[i, w] = bitset[w]
        bitset[member >> 6] |= SET << np.uint64(member & 63)
    for i in range(n):
        pairs = sums[row_start(i, n) :]
        for j in range(i, n):
            count = 0
            for w in range(words):
                count += ones(same[unsigned(i), unsigned(w)] & same[unsigned(j), unsigned(w)])
            pairs[unsigned(j - i)] += memory.steps[unsigned(count)]
