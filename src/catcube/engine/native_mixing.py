"""Optimal mixing on categories: masks are sets of variables, donors rows of categories.

Point 0 of the search is the solution; point 1 is room to evaluate candidates that differ from it
in so many variables that changing them one by one would cost more than evaluating all.
"""

from typing import NamedTuple

import numpy as np

from catcube.engine.compiled.entry import call_prepare
from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.native import evaluate_row, point_at, set_categories
from catcube.engine.point import flipped_all, take_flips, undo_flips
from catcube.engine.recorder import commit_best, running
from catcube.engine.rng import below
from catcube.engine.search import CATEGORY, Genes

MANY_CHANGES = 8  # measured: from here on a full evaluation is cheaper


class NativeDonors(NamedTuple):
    """Solutions, one row of categories each."""

    solutions: np.ndarray


class NativeMixer(NamedTuple):
    """Room for what a donor would change."""

    variables: np.ndarray
    moves: np.ndarray
    candidate: np.ndarray


def new_native_mixer(genes: Genes) -> NativeMixer:
    """Allocate room to mix solutions."""
    return NativeMixer(
        variables=np.zeros(genes.variable.size, np.int64),
        moves=np.zeros(MANY_CHANGES, np.int64),
        candidate=np.zeros(genes.first_move.size, CATEGORY),
    )


@part
def mix(search, tree, donors, count, mixer, value):
    """Mix the solution, of this value, with the first `count` donors; its value afterwards.

    The tree has variables for leaves, not genes (see `name_leaves`).
    """
    point = point_at(search, 0)
    room = point_at(search, 1)
    for k in range(tree.masks[0]):
        donor = donors.solutions[below(search.random, count)]
        changes = 0
        for leaf in range(tree.low[k], tree.high[k]):
            variable = tree.order[unsigned(leaf)]
            mixer.variables[unsigned(changes)] = variable
            changes += np.int32(donor[unsigned(variable)]) != point.categories[unsigned(variable)]
        if changes == 0:
            continue
        candidate = try_changes(search, point, room, mixer, donor, changes, value)
        value = min(value, candidate)
        if not running(search.recorder):
            break
    return value


@inlined
def try_changes(search, point, room, mixer, donor, changes, value):
    """Change the variables at mixer.variables to the donor's unless that is worse.

    One evaluation; the value of the candidate. The point is there if it is not worse.
    """
    if changes < MANY_CHANGES:
        first_move, moves = search.layout.first_move, mixer.moves
        for k in range(changes):
            variable = unsigned(mixer.variables[unsigned(k)])
            category = np.int64(donor[variable])
            before = np.int64(point.categories[variable])
            moves[unsigned(k)] = first_move[variable] + category - (category > before)
        candidate = flipped_all(search, point, moves, changes, value)
        if candidate <= value:
            take_flips(search, point, moves, changes)
        else:
            undo_flips(search, point, moves, changes)
    else:
        store(search, point, mixer.candidate)
        for k in range(changes):
            variable = unsigned(mixer.variables[unsigned(k)])
            mixer.candidate[variable] = donor[variable]
        candidate = evaluate_row(search, room, mixer.candidate)
        if candidate <= value:
            place_point(search, point, mixer.candidate)
    return candidate


@part
def name_leaves(tree, variables):
    """Replace the genes by their variables in the order of the leaves."""
    for leaf in range(tree.order.size):
        tree.order[leaf] = variables[unsigned(tree.order[leaf])]


@part
def place_point(search, point, row):
    """Move the point to categories whose value is known: no evaluation."""
    commit_best(search.recorder)
    set_categories(search, point, row)
    if search.functions.prepare != 0:
        call_prepare(search.functions.prepare, point.frame)


@inlined
def store(search, point, row):
    """Write the categories of the point into a row."""
    for variable in range(row.size):
        row[variable] = np.uint16(point.categories[variable])
