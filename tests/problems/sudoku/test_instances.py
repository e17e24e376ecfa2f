"""The shipped boards are what their names say."""

import re

import pytest

from catcube.problems.sudoku import count_solutions, instances


def test_names_are_in_natural_order():
    high = instances.names("high")
    assert high[:3] == ["sudoku-17hint-64", "sudoku-17hint-64b", "sudoku-easy-54"]
    assert len(high) == 10
    assert instances.names("small") == [
        f"small-dimension-{r}-{letter}" for r in range(1, 11) for letter in "abcd"
    ]
    assert instances.names("sizes") == [
        *("sudoku4x4-8", "sudoku4x4-10", "sudoku16x16-100", "sudoku16x16-130"),
        *("sudoku25x25-180", "sudoku25x25-260"),
    ]
    assert instances.names() == [
        name for collection in instances.COLLECTIONS for name in instances.names(collection)
    ]


@pytest.mark.parametrize("name", instances.names())
def test_boards_have_the_unknown_cells_of_their_names_and_a_solution(name):
    board = instances.load(name)
    assert re.search(r"-(\d+)(-?[a-d])?$", name)[1] == str(len(board.unknowns))
    solutions = count_solutions(board)
    assert solutions == 1 or (solutions and name in instances.names("small"))


def test_all_boards_differ():
    assert len({instances.load(name) for name in instances.names()}) == 56


def test_unknown_names_are_refused():
    with pytest.raises(
        ValueError, match="unknown instance 'sudoku-esy-56', did you mean 'sudoku-e"
    ):
        instances.load("sudoku-esy-56")
    with pytest.raises(ValueError, match="unknown collection 'medium'"):
        instances.names("medium")
