"""The boards that come with the package: of high and of small dimension, and of other sizes."""

import re
from functools import cache

from catcube.base.text import expect_known
from catcube.problems.scanner import builtin_file, builtin_names
from catcube.problems.sudoku.board import Board

COLLECTIONS = ("high", "small", "sizes")
"""high: puzzles with a unique solution; small: complete boards with 1 to 10 cells erased; sizes:
puzzles of other sizes with a unique solution, made by `puzzle`."""


def names(collection: str | None = None) -> list[str]:
    """Return the names of the built-in boards, all or of one collection, with 9 before 10.

    >>> names("high")[:3]
    ['sudoku-17hint-64', 'sudoku-17hint-64b', 'sudoku-easy-54']
    >>> names("small")[-5:]
    ['small-dimension-9-d', 'small-dimension-10-a', 'small-dimension-10-b', \
'small-dimension-10-c', 'small-dimension-10-d']
    """
    if collection is None:
        return [name for home in COLLECTIONS for name in names(home)]
    expect_known("collection", collection, COLLECTIONS)
    return sorted(builtin_names(collection), key=_natural)


@cache
def load(name: str) -> Board:
    """Return the built-in board of this name.

    >>> len(load("sudoku-easy-56").unknowns)
    56
    >>> load("sudoku-easy-65")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    catcube.errors.BadValue: unknown instance 'sudoku-easy-65', did you mean 'sudoku-easy-56'? ...
    """
    expect_known("instance", name, names())
    [home] = (collection for collection in COLLECTIONS if name in builtin_names(collection))
    return Board.parse(builtin_file(home, name).text, source=name)


def _natural(name: str) -> list[str | int]:
    """Return a sort key that puts 10 after 9: words and numbers in turn."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]
