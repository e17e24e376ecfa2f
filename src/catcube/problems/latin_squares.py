"""Latin squares: uniform random ones, and reading them from files."""

import numpy as np
from numpy.typing import NDArray

from catcube.problems.scanner import FileError, Scanner, TextFile

HOLES = (".", "0", "_", "*", "-1")


def latin_square(order: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Return a random Latin square of symbols 0 to n - 1, by many moves from a cyclic one.

    M. T. Jacobson and P. Matthews, "Generating uniformly distributed random Latin squares" (1996):
    moves between incidence cubes, of which some have one entry -1; the limit is uniform.

    >>> square = latin_square(4, np.random.default_rng(1))
    >>> sorted(square[0].tolist()), sorted(square[:, 2].tolist())
    ([0, 1, 2, 3], [0, 1, 2, 3])
    """
    if order == 1:
        return np.zeros((1, 1), np.int64)
    cube = np.zeros((order, order, order), np.int8)
    for row in range(order):
        for column in range(order):
            cube[row, column, (row + column) % order] = 1
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
        for up in (
            (row, column, symbol),
            (row, other_column, other_symbol),
            (other_row, column, other_symbol),
            (other_row, other_column, symbol),
        ):
            cube[up] += 1
        for down in (
            (other_row, column, symbol),
            (row, other_column, symbol),
            (row, column, other_symbol),
            (other_row, other_column, other_symbol),
        ):
            cube[down] -= 1
        last = other_row, other_column, other_symbol
        improper = last if cube[last] < 0 else None
    return cube.argmax(axis=2).astype(np.int64)


def _one_of(line: NDArray[np.int8], random: np.random.Generator) -> int:
    """Return an index where a line has a 1; there are two if it has a -1 as well."""
    ones = np.flatnonzero(line == 1)
    return int(ones[0] if ones.size == 1 else random.choice(ones))


def read_grid(file: TextFile, largest: int) -> NDArray[np.int64]:
    """Read a square of symbols 1 to n, with 0, `.`, `_`, `*` or -1 for a hole.

    Each line is a row, with blanks between the cells. After a first line `order N`, as generators
    of quasigroups write it, symbols begin with 0, and holes are -1 or dots.

    >>> read_grid(TextFile("mine.txt", "1 . 3\\n. . .\\n3 1 2"), 40).tolist()
    [[1, 0, 3], [0, 0, 0], [3, 1, 2]]
    """
    rows: list[list[int]] = []
    order = shift = 0
    for line in Scanner(file, comment="#").lines():
        first = line.peek()
        if first is not None and first.text == "order" and not rows and not order:
            line.exactly("order")
            order, shift = line.integer("the order", 1, largest), 1
            line.end()
            continue
        if first is not None and len(rows) == (order or largest):
            raise line.fault(first, f"at most {order or largest} rows")
        row: list[int] = []
        while (word := line.peek()) is not None:
            if order and len(row) == order:
                raise line.fault(word, f"{order} cells in a row, and the end of the line")
            if len(row) == largest:
                raise line.fault(word, f"at most {largest} cells in a row")
            if word.text in HOLES and (word.text != "0" or not shift):
                line.word("a cell")
                row.append(0)
            else:
                top = order or largest
                row.append(line.integer("a symbol or '.'", 1 - shift, top - shift) + shift)
        order = order or len(row)
        if len(row) < order:
            line.word(f"{order} cells in a row")
        rows.append(row)
    if not rows or len(rows) != order:
        raise FileError(f"{file.name}: expected {order or 'some'} rows, got {len(rows)}")
    square = np.array(rows)
    if square.max() > order:
        raise FileError(f"{file.name}: expected symbols in 1..{order}, got {square.max()}")
    return square
