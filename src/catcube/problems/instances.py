"""Instances by name: boards, and problems with their arguments.

An instance is a name and a board, a name and the files that it names (`colouring:queen8_8.col,9`),
or a name alone with all arguments (`match:20,9,seed=3`).
"""

import os
from fnmatch import fnmatchcase

from catcube.problems import Problem, Sudoku, is_problem, kinds, make
from catcube.problems.instance_files import InstanceFiles
from catcube.problems.registry import files_of
from catcube.problems.sudoku import Board
from catcube.problems.sudoku import instances as boards

Content = Board | InstanceFiles | None
"""The data of an instance beside its name."""


def problem_of(content: Content | str, name: str) -> Problem:
    """Build the problem of an instance; without content its name has all arguments.

    >>> problem_of(None, "match:3,2").optimum, problem_of("12..34122143432.", "mine").name
    (0.0, 'mine')
    """
    if content is None or content == "":
        return make(name, ())
    if isinstance(content, str):
        is_files = InstanceFiles.is_text_of(content)
        content = InstanceFiles.parse(content) if is_files else Board.parse(content)
    return make(name, content) if isinstance(content, InstanceFiles) else Sudoku(content, name)


def listed() -> dict[str, str]:
    """Return the listed instances of all problems, each with the name of its problem."""
    shipped = dict.fromkeys(boards.names(), Sudoku.name)
    return shipped | {
        f"{name}:{text}": name for name, kind in kinds.items() for text in kind.instances
    }


def matching_boards(pattern: str) -> dict[str, Content]:
    """Return the shipped boards that match a name or shell pattern.

    >>> list(matching_boards("small-dimension-2-?"))
    ['small-dimension-2-a', 'small-dimension-2-b', 'small-dimension-2-c', 'small-dimension-2-d']
    """
    return {name: boards.load(name) for name in boards.names() if fnmatchcase(name, pattern)}


def matching_problems(text: str, folder: str | os.PathLike[str] = "") -> dict[str, Content]:
    """Return the problem that a text names, or the listed ones that match a shell pattern.

    The files that it names are read; their paths are relative to the folder.

    >>> list(matching_problems("match:7,3")), list(matching_problems("match:*,4"))
    (['match:7,3'], ['match:100,4'])
    """
    if is_pattern(text):
        return {name: None for name in listed() if fnmatchcase(name, text)}
    if not is_problem(text):
        return {}
    return {text: InstanceFiles(files_of(text, folder)) or None}


def is_pattern(text: str) -> bool:
    """Return whether a text may match several names."""
    return any(sign in text for sign in "*?[")
