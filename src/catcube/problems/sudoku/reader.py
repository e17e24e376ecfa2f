"""Parsing of boards: text to cells, with line and column of an invalid character."""

import re
from math import isqrt

from catcube.problems.scanner import TextFile

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


def parse_cells(text: str, source: str = "board") -> list[list[int]]:
    """Return the rows of digits that `text` holds, 0 for unknown.

    Each line is a row, or one line the whole board. Blanks and ``|`` between cells, empty lines
    and lines of ``-``, ``+`` and ``=`` are skipped; any other character is an error.

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
    if not total:
        raise file.fault("expected a board, got no cells")
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
    if total != size * size:
        raise file.fault(f"expected {size * size} cells of a {size}×{size} board, got {total}")
    digits = [_DIGITS[cell] for cells in lines.values() for _, cell in cells]
    return [digits[start : start + size] for start in range(0, total, size)]


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
