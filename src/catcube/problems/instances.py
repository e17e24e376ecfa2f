"""What can be searched, by name: boards, and problems as they are written.

An instance is a name and a board, or a name alone that says all: `match:20,9,seed=3`.
"""

from fnmatch import fnmatchcase

from catcube.problems import Problem, Sudoku, is_problem, kinds, make
from catcube.problems.sudoku import Board
from catcube.problems.sudoku import instances as boards


def problem_of(board: Board | str | None, name: str) -> Problem:
    """The problem of an instance; without a board (or with an empty text) its name says all.

    >>> problem_of(None, "match:3,2").optimum, problem_of("12..34122143432.", "mine").name
    (0.0, 'mine')
    """
    if board is None or board == "":
        return make(name)
    return Sudoku(Board.parse(board) if isinstance(board, str) else board, name)


def listed() -> dict[str, str]:
    """The instances of all problems that have some to list, and the problem of each."""
    shipped = dict.fromkeys(boards.names(), Sudoku.name)
    return shipped | {
        f"{name}:{text}": name for name, kind in kinds.items() for text in kind.instances
    }


def matching_boards(given: str) -> dict[str, Board | None]:
    """The shipped boards that a name or shell pattern stands for; none if it is another's.

    >>> list(matching_boards("small-dimension-2-?"))
    ['small-dimension-2-a', 'small-dimension-2-b', 'small-dimension-2-c', 'small-dimension-2-d']
    """
    return {name: boards.load(name) for name in boards.names() if fnmatchcase(name, given)}


def matching_problems(given: str) -> dict[str, Board | None]:
    """The problem that a text describes, or those of the listed ones that a shell pattern matches.

    >>> list(matching_problems("match:7,3")), list(matching_problems("match:*,4"))
    (['match:7,3'], ['match:100,4'])
    """
    if is_pattern(given):
        return {name: None for name in listed() if fnmatchcase(name, given)}
    return {given: None} if is_problem(given) else {}


def is_pattern(given: str) -> bool:
    """Whether a text may stand for several names."""
    return any(sign in given for sign in "*?[")
