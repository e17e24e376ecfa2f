"""Files of graphs: DIMACS for colouring, and lists of edges with weights."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.problems.graphs import MOST_EDGES, MOST_VERTICES, Graph
from catcube.problems.scanner import FileError, Scanner, TextFile

SKIPPED = ("c", "n", "d", "v", "x")
"""First words of lines of DIMACS files that are not about edges."""


def read_dimacs(file: TextFile) -> Graph:
    """Read a graph in the DIMACS format for colouring: `p edge VERTICES EDGES`, then `e U V` lines.

    Some files list every edge in both directions, and some only count it twice: so an edge may
    occur twice, and the number of edges is not checked.

    >>> read_dimacs(TextFile("mine.col", "c two\\np edge 3 2\\ne 1 2\\ne 3 2")).edges.tolist()
    [[0, 1], [1, 2]]
    >>> read_dimacs(TextFile("mine.col", "p edge 3 2\\ne 1 4"))
    Traceback (most recent call last):
    catcube...FileError: mine.col: line 2, column 5: expected a vertex (an integer in 1..3), got '4'
    """
    vertices = 0
    pairs: list[tuple[int, int]] = []
    for line in Scanner(file).lines():
        kind = line.word("a line of a DIMACS file")
        if kind.text in SKIPPED:
            continue
        if kind.text == "p":
            if vertices:
                raise line.fault(kind, "one line 'p edge VERTICES EDGES'", "a second one")
            form = line.word("'edge'")
            if form.text not in ("edge", "edges", "col"):
                raise line.fault(form, "'edge'")
            vertices = line.integer("the number of vertices", 1, MOST_VERTICES)
            line.integer("the number of edges", 0, 2 * MOST_EDGES)
        elif kind.text == "e":
            if not vertices:
                raise line.fault(kind, "a line 'p edge VERTICES EDGES' before the edges")
            pairs.append(_edge(line, vertices))
        else:
            raise line.fault(kind, "a line that begins with c, p, e or n")
        line.end()
    if not vertices:
        raise FileError(f"{file.name}: expected a line 'p edge VERTICES EDGES', got none")
    return Graph.of(vertices, pairs)


class WeightedGraph(NamedTuple):
    """A graph and the weights of its edges."""

    graph: Graph
    weights: NDArray[np.float64]


def read_edge_list(file: TextFile) -> WeightedGraph:
    """Read a list of edges: a line `VERTICES EDGES`, then a line `U V WEIGHT` for each edge.

    This is the format of rudy and of the G-set for cuts. Vertices are numbered from 1, a missing
    weight is 1, and `#` starts a comment.

    >>> read_edge_list(TextFile("mine.txt", "3 2\\n1 2 -1.5\\n3 2")).weights.tolist()
    [-1.5, 1.0]
    """
    lines = Scanner(file, comment="#").lines()
    head = next(lines, None)
    if head is None:
        raise FileError(f"{file.name}: expected a line 'VERTICES EDGES', got an empty file")
    vertices = head.integer("the number of vertices", 1, MOST_VERTICES)
    count = head.integer("the number of edges", 0, MOST_EDGES)
    head.end()
    weights: dict[tuple[int, int], float] = {}
    for line in lines:
        first = line.peek()
        u, v = sorted(_edge(line, vertices))
        weight = line.real("a weight") if line.peek() else 1.0
        line.end()
        if first is not None and (u, v) in weights:
            raise line.fault(first, "every edge once", f"the edge {u + 1} {v + 1} again")
        weights[u, v] = weight
    if len(weights) != count:
        raise FileError(f"{file.name}: expected {count} edges, as line 1 says, got {len(weights)}")
    graph = Graph.of(vertices, sorted(weights))
    return WeightedGraph(graph, np.array([weights[edge] for edge in sorted(weights)], float))


def _edge(line: Scanner, vertices: int) -> tuple[int, int]:
    u = line.integer("a vertex", 1, vertices)
    second = line.peek()
    v = line.integer("a vertex", 1, vertices)
    if u == v and second is not None:
        raise line.fault(second, f"another vertex than {u}")
    return u - 1, v - 1
