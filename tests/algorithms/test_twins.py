"""Every algorithm against its slow twin: the same evaluations in the same order.

The twins (`tests/naive`) share the definition of the random stream with the kernels and nothing
else: they decode and evaluate every point from scratch, on lists of bits.
"""

from functools import cache

import numpy as np
import pytest

from catcube import Space, minimize
from catcube.algorithms import algorithm
from catcube.engine.compiled.jit import JIT
from catcube.problems import Match, PythonProblem, Sudoku
from catcube.problems.sudoku import Board, complete_board, erase
from catcube.representations.layout import resolve_representations
from catcube.testing.algorithms import run_algorithm
from tests.naive import search as naive
from tests.naive import sudoku as naive_sudoku

BUDGET = 220 if JIT else 120
TINY = Board("1.3. .... 2.4. .3.1".replace(" ", ""))
REPRESENTATIONS = ["linear", "direct", "vt"] if JIT else ["vt"]
# Beside the defaults and the paper's parameters: populations so small that they get somewhere in
# the budget, and what no preset says.
SETTINGS = {
    "rls": [{"patience": 1}],
    "sa": [
        {"over_budget": False, "transitions": 2, "beta_ratio": 1.5, "initial_acceptance": 0.9},
        {"over_budget": False},
        {"hot": 0.9, "cold": 0.1},
        {"quench": 0.4},
        {"hot": 0.9, "cold": 0.2, "quench": 0.4},
    ],
    "ea-10p1": [
        {"population": 1},
        {"population": 4, "offspring": 3},
        {"population": 4, "offspring": 3, "replace_first": True},
    ],
    "ga": [
        {"population": 12, "tournament": 2},
        {"population": 13, "by_variable": True, "crossover": 0.9},
        {"population": 1},
        {"population": 2, "tournament": 0, "crossover": 1},
        {"population": 2, "tournament": 3, "crossover": 0.5},
        {"population": 3, "tournament": 1, "crossover": 0.5, "by_variable": True},
    ],
    "pbil": [
        {"population": 20, "selection": 5},
        {"population": 9, "selection": 2, "rate": 0.8, "margin": 0},
        {"population": 1, "selection": 1, "rate": 0.1, "margin": 2.5},
    ],
    "umda": [
        {"population": 20, "selection": 5},
        {"population": 12, "selection": 4, "margin": 0},
        {"population": 30, "selection": 20, "margin": 0.3},
    ],
    "mimic": [
        {"population": 20, "selection": 5},
        {"population": 30, "selection": 20},
        {"population": 80, "selection": 70},
        {"population": 12, "selection": 4, "margin": 0},
    ],
    "ltga": [{"population": population} for population in (1, 2, 12, 13)],
}
CASES = [
    (name, settings)
    for name in naive.ALGORITHMS
    for settings in [{}, {"preset": "paper"}, *SETTINGS.get(name, [])]
]


def case_id(name, settings):
    return ",".join([name, *(f"{key}={value}" for key, value in settings.items())])


every_case = pytest.mark.parametrize(
    ("name", "settings"), CASES, ids=[case_id(*case) for case in CASES]
)


def match():
    problem = Match(7, [3, 1, 5, 2, 9, 4, 6], seed=1)
    hidden = tuple(problem.integers.tolist())
    return problem, lambda categories: sum(
        category != other for category, other in zip(categories, hidden, strict=True)
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


def called_every_time(objective, space, budget, seed, preset=None, **settings):
    """A run that calls the function at each evaluation: `minimize` does not call it twice."""
    problem, method = PythonProblem(objective, Space(space)), algorithm(settings.pop("algorithm"))
    where = {key: settings.pop(key) for key in ("representation", "target") if key in settings}
    return run_algorithm(method, problem, budget, settings, preset=preset, seed=seed, **where)


def recorded(function):
    """The function as a run calls it, with a list of all its calls."""
    calls = []

    def objective(point):
        categories = tuple(point.values())
        value = function(categories)
        calls.append((categories, value))
        return value

    return objective, calls


def agree(result, twin):
    agree_on_values(result, twin)
    assert result.solution.tolist() == twin.best_bits


def agree_on_values(result, twin):
    assert result.nfev == len(twin.values)
    assert list(zip(*map(np.ndarray.tolist, result.trace), strict=True)) == twin.trace
    assert result.fun == twin.best_value
    assert result.nfev_best == twin.trace[-1][0]


def resolved(name, preset=None, **settings):
    """The parameters of an algorithm."""
    return algorithm(name).resolve(preset, settings)


# Every representation on one problem, one of them on each of the others.
PAIRS = [
    *(("match", representation) for representation in REPRESENTATIONS),
    *((problem, REPRESENTATIONS[0]) for problem in ("sudoku 2", "sudoku 3")),
]


@pytest.mark.parametrize(("problem", "representation"), PAIRS)
@every_case
def test_the_same_evaluations(name, problem, representation, settings):
    shipped, function = PROBLEMS[problem]()
    seed = 1000 + REPRESENTATIONS.index(representation)
    representations = resolve_representations(shipped.space, representation)
    twin = naive.run(name, function, representations, resolved(name, **settings), BUDGET, seed)
    settings = {"algorithm": name, "representation": representation, "budget": BUDGET, **settings}

    objective, calls = recorded(function)
    digits = {variable: range(len(labels)) for variable, labels in shipped.space.items()}
    result = called_every_time(objective, digits, seed=seed, **settings)
    assert calls == list(zip(twin.points, twin.values, strict=True))
    agree(result, twin)
    # The shipped problem, evaluated flip by flip in compiled code.
    agree(minimize(shipped, seed=seed, **settings), twin)


@pytest.mark.compiled
@pytest.mark.parametrize("problem", [flat, steep])
@every_case
def test_flat_and_infinite(name, settings, problem):
    shipped, function = problem()
    representations = resolve_representations(shipped.space, "linear")
    parameters = resolved(name, **settings)
    for seed, budget in [(1, 2 * BUDGET), (2, 1), (3, 2), (4, 3), (5, 24)]:
        twin = naive.run(name, function, representations, parameters, budget, seed)
        objective, calls = recorded(function)
        result = called_every_time(
            objective,
            shipped.space,
            algorithm=name,
            representation="linear",
            budget=budget,
            seed=seed,
            **settings,
        )
        assert calls == list(zip(twin.points, twin.values, strict=True))
        agree(result, twin)


@pytest.mark.parametrize("name", naive.ALGORITHMS)
def test_a_target_ends_the_run(name):
    problem, function = match()
    representations = resolve_representations(problem.space, "linear")
    parameters = resolved(name)
    for target in (5, 3, 0):
        twin = naive.run(name, function, representations, parameters, 10**4, 7, target)
        settings = {"algorithm": name, "budget": 10**4, "seed": 7, "target": target}
        agree(minimize(problem, representation="linear", **settings), twin)
        assert twin.best_value <= target


@pytest.mark.parametrize("name", naive.ALGORITHMS)
def test_without_a_bit(name):
    representations = resolve_representations(Space({"a": "x", "b": "y"}), "linear")
    parameters = resolved(name)
    twin = naive.run(name, lambda categories: 3.5, representations, parameters, 30, 1)
    space = {"a": [0], "b": [0]}
    objective, calls = recorded(lambda categories: 3.5)
    settings = {"algorithm": name, "representation": "linear", "budget": 30, "seed": 1}
    result = called_every_time(objective, space, **settings)
    assert calls == list(zip(twin.points, twin.values, strict=True))
    agree(result, twin)
    assert result.x == {"a": 0, "b": 0}
