"""New boards: complete ones, complete ones with erased cells, puzzles with a unique solution.

The same seed gives the same board on every machine and with every version of numpy: randomness is
the raw stream of PCG64, which numpy promises to keep, and not a method of its Generator.
"""

from __future__ import annotations

import numpy as np
from numpy.random import PCG64, SeedSequence
from numpy.typing import NDArray

from catcube.errors import BadValue
from catcube.problems.sudoku.board import Board
from catcube.problems.sudoku.solver import SearchLimit, count_solutions, search_in_order

MOST_UNKNOWNS = {2: 12, 3: 64, 4: 241, 5: 601}
"""By box: a unique solution needs 4 givens on a 4×4 board and 17 on a 9×9 one (both found by
exhaustive search); on larger boards, where nobody knows, at least all digits but one."""

# A check of uniqueness seldom takes more than a few hundred nodes. One that would take longer than
# this counts as "not unique": the cell keeps its digit, and nobody waits.
NODES_PER_CHECK = 5_000


def complete_board(box: int = 3, seed: int | None = None) -> Board:
    """Generate a random complete board by solving an empty one in random order.

    Every complete board is possible, though not all are equally probable.

    >>> board = complete_board(box=2, seed=1)
    >>> board.value(), board == complete_board(box=2, seed=1)
    (0, True)
    """
    return _complete_board(box, PCG64(SeedSequence(seed)))


def erase(board: Board, r: int, seed: int | None = None) -> Board:
    """Erase r of the known cells of a board, every choice equally probable.

    >>> len(erase(complete_board(seed=1), 5, seed=1).unknowns)
    5
    """
    known = np.flatnonzero(board.cells)
    if not 0 <= r <= len(known):
        raise BadValue(f"expected 0 to {len(known)} cells to erase, the known ones, got {r}")
    erased = known[_permutations(PCG64(SeedSequence(seed)), 1, len(known))[0][:r]]
    return _without(board, erased)


def puzzle(unknowns: int, box: int = 3, seed: int | None = None, attempts: int = 200) -> Board:
    """Generate a board with this number of unknown cells and a unique solution.

    The cells of a random complete board are erased in random order, each if the solution stays
    unique, until enough are. An attempt that ends too early starts again from another board; after
    `attempts` of them a ValueError says so. On 9×9 boards, 57 unknowns take 10 ms, 59 take 200 ms,
    and more than 60 are out of reach; 150 are easy on 16×16 boards, and 300 on 25×25 ones.

    >>> board = puzzle(40, seed=1)
    >>> len(board.unknowns), count_solutions(board)
    (40, 1)
    """
    _check_box(box)
    if not 0 <= unknowns <= MOST_UNKNOWNS[box]:
        raise BadValue(
            f"expected 0 to {MOST_UNKNOWNS[box]} unknown cells of a {box * box}×{box * box} "
            f"board with a unique solution, got {unknowns}"
        )
    bits = PCG64(SeedSequence(seed))
    for _ in range(attempts):
        board = _erase_while_unique(_complete_board(box, bits), unknowns, bits)
        if board is not None:
            return board
    raise BadValue(
        f"no board with {unknowns} unknown cells and a unique solution was found in {attempts} "
        "attempts; try fewer unknowns, more attempts or another seed"
    )


def _check_box(box: int) -> None:
    if box not in MOST_UNKNOWNS:
        raise BadValue(f"expected a box of 2, 3, 4 or 5, got {box}")


def _complete_board(box: int, bits: PCG64) -> Board:
    _check_box(box)
    size = box * box
    empty = Board(np.zeros((size, size), dtype=np.int64))
    order = _permutations(bits, size * size + 3 * size, size)
    complete, _ = search_in_order(empty, order, limit=1)
    assert complete is not None  # every empty board has a solution
    return complete


def _erase_while_unique(board: Board, unknowns: int, bits: PCG64) -> Board | None:
    """Erase so many cells of a complete board, or return None if this order of cells fails."""
    cells = board.size * board.size
    missing = unknowns
    for tried, cell in enumerate(_permutations(bits, 1, cells)[0]):
        if missing == 0:
            return board
        if missing > cells - tried:
            return None
        fewer = _without(board, cell)
        if _is_unique(fewer):
            board = fewer
            missing -= 1
    return board if missing == 0 else None


def _is_unique(board: Board) -> bool:
    try:
        return count_solutions(board, limit=2, node_limit=NODES_PER_CHECK) == 1
    except SearchLimit:
        return False


def _without(board: Board, flat_cells: NDArray[np.intp] | np.intp) -> Board:
    cells = board.cells.copy()
    cells.ravel()[flat_cells] = 0
    return Board(cells)


def _permutations(bits: PCG64, count: int, length: int) -> NDArray[np.intp]:
    """Draw `count` random permutations of 0 … length − 1, one per row."""
    # The order of 64-bit draws is a uniform permutation, up to improbable ties.
    draws = bits.random_raw(count * length).reshape(count, length)
    return np.argsort(draws, axis=1, kind="stable")
