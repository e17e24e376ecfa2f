"""Sudoku boards: their cells, units (rows, columns and blocks), rules and text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import cache
from math import isqrt
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.base.text import expect
from catcube.problems.problem import as_integers
from catcube.problems.scanner import TextFile, read_text

SYMBOLS = ".123456789ABCDEFGHIJKLMNOP"
"""The symbols of the digits; digit 0 is an unknown cell."""

SIZES = (4, 9, 16, 25)
"""The sizes of boards whose blocks are square: 2², 3², 4² and 5²."""

# Far more than a board of 625 cells with blanks and separators.
LONGEST_FILE = 65536

_DIGITS = {symbol: digit for digit, symbol in enumerate(SYMBOLS)}
_DIGITS |= {symbol.lower(): digit for symbol, digit in _DIGITS.items()} | {"0": 0}
_LINE_END = re.compile(r"\r\n|\r|\n")
_RULE = re.compile(r"[-+=|\s]*")
_BETWEEN_CELLS = " \t|"


@cache
def units(box: int) -> NDArray[np.int64]:
    """Return the cells of each unit, as flat indices: all rows, then all columns, then all blocks.

    >>> units(2)[[0, 4, 8]]
    array([[ 0,  1,  2,  3],
           [ 0,  4,  8, 12],
           [ 0,  1,  4,  5]])
    """
    size = box * box
    rows = np.arange(size * size, dtype=np.int64).reshape(size, size)
    blocks = rows.reshape(box, box, box, box).swapaxes(1, 2).reshape(size, size)
    every = np.concatenate([rows, rows.T, blocks])
    every.flags.writeable = False  # shared by all callers
    return every


@cache
def units_of(box: int) -> NDArray[np.int64]:
    """Return, for each cell, the indices of its row, its column and its block in `units`.

    >>> units_of(2)[[0, 6]]
    array([[0, 4, 8],
           [1, 6, 9]])
    """
    # The cells of all rows are a permutation, as are those of columns and blocks: invert them.
    positions = np.argsort(units(box).reshape(3, -1), axis=1)
    numbers = np.ascontiguousarray((positions // box**2 + box**2 * np.arange(3)[:, None]).T)
    numbers.flags.writeable = False
    return numbers


BOLD, RED, PLAIN = "\x1b[1m", "\x1b[31m", "\x1b[0m"


class Judgement(NamedTuple):
    """A description of a complete board, and whether it is correct."""

    text: str
    correct: bool


class Board:
    """An immutable Sudoku board of size 4, 9, 16 or 25, complete or not.

    Boards with equal cells are equal, and have equal hashes.

    Parameters
    ----------
    cells
        A nested list or an array of digits, 0 for unknown, or a string in the format of `parse`.

    Examples
    --------
    >>> board = Board("1..4 ..1. .1.. 4..1")
    >>> board.box, board.size, len(board.unknowns)
    (2, 4, 10)
    >>> print(board)
    1..4
    ..1.
    .1..
    4..1
    >>> board.with_values([2, 3, 3, 4, 2, 2, 4, 3, 3, 2]).value()
    0
    """

    __slots__ = ("_cells",)
    _cells: NDArray[np.int64]

    def __init__(self, cells: str | ArrayLike) -> None:
        digits = as_integers("cells", parse_cells(cells) if isinstance(cells, str) else cells)
        sizes = [(size, size) for size in SIZES]
        expect(digits.shape in sizes, "4×4, 9×9, 16×16 or 25×25 cells", digits.shape)
        self._cells = as_integers("digits", digits, 0, len(digits))
        self._cells.flags.writeable = False

    @classmethod
    def parse(cls, text: str, source: str = "board") -> Self:
        """Parse a board.

        Each row is a line, or the whole board is on one line. Digits are 1-9, then A-P or a-p;
        ``.`` and ``0`` are unknown cells. Blanks, ``|``, empty lines and lines of ``-+=`` are
        skipped.

        Parameters
        ----------
        text
            The text.
        source
            The name of the text in error messages.

        Examples
        --------
        >>> Board.parse("12|34\\n34|12\\n--+--\\n21|4x\\n43|21", source="mine.txt")
        Traceback (most recent call last):
        ...
        catcube.problems.scanner.FileError: mine.txt: line 4, column 5: expected a digit 1-4, ...
        """
        return cls(parse_cells(text, source))

    @classmethod
    def read(cls, path_or_text: str | os.PathLike[str]) -> Self:
        """Read a board from a file, or from a string that looks like a board.

        >>> Board.read("1..4..1..1..4..1").unknowns[:3]
        [(0, 1), (0, 2), (1, 0)]
        >>> Board.read("no-such-board.txt")
        Traceback (most recent call last):
        ...
        FileNotFoundError: [Errno 2] No such file or directory: 'no-such-board.txt'
        """
        is_text = isinstance(path_or_text, str) and is_board_text(path_or_text)
        if is_text and not os.path.exists(path_or_text):
            return cls.parse(str(path_or_text))
        return cls.parse(read_text(path_or_text, LONGEST_FILE), os.fsdecode(path_or_text))

    @property
    def cells(self) -> NDArray[np.int64]:
        """The digits, size × size, 0 for unknown; a read-only array."""
        return self._cells

    @property
    def size(self) -> int:
        """The number of rows, columns, blocks and digits: 4, 9, 16 or 25."""
        return len(self._cells)

    @property
    def box(self) -> int:
        """The number of rows and columns of a block: 2, 3, 4 or 5."""
        return isqrt(self.size)

    @property
    def givens(self) -> NDArray[np.bool_]:
        """A mask of the known cells, size × size."""
        return self._cells > 0

    @property
    def unknowns(self) -> list[tuple[int, int]]:
        """The unknown cells as (row, column) from 0, row by row."""
        return [(int(row), int(column)) for row, column in np.argwhere(self._cells == 0)]

    def with_values(self, values: Iterable[int]) -> Self:
        """Return the board with the unknown cells filled with digits, in order.

        >>> print(Board("12.. 3412 2143 4321").with_values([3, 4]))
        1234
        3412
        2143
        4321
        """
        cells = self._cells.copy()
        digits, wanted = as_integers("digits", list(values), 1, self.size), len(self.unknowns)
        expect(digits.size == wanted, f"values of {wanted} unknown cells", digits.size)
        cells[cells == 0] = digits
        return type(self)(cells)

    def value(self) -> int:
        """Return the value of a complete board: the sum of |count − 1| over all units and digits.

        On this board, each column has two digits twice and two not at all, which adds 4.

        >>> Board("1234 3412 1234 3412").value()
        16
        """
        expect(self.givens.all(), "a complete board", self)
        return int(np.abs(count_givens(self) - 1).sum())

    def conflicts(self) -> list[str]:
        """Return a description of each digit that a unit contains more than once.

        >>> Board("11.. .... .... ....").conflicts()
        ['row 1 has 1 in columns 1 and 2', 'block 1 has 1 in cells 1 and 2']
        """
        kinds = [("row", "columns"), ("column", "rows"), ("block", "cells")]
        found = []
        for number, digit in np.argwhere(count_givens(self) > 1):
            kind, across = kinds[number // self.size]
            unit = self._cells.ravel()[units(self.box)[number]]
            *held, last = np.flatnonzero(unit == digit + 1) + 1
            where = f"{', '.join(map(str, held))} and {last}"
            name = f"{kind} {number % self.size + 1}"
            found.append(f"{name} has {SYMBOLS[digit + 1]} in {across} {where}")
        return found

    def judge(self, color: bool = False) -> Judgement | None:
        """Return a drawing of a complete board with a verdict; None if cells are unknown.

        >>> Board("1234 3412 2143 4321").judge().text.splitlines()[-1]
        'complete and correct: value 0'
        """
        if self.unknowns:
            return None
        conflicts = self.conflicts()
        verdict = "complete but not correct" if conflicts else "complete and correct"
        lines = [self.pretty(color=color), f"{verdict}: value {self.value()}"]
        return Judgement("\n".join([*lines, *(f"  {one}" for one in conflicts)]), not conflicts)

    def pretty(self, solution: Board | None = None, color: bool = False) -> str:
        """Return a drawing of the board, or of a solution of it.

        The digits of a solution are followed by ``'``, or by ``!`` if a unit contains them again;
        givens have no mark. In colour, givens are bold and conflicting digits red instead. A
        drawing without solution and colour can be parsed.

        >>> board = Board("1..4 ..1. .1.. 4..1")
        >>> print(board.pretty())
        1 . | . 4
        . . | 1 .
        ----+----
        . 1 | . .
        4 . | . 1
        >>> print(board.pretty(board.with_values([2, 3, 3, 4, 2, 2, 4, 3, 2, 3])))
        1  2! | 3! 4
        3' 4' | 1  2'
        ------+------
        2! 1  | 4' 3!
        4  2! | 3! 1
        """
        shown = self._cells if solution is None else solution.cells
        completes = shown.shape == self._cells.shape and (shown == self._cells)[self.givens].all()
        expect(completes, "a solution that has all givens of the board", solution)
        clash = np.zeros(shown.size, dtype=bool)
        for unit in units(self.box):
            digits = shown.ravel()[unit]
            clash[unit] |= np.bincount(digits)[digits] > 1
        marked = []
        for digit, given, again in zip(shown.flat, self.givens.flat, clash):
            symbol = SYMBOLS[digit]
            if color:
                style = BOLD if given else RED if again else ""
                marked.append(f"{style}{symbol}{PLAIN}" if style else symbol)
            else:
                mark = " " if given else "!" if again else "'"
                marked.append(symbol + (mark if solution else ""))
        box, size = self.box, self.size
        blocks = [" ".join(marked[k : k + box]) for k in range(0, size * size, box)]
        rows = [" | ".join(blocks[k : k + box]).rstrip() for k in range(0, size * box, box)]
        width = 2 * box - 1 + (box if solution and not color else 0)
        rule = "\n" + "-+-".join(["-" * width] * box) + "\n"
        return rule.join("\n".join(rows[k : k + box]) for k in range(0, size, box))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the board to a file, one row per line and ``.`` for unknown."""
        Path(path).write_text(f"{self}\n", encoding="utf-8", newline="\n")

    def __str__(self) -> str:
        return "\n".join("".join(SYMBOLS[digit] for digit in row) for row in self._cells)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self).replace(chr(10), ' ')!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return np.array_equal(self._cells, other._cells)

    def __hash__(self) -> int:
        return hash(self._cells.tobytes())

    def __reduce__(self) -> tuple[Any, ...]:
        # Through the constructor, because a pickled array would come back writeable.
        return type(self), (self._cells.tolist(),)


