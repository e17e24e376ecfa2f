"""Quasigroup completion: fill the holes of a Latin square.

C. P. Gomes and B. Selman, "Problem structure in the presence of perturbations" (1997). The value is
the number of repeated symbols: for each row, each column and each symbol, the occurrences after the
first.
"""

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.base.text import expect
from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import inlined, unsigned
from catcube.problems.problem import Problem, as_integers, check_integer, join_constants
from catcube.problems.registry import kind
from catcube.problems.scanner import Scanner, Source, TextFile, reading
from catcube.space import Space

SMALLEST, LARGEST = 2, 40

# integers: the number of repeated givens; for each variable, where the counts of its row and of its
# column begin; for each row, column and symbol, the number of givens.
# counts: for each row, column and symbol, the number of cells; then scratch memory of `value`.

DOUBLED, LINES, GIVEN = range(3)


@inlined
def count_symbols(problem, begin):
    """Count the symbols of each row and column; return the number of repeated ones."""
    categories, integers, counts = problem.categories, problem.integers, problem.counts
    lines, given = integers[LINES], integers[GIVEN]
    for k in range(counts.size // 2):
        counts[begin + k] = integers[given + k]
    doubled = integers[DOUBLED]
    for variable in range(categories.size):
        for line in range(2):
            start = begin + integers[lines + 2 * variable + line] + categories[variable]
            if counts[unsigned(start)] > 0:
                doubled += 1
            counts[unsigned(start)] += 1
    return doubled


@kind(
    "latin",
    "complete a Latin square: symbols repeated in rows and columns",
    instances=["holes,5,10", "holes,10,42", "holes,20,168", "holes,30,378"],
    generators=["holes"],
    reader="read",
)
class Latin(Problem):
    """The number of symbols repeated in rows and columns of a square whose holes are filled.

    Variable "r1c2" is the cell in row 1, column 2. The optimum is 0 if the square can be completed,
    which is not checked.

    Parameters
    ----------
    square
        An array of symbols 1 to n, with 0 for holes.

    Examples
    --------
    >>> problem = Latin([[1, 0], [0, 1]])
    >>> problem.evaluate({"r1c2": 2, "r2c1": 1}), problem.optimum
    (2.0, 0.0)
    """

    exact = True

    @entry("value")
    def value(problem):
        """Return the number of repeated symbols."""
        return float(count_symbols(problem, problem.counts.size // 2))

    @entry("prepare")
    def prepare(problem):
        """Count the symbols of each row and column."""
        count_symbols(problem, 0)

    @entry("change")
    def change(problem, variable, symbol):
        """Return the change of the number of repeated symbols."""
        counts, before = problem.counts, problem.categories[variable]
        total = 0
        for line in range(2):
            start = problem.integers[unsigned(problem.integers[LINES] + 2 * variable + line)]
            total -= 1 if counts[unsigned(start + before)] > 1 else 0
            total += 1 if counts[unsigned(start + symbol)] > 0 else 0
        return float(total)

    @entry("commit")
    def commit(problem, variable, symbol):
        """Update the counts of the row and the column."""
        before = problem.categories[variable]
        for line in range(2):
            start = problem.integers[unsigned(problem.integers[LINES] + 2 * variable + line)]
            problem.counts[unsigned(start + before)] -= 1
            problem.counts[unsigned(start + symbol)] += 1

    def __init__(self, square: ArrayLike) -> None:
        n = check_integer("order", len(np.asarray(square)), SMALLEST, LARGEST)
        self.square = as_integers("symbols", square, 0, n)
        expect(self.square.shape == (n, n), "a square", self.square.shape)
        holes = np.argwhere(self.square == 0)
        expect(holes.size, "a square with holes", self.square)
        self.space = Space({f"r{row + 1}c{column + 1}": range(1, n + 1) for row, column in holes})
        given = np.zeros((2 * n, n), np.int64)
        for row, column in np.argwhere(self.square > 0):
            given[[row, n + column], self.square[row, column] - 1] += 1
        doubled = int(np.maximum(given - 1, 0).sum())
        starts = np.stack([holes[:, 0] * n, (n + holes[:, 1]) * n], axis=1)
        self.integers = join_constants([doubled], [starts, given])
        self.count_size = 2 * given.size
        self.optimum = None if doubled else 0.0

    @classmethod
    def read(cls, file: Source) -> "Latin":
        """Read a grid of symbols in one of the formats of `read_grid`."""
        with reading(file) as given:
            return cls(read_grid(given, LARGEST))

    @classmethod
    def holes(cls, order: int, holes: int, seed: Any = 1) -> "Latin":
        """Build a random Latin square with holes, which can be completed.

        The hardest have holes in about 42 % of the cells.
        """
        check_integer("order", order, SMALLEST, LARGEST)
        check_integer("holes", holes, 1, order * order)
        random = np.random.default_rng(seed)
        square = latin_square(order, random) + 1
        erased = random.choice(order * order, holes, replace=False)
        partial = square.copy()
        partial.ravel()[erased] = 0
        problem = cls(partial)
        cells = square[partial == 0]
        problem.hidden = dict(zip(problem.space.names, cells.tolist(), strict=True))
        return problem

    def solution(self, point: Mapping[str, Any]) -> str:
        """Format the completed square, one row per line."""
        full = self.square.copy()
        full[full == 0] = [point[name] for name in self.space.names]
        width = len(str(len(full)))
        return "\n".join(" ".join(f"{symbol:{width}d}" for symbol in row) for row in full.tolist())


HOLES = (".", "0", "_", "*", "-1")


def latin_square(order: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Return a random Latin square of symbols 0 to n - 1.

    It results from n^3 or more moves of M. T. Jacobson and P. Matthews, "Generating uniformly
    distributed random Latin squares" (1996), starting from a cyclic square. They move between
    incidence cubes, some of which have an entry -1, with a uniform limit.

    >>> square = latin_square(4, np.random.default_rng(1))
    >>> sorted(square[0].tolist()), sorted(square[:, 2].tolist())
    ([0, 1, 2, 3], [0, 1, 2, 3])
    """
    cube = np.zeros((order, order, order), np.int8)
    rows, columns = np.indices((order, order))
    cube[rows, columns, (rows + columns) % order] = 1
    improper: tuple[int, int, int] | None = None
    moves = 0
    while improper or moves < order**3:
        moves += 1
        if improper is None:
            row, column, symbol = random.integers(0, order, 3).tolist()
            while cube[row, column, symbol] != 0:
                row, column, symbol = random.integers(0, order, 3).tolist()
        else:
            row, column, symbol = improper
        other_row = _one_of(cube[:, column, symbol], random)
        other_column = _one_of(cube[row, :, symbol], random)
        other_symbol = _one_of(cube[row, column, :], random)
        last = other_row, other_column, other_symbol
        corners = product(*zip((row, column, symbol), last, strict=True))
        for number, corner in enumerate(corners):  # + at the first, and - at its neighbours
            cube[corner] += 1 if number.bit_count() % 2 == 0 else -1
        improper = last if cube[last] < 0 else None
    return cube.argmax(axis=2).astype(np.int64)


def _one_of(line: NDArray[np.int8], random: np.random.Generator) -> int:
    """Return the index of a 1 in a line; a random one of two if the line also contains a -1."""
    ones = np.flatnonzero(line == 1)
    return int(ones[0] if ones.size == 1 else random.choice(ones))


def read_grid(file: TextFile, largest: int) -> NDArray[np.int64]:
    """Read a square of symbols 1 to n, with 0, `.`, `_`, `*` or -1 for holes.

    Each line is a row, with blanks between the cells. After a first line `order N`, as written by
    generators of quasigroups, symbols begin at 0, and holes are -1 or dots.

    >>> read_grid(TextFile("mine.txt", "1 . 3\\n. . .\\n3 1 2"), 40).tolist()
    [[1, 0, 3], [0, 0, 0], [3, 1, 2]]
    """
    rows: list[list[int]] = []
    order = shift = 0
    for line in Scanner(file, comment="#").lines():
        if not rows and not order and line.peek() == "order":
            line.phrase("order")
            order, shift = line.integer("the order", 1, largest), 1
            line.end()
            continue
        row: list[int] = []
        while line.peek():
            if line.peek() in HOLES and not (line.peek() == "0" and shift):
                line.word("a cell")
                row.append(0)
            else:
                highest = (order or largest) - shift
                row.append(line.integer("a symbol or '.'", 1 - shift, highest) + shift)
        order = order or len(row)
        fits = len(row) == order and len(rows) < order
        line.expect(fits, f"{order} rows of {order} cells", "another number")
        rows.append(row)
    file.expect(rows and len(rows) == order, f"{order or 'some'} rows", len(rows))
    return np.array(rows)
