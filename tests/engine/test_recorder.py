"""What every run records: exact counts, the target, the trace, the best point."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catcube import Space, minimize
from catcube.algorithms import names
from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import JIT
from catcube.engine.recorder import TRACE_CHUNK
from catcube.problems import Match, Problem, Sudoku

SPACE = Space({"base": "ATCG", "digit": range(1, 10), "flag": [True, False], "one": ["label"]})
LONG = 3000 if JIT else 400

each_algorithm = pytest.mark.parametrize("algorithm", names())


def cost(point):
    return abs(point["digit"] - 7) + "GCTA".index(point["base"]) * 3 + point["flag"]


class Counted:
    """A function and how often it was called."""

    def __init__(self, function):
        self.function = function
        self.calls = 0

    def __call__(self, point):
        self.calls += 1
        return self.function(point)


def trace_of(result):
    return list(zip(result.trace.evaluations.tolist(), result.trace.values.tolist(), strict=True))


@each_algorithm
@pytest.mark.parametrize("preset", [None, "paper"])
def test_the_budget_is_kept_exactly(algorithm, preset):
    budgets = (1, 2, 3, 10, 11, 12, 100, 101, 102, 199, 500, 501, 777)
    for budget in budgets if JIT else budgets[:9]:
        function = Counted(cost)
        result = minimize(
            function, SPACE, algorithm=algorithm, preset=preset, budget=budget, seed=budget
        )
        assert result.nfev == function.calls == budget
        assert result.message == "the budget is used up"
        assert result.success


@each_algorithm
def test_a_target_ends_a_prefix_of_the_longer_run(algorithm):
    problem = Sudoku("1...\n..3.\n.4..\n...2")
    settings = {"algorithm": algorithm, "budget": LONG, "seed": 5}
    longer = minimize(problem, **settings)
    assert len(longer.trace.values) > 2
    for k, (evaluation, value) in list(enumerate(trace_of(longer)))[:: 1 if JIT else 3]:
        for target in (value, value + 0.5):
            result = minimize(problem, target=target, **settings)
            if target == value:
                assert result.nfev == result.nfev_best == evaluation
                assert trace_of(result) == trace_of(longer)[: k + 1]
            assert result.fun <= target
            assert result.success
            assert result.message == "the target was reached"
    missed = minimize(problem, target=longer.fun - 1, **settings)
    assert not missed.success
    assert trace_of(missed) == trace_of(longer)
    assert missed.nfev == longer.nfev


@each_algorithm
def test_a_shorter_budget_ends_a_prefix_of_the_longer_run(algorithm):
    problem = Match(12, 5, seed=1)
    settings = {"over_budget": False} if algorithm == "sa" else {}  # else the budget matters
    longer = minimize(problem, algorithm=algorithm, budget=LONG, seed=6, **settings)
    for budget in (1, 2, 20, 200, 600)[: None if JIT else 4]:
        shorter = minimize(problem, algorithm=algorithm, budget=budget, seed=6, **settings)
        kept = [(k, value) for k, value in trace_of(longer) if k <= budget]
        assert trace_of(shorter) == kept
        assert problem.evaluate(shorter.x) == shorter.fun


@each_algorithm
def test_the_trace_falls_strictly_to_the_best(algorithm):
    for seed in range(5 if JIT else 1):
        result = minimize(Match(10, 6, seed=seed), algorithm=algorithm, budget=600, seed=seed)
        evaluations, values = result.trace
        assert evaluations[0] == 1
        assert (np.diff(evaluations) > 0).all()
        assert (np.diff(values) < 0).all()
        assert (evaluations[-1], values[-1]) == (result.nfev_best, result.fun)


@each_algorithm
def test_every_one_of_many_improvements_is_recorded(algorithm):
    """A function that falls with each call: all evaluations are improvements."""
    budget = 2 * TRACE_CHUNK + 100 if JIT else TRACE_CHUNK + 100
    function = Counted(lambda point: 0.5 - function.calls)
    result = minimize(function, SPACE, algorithm=algorithm, budget=budget, seed=1)
    assert result.nfev == function.calls
    assert result.trace.evaluations.tolist() == list(range(1, result.nfev + 1))
    assert result.trace.values.tolist() == [0.5 - k for k in range(1, result.nfev + 1)]


@entry("value")
def falling_value(problem):
    problem.integers[0] -= 1
    return float(problem.integers[0])


class Falling(Problem):
    """A compiled function that falls with each call."""

    value = falling_value

    def __init__(self):
        self.space = SPACE
        self.integers = np.zeros(1, np.int64)


@pytest.mark.parametrize("count", [1, TRACE_CHUNK - 1, TRACE_CHUNK, TRACE_CHUNK + 1, 9000])
def test_many_improvements_of_a_compiled_function(count):
    result = minimize(Falling(), algorithm="rls", budget=count, seed=1)
    assert result.trace.evaluations.tolist() == list(range(1, count + 1))
    assert result.trace.values.tolist() == [-k for k in range(1, count + 1)]


@settings(max_examples=40 if JIT else 12)
@given(
    st.sampled_from(names()),
    st.sampled_from(["direct", "linear", "unary", "balanced"]),
    st.lists(st.integers(1, 4), min_size=1, max_size=4),
    st.integers(1, 600),
    st.integers(0, 2**64),
)
def test_the_best_point_has_the_best_value(algorithm, representation, sizes, budget, seed):
    """Landscapes without any structure, a value for each point; few bits, so many restarts."""
    values = np.random.default_rng(seed).permutation(math.prod(sizes))
    space = Space({f"x{k}": range(size) for k, size in enumerate(sizes)})
    seen = {}

    def function(point):
        value = values[np.ravel_multi_index(tuple(point.values()), sizes)]
        seen[tuple(point.values())] = value
        return value

    result = minimize(
        function,
        space,
        algorithm=algorithm,
        representation=representation,
        budget=budget,
        seed=seed,
    )
    assert result.fun == min(seen.values())
    assert function(result.x) == result.fun


@each_algorithm
@pytest.mark.parametrize("labels", ["ab", "a"])
def test_one_bit_and_none(algorithm, labels):
    space = {"only": labels}
    settings = {"algorithm": algorithm, "representation": "linear", "budget": 50, "seed": 1}
    result = minimize(lambda point: point["only"] != "a", space, **settings)
    assert result.bits.size == len(labels) - 1
    assert result.x == {"only": "a"}
    assert result.fun == 0.0


@each_algorithm
@pytest.mark.parametrize("value", [0.0, -3, 1e308, -1e308, 5e-324, math.inf, -math.inf])
def test_a_function_of_one_value(algorithm, value):
    function = Counted(lambda point: value)
    result = minimize(function, SPACE, algorithm=algorithm, budget=300, seed=1)
    assert result.nfev == function.calls == 300
    assert result.fun == value
    assert trace_of(result) == [(1, value)]
    assert set(result.x) == set(SPACE.names)
    assert result.message == "the budget is used up"


@each_algorithm
def test_values_as_large_as_floats_go(algorithm):
    """Differences of these values overflow."""
    values = [1.7e308, -1.7e308, math.inf, 0.0]
    result = minimize(
        lambda point: values["ATCG".index(point["base"])],
        SPACE,
        algorithm=algorithm,
        budget=400,
        seed=3,
    )
    assert (result.fun, result.x["base"]) == (-1.7e308, "T")
    assert result.nfev == 400


@each_algorithm
def test_infinite_values_are_no_obstacle(algorithm):
    """Most points are forbidden by an infinite value."""

    def function(point):
        return cost(point) if point["flag"] else math.inf

    for seed in range(3 if JIT else 1):
        result = minimize(function, SPACE, algorithm=algorithm, budget=2000, seed=seed)
        assert result.fun == 1.0
