"""An exact solver, and generators of boards.

The search backtracks by undoing placements, without copies. Digits are bits, and `used` contains
the digits of each unit, so that the candidates of a cell are computed by three ORs. At each node,
the search places the only candidate of a cell (naked single), or a digit in its only cell of a unit
(hidden single). If there is none, it branches over the two cells of a digit in a unit, or over the
candidates of a cell with the fewest. A cell without candidates, or a digit without a cell in a
unit, is a dead end.

The same seed gives the same board on every machine and with every version of numpy, because random
numbers are the raw stream of PCG64, which numpy guarantees, not methods of its Generator.
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.random import PCG64, SeedSequence
from numpy.typing import NDArray

from catcube.engine.compiled.jit import njit
from catcube.engine.compiled.packed import lowest_bit, popcount
from catcube.errors import BadValue
from catcube.problems.problem import check_integer
from catcube.problems.sudoku.board import Board, units, units_of

NODE_LIMIT = 5_000_000
"""Default limit of visited nodes: 1 to 7 seconds, at 0.1 to 1.4 µs per node."""


class SearchLimit(RuntimeError):  # noqa: N818, not an error of the caller
    """The exact search has reached its limit of nodes."""


def solve(board: Board, node_limit: int = NODE_LIMIT) -> Board | None:
    """Return the first solution of a board that is found, or None if there is none.

    Raise `SearchLimit` if `node_limit` nodes do not suffice. The hardest 9×9 boards known take a
    few thousand nodes; but one in ten 16×16 boards with about 170 unknown cells is out of reach,
    and most 25×25 boards with 350 to 380.

    >>> print(solve(Board("1... ..3. .4.. ...2")))
    1324
    4231
    2413
    3142
    >>> solve(Board("12.. ..3. .... ...4")) is None
    True
    """
    return search_in_order(board, None, 1, node_limit)[0]


def count_solutions(board: Board, limit: int = 2, node_limit: int = NODE_LIMIT) -> int:
    """Return the number of solutions of a board, counting up to `limit`.

    >>> count_solutions(Board(".... .... .... ...."), limit=1000)
    288
    >>> count_solutions(Board("1... ..3. .4.. ...2"))
    1
    """
    return search_in_order(board, None, check_integer("limit", limit, 1, 2**62), node_limit)[1]


def search_in_order(
    board: Board, order: NDArray[np.integer] | None, limit: int, node_limit: int = NODE_LIMIT
) -> tuple[Board | None, int]:
    """Return the first solution found, and the number of solutions up to `limit`.

    `order` contains permutations of 0 … size − 1, the order in which alternatives are tried: for
    each cell the digits from 0, then for each unit the positions.
    """
    check_integer("node_limit", node_limit, 1, 2**62)
    work = _workspace(board, order)
    if work.bits[work.units].sum() != work.used.sum():  # a unit has a given twice
        return None, 0
    found = int(search(work, limit, node_limit))
    if found < 0:
        raise SearchLimit(
            f"the exact search visited {node_limit} nodes without an answer for a board with "
            f"{len(board.unknowns)} unknown cells; increase node_limit to continue"
        )
    if not found:
        return None, 0
    digits = np.log2(work.solution).astype(np.int64) + 1  # exact for powers of two
    return Board(digits.reshape(board.size, board.size)), found


def _workspace(board: Board, order: NDArray[np.integer] | None) -> Workspace:
    """Return the memory of a search, set to the root of the tree."""
    size, cells = board.size, board.size * board.size
    if order is None:
        order = np.arange(size)[None].repeat(cells + 3 * size, axis=0)
    bits = (1 << board.cells.ravel()) >> 1
    # One more than there are cells, for the node below the last placement.
    branches = np.zeros((4, cells + 1), np.int64)
    return Workspace(
        units(board.box),
        units_of(board.box),
        np.left_shift(1, order, dtype=np.int64),
        bits,
        np.bitwise_or.reduce(bits[units(board.box)], axis=1),
        *np.zeros((2, cells), np.int64),
        *branches,
    )


WHOLE_CELL = -1  # the unit of a branch over the digits of a cell


class Workspace(NamedTuple):
    """The memory of a search, as kernels cannot allocate; units are numbered as in `units`."""

    units: NDArray[np.int64]  # unit, position -> cell
    units_of: NDArray[np.int64]  # cell -> its row, column and block
    order: NDArray[np.int64]  # bits in the order of trial: digits of each cell, cells of each unit
    bits: NDArray[np.int64]  # cell -> the bit of its digit, 0 if unknown
    used: NDArray[np.int64]  # unit -> bits of the digits it holds
    candidates: NDArray[np.int64]  # cell -> bits of the digits that fit, valid for one node
    solution: NDArray[np.int64]  # bits of the first solution
    # The branches from the root to the current node:
    branch_unit: NDArray[np.int64]  # the unit whose cells are tried, or WHOLE_CELL
    branch_subject: NDArray[np.int64]  # the bit of the digit to be placed, or the cell
    remaining: NDArray[np.int64]  # bits of the positions or digits not yet tried
    placed: NDArray[np.int64]  # the cell that is filled now


@njit
def toggle(work: Workspace, cell: int, bit: int) -> None:
    """Fill an unknown cell with a digit, or clear a cell that has this digit."""
    work.bits[cell] ^= bit
    for kind in range(3):
        work.used[work.units_of[cell, kind]] ^= bit


@njit
def branch_over(work: Workspace, depth: int, unit: int, subject: int) -> None:
    """Set the branch at a depth: over the cells of a digit, or the candidates of a cell."""
    work.branch_unit[depth] = unit
    work.branch_subject[depth] = subject
    if unit == WHOLE_CELL:
        work.remaining[depth] = work.candidates[subject]
        return
    for position in range(work.units.shape[1]):
        if work.candidates[work.units[unit, position]] & subject:
            work.remaining[depth] |= 1 << position


@njit
def choose_branch(work: Workspace, depth: int) -> bool:
    """Set the branch at a depth, with no alternatives at a dead end; return False if complete."""
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
        count = popcount(np.uint64(candidates))
        if count < fewest:
            fewest, fewest_cell = count, cell
            if count == 0:
                return True
            if count == 1:
                break
    if fewest_cell < 0:
        return False
    if fewest == 1:
        branch_over(work, depth, WHOLE_CELL, fewest_cell)
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
            branch_over(work, depth, unit, single & -single)
            return True
        pair = twice & ~thrice
        if pair and pair_unit < 0:
            pair_unit, pair_bit = unit, pair & -pair
    if fewest == 2 or pair_unit < 0:
        pair_unit, pair_bit = WHOLE_CELL, fewest_cell
    branch_over(work, depth, pair_unit, pair_bit)
    return True


@njit
def place_next(work: Workspace, depth: int) -> None:
    """Place the next remaining alternative of the branch at a depth."""
    unit, subject = work.branch_unit[depth], work.branch_subject[depth]
    row = subject if unit == WHOLE_CELL else len(work.bits) + unit
    rank = 0
    while not work.order[row, rank] & work.remaining[depth]:
        rank += 1
    alternative = work.order[row, rank]
    work.remaining[depth] ^= alternative
    cell, bit = subject, alternative
    if unit != WHOLE_CELL:
        cell, bit = work.units[unit, lowest_bit(np.uint64(alternative))], subject
    work.placed[depth] = cell
    toggle(work, cell, bit)


@njit
def search(work: Workspace, limit: int, node_limit: int) -> int:
    """Count solutions up to `limit`; return −1 if `node_limit` nodes do not suffice."""
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
                toggle(work, work.placed[depth], work.bits[work.placed[depth]])
            descending = False
    return found


MOST_UNKNOWNS = {2: 12, 3: 64, 4: 241, 5: 601}
"""Maximum number of unknown cells by box: a unique solution needs 4 givens on 4×4 boards and 17 on
9×9 boards (by exhaustive search); for larger boards, the bound is all digits but one."""

# A check of uniqueness rarely takes more than a few hundred nodes. If it takes more than this, the
# solution counts as not unique.
NODES_PER_CHECK = 5_000


def complete_board(box: int = 3, seed: int | None = None) -> Board:
    """Generate a random complete board by solving an empty one in random order.

    Every complete board is possible, but they are not equally probable.

    >>> board = complete_board(box=2, seed=1)
    >>> board.value(), board == complete_board(box=2, seed=1)
    (0, True)
    """
    return _complete_board(box, PCG64(SeedSequence(seed)))


def erase(board: Board, r: int, seed: int | None = None) -> Board:
    """Return a board with r of its known cells erased, uniformly at random.

    >>> len(erase(complete_board(seed=1), 5, seed=1).unknowns)
    5
    """
    known = np.flatnonzero(board.cells)
    check_integer("r", r, 0, len(known))
    return _without(board, known[_permutations(PCG64(SeedSequence(seed)), 1, len(known))[0][:r]])


def puzzle(
    unknowns: int,
    box: int = 3,
    seed: int | None = None,
    attempts: int = 200,
    node_limit: int = NODES_PER_CHECK,
) -> Board:
    """Generate a board with this number of unknown cells and a unique solution.

    The cells of a random complete board are erased in random order, if the solution remains unique.
    On 9×9 boards, 57 unknowns take 10 ms, 59 take 200 ms, and more than 60 are out of reach; 150
    are easy on 16×16 boards, and 300 on 25×25 boards.

    Parameters
    ----------
    unknowns
        The number of unknown cells.
    box
        The number of rows and columns of a block: 2 to 5.
    seed
        The seed; by default, the board differs from call to call.
    attempts
        The number of complete boards to try; if all fail, that is a ValueError.
    node_limit
        The limit of nodes of a check of uniqueness, which fails if it takes more.

    Examples
    --------
    >>> board = puzzle(40, seed=1)
    >>> len(board.unknowns), count_solutions(board)
    (40, 1)
    """
    check_integer("unknowns", unknowns, 0, MOST_UNKNOWNS[check_integer("box", box, 2, 5)])
    bits = PCG64(SeedSequence(seed))
    for _ in range(attempts):
        board = _erase_while_unique(_complete_board(box, bits), unknowns, bits, node_limit)
        if board is not None:
            return board
    raise BadValue(
        f"no board with {unknowns} unknown cells and a unique solution was found in {attempts} "
        "attempts; try fewer unknowns, more attempts or another seed"
    )


def _complete_board(box: int, bits: PCG64) -> Board:
    """Return a random complete board."""
    size = check_integer("box", box, 2, 5) ** 2
    empty = Board(np.zeros((size, size), dtype=np.int64))
    order = _permutations(bits, size * size + 3 * size, size)
    complete, _ = search_in_order(empty, order, limit=1)
    assert complete is not None  # every empty board has a solution
    return complete


def _erase_while_unique(board: Board, unknowns: int, bits: PCG64, node_limit: int) -> Board | None:
    """Erase cells of a complete board in random order; return None if that fails."""
    cells = board.size * board.size
    missing = unknowns
    for tried, cell in enumerate(_permutations(bits, 1, cells)[0]):
        if not 0 < missing <= cells - tried:
            break
        fewer = _without(board, cell)
        with suppress(SearchLimit):
            if count_solutions(fewer, limit=2, node_limit=node_limit) == 1:
                board = fewer
                missing -= 1
    return board if missing == 0 else None


def _without(board: Board, flat_cells: NDArray[np.intp] | np.intp) -> Board:
    """Return a board with some cells erased, given by their flat indices."""
    cells = board.cells.copy()
    cells.ravel()[flat_cells] = 0
    return Board(cells)


def _permutations(bits: PCG64, count: int, length: int) -> NDArray[np.intp]:
    """Draw `count` random permutations of 0 … length − 1, one per row."""
    # The order of 64-bit draws is uniform, apart from improbable ties.
    draws = bits.random_raw(count * length).reshape(count, length)
    return np.argsort(draws, axis=1, kind="stable")
