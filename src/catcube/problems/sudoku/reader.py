"""Parsing of boards: text to cells, with line and column of an invalid character."""

from __future__ import annotations

import os
import re
from collections import Counter
from math import isqrt
from pathlib import Path
from typing import BinaryIO

from catcube.errors import BadValue

SYMBOLS = ".123456789ABCDEFGHIJKLMNOP"
"""The symbol of digit d is ``SYMBOLS[d]``; digit 0 is an unknown cell."""

SIZES = (4, 9, 16, 25)
"""The sizes of boards whose blocks are square: 2², 3², 4² and 5²."""

# A board of 625 cells with blanks and separators stays far below this; a device or a film does not.
LONGEST_FILE = 65536

_DIGITS = {symbol: digit for digit, symbol in enumerate(SYMBOLS)}
_DIGITS |= {symbol.lower(): digit for symbol, digit in _DIGITS.items()} | {"0": 0}
_LINE_END = re.compile(r"\r\n|\r|\n")
_RULE = re.compile(r"[-+=|\s]*")
_BETWEEN_CELLS = " \t|"

_Line = tuple[int, list[tuple[int, str]]]


def parse_cells(text: str, source: str | None = None) -> list[list[int]]:
    """Return the rows of digits that `text` holds, 0 for unknown.

    Each line is a row, or one line the whole board. Blanks and ``|`` between cells, empty lines
    and lines of ``-``, ``+`` and ``=`` are skipped; any other character is an error.

    >>> parse_cells("1.|.4 \\n..|1. \\n--+-- \\n.1|.. \\n4.|.1")
    [[1, 0, 0, 4], [0, 0, 1, 0], [0, 1, 0, 0], [4, 0, 0, 1]]
    >>> parse_cells("1..4..1..x..4..1")
    Traceback (most recent call last):
    ...
    catcube.errors.BadValue: line 1, column 10: expected a digit 1-4, '.' or '0', got 'x'
    """
    where = f"{source}: " if source else ""
    lines = _lines_with_cells(text)
    if not lines:
        raise BadValue(f"{where}expected a board, got no cells")
    size = _intended_size(lines)
    for number, cells in lines:
        for column, character in cells:
            if _DIGITS.get(character, size + 1) > size:
                raise BadValue(
                    f"{where}line {number}, column {column}: expected {alphabet(size)}, "
                    f"got {character!r}"
                )
    fault = _wrong_shape(lines, size)
    if fault:
        raise BadValue(where + fault)
    digits = [_DIGITS[character] for _, cells in lines for _, character in cells]
    return [digits[start : start + size] for start in range(0, size * size, size)]


def alphabet(size: int) -> str:
    """Describe the characters of a cell of a board of this size.

    >>> alphabet(9), alphabet(16)
    ("a digit 1-9, '.' or '0'", "a digit 1-9, a letter A-G, '.' or '0'")
    """
    if size < 10:
        return f"a digit 1-{size}, '.' or '0'"
    return f"a digit 1-9, a letter A-{SYMBOLS[size]}, '.' or '0'"


def read_text(
    path: str | os.PathLike[str], longest: int = LONGEST_FILE, kind: str = "one board"
) -> str:
    """Read the text of a small file; raise a ValueError if it cannot be a board."""
    with Path(path).open("rb") as file:
        return read_stream(file, os.fsdecode(path), longest, kind)


def read_stream(
    file: BinaryIO, source: str, longest: int = LONGEST_FILE, kind: str = "one board"
) -> str:
    """Read the text of an open file, which may be endless.

    >>> import io
    >>> read_stream(io.BytesIO(b"12 34"), "mine.txt"), read_stream(io.BytesIO(b""), "mine.txt")
    ('12 34', '')
    >>> read_stream(io.BytesIO(b"12 34"), "mine.txt", longest=4)
    Traceback (most recent call last):
    catcube.errors.BadValue: mine.txt: expected at most 4 bytes for one board, got more
    """
    content = file.read(longest + 1)
    if len(content) > longest:
        raise BadValue(f"{source}: expected at most {longest} bytes for {kind}, got more")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadValue(
            f"{source}: expected UTF-8 text, got an invalid byte {error.start + 1}"
        ) from None


def is_board_text(text: str) -> bool:
    """Return whether a string is a board rather than the name of a file.

    >>> is_board_text("1..4\\n..1.\\n.1..\\n4..1"), is_board_text("53..7"), is_board_text("a.txt")
    (True, True, False)
    """
    if _LINE_END.search(text) or not text.strip("0123456789." + _BETWEEN_CELLS):
        return True
    # One line with letters or a slip of the pen in it: the number of its cells gives it away, and
    # that nearly all of them are cells (a long path may have 81 characters too).
    cells = [character for character in text if character not in _BETWEEN_CELLS]
    size = isqrt(len(cells))
    if size not in SIZES[1:] or size * size != len(cells):
        return False
    return sum(_DIGITS.get(cell, size + 1) <= size for cell in cells) > 0.9 * len(cells)


def _lines_with_cells(text: str) -> list[_Line]:
    """Return for each line that is not a separator its number and its cells with columns."""
    lines = []
    for number, line in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), start=1):
        if not _RULE.fullmatch(line):
            columns = enumerate(line, start=1)
            lines.append((number, [pair for pair in columns if pair[1] not in _BETWEEN_CELLS]))
    return lines


def _intended_size(lines: list[_Line]) -> int:
    """Guess the intended size of a board, for messages."""
    total = sum(len(cells) for _, cells in lines)
    usual_length, _ = Counter(len(cells) for _, cells in lines).most_common(1)[0]
    for size in SIZES:
        if total == size * size:
            return size
    if len(lines) > 1:
        for size in (usual_length, len(lines)):
            if size in SIZES:
                return size
    return 9


def _wrong_shape(lines: list[_Line], size: int) -> str | None:
    """Describe a wrong number of lines or of cells, if there is one."""
    total = sum(len(cells) for _, cells in lines)
    if len(lines) == 1:
        if total == size * size:
            return None
        where = f"line {lines[0][0]}"
        return f"{where}: expected {size * size} cells of a {size}×{size} board, got {total}"
    odd = [(number, len(cells)) for number, cells in lines if len(cells) != size]
    if not odd and len(lines) == size:
        return None
    fault = (
        f"line {odd[0][0]} has {odd[0][1]} instead of {size}"
        if odd
        else f"there are {len(lines)} lines instead of {size}"
    )
    return f"expected {size * size} cells of a {size}×{size} board, got {total}: {fault}"
