"""Graph colouring: values, graphs and files."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube import minimize
from catcube.engine.compiled.jit import JIT
from catcube.problems import Colouring, make
from catcube.problems.graphs import grid, leighton_graph, mycielski, queen, random_graph
from catcube.problems.potts import Potts
from tests.problems.toulbar import minimum


@given(st.integers(1, 12), st.floats(0, 1), st.integers(1, 5), st.integers(0, 2**32))
def test_value_counts_edges_with_equal_ends(vertices, density, colours, seed):
    random = np.random.default_rng(seed)
    problem = Colouring(random_graph(vertices, density, random)[0], colours)
    point = random.integers(0, colours, vertices).tolist()
    assert problem.evaluate(point) == sum(point[u] == point[v] for u, v in problem.graph.edges)


def test_vertices_of_edges_may_have_any_names():
    problem = Colouring([("a", "b"), ("b", "c"), ("c", "b")], colours=2)
    assert problem.space.names == ("a", "b", "c")
    assert problem.evaluate({"a": 0, "b": 0, "c": 1}) == 1.0
    assert problem.solution({"a": 0, "b": 0, "c": 1}) == "1: a b\n2: c\nconflicts: a-b"


def test_queen_graphs():
    assert (queen(8, 8).vertices, len(queen(8, 8).edges)) == (64, 728)
    moves = [
        (row * 6 + column, other * 6 + file)
        for row in range(5)
        for column in range(6)
        for other in range(5)
        for file in range(6)
        if (row, column) < (other, file)
        and (row == other or column == file or abs(row - other) == abs(column - file))
    ]
    assert queen(5, 6).edges.tolist() == [list(move) for move in moves]
    assert Colouring.queen(8, colours=8).optimum is None
    assert Colouring.queen(8, 12, colours=12).optimum == Colouring.queen(7, colours=7).optimum == 0


@pytest.mark.parametrize("k", [2, 3, 4])
def test_mycielski_graphs_need_their_colours(k):
    graph = mycielski(k)
    joined = np.zeros((graph.vertices, graph.vertices), int)
    joined[tuple(graph.edges.T)] = 1
    joined += joined.T
    assert np.trace(np.linalg.matrix_power(joined, 3)) == 0  # no triangle
    assert fewest_conflicts(graph, k) == 0
    assert fewest_conflicts(graph, k - 1) > 0


def fewest_conflicts(graph, colours):
    """By toulbar2: a colouring is a Potts model whose couplings are all -1."""
    return round(minimum(Potts(graph, -np.ones(len(graph.edges)), colours))[0])


def test_least_number_of_conflicts_against_toulbar2():
    problem = Colouring.random(18, 0.5, colours=3, seed=4)
    least = fewest_conflicts(problem.graph, 3)
    assert least > 0
    budget = 30_000 if JIT else 500
    best = min(minimize(problem, algorithm="sa", budget=budget, seed=seed).fun for seed in range(5))
    assert best == least if JIT else best >= least


def test_planted_graphs_have_a_colouring():
    graph, part = random_graph(60, 0.5, np.random.default_rng(1), parts=4)
    assert (part[graph.edges[:, 0]] != part[graph.edges[:, 1]]).all()
    assert np.bincount(part).tolist() == [15] * 4
    # 1350 pairs of different parts: 675 edges expected, deviation 18.4
    assert abs(len(graph.edges) - 675) < 92
    problem = Colouring.planted(60, 4, 0.5)
    assert problem.evaluate(problem.hidden) == problem.optimum == 0.0


def test_leighton_graphs():
    graph, part = leighton_graph(50, 5, 200, np.random.default_rng(1))
    assert len(graph.edges) == 200
    assert (part[graph.edges[:, 0]] != part[graph.edges[:, 1]]).all()
    small, _ = leighton_graph(10, 4, 12, np.random.default_rng(2))
    assert fewest_conflicts(small, 3) > 0  # it has a clique of four
    problem = Colouring.leighton(50, 5, 200)
    assert problem.evaluate(problem.hidden) == problem.optimum == 0.0
    with pytest.raises(ValueError, match="expected edges in"):
        Colouring.leighton(50, 5, 2000)


def test_random_graphs_have_their_density():
    edges = len(Colouring.random(200, 0.1, 3).graph.edges)
    assert abs(edges - 1990) < 5 * 42.3  # of 19900 pairs; deviation 42.3
    assert len(Colouring.random(5, 0, 3).graph.edges) == 0
    assert len(Colouring.random(5, 1, 3).graph.edges) == 10


def test_grids():
    assert grid(2, 2).edges.tolist() == [[0, 1], [0, 2], [1, 3], [2, 3]]
    assert grid(2, 2, torus=True).edges.tolist() == grid(2, 2).edges.tolist()
    assert len(grid(1, 5, torus=True).edges) == 5
    degrees = np.bincount(grid(3, 5, torus=True).edges.ravel())
    assert degrees.tolist() == [4] * 15


def test_dimacs_with_every_edge_in_both_directions(tmp_path):
    graph = queen(8, 8)
    lines = [f"e {u + 1} {v + 1}\ne {v + 1} {u + 1}" for u, v in graph.edges]
    path = tmp_path / "queen8_8.col"
    path.write_text("\n".join(["c queens", "p edge 64 1456", *lines]))
    problem = Colouring.read(path, colours=9)
    assert len(problem.graph.edges) == 728
    assert problem.optimum == 0.0
    assert problem.integers.tolist() == Colouring.queen(8, colours=9).integers.tolist()
    by_name = make(f"colouring:{path},9")
    assert by_name.files[0].text == path.read_text()
    assert by_name.integers.tolist() == problem.integers.tolist()
