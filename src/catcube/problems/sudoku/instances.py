"""The boards that come with the package: of high and of small dimension, and of other sizes."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from catcube.base.text import unknown_name_message
from catcube.errors import BadValue
from catcube.problems.sudoku.board import Board

COLLECTIONS = ("high", "small", "sizes")
"""high: puzzles with a unique solution; small: complete boards with 1 to 10 cells erased; sizes:
puzzles of other sizes with a unique solution, made by `puzzle`."""


def names(collection: str | None = None) -> list[str]:
    """Return the names of the shipped boards, all or of one collection, with 9 before 10.

    >>> names("high")[:3]
    ['sudoku-17hint-64', 'sudoku-17hint-64b', 'sudoku-easy-54']
    >>> names("small")[-5:]
    ['small-dimension-9-d', 'small-dimension-10-a', 'small-dimension-10-b', \
'small-dimension-10-c', 'small-dimension-10-d']
    """
    if collection is not None and collection not in COLLECTIONS:
        raise BadValue(unknown_name_message("collection", collection, COLLECTIONS))
    return [name for name, (home, _) in _files().items() if collection in (None, home)]


@cache
def load(name: str) -> Board:
    """Return the shipped board of this name.

    >>> len(load("sudoku-easy-56").unknowns)
    56
    >>> load("sudoku-easy-65")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    catcube.errors.BadValue: unknown instance 'sudoku-easy-65', did you mean 'sudoku-easy-56'? ...
    """
    if name not in _files():
        raise BadValue(unknown_name_message("instance", name, names()))
    _, file = _files()[name]
    return Board.parse(file.read_text(encoding="utf-8"), source=name)


@cache
def _files() -> dict[str, tuple[str, Traversable]]:
    """Name -> (collection, file), in the order in which names are listed."""
    found = {}
    for collection in COLLECTIONS:
        folder = files("catcube").joinpath("data", "instances", collection)
        texts = [file for file in folder.iterdir() if file.name.endswith(".txt")]
        for file in sorted(texts, key=lambda file: _natural(file.name.removesuffix(".txt"))):
            found[file.name.removesuffix(".txt")] = collection, file
    return found


def _natural(name: str) -> list[str | int]:
    """Return a sort key that puts 10 after 9: words and numbers in turn."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]
