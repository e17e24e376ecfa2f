"""The exact solver against plain backtracking, and on puzzles made to be hard."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube.problems.sudoku import (
    Board,
    SearchLimit,
    complete_board,
    count_solutions,
    erase,
    solve,
)
from tests.naive import sudoku as naive

SEEDS = st.integers(0, 2**32)

HARD = {  # unique solution; all need deep branching
    "Golden Nugget": (
        ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7....."
    ),
    "17 givens, against brute force": (
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
    ),
    "17 givens": (
        ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
    ),
}


def solves(board, solution):
    kept = (solution.cells == board.cells)[board.givens].all()
    return bool(kept) and solution.value() == 0


def test_every_4x4_board_is_counted():
    empty = Board("." * 16)
    assert count_solutions(empty, limit=1000) == 288
    assert count_solutions(Board("1" + "." * 15), limit=1000) == 288 // 4
    assert [count_solutions(empty, limit=limit) for limit in (1, 2, 287, 288)] == [1, 2, 287, 288]
    assert count_solutions(empty) == 2


@given(st.lists(st.integers(0, 4), min_size=16, max_size=16), st.integers(4, 14))
def test_any_4x4_board_conflicting_or_not(digits, unknowns):
    digits[:unknowns] = [0] * unknowns
    board = Board(np.reshape(digits, (4, 4)))
    expected = [Board(rows) for rows in naive.solutions(board.cells.tolist(), 2)]
    assert count_solutions(board, limit=1000) == len(expected)
    assert solve(board) in (expected or [None])


@given(SEEDS, st.integers(0, 25))
def test_9x9_boards_with_erased_cells(seed, unknowns):
    board = erase(complete_board(seed=seed), unknowns, seed=seed)
    expected = [Board(rows) for rows in naive.solutions(board.cells.tolist(), 3)]
    assert count_solutions(board, limit=1000) == len(expected)
    assert solve(board) in expected


@pytest.mark.parametrize("text", HARD.values(), ids=list(HARD))
def test_hard_puzzles_have_the_one_solution(text):
    board = Board(text)
    assert solves(board, solve(board))
    assert count_solutions(board) == 1


@pytest.mark.compiled
def test_a_board_whose_contradiction_is_deep():
    board = Board(
        ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
    )
    assert board.conflicts() == []
    assert solve(board) is None
    assert count_solutions(board) == 0


def test_a_unit_without_a_cell_for_a_digit_is_a_dead_end():
    # Row 1 has no place for 1, though each of its unknown cells has two candidates or more.
    assert solve(Board("...2 1... ..1. ...."), node_limit=1) is None


@pytest.mark.parametrize(("box", "unknowns"), [(4, 130), (5, 280)])
def test_larger_boards(box, unknowns):
    board = erase(complete_board(box, seed=1), unknowns, seed=1)
    assert solves(board, solve(board))


def test_the_search_gives_up_at_its_limit():
    board = Board("." * 16)
    # Sixteen placements on the way to the first solution, and the look at the full board.
    assert solve(board, node_limit=17) is not None
    with pytest.raises(SearchLimit, match="visited 16 nodes without an answer for a board with 16"):
        solve(board, node_limit=16)
    with pytest.raises(SearchLimit):
        count_solutions(board, limit=288, node_limit=100)
