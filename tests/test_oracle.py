"""Every algorithm against its slow twin: the same evaluations in the same order.

The twins (`tests/naive`) share the definition of the random stream with the kernels and nothing
else: they decode and evaluate every point from scratch, on lists of bits.
"""

from functools import cache

import numpy as np
import pytest
from naive import search as naive
from naive import sudoku as naive_sudoku

from catcube import Space, minimize
from catcube.algorithms import algorithm, names
from catcube.boards import Board, complete_board, erase
from catcube.layout import representations_of
from catcube.problems import Match, Sudoku

BUDGET = 500
TINY = Board("1.3. .... 2.4. .3.1".replace(" ", ""))
REPRESENTATIONS = ["linear", "direct", "balanced", "vt"]


def match():
    problem = Match(7, [3, 1, 5, 2, 9, 4, 6], seed=1)
    hidden = tuple(problem.integers.tolist())
    return problem, lambda categories: sum(
        own != other for own, other in zip(categories, hidden, strict=True)
    )


def sudoku(board):
    rows = board.cells.tolist()

    @cache
    def value(categories):
        filled = [list(row) for row in rows]
        for (row, column), category in zip(board.unknowns, categories, strict=True):
            filled[row][column] = category + 1
        return naive_sudoku.value(filled, board.box)

    return Sudoku(board), value


def flat():
    return Match(3, 4, seed=1), lambda categories: 7


def steep():
    return Match(4, 3, seed=1), lambda categories: [0, 1e300, float("inf")][max(categories)]


PROBLEMS = {
    "match": match,
    "sudoku 2": lambda: sudoku(TINY),
    "sudoku 3": lambda: sudoku(erase(complete_board(3, seed=1), 6, seed=2)),
}


def recorded(function):
    """The function as `minimize` calls it, with a list of all its calls."""
    calls = []

    def objective(point):
        categories = tuple(point.values())
        value = function(categories)
        calls.append((categories, value))
        return value

    return objective, calls


def agree(result, twin):
    assert result.nfev == len(twin.values)
    assert list(zip(*map(np.ndarray.tolist, result.trace), strict=True)) == twin.trace
    assert result.fun == twin.best_value
    assert result.nfev_best == twin.trace[-1][0]
    assert result.bits.tolist() == twin.best_bits


@pytest.mark.parametrize("preset", [None, "paper"])
@pytest.mark.parametrize("representation", REPRESENTATIONS)
@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("name", names())
def test_the_same_evaluations(name, problem, representation, preset):
    shipped, function = PROBLEMS[problem]()
    settings = {
        "algorithm": name,
        "representation": representation,
        "preset": preset,
        "budget": BUDGET,
    }
    seed = 1000 + REPRESENTATIONS.index(representation)
    representations = representations_of(shipped.space, representation)
    parameters = algorithm(name).resolve(preset, {})
    twin = naive.run(name, function, representations, parameters, BUDGET, seed)

    objective, calls = recorded(function)
    digits = {variable: range(len(labels)) for variable, labels in shipped.space.items()}
    result = minimize(objective, digits, seed=seed, **settings)
    assert calls == list(zip(twin.points, twin.values, strict=True))
    agree(result, twin)
    # The shipped problem, evaluated flip by flip in compiled code.
    agree(minimize(shipped, seed=seed, **settings), twin)


@pytest.mark.parametrize("problem", [flat, steep])
@pytest.mark.parametrize("preset", [None, "paper"])
@pytest.mark.parametrize("name", names())
def test_flat_and_infinite(name, preset, problem):
    shipped, function = problem()
    representations = representations_of(shipped.space, "linear")
    parameters = algorithm(name).resolve(preset, {})
    for seed, budget in [(1, 3000), (2, 1), (3, 2), (4, 3), (5, 24)]:
        twin = naive.run(name, function, representations, parameters, budget, seed)
        objective, calls = recorded(function)
        settings = {"algorithm": name, "preset": preset, "budget": budget, "seed": seed}
        result = minimize(objective, shipped.space, **settings)
        assert calls == list(zip(twin.points, twin.values, strict=True))
        agree(result, twin)


@pytest.mark.parametrize("name", names())
def test_a_target_ends_the_run(name):
    problem, function = match()
    representations = representations_of(problem.space, "linear")
    parameters = algorithm(name).resolve(None, {})
    for target in range(6):
        twin = naive.run(name, function, representations, parameters, 10**4, 7, target)
        settings = {"algorithm": name, "budget": 10**4, "seed": 7, "target": target}
        agree(minimize(problem, **settings), twin)
        assert twin.best_value <= target


@pytest.mark.parametrize("name", names())
def test_without_a_bit(name):
    representations = representations_of(Space({"a": "x", "b": "y"}), "linear")
    parameters = algorithm(name).resolve(None, {})
    twin = naive.run(name, lambda categories: 3.5, representations, parameters, 30, 1)
    space = {"a": [0], "b": [0]}
    objective, calls = recorded(lambda categories: 3.5)
    result = minimize(objective, space, algorithm=name, budget=30, seed=1)
    assert calls == list(zip(twin.points, twin.values, strict=True))
    agree(result, twin)
    assert result.x == {"a": 0, "b": 0}
