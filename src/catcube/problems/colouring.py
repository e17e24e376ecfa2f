"""Graph colouring with a given number of colours: the number of edges whose ends share a colour."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import expect
from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import unsigned
from catcube.problems import graphs
from catcube.problems.graphs import Graph, read_dimacs
from catcube.problems.problem import Problem, check_integer, join_constants
from catcube.problems.registry import kind
from catcube.problems.scanner import Source, reading
from catcube.space import Space

MOST_COUNTS = 100_000_000
"""Largest product of vertices and colours: a point keeps a count for each pair."""

# integers: for each vertex the index of its first neighbour, and the end; the neighbours of all.
# counts: for each colour and vertex, the number of neighbours of the vertex with this colour (in
# this order, a commit writes to two short regions of memory, one for each colour).
BEGINS, NEIGHBOURS = range(2)


@kind(
    "colouring",
    "colour a graph: edges whose ends share a colour",
    instances=[
        "queen,8,colours=9",
        "mycielski,5,5",
        "planted,200,5,0.1",
        "leighton,150,10,1500",
        "random,100,0.1,5",
    ],
    generators=["queen", "mycielski", "planted", "leighton", "random"],
    reader="read",
)
class Colouring(Problem):
    """The number of edges of a graph whose ends share a colour.

    Parameters
    ----------
    graph
        A `Graph`, or a sequence of edges, pairs of vertices with any names.
    colours
        The number of colours.
    chromatic_number
        The chromatic number, if it is known.

    Attributes
    ----------
    optimum
        0 if the graph was constructed from a colouring, or if there are at least as many colours as
        its chromatic number; else None.

    Examples
    --------
    >>> problem = Colouring([(1, 2), (2, 3), (1, 3)], colours=3)
    >>> problem.evaluate({"1": 0, "2": 0, "3": 2}), problem.optimum
    (1.0, None)
    >>> Colouring.queen(8, colours=9).optimum
    0.0
    """

    exact = True

    @entry("value")
    def value(problem):
        """Return the number of edges whose ends share a colour: half of the sum over vertices."""
        categories, integers = problem.categories, problem.integers
        begins, neighbours = integers[BEGINS], integers[NEIGHBOURS]
        twice = 0
        for vertex in range(categories.size):
            colour = categories[vertex]
            for k in range(integers[begins + vertex], integers[begins + vertex + 1]):
                if categories[unsigned(integers[unsigned(neighbours + k)])] == colour:
                    twice += 1
        return float(twice // 2)

    @entry("prepare")
    def prepare(problem):
        """Count the colours of the neighbours of each vertex."""
        categories, integers, counts = problem.categories, problem.integers, problem.counts
        for k in range(counts.size):
            counts[k] = 0
        begins, neighbours = integers[BEGINS], integers[NEIGHBOURS]
        for vertex in range(categories.size):
            for k in range(integers[begins + vertex], integers[begins + vertex + 1]):
                colour = categories[unsigned(integers[unsigned(neighbours + k)])]
                counts[unsigned(colour * categories.size + vertex)] += 1

    @entry("change")
    def change(problem, vertex, colour):
        """Return the number of neighbours with the new colour minus those with the old one."""
        counts = problem.counts
        vertices = problem.categories.size
        before = problem.categories[unsigned(vertex)]
        come = counts[unsigned(colour * vertices + vertex)]
        return float(come - counts[unsigned(before * vertices + vertex)])

    @entry("commit")
    def commit(problem, vertex, colour):
        """Update the counts of the neighbours, for the old and the new colour."""
        integers, counts = problem.integers, problem.counts
        vertices = problem.categories.size
        old, new = problem.categories[unsigned(vertex)] * vertices, colour * vertices
        first, neighbours = integers[BEGINS] + vertex, integers[NEIGHBOURS]
        for k in range(integers[unsigned(first)], integers[unsigned(first + 1)]):
            neighbour = integers[unsigned(neighbours + k)]
            counts[unsigned(old + neighbour)] -= 1
            counts[unsigned(new + neighbour)] += 1

    def __init__(
        self,
        graph: Graph | Iterable[Sequence[object]],
        colours: int,
        chromatic_number: int | None = None,
    ) -> None:
        if isinstance(graph, Graph):
            names = [str(vertex) for vertex in range(1, graph.vertices + 1)]
        else:
            names, graph = _number_vertices(graph)
        check_integer("colours", colours, 1, max(1, min(65_536, MOST_COUNTS // graph.vertices)))
        self.graph = graph
        self.colours = colours
        self.chromatic_number = chromatic_number
        self.space = Space(dict.fromkeys(names, range(colours)))
        self.integers = join_constants([], graph.neighbours())
        self.count_size = graph.vertices * colours
        if chromatic_number is not None and colours >= chromatic_number:
            self.optimum = 0.0

    @classmethod
    def read(cls, file: Source, colours: int) -> "Colouring":
        """Read a graph in the DIMACS format for colouring."""
        with reading(file) as given:
            return cls(read_dimacs(given), colours, CHROMATIC_NUMBERS.get(given.stem))

    @classmethod
    def queen(cls, rows: int, columns: int | None = None, *, colours: int) -> "Colouring":
        """Build the graph of a chessboard whose edges are the moves of a queen."""
        columns = rows if columns is None else columns
        known = CHROMATIC_NUMBERS.get(f"queen{min(rows, columns)}_{max(rows, columns)}")
        return cls(graphs.queen(rows, columns), colours, known)

    @classmethod
    def mycielski(cls, k: int, colours: int) -> "Colouring":
        """Build the triangle-free Mycielski graph of chromatic number k (DIMACS myciel(k - 1))."""
        return cls(graphs.mycielski(k), colours, k)

    @classmethod
    def random(cls, vertices: int, density: float, colours: int, seed: Any = 1) -> "Colouring":
        """Build a random graph of unknown chromatic number."""
        return cls(graphs.random_graph(vertices, density, np.random.default_rng(seed))[0], colours)

    @classmethod
    def planted(cls, vertices: int, colours: int, density: float, seed: Any = 1) -> "Colouring":
        """Build a random graph with a hidden colouring, whose edges join different colours."""
        random = np.random.default_rng(seed)
        graph, part = graphs.random_graph(vertices, density, random, colours)
        return cls(graph, colours)._from(part)

    @classmethod
    def leighton(cls, vertices: int, colours: int, edges: int, seed: Any = 1) -> "Colouring":
        """Build a graph of cliques with a hidden colouring, one of them with all colours."""
        graph, part = graphs.leighton_graph(vertices, colours, edges, np.random.default_rng(seed))
        return cls(graph, colours, colours)._from(part)

    def _from(self, colouring: NDArray[np.int64]) -> "Colouring":
        """Set the hidden colouring, and return the problem."""
        self.hidden = self.space.decode(colouring)
        self.optimum = 0.0
        return self

    def solution(self, point: Mapping[str, Any]) -> str:
        """Format the vertices of each colour, one line per colour, and the edges in conflict."""
        colours = self.space.encode(point)
        names = self.space.names
        lines = [
            f"{colour + 1}: {' '.join(names[v] for v in np.flatnonzero(colours == colour))}".strip()
            for colour in range(self.colours)
        ]
        edges = self.graph.edges
        equal = edges[colours[edges[:, 0]] == colours[edges[:, 1]]].tolist()
        if equal:
            lines.append("conflicts: " + " ".join(f"{names[u]}-{names[v]}" for u, v in equal))
        return "\n".join(lines)


def _number_vertices(edges: Iterable[Sequence[object]]) -> tuple[list[str], Graph]:
    """Return the names of the vertices, in order of appearance, and the graph."""
    numbers: dict[str, int] = {}
    pairs = []
    for edge in edges:
        u, v = (numbers.setdefault(str(vertex), len(numbers)) for vertex in edge)
        pairs.append((u, v))
    expect(numbers, "at least one edge", pairs)
    return list(numbers), Graph.of(len(numbers), pairs)


CHROMATIC_NUMBERS = {
    **{f"queen{n}_{n}": n for n in (5, 7, 11)},
    **{f"queen{n}_{n}": chi for n, chi in ((6, 7), (8, 9), (9, 10), (10, 11))},
    "queen8_12": 12,
    **{f"myciel{n}": n + 1 for n in range(2, 8)},
}
"""Published chromatic numbers by the name of the DIMACS file.

M. Vasquez, "New results on the queens_n² graph coloring problem", Journal of Heuristics 10 (2004);
the DIMACS challenge (1996).
"""
