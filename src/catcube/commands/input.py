"""What users give: names, files, boards and numbers; what is wrong is told in one sentence."""

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from catcube.boards import Board, instances
from catcube.boards.text import is_board_text
from catcube.commands import InputError
from catcube.names import unknown_name_message
from catcube.problems.sudoku import Sudoku


@contextmanager
def checking() -> Iterator[None]:
    """What the library refuses inside is the user's input, and told as such."""
    try:
        yield
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        raise InputError(f"{place}{(error.strerror or str(error)).lower()}") from error
    except (ValueError, TypeError) as error:
        raise InputError(str(error)) from error


def named_board(given: str) -> tuple[str, Board]:
    """A board and its name: a shipped one, a file's, a string's, or for '-' standard input's."""
    if given == "-":
        return "standard input", Board.parse(sys.stdin.read(), source="standard input")
    if given in instances.names():
        return given, instances.load(given)
    if os.path.exists(given):
        return Path(given).stem, Board.read(given)
    if is_board_text(given):
        return "board", Board.parse(given)
    if os.sep in given or Path(given).suffix:
        raise ValueError(f"there is no file {given!r}")
    unknown = unknown_name_message("instance", given, instances.names()).partition(" (known")[0]
    raise ValueError(f"{unknown} (no file either; see catcube list instances)")


def named_boards(given: Sequence[str]) -> dict[str, Board]:
    """Boards by name, each once; a shell pattern stands for the shipped names it matches."""
    found: dict[str, Board] = {}
    for own in given:
        matching = [name for name in instances.names() if fnmatchcase(name, own)]
        if not matching and any(sign in own for sign in "*?[") and not os.path.exists(own):
            raise ValueError(f"no shipped instance matches the pattern {own!r}")
        for name, board in [named_board(name) for name in matching or [own]]:
            if found.setdefault(name, board) != board:
                raise ValueError(f"two different boards are named {name!r}")
    return found


def sudoku(name: str, board: Board) -> tuple[Sudoku, list[str]]:
    """The problem of completing a board, and what there is to be noted about it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        problem = Sudoku(board, name)
    return problem, [f"{name}: {warning.message}" for warning in caught]


def settings(given: Sequence[str]) -> dict[str, Any]:
    """Parameters written as NAME=VALUE.

    >>> settings(["patience=20", "keep_trying=false", "beta_ratio=1.1"])
    {'patience': 20, 'keep_trying': False, 'beta_ratio': 1.1}
    """
    found: dict[str, Any] = {}
    for own in given:
        name, equals, text = own.partition("=")
        if not equals or not name.strip():
            raise ValueError(f"a parameter is given as NAME=VALUE, not {own!r}")
        if name.strip() in found:
            raise ValueError(f"the parameter {name.strip()!r} is given twice")
        found[name.strip()] = _value(text.strip())
    return found


def _value(text: str) -> Any:
    """The truth value or number that a text holds, else the text, which the algorithm refuses."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def split(given: str, kind: str) -> list[str]:
    """Names separated by commas, each once.

    >>> split("direct, linear", "representation")
    ['direct', 'linear']
    """
    names = [name.strip() for name in given.split(",")]
    if not all(names):
        raise ValueError(f"a name is missing in the list of {kind}s {given!r}")
    return list(dict.fromkeys(names))
