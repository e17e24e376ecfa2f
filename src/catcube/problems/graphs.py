"""Graphs without loops and parallel edges: generators, and readers of files.

A graph is a number of vertices and an array of edges (u, v), u < v, in lexicographic order.
"""

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.base.text import expect
from catcube.problems.problem import as_integers, check_integer
from catcube.problems.scanner import Scanner, TextFile

MOST_VERTICES = 1_000_000
MOST_EDGES = 20_000_000

Edges = NDArray[np.int64]


class Graph(NamedTuple):
    """An undirected graph; vertices are numbered from 0."""

    vertices: int
    edges: Edges

    @classmethod
    def of(cls, vertices: int, pairs: ArrayLike) -> "Graph":
        """Build a graph from pairs in any order, each edge once or in both directions.

        >>> Graph.of(3, [(0, 1), (1, 0), (2, 1)]).edges.tolist()
        [[0, 1], [1, 2]]
        """
        check_integer("vertices", vertices, 1, MOST_VERTICES)
        given = as_integers("vertices", pairs, 0, vertices - 1).reshape(-1, 2)
        loops = given[given[:, 0] == given[:, 1]].tolist()
        expect(not loops, "edges between different vertices", loops)
        ordered = np.sort(given, axis=1)
        keys = np.unique(ordered[:, 0] * vertices + ordered[:, 1])
        return cls(vertices, np.stack([keys // vertices, keys % vertices], axis=1))

    def neighbours(self) -> tuple[Edges, Edges]:
        """Return the index of the first neighbour of each vertex, and the end; all neighbours."""
        both = np.concatenate([self.edges, self.edges[:, ::-1]])
        both = both[np.lexsort((both[:, 1], both[:, 0]))]
        begins = np.searchsorted(both[:, 0], np.arange(self.vertices + 1))
        return begins.astype(np.int64), np.ascontiguousarray(both[:, 1])


def queen(rows: int, columns: int) -> Graph:
    """Build the graph of a chessboard whose edges are the moves of a queen.

    >>> queen(8, 8).edges.shape
    (728, 2)
    """
    check_integer("rows", rows, 1, 100)
    check_integer("columns", columns, 1, 100)
    row, column = np.divmod(np.arange(rows * columns), columns)
    u, v = np.triu_indices(rows * columns, 1)
    down, across = row[v] - row[u], np.abs(column[v] - column[u])
    attacked = (down == 0) | (across == 0) | (down == across)
    return Graph.of(rows * columns, np.stack([u, v], axis=1)[attacked])


def mycielski(k: int) -> Graph:
    """Build the triangle-free Mycielski graph of chromatic number k; DIMACS myciel(k - 1).

    >>> [(mycielski(k).vertices, len(mycielski(k).edges)) for k in (2, 3, 4, 5)]
    [(2, 1), (5, 5), (11, 20), (23, 71)]
    """
    check_integer("k", k, 2, 16)
    graph = Graph.of(2, [(0, 1)])
    for _ in range(k - 2):
        n = graph.vertices
        shift = np.array([0, n])
        copies = np.concatenate([graph.edges + shift, graph.edges[:, ::-1] + shift])
        apex = np.stack([np.arange(n, 2 * n), np.full(n, 2 * n)], axis=1)
        graph = Graph.of(2 * n + 1, np.concatenate([graph.edges, copies, apex]))
    return graph


def random_graph(
    vertices: int, density: float, random: np.random.Generator, parts: int | None = None
) -> tuple[Graph, NDArray[np.int64]]:
    """Build a random graph with edges between different parts; return the part of each vertex, too.

    Each possible edge is drawn with probability `density`. The sizes of parts differ by at most
    one; by default, every vertex is a part.
    """
    check_integer("vertices", vertices, 1, 6000)  # all pairs of them are some millions
    expect(0 <= density <= 1, "a density in 0..1", density)
    part = np.arange(vertices)
    if parts is not None:
        part = random.permutation(part % check_integer("colours", parts, 1, vertices))
    u, v = np.triu_indices(vertices, 1)
    kept = (part[u] != part[v]) & (random.random(u.size) < density)
    return Graph.of(vertices, np.stack([u[kept], v[kept]], axis=1)), part


def leighton_graph(
    vertices: int, parts: int, edges: int, random: np.random.Generator
) -> tuple[Graph, NDArray[np.int64]]:
    """Build a graph of cliques across parts; return the part of each vertex, too.

    As in F. T. Leighton, "A graph coloring algorithm for large scheduling problems" (1979): the
    first clique has a vertex of every part, so that the chromatic number is the number of parts.
    """
    check_integer("vertices", vertices, 2, MOST_VERTICES)
    check_integer("colours", parts, 2, vertices)
    part = random.permutation(np.arange(vertices) % parts)
    sizes = np.bincount(part)
    possible = (vertices**2 - int((sizes**2).sum())) // 2
    check_integer("edges", edges, parts * (parts - 1) // 2, min(possible, MOST_EDGES))
    members = [np.flatnonzero(part == number) for number in range(parts)]
    found: set[tuple[int, int]] = set()
    size = parts
    while len(found) < edges:
        joined = random.permutation(parts)[:size]
        clique = sorted(int(random.choice(members[number])) for number in joined)
        pairs = [(a, b) for k, a in enumerate(clique) for b in clique[k + 1 :]]
        new = [pair for pair in pairs if pair not in found]
        found.update(new[: edges - len(found)])
        size = int(random.integers(2, parts + 1))
    return Graph.of(vertices, sorted(found)), part


def grid(rows: int, columns: int, torus: bool = False) -> Graph:
    """Build a square lattice; on a torus, the last row and column are joined to the first.

    >>> len(grid(3, 4).edges), len(grid(3, 4, torus=True).edges)
    (17, 24)
    """
    check_integer("rows", rows, 1, 1000)
    check_integer("columns", columns, 1, 1000)
    vertices = np.arange(rows * columns).reshape(rows, columns)
    right = np.stack([vertices, np.roll(vertices, -1, axis=1)], axis=-1)
    down = np.stack([vertices, np.roll(vertices, -1, axis=0)], axis=-1)
    if not torus:
        right, down = right[:, :-1], down[:-1]
    pairs = np.concatenate([right.reshape(-1, 2), down.reshape(-1, 2)])
    return Graph.of(rows * columns, pairs[pairs[:, 0] != pairs[:, 1]])


EDGE = re.compile(r"e[ \t]+([0-9]{1,7})[ \t]+([0-9]{1,7})[ \t]*")
SKIPPED = re.compile(r"\s*([cndvx]?(\s|$))")
"""Lines of DIMACS files that contain no edges: empty ones, comments and others."""


def read_dimacs(file: TextFile) -> Graph:
    """Read a graph in the DIMACS format for colouring: `p edge VERTICES EDGES`, then `e U V` lines.

    An edge may occur twice, and the number of edges is not checked: some files list or count every
    edge in both directions.

    >>> read_dimacs(TextFile("mine.col", "c two\\np edge 3 2\\ne 1 2\\ne 3 2")).edges.tolist()
    [[0, 1], [1, 2]]
    >>> read_dimacs(TextFile("mine.col", "p edge 3 2\\ne 1 4"))
    Traceback (most recent call last):
    catcube...FileError: mine.col: line 2, column 5: expected a vertex (an integer in 1..3), got '4'
    """
    vertices = 0
    pairs: list[tuple[int, int]] = []
    words = Scanner(file)
    for number, text in enumerate(file.text.splitlines(), start=1):
        if match := EDGE.fullmatch(text):  # quick, for large files
            u, v = int(match[1]), int(match[2])
            if 1 <= u <= vertices >= v >= 1 and u != v:
                pairs.append((u - 1, v - 1))
                continue
        if not text or SKIPPED.match(text):
            continue
        line = words.line(number, text)
        kind = line.one_of("p", "e")
        if kind == "e":
            pairs.append(_edge(line, vertices))
        elif vertices:
            raise line.fault("one line 'p edge VERTICES EDGES'", "a second one")
        else:
            line.one_of("edge", "edges", "col")
            vertices = line.integer("the number of vertices", 1, MOST_VERTICES)
            line.integer("the number of edges", 0, 2 * MOST_EDGES)
        line.end()
    file.expect(vertices, "a line 'p edge VERTICES EDGES'", "none")
    return Graph.of(vertices, pairs)


def read_edge_list(file: TextFile) -> tuple[Graph, NDArray[np.float64]]:
    """Read a graph and the weights of its edges, in lexicographic order.

    The file has a line `VERTICES EDGES`, then a line `U V WEIGHT` for each edge: the format of rudy
    and of the G-set for cuts. Vertices are numbered from 1, a missing weight is 1, and `#` starts a
    comment.

    >>> read_edge_list(TextFile("mine.txt", "3 2\\n1 2 -1.5\\n3 2"))[1].tolist()
    [-1.5, 1.0]
    """
    lines = Scanner(file, comment="#").lines()
    head = next(lines, None)
    if head is None:
        raise file.fault("expected a line 'VERTICES EDGES', got an empty file")
    vertices = head.integer("the number of vertices", 1, MOST_VERTICES)
    count = head.integer("the number of edges", 0, MOST_EDGES)
    head.end()
    weights: dict[tuple[int, int], float] = {}
    for line in lines:
        u, v = sorted(_edge(line, vertices))
        line.expect((u, v) not in weights, "every edge once", f"the edge {u + 1} {v + 1} again")
        weights[u, v] = line.real("a weight") if line.peek() else 1.0
        line.end()
    file.expect(len(weights) == count, f"{count} edges, as line 1 says", len(weights))
    graph = Graph.of(vertices, sorted(weights))
    return graph, np.array([weights[edge] for edge in sorted(weights)], float)


def _edge(line: Scanner, vertices: int) -> tuple[int, int]:
    """Read the two vertices of an edge, numbered from 1; return them numbered from 0."""
    line.expect(vertices, "a line 'p edge VERTICES EDGES' before the edges")
    u = line.integer("a vertex", 1, vertices)
    v = line.integer("a vertex", 1, vertices)
    line.expect(u != v, f"another vertex than {u}")
    return u - 1, v - 1
