"""Optimal mixing: improve a solution by parts of donors under the masks of a linkage tree.

P. A. N. Bosman, D. Thierens, "Linkage neighbors, optimal mixing and forced improvements in genetic
algorithms", GECCO (2012).

On bits, masks are sets of bits and donors packed solutions; on categories, sets of variables and
rows of categories. Point 0 of the search is the solution; point 1 is used to evaluate candidates
that differ from it in so much that changing one bit or variable after the other would cost more
than evaluating all.
"""

from typing import NamedTuple

import numpy as np

from catcube.engine.compiled.dispatch import overload
from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.compiled.packed import lowest_bit, padded_rows
from catcube.engine.decode import pack, unpack
from catcube.engine.distances import entropy_table
from catcube.engine.linkage import Tree, Workspace, new_tree, new_workspace
from catcube.engine.point import (
    evaluate_solution,
    flipped_all,
    place_point,
    point_at,
    take_flips,
    undo_flips,
)
from catcube.engine.recorder import running
from catcube.engine.rng import below
from catcube.engine.search import AnyLayout, Genes, new_solutions

ONE = np.uint64(1)
ALL = np.uint64(2**64 - 1)
MANY = 8  # measured: from here on a full evaluation is cheaper
FEW_BITS = 16  # measured: up to here comparing bit by bit is cheaper than whole words


class Donors(NamedTuple):
    """Solutions: packed bits, or rows of categories.

    Bits are also arranged in the order of a tree's leaves, when needed.
    """

    solutions: np.ndarray
    arranged: np.ndarray
    stamps: np.ndarray  # the version of the tree a row was arranged for


class Mixer(NamedTuple):
    """Memory for a solution in the order of the leaves, and for the changes by a donor."""

    arranged: np.ndarray
    candidate: np.ndarray
    positions: np.ndarray  # bits to flip
    leaves: np.ndarray  # and their positions in the order of the leaves
    bits: np.ndarray


class NativeMixer(NamedTuple):
    """Memory for the changes by a donor."""

    variables: np.ndarray
    moves: np.ndarray
    candidate: np.ndarray


class Mixing(NamedTuple):
    """Donors and their linkage tree, and memory to build it and to mix; or several of the two."""

    donors: Donors
    tree: Tree
    mixer: Mixer | NativeMixer
    workspace: Workspace
    table: np.ndarray  # of entropies


def new_mixing(layout: AnyLayout, informers: int, *count: int) -> Mixing:
    """Allocate memory for solutions, and for trees learned from up to `informers` of them.

    `count` is the number of solutions, or the number of trees and that of solutions for each.
    """
    n = layout.variable.size
    if isinstance(layout, Genes):
        donors = Donors(new_solutions(layout, *count), *np.zeros((2, *count, 0), np.int64))
        changes = np.zeros(n, np.int64), np.zeros(MANY, np.int64)
        mixer: Mixer | NativeMixer = NativeMixer(*changes, new_solutions(layout))
    else:
        solutions, arranged = new_solutions(layout, 2, *count)
        donors = Donors(solutions, arranged, np.zeros(count, np.int64))
        mine, candidate = new_solutions(layout, 2)
        positions, leaves = np.zeros((2, n), np.int64)
        mixer = Mixer(mine, candidate, positions, leaves, padded_rows(1, n)[0])
    tree, workspace = new_tree(n, *count[:-1]), new_workspace(n, informers)
    return Mixing(donors, tree, mixer, workspace, entropy_table(informers))


@inlined
def select_level(mixing, level):
    """Return one of several trees, with its donors."""
    (solutions, arranged, stamps), trees, mixer, workspace, table = mixing
    order, low, high, masks, version = trees
    donors = Donors(solutions[level], arranged[level], stamps[level])
    tree = Tree(order[level], low[level], high[level], masks[level], version[level])
    return Mixing(donors, tree, mixer, workspace, table)


@part
def mix_bits(search, mixing, count, value):
    """Mix the solution, of this value, with the first `count` donors; its value afterwards."""
    tree, donors, mixer = mixing.tree, mixing.donors, mixing.mixer
    point = point_at(search, 0)
    scratch = point_at(search, 1)
    arrange_bits(tree.order, point.bits, mixer.arranged)
    for k in range(tree.masks[0]):
        low, high = tree.low[k], tree.high[k]
        chosen = below(search.random, count)
        if high - low <= FEW_BITS:
            solution = donors.solutions[chosen]
            flips = find_few_differences(mixer, point.bits, solution, tree.order, low, high)
        else:
            arrange_donor(tree, donors, mixer, chosen)
            flips = find_differences(mixer, donors.arranged[chosen], tree.order, low, high)
        if flips == 0:
            continue
        candidate = try_flips(search, point, scratch, mixer, flips, value)
        if candidate <= value:
            value = candidate
            for j in range(flips):
                leaf = mixer.leaves[j]
                mixer.arranged[unsigned(leaf >> 6)] ^= ONE << np.uint64(leaf & 63)
        if not running(search.recorder):
            break
    return value


@inlined
def arrange_donor(tree, donors, mixer, k):
    """Put a donor into the order of the tree's leaves."""
    if donors.stamps[k] != tree.version[0]:
        unpack(donors.solutions[k], mixer.bits)
        arrange_bits(tree.order, mixer.bits, donors.arranged[k])
        donors.stamps[k] = tree.version[0]


