"""Solve a board exactly and count its solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from catcube.errors import BadValue
from catcube.problems.sudoku.board import Board
from catcube.problems.sudoku.units import units, units_of

if TYPE_CHECKING:
    from catcube.problems.sudoku.solver_kernel import Workspace

NODE_LIMIT = 5_000_000
"""Default limit of nodes to visit: 1 to 7 seconds, at 0.1 to 1.4 µs per node."""


class SearchLimit(RuntimeError):  # noqa: N818, it is no error of anyone
    """The exact search was given up: it visited as many nodes as it was allowed to."""


def solve(board: Board, node_limit: int = NODE_LIMIT) -> Board | None:
    """Return a solution of the board, the first that is found, or None if there is none.

    Raises `SearchLimit` if `node_limit` nodes of the search tree do not decide the matter. The
    hardest 9×9 boards known take a few thousand nodes; but of 16×16 boards with some 170 unknown
    cells one in ten is out of reach, and of 25×25 boards with 350 to 380 most are.

    >>> print(solve(Board("1... ..3. .4.. ...2")))
    1324
    4231
    2413
    3142
    >>> solve(Board("12.. ..3. .... ...4")) is None
    True
    """
    solution, _ = search_in_order(board, None, 1, node_limit)
    return solution


def count_solutions(board: Board, limit: int = 2, node_limit: int = NODE_LIMIT) -> int:
    """Return how many solutions the board has, counting no further than `limit`.

    >>> count_solutions(Board(".... .... .... ...."), limit=1000)
    288
    >>> count_solutions(Board("1... ..3. .4.. ...2"))
    1
    """
    if limit < 1:
        raise BadValue(f"expected a limit of at least 1 solution, got {limit}")
    _, found = search_in_order(board, None, limit, node_limit)
    return found


def search_in_order(
    board: Board, order: NDArray[np.integer] | None, limit: int, node_limit: int = NODE_LIMIT
) -> tuple[Board | None, int]:
    """Return the first solution found, and the number of solutions up to `limit`.

    `order` says what is tried first: a permutation of 0 … size − 1 for each cell (digits from 0)
    and then for each unit (positions in it).
    """
    from catcube.problems.sudoku.solver_kernel import (
        search,
    )  # here, so that reading boards needs no numba

    if node_limit < 1:
        raise BadValue(f"expected a limit of at least 1 node, got {node_limit}")
    work = _workspace(board, order)
    found = int(search(work, limit, node_limit))
    if found < 0:
        raise SearchLimit(
            f"the exact search visited {node_limit} nodes without an answer for a board with "
            f"{len(board.unknowns)} unknown cells; a larger node_limit lets it go on"
        )
    if not found:
        return None, 0
    return Board(_digits(work.solution).reshape(board.size, board.size)), found


def _workspace(board: Board, order: NDArray[np.integer] | None) -> Workspace:
    from catcube.problems.sudoku.solver_kernel import Workspace

    size, cells = board.size, board.size * board.size
    if order is None:
        order = np.tile(np.arange(size), (cells + 3 * size, 1))

    def empty(length: int) -> NDArray[np.int64]:
        return np.zeros(length, dtype=np.int64)

    return Workspace(
        units=units(board.box),
        units_of=units_of(board.box),
        order=np.left_shift(1, order, dtype=np.int64),
        bits=np.where(board.cells > 0, 1 << np.maximum(board.cells - 1, 0), 0).ravel(),
        candidates=empty(cells),
        used=empty(3 * size),
        solution=empty(cells),
        # One more than there are cells: the node below the last placement finds the board full.
        branch_unit=empty(cells + 1),
        branch_subject=empty(cells + 1),
        remaining=empty(cells + 1),
        placed=empty(cells + 1),
    )


def _digits(bits: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the digit of each bit; exact, because the logarithm of a power of two is."""
    return np.log2(bits).astype(np.int64) + 1
