"""BitProblem: a function of bits that any binary optimiser can call."""

import pickle

import numpy as np
import pytest

import catcube
from catcube import BitProblem, Space
from catcube.problems import Match, Sudoku
from catcube.representations import families
from catcube.representations.layout import decode_points

SPACE = Space({"base": "ATCG", "only": ["one"], "digit": range(1, 10), "flag": [True, False]})


def cost(point):
    return (point["base"] != "C") + 2 * point["digit"] + 0.5 * point["flag"]


def vectors(problem, count=20, seed=1):
    return np.random.default_rng(seed).integers(0, 2, (count, problem.n))


@pytest.mark.parametrize("representation", list(families))
def test_it_decodes_as_the_engine_does(representation):
    problem = BitProblem(cost, SPACE, representation)
    for row in vectors(problem):
        point = SPACE.decode(decode_points(problem._layout, row.astype(np.uint8)))
        assert problem.decode(row) == point
        assert problem(row) == cost(point)
        assert problem.decode(problem.encode(point)) == point
        assert problem.decode(problem.encode(point, np.random.default_rng(2))) == point


def test_one_representation_by_variable():
    by_variable = {"base": "linear", "only": "direct", "digit": "direct", "flag": "linear"}
    problem = BitProblem(cost, SPACE, by_variable)
    assert problem.n == 3 + 0 + 4 + 1
    point = {"base": "G", "only": "one", "digit": 4, "flag": False}
    assert problem.decode([0, 0, 1, 1, 1, 0, 0, 1]) == point


@pytest.mark.parametrize("representation", ["linear", "direct"])
def test_problems_of_the_package(representation):
    sudoku = Sudoku.instance("small-dimension-9-a")
    for problem in (sudoku, Match(7, [2, 3, 4, 5, 6, 9, 1], seed=2)):
        wrapped = BitProblem(problem, representation=representation)
        rows = vectors(wrapped)
        expected = [problem.evaluate(wrapped.decode(row)) for row in rows]
        assert [wrapped(row) for row in rows] == expected
        assert wrapped.values(rows).tolist() == expected
        assert len(set(expected)) > 1


def test_compiled_and_vectorized_functions():
    def plain(categories):
        return float(categories[0] + 10 * categories[2])

    calls = []

    def vectorized(rows):
        calls.append(len(rows))
        return rows[:, 0] + 10 * rows[:, 2]

    compiled = BitProblem(catcube.compiled(plain), SPACE)
    batch = BitProblem(vectorized, SPACE, vectorized=True)
    rows = vectors(batch)
    expected = [plain(SPACE.encode(batch.decode(row))) for row in rows]
    assert compiled.values(rows).tolist() == expected
    assert batch.values(rows).tolist() == expected
    assert calls == [20]
    assert [compiled(row) for row in rows] == [batch(row) for row in rows] == expected
    assert batch.values(np.zeros((0, batch.n))).shape == (0,)


@pytest.mark.parametrize("kind", [list, tuple, np.bool_, np.float64, np.uint8])
def test_any_sequence_is_a_vector(kind):
    bits = kind([1, 0, 1]) if kind in (list, tuple) else np.array([1, 0, 1], kind)
    problem = BitProblem(lambda point: float("TAGC".index(point["base"])), Space({"base": "ATCG"}))
    assert problem.decode(bits) == {"base": "C"}
    assert problem(bits) == 3
    assert type(problem(bits)) is float


def test_bounds_and_names():
    problem = BitProblem(Sudoku.instance("small-dimension-2-a"), representation="direct")
    assert problem.bounds == [(0, 1)] * 8
    assert repr(problem) == "BitProblem('small-dimension-2-a', n=8, representation='direct')"


def test_without_any_choice_there_are_no_bits():
    problem = BitProblem(lambda point: 3.0, Space({"only": ["one"]}))
    assert (problem.n, problem([]), problem.decode([])) == (0, 3.0, {"only": "one"})
    assert problem.encode({"only": "one"}).size == 0
    assert problem.values(np.zeros((2, 0))).tolist() == [3.0, 3.0]


@pytest.mark.parametrize(
    ("bits", "culprit"),
    [
        ([0, 2, 0], "0 or 1"),
        ([0, 0.5, 0], "0 or 1"),
        ([0, np.nan, 0], "0 or 1"),
        (["0", "1", "0"], "0 or 1"),
        ("010", r"3 bits.*\(\)"),
        ([0], r"3 bits.*\(1,\)"),
        ([[0, 1, 0]], r"one vector.*\(1, 3\)"),
    ],
)
def test_what_is_no_vector_is_refused(bits, culprit):
    problem = BitProblem(lambda point: 0.0, Space({"base": "ATCG"}))
    with pytest.raises(ValueError, match=culprit):
        problem(bits)


def test_what_is_no_batch_or_problem_is_refused():
    problem = BitProblem(lambda point: 0.0, Space({"base": "ATCG"}))
    with pytest.raises(ValueError, match="expected rows of 3 bits"):
        problem.values([0, 1, 0])
    with pytest.raises(ValueError, match="expected a space for the function"):
        BitProblem(cost)
    with pytest.raises(TypeError, match="expected a function or a problem"):
        BitProblem(3)
    with pytest.raises(ValueError, match="unknown representation 'liner'"):
        BitProblem(cost, SPACE, "liner")
    wrong = BitProblem(lambda rows: rows, SPACE, vectorized=True)
    with pytest.raises(TypeError, match=r"shape \(2,\), got \(2, 4\)"):
        wrong.values(np.zeros((2, wrong.n)))


def test_nan_and_failures_are_raised():
    space = Space({"base": "ATCG"})
    with pytest.raises(ValueError, match=r"returned NaN at {'base': 'A'}"):
        BitProblem(lambda point: float("nan"), space)([0, 0, 0])
    batch = BitProblem(lambda rows: np.where(rows[:, 0] == 1, np.nan, 2.0), space, vectorized=True)
    assert batch.values([[0, 0, 0]]).tolist() == [2.0]
    for call in (lambda: batch([1, 0, 0]), lambda: batch.values([[0, 0, 0], [1, 0, 0]])):
        with pytest.raises(ValueError, match=r"returned NaN at {'base': 'T'}"):
            call()
    with pytest.raises(ZeroDivisionError):
        BitProblem(lambda point: 1 / 0, space)([0, 0, 0])
    with pytest.raises(TypeError, match="expected a number"):
        BitProblem(lambda point: "a", space)([0, 0, 0])

    def raising(categories):
        if categories[0] == 0:
            raise ValueError("not there")
        return 1.0

    compiled = BitProblem(catcube.compiled(raising), space)
    assert compiled([1, 0, 0]) == 1.0
    with pytest.raises(ValueError, match="not there"):
        compiled([0, 0, 0])


def test_it_can_be_sent_to_another_process():
    problem = BitProblem(Match(5, 4, seed=1))
    again = pickle.loads(pickle.dumps(problem))
    rows = vectors(problem)
    assert again.values(rows).tolist() == problem.values(rows).tolist()
