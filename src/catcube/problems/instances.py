"""What can be searched, by name: boards, and problems as they are written.

An instance is a name and a board, a name and the files that it names (`colouring:queen8_8.col,9`),
or a name alone that says all (`match:20,9,seed=3`).
"""

import os
from fnmatch import fnmatchcase

from catcube.problems import Problem, Sudoku, is_problem, kinds, make
from catcube.problems.instance_files import InstanceFiles
from catcube.problems.registry import files_of
from catcube.problems.sudoku import Board
from catcube.problems.sudoku import instances as boards

Content = Board | InstanceFiles | None
"""What an instance has beside its name."""


def problem_of(content: Content | str, name: str) -> Problem:
    """Return the problem of an instance; without content (or with an empty text) its name says all.

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
    """Return the instances of all problems that have some to list, and the problem of each."""
    shipped = dict.fromkeys(boards.names(), Sudoku.name)
    return shipped | {
        f"{name}:{text}": name for name, kind in kinds.items() for text in kind.instances
    }


def matching_boards(given: str) -> dict[str, Content]:
    """Return the shipped boards that a name or shell pattern stands for; none if it is another's.

    >>> list(matching_boards("small-dimension-2-?"))
    ['small-dimension-2-a', 'small-dimension-2-b', 'small-dimension-2-c', 'small-dimension-2-d']
    """
    return {name: boards.load(name) for name in boards.names() if fnmatchcase(name, given)}


def matching_problems(given: str, folder: str | os.PathLike[str] = "") -> dict[str, Content]:
    """The problem that a text describes, or those of the listed ones that a shell pattern matches.

    The files that it names are read; their paths start in the folder.

    >>> list(matching_problems("match:7,3")), list(matching_problems("match:*,4"))
    (['match:7,3'], ['match:100,4'])
    """
    if is_pattern(given):
        return {name: None for name in listed() if fnmatchcase(name, given)}
    if not is_problem(given):
        return {}
    return {given: InstanceFiles(files_of(given, folder)) or None}


def is_pattern(given: str) -> bool:
    """Return whether a text may stand for several names."""
    return any(sign in given for sign in "*?[")
