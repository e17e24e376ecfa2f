"""Sums of tables: NK landscapes and Potts glasses against plain sums and an exact solver."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube import Space, minimize
from catcube.engine.compiled.jit import JIT
from catcube.problems import NK, Potts, make
from catcube.problems.nk import ring_minimum
from catcube.problems.tables import TableProblem, sums_are_exact
from tests.problems.toulbar import enumerated, minimum

BUDGET = 100_000 if JIT else 3000


def summed(problem, point):
    """The value of a sum of tables in plain Python."""
    return sum(
        float(table[tuple(point[variable] for variable in scope)])
        for scope, table in zip(problem.scopes, problem.tables, strict=True)
    )


class Sum(TableProblem):
    """Tables of any scopes, also none, over variables of any sizes."""

    name = "sum"

    def __init__(self, sizes, scopes, seed):
        random = np.random.default_rng(seed)
        self.space = Space({f"x{i}": range(size) for i, size in enumerate(sizes)})
        shapes = [tuple(sizes[variable] for variable in scope) for scope in scopes]
        self.set_tables(scopes, [random.integers(-9, 9, shape) * 1.0 for shape in shapes])


@given(st.lists(st.integers(1, 5), min_size=1, max_size=5), st.data())
def test_value_is_the_sum_of_the_selected_entries(sizes, data):
    variables = st.permutations(range(len(sizes)))
    scopes = [
        tuple(data.draw(variables)[: data.draw(st.integers(0, min(3, len(sizes))))])
        for _ in range(data.draw(st.integers(0, 6)))
    ]
    problem = Sum(sizes, scopes, seed=data.draw(st.integers(0, 99)))
    point = [data.draw(st.integers(0, size - 1)) for size in sizes]
    assert problem.evaluate(point) == summed(problem, point)
    assert problem.exact


def test_a_table_of_another_shape_is_refused():
    problem = Sum([2, 3], [], seed=1)
    with pytest.raises(ValueError, match=r"expected a table of shape \(2, 3\) .* got \(3, 2\)"):
        problem.set_tables([(0, 1)], [np.zeros((3, 2))])
    with pytest.raises(ValueError, match="finite"):
        problem.set_tables([(0,)], [np.array([0.0, np.inf])])


def test_equal_tables_are_kept_once():
    assert Potts.grid(5, 5, states=3).reals.size == 2 * 9


@pytest.mark.parametrize(
    ("entries", "tables", "exact"),
    [
        ([0.0], 10, True),
        ([2.0**-24, 0.5], 2**20, True),
        ([2.0**-52, 1.0], 1, False),  # a difference of two of them has one bit more
        ([2.0**-51, 1.0], 1, True),
        ([2.0**-50, 1.0], 4, False),
        ([1e300, 1e-300], 1, False),
        ([0.1], 3, False),
    ],
)
def test_sums_are_exact(entries, tables, exact):
    assert sums_are_exact(np.array(entries), tables) is exact


@pytest.mark.parametrize("neighbours", ["adjacent", "random"])
def test_nk_scopes(neighbours):
    problem = NK(30, 4, 3, neighbours)
    assert all(scope[0] == i and len(set(scope)) == 5 for i, scope in enumerate(problem.scopes))
    assert (problem.scopes[28] == (28, 29, 0, 1, 2)) == (neighbours == "adjacent")


@pytest.mark.parametrize(
    ("n", "k", "letters"), [(1, 0, 4), (5, 0, 3), (2, 1, 3), (3, 2, 3), (6, 2, 3), (7, 3, 2)]
)
def test_nk_optimum_of_all_points(n, k, letters):
    for seed in (1, 2):
        problem = NK(n, k, letters, seed=seed)
        assert problem.optimum == enumerated(problem)


@pytest.mark.parametrize("neighbours", ["adjacent", "random"])
def test_nk_against_toulbar2(neighbours):
    problem = NK(14, 2, 4, neighbours, seed=3)
    value, point = minimum(problem)
    assert problem.evaluate(point) == pytest.approx(value, abs=14e-6)
    if neighbours == "adjacent":
        assert problem.optimum == problem.evaluate(point)
    else:
        assert problem.optimum is None
    if JIT:
        best = min(minimize(problem, budget=BUDGET, seed=seed).fun for seed in range(3))
        assert best == problem.evaluate(point)


def test_nk_optimum_is_left_open_where_it_takes_long():
    assert NK(200, 3, 8).optimum is None
    assert NK(20, 0, 8, "random").optimum == ring_minimum(NK(20, 0, 8).contributions)


@pytest.mark.parametrize("couplings", ["sign", "gaussian"])
@pytest.mark.parametrize(("rows", "columns", "states"), [(3, 3, 2), (2, 3, 3)])
def test_potts_energy(couplings, rows, columns, states):
    problem = Potts.torus(rows, columns, states, couplings, seed=2)
    random = np.random.default_rng(1)
    for point in random.integers(0, states, (20, rows * columns)):
        equal = point[problem.graph.edges[:, 0]] == point[problem.graph.edges[:, 1]]
        assert problem.evaluate(point) == -problem.couplings[equal].sum()
    assert problem.exact
    value, point = minimum(problem)
    assert problem.evaluate(point) == pytest.approx(value, abs=1e-4)
    assert enumerated(problem) == problem.evaluate(point)


@pytest.mark.parametrize("text", ["grid,4,5,3", "torus,4,4,3,gaussian", "random,20,0.3,4,gaussian"])
def test_planted_potts(text):
    problem = make(f"potts:{text},planted=true,seed=5")
    assert problem.evaluate(problem.hidden) == problem.optimum
    assert minimum(problem)[0] == pytest.approx(problem.optimum, abs=1e-4)


def test_potts_from_a_file(tmp_path):
    path = tmp_path / "square.txt"
    path.write_text("4 4 # a square\n1 2 1\n2 3 -1.5\n3 4\n4 1 2\n")
    glass, cut = Potts.read(path, states=2), Potts.read(path, states=2, cut=True)
    assert glass.evaluate([0, 0, 0, 0]) == -2.5
    assert cut.evaluate([0, 0, 0, 0]) == 2.5
    assert minimum(cut)[0] == enumerated(cut) == -0.5  # the negative edge and one more stay
    assert make(f"potts:{path},2,cut=true").evaluate([0, 1, 0, 1]) == 0.0
