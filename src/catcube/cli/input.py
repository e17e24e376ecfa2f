"""The input of users: names, files, boards and numbers."""

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from catcube.base.text import checked_name, parse_value, quoted, unknown_name_message
from catcube.cli import InputError
from catcube.errors import BadValue
from catcube.problems import Problem
from catcube.problems.instances import (
    Content,
    is_pattern,
    listed,
    matching_boards,
    matching_problems,
    problem_of,
)
from catcube.problems.sudoku import Board, instances
from catcube.problems.sudoku.reader import is_board_text, read_stream

Made = TypeVar("Made", bound=Problem)


@contextmanager
def checking() -> Iterator[None]:
    """Convert errors of the library inside the block to an InputError."""
    try:
        yield
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise InputError(f"{where}{(error.strerror or str(error)).lower()}") from error
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(str(error)) from error
    except BrokenExecutor as error:
        raise InputError("a worker process has died; was there enough memory?") from error
    except MemoryError as error:
        raise InputError("not enough memory") from error


def named_board(text: str) -> tuple[str, Board]:
    """Return a name and a board: shipped, of a file, of a string, or for '-' of standard input."""
    if text == "-":
        return "standard input", Board.parse(_standard_input(), source="standard input")
    if text in instances.names():
        return text, instances.load(text)
    if os.path.exists(text):
        return Path(text).stem, Board.read(text)
    if is_board_text(text):
        return "board", Board.parse(text)
    if os.sep in text or Path(text).suffix:
        raise BadValue(f"no such file: {quoted(text)}")
    unknown = unknown_name_message("instance", text, listed()).partition(" (known")[0]
    raise BadValue(f"{unknown} (no file either; see catcube list instances)")


def _standard_input() -> str:
    return read_stream(sys.stdin.buffer, "standard input")


def named_instances(texts: Sequence[str]) -> dict[str, Content]:
    """Return instances by name, each once; a shell pattern matches listed names."""
    found: dict[str, Content] = {}
    for text in texts:
        new = matching_boards(text)
        if not new and not os.path.exists(text) and not is_board_text(text):
            new = matching_problems(text)
            if not new and is_pattern(text):
                raise BadValue(f"no shipped instance matches the pattern {quoted(text)}")
        for name, board in (new or dict([named_board(text)])).items():
            checked_name("instance", name)
            if found.setdefault(name, board) != board:
                raise BadValue(f"two different instances are named {name!r}")
    return found


def named_instance(text: str) -> tuple[str, Content]:
    """Return one instance and its name: a board in any form, or a problem with arguments."""
    if text in instances.names() or os.path.exists(text) or is_board_text(text):
        return named_board(text)
    if not is_pattern(text) and (described := matching_problems(text)):
        return next(iter(described.items()))
    return named_board(text)


def noted_problem(name: str, board: Content) -> tuple[Problem, list[str]]:
    """Return the problem of an instance, and the warnings about it."""
    return _noted(name, lambda: problem_of(board, name))


def _noted(name: str, make: Callable[[], Made]) -> tuple[Made, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = make()
    return made, [f"{name}: {warning.message}" for warning in caught]


def settings(assignments: Sequence[str]) -> dict[str, Any]:
    """Parse parameters of the form NAME=VALUE.

    >>> settings(["patience=20", "keep_trying=false", "beta_ratio=1.1"])
    {'patience': 20, 'keep_trying': False, 'beta_ratio': 1.1}
    """
    found: dict[str, Any] = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if not equals or not name.strip():
            raise BadValue(f"expected a parameter as NAME=VALUE, got {quoted(assignment)}")
        if name.strip() in found:
            raise BadValue(f"the parameter {quoted(name.strip())} is given twice")
        # The algorithm raises an error for a string.
        found[name.strip()] = parse_value(text.strip())
    return found


def split(text: str, kind: str) -> list[str]:
    """Split names separated by commas, each once.

    >>> split("direct, linear", "representation")
    ['direct', 'linear']
    """
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise BadValue(f"expected names separated by commas, got {quoted(text)} for the {kind}s")
    return list(dict.fromkeys(names))
