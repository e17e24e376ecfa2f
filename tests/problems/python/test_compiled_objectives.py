"""Problems and compiled functions: what is called through an address, and read through one."""

import numba
import numpy as np
import pytest

import catcube
from catcube import BitProblem, minimize
from catcube.engine.compiled.entry import entry
from catcube.problems import Problem
from catcube.problems.functions import as_problem
from tests.problems.python.objective_examples import SPACE


class Wrong(Problem):
    name = "wrong"

    def __init__(self, **attributes):
        self.space = SPACE
        vars(self).update(attributes)

    @entry("value")
    def value(problem):
        return float(problem.integers[1] + problem.categories[0])


@entry("change")
def some_change(problem, variable, category):
    return 1.0


def some_function(problem):
    return 1.0


FOREIGN = numba.cfunc("float64(float64)")(lambda x: x + 1)


@pytest.mark.parametrize(
    ("attributes", "error", "sentence"),
    [
        ({"value": FOREIGN}, TypeError, r"@entry\('value'\) as value of problem 'wrong'"),
        ({"value": some_change}, TypeError, "got 'change'"),
        ({"value": some_function}, TypeError, "got <function some_function"),
        ({"value": None}, TypeError, "got None"),
        ({"commit": some_change}, TypeError, "commit of problem 'wrong', got"),
        ({"integers": [1.5]}, TypeError, "integers as integers of problem 'wrong', got"),
        ({"integers": np.eye(2, dtype=int)}, TypeError, "expected a sequence of integers"),
        ({"integers": "text"}, TypeError, "expected a sequence of integers"),
        ({"reals": ["a"]}, TypeError, "a sequence of reals as reals of problem 'wrong'"),
        ({"count_size": -3}, ValueError, "count_size .* got -3"),
        ({"count_size": 2.0}, TypeError, "count_size .* got 2.0"),
        ({"space": {"a": "xy"}}, TypeError, "a Space as space of problem 'wrong'"),
    ],
)
def test_wrong_problems(attributes, error, sentence):
    problem = Wrong(**attributes)
    for act in (
        lambda objective: minimize(objective, algorithm="rls", budget=5, seed=1),
        BitProblem,
    ):
        with pytest.raises(error, match=sentence):
            act(problem)


@pytest.mark.parametrize(
    "integers",
    [[5, 6], (5, 6), np.array([5, 6], np.int32), np.array([5, 0, 6, 0], np.int16)[::2]],
    ids=["list", "tuple", "int32", "strided"],
)
def test_constants_in_any_form(integers):
    problem = Wrong(integers=integers)
    result = minimize(problem, algorithm="rls", budget=200, seed=1)
    assert result.fun == 6.0
    assert problem.evaluate(result.x) == 6.0
    assert BitProblem(problem).values(np.zeros((1, result.bits))) == [6.0]


@pytest.mark.compiled  # what numba says
@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda categories, more: 1.0, "Cannot bind"),
        (lambda categories: (1, 2), "No implementation of function"),
        (lambda categories: categories["base"], "No implementation of function"),
    ],
)
def test_functions_that_cannot_be_compiled(function, reason):
    compiled = catcube.compiled(function)
    with pytest.raises(TypeError, match=f"<lambda> cannot be compiled as .*: {reason}") as caught:
        minimize(compiled, SPACE, algorithm="rls", budget=5, seed=1)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_compiled_functions_look_where_they_read():
    @catcube.compiled
    def beyond(categories):
        return categories[7]

    with pytest.raises(IndexError, match="out of bounds"):
        minimize(beyond, SPACE, algorithm="rls", budget=5, seed=1)
    with pytest.raises(TypeError, match="expected a function to compile, got 5"):
        catcube.compiled(5)


@pytest.mark.compiled
def test_a_function_compiled_by_numba_is_wrapped_once():
    """Each wrapper would be compiled, and its code would stay in memory."""

    @numba.njit
    def first(categories):
        return categories[0]

    one, two = (as_problem(first, SPACE) for _ in range(2))
    assert one.function.address == two.function.address
    assert minimize(first, SPACE, algorithm="rls", budget=99, seed=1).fun == 0.0
