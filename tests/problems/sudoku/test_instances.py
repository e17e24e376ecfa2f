"""The shipped boards are what their names say."""

import pytest

from catcube.problems.sudoku import count_solutions, instances


def test_names_are_in_natural_order():
    assert instances.names("high") == [
        "sudoku-17hint-64",
        "sudoku-17hint-64b",
        "sudoku-easy-54",
        "sudoku-easy-56",
        "sudoku-expert-55",
        "sudoku-expert-56",
        "sudoku-intermediate-54",
        "sudoku-intermediate-57",
        "sudoku-simple-53",
        "sudoku-simple-56",
    ]
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


@pytest.mark.parametrize("name", instances.names("high"))
def test_high_dimension_has_a_unique_solution(name):
    board = instances.load(name)
    assert len(board.unknowns) == int(name.split("-")[2].rstrip("b"))
    assert count_solutions(board) == 1


@pytest.mark.parametrize("name", instances.names("sizes"))
def test_other_sizes_have_a_unique_solution(name):
    board = instances.load(name)
    size, unknowns = name.removeprefix("sudoku").split("-")
    assert size == f"{board.size}x{board.size}"
    assert len(board.unknowns) == int(unknowns)
    assert count_solutions(board) == 1


@pytest.mark.parametrize("name", instances.names("small"))
def test_small_dimension_has_a_solution(name):
    board = instances.load(name)
    assert len(board.unknowns) == int(name.split("-")[2])
    assert count_solutions(board) >= 1


def test_all_boards_differ():
    assert len({instances.load(name) for name in instances.names()}) == 56


def test_unknown_names_are_refused():
    with pytest.raises(
        ValueError, match="unknown instance 'sudoku-esy-56', did you mean 'sudoku-e"
    ):
        instances.load("sudoku-esy-56")
    with pytest.raises(ValueError, match="unknown collection 'medium'"):
        instances.names("medium")
