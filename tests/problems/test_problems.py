"""Problems: values against plain Python, whole runs with and without the O(1) change."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube import Space, minimize
from catcube.algorithms import names
from catcube.engine.compiled.jit import JIT
from catcube.problems import Match, PythonProblem, Sudoku, compiled
from catcube.problems.functions import CompiledProblem
from catcube.problems.sudoku import complete_board, erase
from tests.naive import sudoku as naive_sudoku
from tests.problems.problem_examples import Weighted, WholeMatch, WholeSudoku, WholeWeighted

# Interpreted, the same tests are smaller.
INSTANCE, BUDGET = ("sudoku-easy-56", 3000) if JIT else ("small-dimension-4-a", 150)
REPRESENTATIONS = ["linear", "direct", "balanced", "vt"] if JIT else ["linear", "vt"]
SIZES = [1, 2, 3, 4, 5, 7, 9, 12]


@given(st.sampled_from([2, 3]), st.integers(0, 1000), st.data())
def test_sudoku_against_plain_lists(box, seed, data):
    size = box * box
    board = erase(complete_board(box, seed=seed), data.draw(st.integers(1, size * size)), seed=seed)
    problem = Sudoku(board)
    digits = [data.draw(st.integers(1, size)) for _ in board.unknowns]
    rows = board.cells.tolist()
    for (row, column), digit in zip(board.unknowns, digits, strict=True):
        rows[row][column] = digit
    point = dict(zip(problem.space.names, digits, strict=True))
    assert problem.evaluate(point) == naive_sudoku.value(rows, box)
    assert problem.complete(point).cells.tolist() == rows


def test_sudoku_variables_are_cells_by_row():
    problem = Sudoku("12..\n34..\n....\n...1")
    assert problem.space.names[:3] == ("r1c3", "r1c4", "r2c3")
    assert problem.space["r1c3"] == (1, 2, 3, 4)
    assert len(problem.space) == 11


def test_sudoku_with_nothing_to_search():
    with pytest.raises(ValueError, match="expected a board with unknown cells"):
        Sudoku(complete_board(2, seed=1))


def test_sudoku_with_conflicting_givens():
    with pytest.warns(UserWarning, match="givens conflict"):
        problem = Sudoku("11..\n....\n....\n....")
    assert problem.optimum is None
    assert minimize(problem, algorithm="rls", budget=500, seed=1).fun > 0


@pytest.mark.parametrize("dimension", range(1, 5))
def test_shipped_instances_are_solved(dimension):
    problem = Sudoku.instance(f"small-dimension-{dimension}-a")
    result = minimize(problem, algorithm="rls", budget=20_000, target=0, seed=1)
    assert result.success
    assert problem.complete(result.x).value() == 0


@pytest.mark.parametrize("representation", REPRESENTATIONS)
@pytest.mark.parametrize("algorithm", names())
@pytest.mark.parametrize(
    ("quick", "whole"),
    [
        (Match(8, SIZES, seed=3), WholeMatch(8, SIZES, seed=3)),
        (Sudoku.instance(INSTANCE), WholeSudoku.instance(INSTANCE)),
        (Sudoku("1" + "." * 15), WholeSudoku("1" + "." * 15)),
    ],
    ids=["match", "sudoku 3", "sudoku 2"],
)
def test_whole_runs_are_the_same(quick, whole, algorithm, representation):
    settings = {"algorithm": algorithm, "representation": representation, "budget": BUDGET}
    one, other = (minimize(problem, seed=8, **settings) for problem in (quick, whole))
    assert quick.change is not None
    assert whole.change is None
    assert one.trace.evaluations.tolist() == other.trace.evaluations.tolist()
    assert one.trace.values.tolist() == other.trace.values.tolist()
    assert one.solution.tolist() == other.solution.tolist()
    assert (one.x, one.nfev, one.nit) == (other.x, other.nfev, other.nit)


@pytest.mark.parametrize("algorithm", names())
@pytest.mark.parametrize("seed", range(3))
def test_real_values_are_computed_afresh(algorithm, seed):
    problem, whole = Weighted(10, 6, seed), WholeWeighted(10, 6, seed)
    budget = 20_000 if JIT else 500
    # So that shorter runs are prefixes.
    settings = {"over_budget": False} if algorithm == "sa" else {}
    result = minimize(problem, algorithm=algorithm, budget=budget, seed=seed, **settings)
    assert whole.evaluate(result.x) == result.fun == result.trace.values[-1]
    # A run that stops at an improvement has its point: each value of the trace is exact.
    for evaluations, value in list(zip(*result.trace, strict=True))[::3]:
        stopped = minimize(
            problem, algorithm=algorithm, budget=int(evaluations), seed=seed, **settings
        )
        assert stopped.fun == value == whole.evaluate(stopped.x)


def test_evaluate_takes_labels_and_indices():
    space = Space({"base": "ATCG", "flag": [True, False]})
    problem = PythonProblem(lambda point: "ATCG".index(point["base"]) + 10 * point["flag"], space)
    assert problem.evaluate({"base": "G", "flag": True}) == 13.0
    assert problem.evaluate(np.array([2, 1])) == 2.0
    batch = PythonProblem(lambda rows: rows.sum(axis=1), space, vectorized=True)
    assert batch.evaluate({"base": "G", "flag": False}) == 4.0
    total = CompiledProblem(compiled(lambda categories: categories.sum()), space)
    assert total.function(np.array([3, 1])) == total.evaluate({"base": "G", "flag": False}) == 4


@pytest.mark.parametrize("point", [{"x0": 0}, {"x0": 0, "x1": 9}, [0], [0, 7], "ab"])
def test_evaluate_refuses_what_is_no_point(point):
    with pytest.raises((ValueError, TypeError)):
        Match(2, 3, seed=1).evaluate(point)
