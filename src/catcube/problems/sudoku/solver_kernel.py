"""The exact search, compiled: every placement is undone on the way back, nothing is copied.

A digit is one bit. `used` holds the digits of each row, column and block, so the candidates of a
cell are three ORs away. At each node the search sets a digit that is alone in its cell (naked
single) or has a single cell in a unit (hidden single); where there is none, it branches over the
two cells of a digit in a unit, or over the candidates of the cell that has the fewest. A unit
with no cell left for a digit, or a cell without candidates, is a dead end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.engine.compiled.jit import njit

WHOLE_CELL = -1  # as the unit of a branch: over the digits of one cell


class Workspace(NamedTuple):
    """All memory of a search, since kernels may not allocate; units are numbered as in `units`."""

    units: NDArray[np.int64]  # unit, position -> cell
    units_of: NDArray[np.int64]  # cell -> its row, column and block
    order: NDArray[np.int64]  # bits in the order to try: digits of each cell, cells of each unit
    bits: NDArray[np.int64]  # cell -> the bit of its digit, 0 if unknown
    candidates: NDArray[np.int64]  # cell -> bits of digits that still fit, valid for one node
    used: NDArray[np.int64]  # unit -> bits of the digits it holds
    solution: NDArray[np.int64]  # bits of the first solution
    # The branches from the root to the current node:
    branch_unit: NDArray[np.int64]  # the unit whose cells are tried, or WHOLE_CELL
    branch_subject: NDArray[np.int64]  # the digit's bit to be placed in the unit, or the cell
    remaining: NDArray[np.int64]  # bits of the positions or digits not yet tried
    placed: NDArray[np.int64]  # the cell that is filled at present


@njit
def set_digit(work: Workspace, cell: int, bit: int) -> None:
    """Fill a cell."""
    work.bits[cell] = bit
    for kind in range(3):
        work.used[work.units_of[cell, kind]] |= bit


@njit
def take_back(work: Workspace, cell: int) -> None:
    """Make a filled cell unknown again."""
    bit = work.bits[cell]
    work.bits[cell] = 0
    for kind in range(3):
        work.used[work.units_of[cell, kind]] ^= bit


@njit
def place_givens(work: Workspace) -> bool:
    """Enter the known cells into their units; False if two of them conflict."""
    for cell in range(len(work.bits)):
        bit = work.bits[cell]
        if bit:
            for kind in range(3):
                if work.used[work.units_of[cell, kind]] & bit:
                    return False
            set_digit(work, cell, bit)
    return True


@njit
def branch_over_cell(work: Workspace, depth: int, cell: int) -> None:
    """Let the branch try the candidates of a cell."""
    work.branch_unit[depth] = WHOLE_CELL
    work.branch_subject[depth] = cell
    work.remaining[depth] = work.candidates[cell]


@njit
def branch_over_places(work: Workspace, depth: int, unit: int, bit: int) -> None:
    """Let the branch try the cells of a digit in a unit."""
    work.branch_unit[depth] = unit
    work.branch_subject[depth] = bit
    positions = 0
    for position in range(work.units.shape[1]):
        if work.candidates[work.units[unit, position]] & bit:
            positions |= 1 << position
    work.remaining[depth] = positions


@njit
def choose_branch(work: Workspace, depth: int) -> bool:
    """Set the branch at this depth, none remaining at a dead end; False if the board is full."""
    size = work.units.shape[1]
    every_digit = (1 << size) - 1
    work.remaining[depth] = 0
    fewest, fewest_cell = size + 1, -1
    for cell in range(size * size):
        work.candidates[cell] = 0
        if work.bits[cell]:
            continue
        candidates = every_digit
        for kind in range(3):
            candidates &= ~work.used[work.units_of[cell, kind]]
        work.candidates[cell] = candidates
        count = 0
        while candidates and count < fewest:
            candidates &= candidates - 1
            count += 1
        if count < fewest:
            fewest, fewest_cell = count, cell
            if count == 0:
                return True
            if count == 1:
                break
    if fewest_cell < 0:
        return False
    if fewest == 1:
        branch_over_cell(work, depth, fewest_cell)
        return True
    pair_unit, pair_bit = -1, 0
    for unit in range(3 * size):
        once, twice, thrice = 0, 0, 0
        for position in range(size):
            candidates = work.candidates[work.units[unit, position]]
            thrice |= twice & candidates
            twice |= once & candidates
            once |= candidates
        if once | work.used[unit] != every_digit:
            return True
        single = once & ~twice
        if single:
            branch_over_places(work, depth, unit, single & -single)
            return True
        pair = twice & ~thrice
        if pair and pair_unit < 0:
            pair_unit, pair_bit = unit, pair & -pair
    if fewest == 2 or pair_unit < 0:
        branch_over_cell(work, depth, fewest_cell)
    else:
        branch_over_places(work, depth, pair_unit, pair_bit)
    return True


@njit
def place_next(work: Workspace, depth: int) -> None:
    """Fill a cell as the next remaining alternative of the branch says."""
    unit, subject = work.branch_unit[depth], work.branch_subject[depth]
    row = subject if unit == WHOLE_CELL else len(work.bits) + unit
    rank = 0
    while not work.order[row, rank] & work.remaining[depth]:
        rank += 1
    alternative = work.order[row, rank]
    work.remaining[depth] ^= alternative
    cell, bit = subject, alternative
    if unit != WHOLE_CELL:
        position = 0
        while alternative >> position != 1:
            position += 1
        cell, bit = work.units[unit, position], subject
    work.placed[depth] = cell
    set_digit(work, cell, bit)


@njit
def search(work: Workspace, limit: int, node_limit: int) -> int:
    """Count solutions up to `limit`; −1 if more than `node_limit` nodes would be visited."""
    if not place_givens(work):
        return 0
    found, nodes, depth = 0, 0, 0
    descending = True
    while depth >= 0:
        if descending:
            nodes += 1
            if nodes > node_limit:
                return -1
            if not choose_branch(work, depth):
                found += 1
                if found == 1:
                    for cell in range(len(work.bits)):  # a slice assignment would allocate
                        work.solution[cell] = work.bits[cell]
                if found == limit:
                    return found
        if work.remaining[depth]:
            place_next(work, depth)
            depth += 1
            descending = True
        else:
            depth -= 1
            if depth >= 0:
                take_back(work, work.placed[depth])
            descending = False
    return found
