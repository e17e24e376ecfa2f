"""The parameter-less population pyramid.

B. W. Goldman, W. F. Punch, "Parameter-less population pyramid", GECCO (2014).
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from catcube.algorithms.algorithm import Algorithm, ParameterInfo
from catcube.engine.compiled.arrays import copy_into
from catcube.engine.compiled.dispatch import overload
from catcube.engine.compiled.jit import inlined, njit, part, unsigned
from catcube.engine.compiled.packed import popcount, words_for
from catcube.engine.distances import entropy_table, mirror, row_start, set_row, triangle_size
from catcube.engine.linkage import build_tree, build_variable_tree
from catcube.engine.mixing import Mixing, mix, new_mixing, same_bits, select_level, store
from catcube.engine.point import begin, flip, flipped, point_at
from catcube.engine.recorder import iterate, running
from catcube.engine.rng import shuffle
from catcube.engine.search import AnyLayout, Genes, new_solutions
from catcube.errors import BadValue

SET = np.uint64(1)
# Indices of `Memory.sizes`.
LEVELS, HELD = range(2)
FIRST_LEVELS = 4
FIRST_MEMBERS = 128
PRIME = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(29)


class Parameters(NamedTuple):
    """Parameters of the pyramid."""

    hill_climber: Annotated[
        bool, ParameterInfo("improve new solutions by first-improvement hill climbing")
    ] = True


class Memory(NamedTuple):
    """The levels of the pyramid, one per row of the arrays, and all solutions ever held."""

    sizes: np.ndarray  # the number of levels, and of solutions held
    members: np.ndarray  # the number of solutions of each level
    mixing: Mixing
    counts: Any  # from which distances are computed: counts of pairs of bits, or `Categories`
    held: np.ndarray
    slots: np.ndarray  # a hash table: indices of `held`, or -1
    order: np.ndarray  # scratch: all bits, or all categories of all genes, shuffled
    tried: np.ndarray  # whether each of them has been tried


class Categories(NamedTuple):
    """The statistics of pairs of categories of each level."""

    sums: np.ndarray  # for each pair of genes, the sum of k·log2(k) over the counts k
    sets: np.ndarray  # for each gene and category, the members with this category, as a bit set
    same: np.ndarray  # for each gene, the members with the category of the new member
    steps: np.ndarray  # by how much a sum grows when a count k becomes k + 1
    gene: np.ndarray  # the gene of each category of all genes
    first: np.ndarray  # where the categories of each gene begin


def new_memory(layout: AnyLayout, levels: int, members: int) -> Memory:
    """Return an empty pyramid with memory for some levels, and some members of each."""
    n = layout.variable.size
    if isinstance(layout, Genes):
        choices = int(layout.size.sum())
        counts: Any = Categories(
            sums=np.zeros((levels, triangle_size(n))),
            sets=np.zeros((levels, choices, words_for(members)), np.uint64),
            same=np.zeros((n, words_for(members)), np.uint64),
            steps=np.diff(entropy_table(members)),
            gene=np.repeat(np.arange(n), layout.size),
            first=(np.cumsum(layout.size) - layout.size).astype(np.int64),
        )
    else:
        choices = n
        counts = np.zeros((levels, triangle_size(n)), np.int32)  # members with both bits
    held = 2 * members
    return Memory(
        sizes=np.zeros(2, np.int64),
        members=np.zeros(levels, np.int64),
        mixing=new_mixing(layout, members, levels, members),
        counts=counts,
        held=new_solutions(layout, held),
        slots=np.zeros(4 * held, np.int64),
        order=np.zeros(choices, np.int64),
        tried=np.zeros(choices, np.bool_),
    )


def grow(layout: AnyLayout, memory: Memory) -> Memory:
    """Return a full pyramid in larger arrays, as kernels cannot allocate."""
    levels, members = memory.mixing.donors.solutions.shape[:2]
    if memory.sizes[LEVELS] == levels:
        new = new_memory(layout, levels + FIRST_LEVELS, members)
    else:
        new = new_memory(layout, levels, 2 * members)
    table = new.mixing.table
    # With another unit of the table, the sums would not be valid.
    if isinstance(layout, Genes) and table[2] != memory.mixing.table[2]:
        raise BadValue(
            f"expected at most {members:,} solutions on a level in a native search by p3, got more"
        )
    larger: Memory = _copy_into_corner(memory, new)
    return larger._replace(mixing=larger.mixing._replace(table=table))


def _copy_into_corner(source: Any, target: Any) -> Any:
    """Return nested tuples of arrays; where the target is larger, copied into its corner."""
    if isinstance(source, tuple):
        return type(source)(*map(_copy_into_corner, source, target))
    if source.shape == target.shape:
        return source
    target[tuple(slice(size) for size in source.shape)] = source
    return target


@njit
def kernel(search, parameters, memory):
    """Lead new solutions up the pyramid one by one; return True to request more memory."""
    point = point_at(search, 0)
    rebuild_hash_table(memory)
    while has_room(memory):
        if not iterate(search.recorder):
            return False
        value = begin(search, point)
        if parameters.hill_climber and running(search.recorder):
            value = climb(search, point, value, memory)
        if not running(search.recorder):
            return False
        level = 0
        add(search, memory, level)
        while level < memory.sizes[LEVELS]:
            before = value
            mixing = select_level(memory.mixing, level)
            count = memory.members[level]
            value = mix(search, mixing.tree, mixing.donors, mixing.mixer, count, value)
            if not running(search.recorder):
                return False
            if value < before:
                add(search, memory, level + 1)
            level += 1
    return True


@part
def climb(search, point, value, memory):
    """Make strictly improving moves, in random order, until there are none."""
    left = reset_tried(search, point, memory)
    for k in range(memory.order.size):
        memory.order[k] = k
    while left > 0:
        shuffle(search.random, memory.order)
        for k in memory.order:
            if memory.tried[k]:
                continue
            move, back = move_to(search, point, memory, k)
            candidate = flipped(search, point, move, value)
            if candidate < value:
                flip(search, point, move)
                value = candidate
                left = reset_tried(search, point, memory)
                k = back
            memory.tried[k] = True
            left -= 1
            if not running(search.recorder):
                return value
    return value


@inlined
def reset_tried_bits(search, point, memory):
    """Mark all moves of the point as untried; return their number."""
    for i in range(memory.tried.size):
        memory.tried[i] = False
    return memory.tried.size


@part
def reset_tried_categories(search, point, memory):
    """Mark all moves of the point as untried; return their number.

    The present categories of the point are not moves.
    """
    first, layout = memory.counts.first, search.layout
    reset_tried_bits(search, point, memory)
    for gene in range(first.size):
        category = np.int64(point.categories[unsigned(layout.variable[gene])])
        memory.tried[first[gene] + category] = True
    return layout.moves


@inlined
def flip_of(search, point, memory, i):
    """Return the move that flips bit i, and the index of the move that undoes it."""
    return i, i


@inlined
def change_to(search, point, memory, k):
    """Return the move to category k of all genes, and the index of the category before."""
    layout, gene = search.layout, memory.counts.gene[k]
    variable, first = unsigned(layout.variable[gene]), memory.counts.first[gene]
    category, before = k - first, np.int64(point.categories[variable])
    return layout.first_move[variable] + category - (category > before), first + before


reset_tried = overload(reset_tried_bits, reset_tried_categories)
move_to = overload(flip_of, change_to)


@part
def add(search, memory, level):
    """Add the solution to a level and rebuild its tree, unless the pyramid has held it."""
    solution = memory.mixing.mixer.candidate
    store(search, point_at(search, 0), solution)
    slot = find_slot(memory, solution)
    if memory.slots[slot] >= 0:
        return
    memory.slots[slot] = memory.sizes[HELD]
    copy_into(memory.held[memory.sizes[HELD]], solution)
    memory.sizes[HELD] += 1
    if level == memory.sizes[LEVELS]:
        memory.sizes[LEVELS] += 1
    copy_into(memory.mixing.donors.solutions[level, memory.members[level]], solution)
    memory.members[level] += 1
    learn(search, memory, level, select_level(memory.mixing, level))


@inlined
def learn_bits(search, memory, level, mixing):
    """Update the counts and the tree of a level to which the solution was added."""
    pairs, total = memory.counts[level], memory.members[level]
    newcomer = point_at(search, 0).bits
    build_tree(search.random, mixing.tree, mixing.workspace, pairs, total, mixing.table, newcomer)


@part
def learn_categories(search, memory, level, mixing):
    """Update the sums and the tree of a level to which the latest solution was added."""
    distances, sums, table = mixing.workspace.distances, memory.counts.sums[level], mixing.table
    variables = search.layout.variable
    total = memory.members[level]
    n = variables.size
    add_member(memory, level, total - 1, variables)
    for i in range(n):
        distances.marginal[i] = table[total] - sums[row_start(i, n)]
    for i in range(n):
        row, joint = sums[row_start(i, n) + 1 :], distances.joint[i + 1 :]
        for j in range(joint.size):
            joint[j] = table[total] - row[j]
        set_row(distances, i, n)
    mirror(distances.matrix, n)
    build_variable_tree(search.random, mixing.tree, mixing.workspace, variables)


@inlined
def add_member(memory, level, member, variables):
    """Update the sums for the pairs of categories of a new member of a level."""
    n, counts = variables.size, memory.counts
    row = memory.mixing.donors.solutions[level, member]
    sets, same, sums = counts.sets[level], counts.same, counts.sums[level]
    words = (member + 63) >> 6
    for i in range(n):
        category = np.int64(row[unsigned(variables[i])])
        bitset = sets[unsigned(counts.first[i] + category)]
        for w in range(words):
            same[i, w] = bitset[w]
        bitset[member >> 6] |= SET << np.uint64(member & 63)
    for i in range(n):
        pairs = sums[row_start(i, n) :]
        for j in range(i, n):
            count = 0
            for w in range(words):
                count += popcount(same[unsigned(i), unsigned(w)] & same[unsigned(j), unsigned(w)])
            pairs[unsigned(j - i)] += counts.steps[unsigned(count)]


learn = overload(learn_bits, learn_categories)


@part
def rebuild_hash_table(memory):
    """Fill the hash table, whose size may have changed, with all solutions held."""
    for slot in range(memory.slots.size):
        memory.slots[slot] = -1
    for k in range(memory.sizes[HELD]):
        memory.slots[find_slot(memory, memory.held[k])] = k


@part
def find_slot(memory, solution):
    """Return the slot of a solution in the hash table, or the free slot for it."""
    code = np.uint64(0)
    for w in range(solution.size):
        code = (code ^ solution[w]) * PRIME
        code ^= code >> SHIFT
    last = memory.slots.size - 1
    slot = np.int64(code & np.uint64(last))
    while memory.slots[slot] >= 0 and not same_bits(memory.held[memory.slots[slot]], solution):
        slot = (slot + 1) & last
    return slot


@inlined
def has_room(memory):
    """Return whether there is memory for an iteration: a member per level, and a level."""
    levels = memory.sizes[LEVELS]
    if levels == memory.members.size:
        return False
    for level in range(levels):
        if memory.members[level] == memory.mixing.donors.solutions.shape[1]:
            return False
    return memory.sizes[HELD] + levels + 1 <= memory.held.shape[0]


ALGORITHM = Algorithm(
    name="p3",
    title="parameter-less population pyramid",
    reference="B. W. Goldman, W. F. Punch, GECCO, 2014",
    parameters=Parameters,
    kernel=kernel,
    points=lambda parameters: 2,
    memory=lambda layout, parameters: new_memory(layout, FIRST_LEVELS, FIRST_MEMBERS),
    grow=grow,
    native=True,
    presets={"paper": {"hill_climber": False}},
)
