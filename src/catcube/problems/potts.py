"""Potts glasses, and cuts into k parts: couplings between spins with several states.

F. Y. Wu, "The Potts model", Reviews of Modern Physics 54 (1982): the energy is the sum of -J over
all edges whose ends have equal states. With J = -w it is the uncut weight of a partition into k
parts, so that its minimum is the maximum k-cut. Gaussian couplings are multiples of 2^-20, so that
sums of them are never rounded.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.base.text import expect
from catcube.problems import graphs
from catcube.problems.graphs import Graph, read_edge_list
from catcube.problems.problem import check_integer, format_labels
from catcube.problems.registry import kind
from catcube.problems.scanner import Source, reading
from catcube.problems.tables import MOST_ENTRIES, TableProblem
from catcube.space import Space

RESOLUTION = 2**20
COUPLINGS = ("sign", "gaussian")


def _on_lattice(torus: bool) -> Any:
    """Return the class method that draws couplings on a square lattice, or on a torus."""

    def generate(
        cls: type["Potts"],
        rows: int,
        columns: int,
        states: int,
        couplings: str = "sign",
        planted: bool = False,
        seed: Any = 1,
    ) -> "Potts":
        """Draw couplings on a square lattice; on a torus it has no border."""
        return cls._random(graphs.grid(rows, columns, torus), states, couplings, planted, seed)

    return classmethod(generate)


@kind(
    "potts",
    "Potts glass, or cut into k parts: couplings between equal neighbours",
    instances=[
        "grid,8,8,3,planted=true",
        "torus,10,10,3",
        "torus,10,10,3,gaussian",
        "random,50,0.1,4",
    ],
    generators=["grid", "torus", "random"],
    reader="read",
)
class Potts(TableProblem):
    """The energy of spins on a graph: minus the sum of couplings between equal neighbours.

    Parameters
    ----------
    graph
        The graph, whose vertices are the spins.
    couplings
        The coupling of each edge.
    states
        The number of states of a spin.

    Examples
    --------
    >>> from catcube.problems.graphs import grid
    >>> problem = Potts(grid(2, 2), [1, -1, 1, 1], states=3)
    >>> problem.evaluate({"s1": 0, "s2": 0, "s3": 0, "s4": 1})
    0.0
    >>> Potts.grid(8, 8, states=3, planted=True).optimum
    -40.0
    """

    solution = format_labels

    def __init__(self, graph: Graph, couplings: ArrayLike, states: int) -> None:
        check_integer("states", states, 1, 1024)
        self.graph = graph
        self.couplings: NDArray[np.float64] = np.asarray(couplings, dtype=np.float64)
        edges, shape = graph.edges.tolist(), self.couplings.shape
        expect(shape == (len(edges),), f"{len(edges)} couplings, one for each edge", shape)
        different = set(self.couplings.tolist())
        check_integer("entries of all tables", len(different) * states**2, 0, MOST_ENTRIES)
        self.space = Space({f"s{i}": range(states) for i in range(1, graph.vertices + 1)})
        tables = {coupling: -coupling * np.eye(states) for coupling in different}
        self.set_tables(edges, [tables[coupling] for coupling in self.couplings.tolist()])

    @classmethod
    def read(cls, file: Source, states: int, cut: bool = False) -> "Potts":
        """Read a list of edges with couplings, or, for a cut, with weights, which are -J."""
        with reading(file) as given:
            graph, weights = read_edge_list(given)
            return cls(graph, -weights if cut else weights, states)

    grid, torus = _on_lattice(torus=False), _on_lattice(torus=True)

    @classmethod
    def random(
        cls,
        vertices: int,
        density: float,
        states: int,
        couplings: str = "sign",
        planted: bool = False,
        seed: Any = 1,
    ) -> "Potts":
        """Draw couplings on a random graph."""
        graph, _ = graphs.random_graph(vertices, density, np.random.default_rng(seed))
        return cls._random(graph, states, couplings, planted, seed)

    @classmethod
    def _random(
        cls, graph: Graph, states: int, couplings: str, planted: bool, seed: Any
    ) -> "Potts":
        """Draw couplings; the signs of planted ones satisfy a hidden assignment."""
        expect(couplings in COUPLINGS, "couplings 'sign' or 'gaussian'", couplings)
        check_integer("states", states, 1, 1024)
        random = np.random.default_rng([seed, 1])
        size = len(graph.edges)
        drawn = random.choice([-1.0, 1.0], size)
        if couplings == "gaussian":
            drawn = np.round(random.normal(size=size) * RESOLUTION) / RESOLUTION
        if not planted:
            return cls(graph, drawn, states)
        hidden = random.integers(0, states, graph.vertices)
        equal = hidden[graph.edges[:, 0]] == hidden[graph.edges[:, 1]]
        satisfied = np.where(equal, np.abs(drawn), -np.abs(drawn))
        problem = cls(graph, satisfied, states)
        problem.hidden = problem.space.decode(hidden)
        problem.optimum = -float(satisfied[equal].sum())
        return problem
