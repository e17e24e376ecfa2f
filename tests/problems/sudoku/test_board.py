"""Boards as values: what they are made from, what they say about themselves."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube.problems import Sudoku
from catcube.problems.sudoku import Board, instances
from catcube.problems.sudoku.board import candidates
from catcube.testing import check_problem
from tests.naive import sudoku as naive
from tests.problems.sudoku.board_examples import PUZZLE, boards, complete_boards


def test_the_cells_are_a_read_only_copy():
    cells = np.zeros((4, 4), dtype=int)
    board = Board(cells)
    cells[0, 0] = 1
    assert board.cells[0, 0] == 0
    for twin in (board, copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        with pytest.raises(ValueError, match="read-only"):
            twin.cells[0, 0] = 1
    with pytest.raises(AttributeError):
        board.cells = cells


@given(boards)
def test_equal_cells_make_equal_boards(board):
    twin = Board(board.cells.tolist())
    assert twin == board
    assert hash(twin) == hash(board)
    assert pickle.loads(pickle.dumps(board)) == board
    assert eval(repr(board), {"Board": Board}) == board
    changed = board.cells.copy()
    changed[-1, -1] = (changed[-1, -1] + 1) % (board.size + 1)
    assert Board(changed) != board
    assert board != board.cells.tolist()


@given(boards, st.data())
def test_values_fill_the_unknown_cells_in_order(board, data):
    count = len(board.unknowns)
    digits = st.integers(1, board.size)
    values = data.draw(st.lists(digits, min_size=count, max_size=count))
    filled = board.with_values(values)
    assert [filled.cells[cell] for cell in board.unknowns] == values
    assert (filled.cells[board.givens] == board.cells[board.givens]).all()
    assert filled.unknowns == []


@given(complete_boards)
def test_value_is_the_obvious_sum(board):
    assert board.value() == naive.value(board.cells.tolist(), board.box)
    assert (board.value() == 0) == (board.conflicts() == [])


def test_conflicts_name_the_unit_the_digit_and_the_cells():
    assert Board(PUZZLE).conflicts() == []
    changed = Board(PUZZLE).cells.copy()
    changed[0, 8] = 5
    changed[8, 0] = 5
    assert Board(changed).conflicts() == [
        "row 1 has 5 in columns 1 and 9",
        "column 1 has 5 in rows 1 and 9",
        "column 9 has 5 in rows 1 and 8",
    ]
    assert Board(np.full((16, 16), 16)).conflicts()[32] == (
        "block 1 has G in cells 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 and 16"
    )


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ([[1, 2], [3]], "as cells"),
        ([], "4×4, 9×9, 16×16 or 25×25 cells, got .0,."),
        (5, "4×4"),
        (np.zeros((9, 8), dtype=int), "got .9, 8."),
        (np.zeros((6, 6), dtype=int), "got .6, 6."),
        (np.zeros(81, dtype=int), "got .81,."),
        (np.full((4, 4), 0.5), "got 0.5"),
        ([["x"] * 4] * 4, "integers"),
        ([[0] * 4, [0, 0, 5, 0], [0] * 4, [0] * 4], "digits in 0..4, got 5"),
        ([[0, -1, 0, 0]] * 4, "got -1"),
    ],
)
def test_what_is_no_board_is_refused(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        Board(wrong)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([1], "expected values of 2 unknown cells, got 1"),
        ([1, 2, 3], "expected values of 2 unknown cells, got 3"),
        ([1, 0], "digits in 1..4, got 0"),
        ([1, 2.5], "got 2.5"),
        ([1, 5], "got 5"),
    ],
)
def test_wrong_values_are_refused(values, sentence):
    with pytest.raises(ValueError, match=sentence):
        Board("12.. 3412 2143 4321").with_values(values)


# The digits that givens leave

BOARDS = ["sudoku-17hint-64", "sudoku4x4-8", "sudoku16x16-130"]


def excluded(board, row, column, digit):
    """Is the digit given in the row, column or block of the cell?"""
    box, cells = board.box, board.cells
    top, left = row - row % box, column - column % box
    return (
        digit in cells[row]
        or digit in cells[:, column]
        or digit in cells[top : top + box, left : left + box]
    )


@pytest.mark.parametrize("name", BOARDS)
def test_a_cell_has_the_digits_that_no_unit_of_it_has(name):
    board = instances.load(name)
    for (row, column), digits in zip(board.unknowns, candidates(board), strict=True):
        left = [d for d in range(1, board.size + 1) if not excluded(board, row, column, d)]
        assert list(digits) == left


@pytest.mark.parametrize("name", BOARDS)
def test_values_are_those_of_the_whole_problem(name):
    board = instances.load(name)
    whole, reduced = Sudoku(board), Sudoku(board, reduced=True)
    random = np.random.default_rng(1)
    for _ in range(20):
        digits = [random.choice(labels) for labels in candidates(board)]
        point = dict(zip(reduced.space.names, map(int, digits), strict=True))
        assert reduced.evaluate(point) == whole.evaluate(point) == board.with_values(digits).value()


def test_a_board_without_a_completion_keeps_all_digits():
    board = Board("123. ...4 .... ....")  # neither 1, 2, 3 nor 4 is left for the last cell of row 1
    assert [len(digits) for digits in candidates(board)] == [4] * len(board.unknowns)


@pytest.mark.parametrize("name", ["small-dimension-8-a", "sudoku16x16-130"])
def test_changes_are_those_of_the_value(name):
    check_problem(Sudoku(instances.load(name), reduced=True))
