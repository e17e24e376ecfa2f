"""The digits that givens leave: every completion keeps its digits, and its value."""

import numpy as np
import pytest

from catcube.problems import Sudoku
from catcube.problems.sudoku import Board, instances
from catcube.problems.sudoku.board import candidates
from catcube.testing import check_problem

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