def count_givens(board: Board) -> NDArray[np.int64]:
    """Count how often each unit, in the order of `units`, has each digit.

    >>> count_givens(Board("1..4 ..1. .1.. 4..1"))[:2]
    array([[1, 0, 0, 1],
           [1, 0, 0, 0]])
    """
    digits = board.cells.ravel()[units(board.box)]
    return (digits[:, :, None] == np.arange(1, board.size + 1)).sum(axis=1)


def candidates(board: Board) -> list[Sequence[int]]:
    """Return, for each unknown cell, the digits that are not given in its units.

    If some cell has no such digit, the board has no completion, and every cell keeps all digits.

    >>> candidates(Board("1..4 ..1. .1.. 4..1"))[:4]
    [(2, 3), (2, 3), (2, 3), (2, 3, 4)]
    """
    unknown = units_of(board.box)[board.cells.ravel() == 0]
    possible = ~count_givens(board)[unknown].any(axis=1)
    if not possible.any(axis=1).all():
        return [range(1, board.size + 1)] * len(possible)
    return [tuple((np.flatnonzero(row) + 1).tolist()) for row in possible]


def parse_cells(text: str, source: str = "board") -> list[list[int]]:
    """Parse the rows of digits of a board, 0 for unknown (see `Board.parse`).

    >>> parse_cells("1.|.4 \\n..|1. \\n--+-- \\n.1|.. \\n4.|.1")
    [[1, 0, 0, 4], [0, 0, 1, 0], [0, 1, 0, 0], [4, 0, 0, 1]]
    >>> parse_cells("1..4..1..x..4..1")
    Traceback (most recent call last):
    catcube...FileError: board: line 1, column 10: expected a digit 1-4, '.' or '0', got 'x'
    """
    file = TextFile(source, text)
    lines = {
        number: [(k, cell) for k, cell in enumerate(line, 1) if cell not in _BETWEEN_CELLS]
        for number, line in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), start=1)
        if not _RULE.fullmatch(line)
    }
    total = sum(map(len, lines.values()))
    file.expect(total, "a board", "no cells")
    root = isqrt(total)
    guesses = (root if root * root == total else 0, len(next(iter(lines.values()))), len(lines))
    size = next((guess for guess in guesses if guess in SIZES), 9)
    letters = "" if size < 10 else f", a letter A-{SYMBOLS[size]}"
    for number, cells in lines.items():
        for column, cell in cells:
            if _DIGITS.get(cell, size + 1) > size:
                raise file.fault(
                    f"line {number}, column {column}: expected a digit 1-{min(size, 9)}{letters}, "
                    f"'.' or '0', got {cell!r}"
                )
        if len(lines) > 1 and len(cells) != size:
            raise file.fault(f"line {number}: expected {size} cells, got {len(cells)}")
    file.expect(total == size * size, f"{size * size} cells of a {size}×{size} board", total)
    digits = [_DIGITS[cell] for cells in lines.values() for _, cell in cells]
    return [digits[start : start + size] for start in range(0, total, size)]


def is_board_text(text: str) -> bool:
    """Return whether a string is a board rather than the name of a file.

    >>> is_board_text("1..4\\n..1.\\n.1..\\n4..1"), is_board_text("53..7"), is_board_text("a.txt")
    (True, True, False)
    """
    if _LINE_END.search(text) or not text.strip("0123456789." + _BETWEEN_CELLS):
        return True
    # A line with letters or a typing error is a board if its length fits, and if nearly all
    # characters are cells: a path may have 81 characters, too.
    cells = [character for character in text if character not in _BETWEEN_CELLS]
    size = isqrt(len(cells))
    if size not in SIZES[1:] or size * size != len(cells):
        return False
    return sum(_DIGITS.get(cell, size + 1) <= size for cell in cells) > 0.9 * len(cells)
