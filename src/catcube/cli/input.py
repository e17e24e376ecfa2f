"""Read what users give: names, files, boards and numbers; say in one sentence what is wrong."""

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from catcube.base.arguments import value
from catcube.base.text import checked_name, quoted, unknown_name_message
from catcube.cli import InputError
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
    """Turn what the library refuses inside into an InputError."""
    try:
        yield
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        raise InputError(f"{place}{(error.strerror or str(error)).lower()}") from error
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(str(error)) from error
    except MemoryError as error:
        raise InputError("not enough memory") from error


def named_board(given: str) -> tuple[str, Board]:
    """Return a name and a board: shipped, of a file, of a string, or for '-' of standard input."""
    if given == "-":
        return "standard input", Board.parse(_standard_input(), source="standard input")
    if given in instances.names():
        return given, instances.load(given)
    if os.path.exists(given):
        return Path(given).stem, Board.read(given)
    if is_board_text(given):
        return "board", Board.parse(given)
    if os.sep in given or Path(given).suffix:
        raise ValueError(f"no such file: {quoted(given)}")
    unknown = unknown_name_message("instance", given, listed()).partition(" (known")[0]
    raise ValueError(f"{unknown} (no file either; see catcube list instances)")


def _standard_input() -> str:
    return read_stream(sys.stdin.buffer, "standard input")


def named_instances(given: Sequence[str]) -> dict[str, Content]:
    """Instances by name, each once; a shell pattern stands for the listed names it matches."""
    found: dict[str, Content] = {}
    for own in given:
        new = matching_boards(own)
        if not new and not os.path.exists(own) and not is_board_text(own):
            new = matching_problems(own)
            if not new and is_pattern(own):
                raise ValueError(f"no shipped instance matches the pattern {quoted(own)}")
        for name, board in (new or dict([named_board(own)])).items():
            checked_name("instance", name)
            if found.setdefault(name, board) != board:
                raise ValueError(f"two different instances are named {name!r}")
    return found


def named_instance(given: str) -> tuple[str, Content]:
    """Return one instance and its name: a board in any form, or a problem as it is written."""
    if given in instances.names() or os.path.exists(given) or is_board_text(given):
        return named_board(given)
    if not is_pattern(given) and (described := matching_problems(given)):
        return next(iter(described.items()))
    return named_board(given)


def noted_problem(name: str, board: Content) -> tuple[Problem, list[str]]:
    """Return the problem of an instance, and the warnings about it."""
    return _noted(name, lambda: problem_of(board, name))


def _noted(name: str, make: Callable[[], Made]) -> tuple[Made, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = make()
    return made, [f"{name}: {warning.message}" for warning in caught]


def settings(given: Sequence[str]) -> dict[str, Any]:
    """Read parameters written as NAME=VALUE.

    >>> settings(["patience=20", "keep_trying=false", "beta_ratio=1.1"])
    {'patience': 20, 'keep_trying': False, 'beta_ratio': 1.1}
    """
    found: dict[str, Any] = {}
    for own in given:
        name, equals, text = own.partition("=")
        if not equals or not name.strip():
            raise ValueError(f"expected a parameter as NAME=VALUE, got {quoted(own)}")
        if name.strip() in found:
            raise ValueError(f"the parameter {quoted(name.strip())} is given twice")
        found[name.strip()] = value(text.strip())  # the algorithm refuses a string
    return found


def split(given: str, kind: str) -> list[str]:
    """Split names separated by commas, each once.

    >>> split("direct, linear", "representation")
    ['direct', 'linear']
    """
    names = [name.strip() for name in given.split(",")]
    if not all(names):
        raise ValueError(f"expected names separated by commas, got {quoted(given)} for the {kind}s")
    return list(dict.fromkeys(names))
