"""Ours pass the checks that others can run on theirs; and what is wrong does not pass."""

from dataclasses import replace
from itertools import count
from typing import Annotated, NamedTuple

import numpy as np
import pytest

from catcube import Representation, Space, representation
from catcube.algorithms import algorithm
from catcube.algorithms.algorithm import ParameterInfo
from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import njit
from catcube.engine.point import flip, flipped, point_at, start
from catcube.engine.recorder import iterate
from catcube.engine.rng import below
from catcube.problems import Match, PythonProblem, Sudoku, compiled
from catcube.problems.functions import CompiledProblem
from catcube.testing import check_algorithm, check_problem, check_representation, checks
from tests.problems.problem_examples import Weighted


@pytest.mark.parametrize("check", checks("catcube"), ids=str)
def test_conformance(check):
    check()


def refused(check, *arguments):
    """The sentence that says what is wrong."""
    with pytest.raises(AssertionError) as refusal:
        check(*arguments)
    return str(refusal.value)


def test_a_package_without_anything_registered():
    assert "'json'" in refused(checks, "json")


def test_representations_in_any_form():
    check_representation(representation("vt", 7))
    check_representation(lambda N: representation("gray", N), sizes=(3, 7))
    check_representation("product:2+2")
    check_representation("covering:3", (20,))


def linear(N, **changes):
    code = representation("linear", N)
    settings = {"name": "faulty", "description": "a fault", "categories": N} | changes
    return Representation(code.columns, code.table, **settings)


class Twisted(Representation):
    """Decodes other than its data say."""

    def decode(self, bits):
        return (super().decode(bits) + np.asarray(bits)[..., 0]) % self.categories


def fussy(N):
    if N < 2:
        raise ValueError("too few")
    return linear(N)


@pytest.mark.parametrize(
    ("build", "sentence"),
    [
        (lambda N: linear(N + (N == 4)), "with 4 categories, categories"),
        (lambda N: linear(N, description=""), "with 1 categories, description"),
        (lambda N: linear(N, description="two\nlines"), "description"),
        (lambda N: linear(N, name=""), "name"),
        (lambda N: linear(N, proved_radius=0), "with 2 categories, radius: expected 1, got 0"),
        (fussy, "expected a representation of 1 categories, got too few"),
        (Twisted([1, 2, 3], range(4), description="a fault"), "canonical bit vectors decoded"),
    ],
)
def test_faulty_representations(build, sentence):
    assert sentence in refused(check_representation, build)


def test_a_representation_that_fits_no_size():
    assert "fits the parameters" in refused(check_representation, "product:2+2", (3, 5))


def test_problems_in_any_form():
    space = Space({"base": "ATCG", "flag": [True, False]})
    check_problem(PythonProblem(lambda point: "ATCG".index(point["base"]) - point["flag"], space))
    check_problem(CompiledProblem(compiled(lambda categories: 1.0 * categories.sum()), space))
    check_problem(lambda: Weighted(6, 4, seed=1))
    check_problem("sudoku:12..34122143432.")
    check_problem(Match(3, 1))


@entry("change")
def opposite(problem, variable, category):
    return 1.0


@entry("commit")
def forgetful(problem, variable, category):
    pass


@entry("value")
def clobbering(problem):
    problem.counts[0] = 0
    return 1.0 if problem.categories[0] != 0 else 0.0


@entry("prepare")
def counting(problem):
    problem.counts[0] = 1


@entry("change")
def counted(problem, variable, category):
    if variable > 0:
        return 0.0
    before, after = problem.categories[0] != 0, category != 0
    return problem.counts[0] * ((1.0 if after else 0.0) - (1.0 if before else 0.0))


class Optimistic(Match):
    optimum = 2.0


class Opposite(Match):
    change = opposite


class Forgetful(Sudoku):
    commit = forgetful


class Uncommitted(Match):
    change = None
    commit = forgetful


class Clobbering(Match):
    value = clobbering
    prepare = counting
    change = counted
    count_size = 1


SIZES = count(4)


class Drifting(Weighted):
    exact = True


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (lambda: Optimistic(4, 3), "below the optimum 2.0"),
        (lambda: Opposite(4, 3), "`change` returns 1.0, but the value changes from"),
        (lambda: Forgetful("1" + "." * 15), "after `commit`"),
        (lambda: Clobbering(2, 3), "after `commit`"),
        (lambda: Uncommitted(4, 3), "expected a change beside commit, got none"),
        (lambda: Drifting(10, 6, seed=1), "but the value changes from"),
        (lambda: Match(4, 3, seed=None), "built again"),
        (lambda: Match(next(SIZES), 2), "built again"),
        (lambda: PythonProblem(lambda point: float("nan"), Space({"a": "xy"})), "is NaN"),
    ],
)
def test_faulty_problems(problem, sentence):
    assert sentence in refused(check_problem, problem)


class Parameters(NamedTuple):
    patience: Annotated[int, ParameterInfo("of no use", low=1)] = 0


class Wordless(NamedTuple):
    patience: Annotated[int, ParameterInfo("", low=1)] = 1


@njit
def overrunning(search, parameters, memory):
    """Looks at the budget only now and then."""
    point = point_at(search, 0)
    start(search, point)
    while iterate(search.recorder):
        for _ in range(7):
            start(search, point)


LEFT = np.zeros(1, np.int64)


@njit
def remembering(search, parameters, memory):
    """Goes through the bits from where the last run has ended."""
    counter = memory[0]
    point = point_at(search, 0)
    n = point.bits.size
    value = start(search, point)
    while iterate(search.recorder):
        if n == 0 or below(search.random, 50) == 0:
            value = start(search, point)
            continue
        counter[0] += 1
        i = counter[0] % n
        candidate = flipped(search, point, i, value)
        if candidate <= value:
            flip(search, point, i)
            value = candidate


RLS = replace(algorithm("rls"), name="faulty", presets={})


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        (replace(RLS, title="two\nlines"), "faulty: title: expected one line"),
        (replace(RLS, reference=""), "reference: expected one line, got ''"),
        (replace(RLS, parameters=Parameters), "expected a default >= 1, got patience=0"),
        (replace(RLS, parameters=Wordless), "the parameter patience has no description"),
        (replace(RLS, kernel=overrunning, name="overrunning"), "got 8 evaluations"),
        (
            replace(
                RLS, kernel=remembering, name="remembering", memory=lambda n, parameters: (LEFT,)
            ),
            "two runs with seed 3 differ",
        ),
    ],
)
def test_faulty_algorithms(method, sentence):
    assert sentence in refused(check_algorithm, method)
