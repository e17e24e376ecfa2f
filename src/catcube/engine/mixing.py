"""Optimal mixing: improve a solution by copying parts of donors, the masks of a linkage tree.

P. A. N. Bosman, D. Thierens, "Linkage neighbors, optimal mixing and forced improvements in genetic
algorithms", GECCO (2012).

On bits, masks are sets of bits, and donors packed bits; on categories, masks are sets of variables,
and donors rows of categories. Point 0 of the search is the solution. Point 1 is used to evaluate
candidates that differ in many bits or variables, where a full evaluation is faster than flips.
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
MANY = 8  # differences from which on a full evaluation is faster (measured)
FEW_BITS = 16  # bits up to which comparing them one by one is faster than by words (measured)


class Donors(NamedTuple):
    """The solutions from which parts are copied: packed bits, or rows of categories.

    When needed, packed bits are also arranged in the order of the leaves of the tree.
    """

    solutions: np.ndarray
    arranged: np.ndarray
    stamps: np.ndarray  # for each row of `arranged`, the version of the tree


class Mixer(NamedTuple):
    """Memory for a solution in the order of the leaves, and for its differences from a donor."""

    arranged: np.ndarray
    candidate: np.ndarray
    positions: np.ndarray  # the bits to flip
    leaves: np.ndarray  # their positions in the order of the leaves
    bits: np.ndarray


class NativeMixer(NamedTuple):
    """Memory for the differences from a donor."""

    variables: np.ndarray
    moves: np.ndarray
    candidate: np.ndarray


class Mixing(NamedTuple):
    """Donors and their linkage tree, or several of both, and memory for building and mixing."""

    donors: Donors
    tree: Tree
    mixer: Mixer | NativeMixer
    workspace: Workspace
    table: np.ndarray  # k·log2(k)


def new_mixing(layout: AnyLayout, informers: int, *count: int) -> Mixing:
    """Allocate memory for solutions, and for trees learned from up to `informers` solutions.

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
    """Return one of several trees and its donors."""
    (solutions, arranged, stamps), trees, mixer, workspace, table = mixing
    order, low, high, masks, version = trees
    donors = Donors(solutions[level], arranged[level], stamps[level])
    tree = Tree(order[level], low[level], high[level], masks[level], version[level])
    return Mixing(donors, tree, mixer, workspace, table)


@part
def mix_bits(search, tree, donors, mixer, count, value):
    """Mix the solution with the first `count` donors; return its new value."""
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
    """Arrange the bits of a donor in the order of the leaves, unless they are."""
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
    """Return a mask of the bits of word w that are in the interval from `low` to `high`."""
    mask = ALL
    if w == low >> 6:
        mask &= ALL << np.uint64(low & 63)
    if w == (high - 1) >> 6:
        mask &= ALL >> np.uint64(63 - ((high - 1) & 63))
    return mask


@inlined
def find_differences(mixer, donor, order, low, high):
    """Write the bits of a mask in which the donor differs; return their number."""
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
    """Do the same bit by bit, for small masks, without arranging the donor."""
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
    """Flip the bits mixer.positions unless that is worse; return the value of the candidate."""
    if flips < MANY:
        return make_unless_worse(search, point, mixer.positions, flips, value)
    pack(point.bits, mixer.candidate)
    for k in range(flips):
        i = mixer.positions[k]
        mixer.candidate[unsigned(i >> 6)] ^= ONE << np.uint64(i & 63)
    return place_unless_worse(search, point, scratch, mixer.candidate, value)


@inlined
def make_unless_worse(search, point, moves, count, value):
    """Make several moves unless that is worse; return the value of the candidate."""
    candidate = flipped_all(search, point, moves, count, value)
    if candidate <= value:
        take_flips(search, point, moves, count)
    else:
        undo_flips(search, point, moves, count)
    return candidate


@inlined
def place_unless_worse(search, point, scratch, solution, value):
    """Set the point to a solution unless it is worse; return the value of the solution."""
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
def mix_categories(search, tree, donors, mixer, count, value):
    """Mix the solution with the first `count` donors; return its new value.

    The leaves of the tree are variables, not genes (see `build_variable_tree`).
    """
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
    """Copy mixer.variables from the donor unless that is worse; return the candidate's value."""
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
    """Write the categories of a point to a row."""
    for variable in range(row.size):
        row[variable] = np.uint16(point.categories[variable])


@inlined
def store_bits(search, point, packed):
    """Write the bits of a point to packed bits."""
    pack(point.bits, packed)


mix = overload(mix_bits, mix_categories)
"""Mix the solution with donors, and return its new value.

`mix(search, tree, donors, mixer, count, value)`: three arguments, because with a single `Mixing`
for them ltga took a sixth longer on categories (measured).
"""

store = overload(store_bits, store_categories)
"""Write a point to a solution: `store(search, point, solution)`."""
