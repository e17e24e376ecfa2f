"""What a run records: every improvement, and the best point; `catcube.testing` checks the rest."""

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
from catcube.problems import Problem

SPACE = Space({"base": "ATCG", "digit": range(1, 10), "flag": [True, False], "one": ["label"]})


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