@part
def arrange_bits(order, bits, arranged):
    """Pack bits in the order of the leaves."""
    for first in range(0, order.size, 64):
        word = np.uint64(0)
        for k in range(first, min(first + 64, order.size)):
            word |= np.uint64(bits[unsigned(order[k])]) << np.uint64(k & 63)
        arranged[first >> 6] = word


@inlined
def interval_mask(w, low, high):
    """Return the bits of word w that lie in the interval from low to high."""
    mask = ALL
    if w == low >> 6:
        mask &= ALL << np.uint64(low & 63)
    if w == (high - 1) >> 6:
        mask &= ALL >> np.uint64(63 - ((high - 1) & 63))
    return mask


@inlined
def find_differences(mixer, donor, order, low, high):
    """Write the bits in which the donor differs from the solution within a mask; how many."""
    found = 0
    for w in range(low >> 6, ((high - 1) >> 6) + 1):
        different = (mixer.arranged[w] ^ donor[w]) & interval_mask(w, low, high)
        while different != 0:
            k = 64 * w + lowest_bit(different)
            mixer.leaves[unsigned(found)] = k
            mixer.positions[unsigned(found)] = order[unsigned(k)]
            found += 1
            different &= different - ONE
    return found


@inlined
def find_few_differences(mixer, bits, donor, order, low, high):
    """Return the same bit by bit, for masks so small that arranging the donor would not pay."""
    found = 0
    for k in range(low, high):
        i = order[unsigned(k)]
        bit = np.uint64(bits[unsigned(i)])
        if (donor[unsigned(i >> 6)] >> np.uint64(i & 63)) & ONE != bit:
            mixer.leaves[unsigned(found)] = k
            mixer.positions[unsigned(found)] = i
            found += 1
    return found


@inlined
def try_flips(search, point, scratch, mixer, flips, value):
    """Flip the bits at mixer.positions unless that is worse; the value of the candidate."""
    if flips < MANY:
        return make_unless_worse(search, point, mixer.positions, flips, value)
    pack(point.bits, mixer.candidate)
    for k in range(flips):
        i = mixer.positions[k]
        mixer.candidate[unsigned(i >> 6)] ^= ONE << np.uint64(i & 63)
    return place_unless_worse(search, point, scratch, mixer.candidate, value)


@inlined
def make_unless_worse(search, point, moves, count, value):
    """Make some moves unless that is worse: one evaluation; the value of the candidate."""
    candidate = flipped_all(search, point, moves, count, value)
    if candidate <= value:
        take_flips(search, point, moves, count)
    else:
        undo_flips(search, point, moves, count)
    return candidate


@inlined
def place_unless_worse(search, point, scratch, solution, value):
    """Move to a solution unless it is worse: one evaluation; the value of the solution."""
    candidate = evaluate_solution(search, scratch, solution)
    if candidate <= value:
        place_point(search, point, solution)
    return candidate


@part
def same_bits(a, b):
    """Return whether two packed solutions are equal."""
    for w in range(a.size):
        if a[w] != b[w]:
            return False
    return True


@part
def mix_categories(search, mixing, count, value):
    """Mix the solution, of this value, with the first `count` donors; its value afterwards.

    The tree has variables for leaves, not genes (see `build_variable_tree`).
    """
    tree, donors, mixer = mixing.tree, mixing.donors, mixing.mixer
    point = point_at(search, 0)
    scratch = point_at(search, 1)
    for k in range(tree.masks[0]):
        donor = donors.solutions[below(search.random, count)]
        changes = 0
        for leaf in range(tree.low[k], tree.high[k]):
            variable = tree.order[unsigned(leaf)]
            mixer.variables[unsigned(changes)] = variable
            changes += np.int32(donor[unsigned(variable)]) != point.categories[unsigned(variable)]
        if changes == 0:
            continue
        candidate = try_changes(search, point, scratch, mixer, donor, changes, value)
        value = min(value, candidate)
        if not running(search.recorder):
            break
    return value


@inlined
def try_changes(search, point, scratch, mixer, donor, changes, value):
    """Change the variables at mixer.variables to the donor's unless that is worse.

    One evaluation; the value of the candidate.
    """
    if changes < MANY:
        first_move, moves = search.layout.first_move, mixer.moves
        for k in range(changes):
            variable = unsigned(mixer.variables[unsigned(k)])
            category = np.int64(donor[variable])
            before = np.int64(point.categories[variable])
            moves[unsigned(k)] = first_move[variable] + category - (category > before)
        return make_unless_worse(search, point, moves, changes, value)
    store_categories(search, point, mixer.candidate)
    for k in range(changes):
        variable = unsigned(mixer.variables[unsigned(k)])
        mixer.candidate[variable] = donor[variable]
    return place_unless_worse(search, point, scratch, mixer.candidate, value)


@inlined
def store_categories(search, point, row):
    """Write the categories of the point into a row."""
    for variable in range(row.size):
        row[variable] = np.uint16(point.categories[variable])


@inlined
def store_bits(search, point, packed):
    """Keep the solution that a point is at."""
    pack(point.bits, packed)


mix = overload(mix_bits, mix_categories)
"""mix(search, mixing, count, value): mix the solution with donors; its value afterwards."""

store = overload(store_bits, store_categories)
"""store(search, point, solution): write the point into a solution."""
