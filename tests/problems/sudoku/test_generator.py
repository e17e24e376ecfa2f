"""Made boards: what they promise, and the same from the same seed everywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube.problems.sudoku import Board, complete_board, count_solutions, erase, puzzle
from tests.naive import sudoku as naive

SEEDS = st.integers(0, 2**64)


@given(SEEDS, st.integers(2, 3))
def test_complete_boards_are_solved(seed, box):
    board = complete_board(box, seed)
    assert board.size == box * box
    assert naive.value(board.cells.tolist(), box) == 0
    assert complete_board(box, seed) == board


def test_the_same_seed_is_the_same_board_on_every_machine():
    assert complete_board(seed=2021) == Board(
        "645379812 913862745 278541396 764185923 852693471 391427658 487216539 526934187 139758264"
    )
    assert puzzle(50, seed=2021) == Board(
        "...37...2 .1...2..5 .7...13.. ....8...3 8.....4.. 3..4..6.8 .872.6..9 526.341.7 .3......4"
    )
    assert erase(Board("1234 3412 2143 4321"), 8, seed=2021) == Board("123. 3... .143 ..2.")


@pytest.mark.compiled
def test_every_4x4_board_comes_out():
    assert len({complete_board(2, seed) for seed in range(5000)}) == 288


@given(SEEDS, st.integers(0, 81))
def test_erasing_leaves_all_other_cells(seed, r):
    board = complete_board(seed=1)
    erased = erase(board, r, seed)
    assert len(erased.unknowns) == r
    assert (erased.cells == board.cells)[erased.givens].all()
    assert erase(board, r, seed) == erased


@pytest.mark.parametrize(
    ("unknowns", "box"),
    [(0, 3), (1, 3), (12, 2), (8, 2), (45, 3)]
    + [pytest.param(*size, marks=pytest.mark.compiled) for size in [(56, 3), (58, 3), (140, 4)]],
)
def test_puzzles_have_one_solution_and_the_wanted_unknowns(unknowns, box):
    for seed in range(3):
        board = puzzle(unknowns, box, seed)
        assert len(board.unknowns) == unknowns
        assert board.size == box * box
        assert count_solutions(board) == 1
        assert puzzle(unknowns, box, seed) == board


def test_a_check_that_takes_too_long_keeps_the_cell():
    # Three nodes see at most two unknown cells filled.
    assert len(puzzle(2, box=2, seed=1, node_limit=3).unknowns) == 2
    with pytest.raises(ValueError, match="no board with 3 unknown cells"):
        puzzle(3, box=2, seed=1, attempts=3, node_limit=3)


@pytest.mark.parametrize("unknowns_and_box", [(65,), (13, 2), (-1,), (3, 1), (3, 6)])
def test_impossible_puzzles_are_refused(unknowns_and_box):
    with pytest.raises(ValueError, match=r"expected (unknowns|box) in"):
        puzzle(*unknowns_and_box)
