"""Instances of problems by name.

An instance is a board with a name, a name with the files that it mentions
(`colouring:queen8_8.col,9`), or only a name that contains all arguments (`match:20,9,seed=3`).
"""

import json
import os
import sys
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path
from typing import Self

import msgspec

from catcube.base.text import quote, unknown_name_message
from catcube.errors import BadValue
from catcube.problems.problem import Problem
from catcube.problems.registry import files_of, is_problem, kinds, make
from catcube.problems.scanner import TextFile, read_stream
from catcube.problems.sudoku import instances as boards
from catcube.problems.sudoku.board import LONGEST_FILE, Board, is_board_text
from catcube.problems.sudoku.problem import Sudoku

_JSON = msgspec.json.Decoder(list[tuple[str, str]])


class InstanceFiles(tuple[TextFile, ...]):
    """The files from which an instance was read, and can be built again.

    Converted to text they are JSON, for stores and other processes:

    >>> files = InstanceFiles([TextFile("mine.col", "p edge 2 1\\ne 1 2")])
    >>> str(files)
    '[["mine.col", "p edge 2 1\\\\ne 1 2"]]'
    >>> InstanceFiles.parse(str(files)) == files
    True
    """

    __slots__ = ()

    def __str__(self) -> str:
        return json.dumps([list(file) for file in self], ensure_ascii=False)

    @staticmethod
    def is_text_of(text: str) -> bool:
        """Return whether a text contains files; a board does not begin with a bracket."""
        return text.startswith("[")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse the output of `str`; raise a ValueError if it is something else."""
        try:
            return cls(TextFile(*pair) for pair in _JSON.decode(text))
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadValue(f"expected the names and contents of files, got {error}") from None


Content = Board | InstanceFiles | None
"""The data of an instance besides its name."""


def build_problem(content: Content | str, name: str) -> Problem:
    """Build the problem of an instance; without content, its name contains all arguments.

    >>> build_problem(None, "match:3,2").optimum, build_problem("12..34122143432.", "mine").name
    (0.0, 'mine')
    """
    if isinstance(content, str):
        content = parse_content(content)
    return Sudoku(content, name) if isinstance(content, Board) else make(name, content or ())


def build_instance(name: str) -> Problem:
    """Build the problem of a built-in board, or of a name that contains all arguments.

    >>> build_instance("sudoku-easy-56").name, build_instance("match:3,2").optimum
    ('sudoku-easy-56', 0.0)
    """
    return build_problem(matching_boards(name).get(name), name)


def parse_content(text: str) -> Content:
    """Parse the content of an instance from text, which is empty if there is none."""
    if not text:
        return None
    return InstanceFiles.parse(text) if InstanceFiles.is_text_of(text) else Board.parse(text)


def content_hash(text: str) -> str:
    """Return the SHA-256 hash of the text of a content.

    >>> content_hash("")[:12]
    'e3b0c44298fc'
    """
    return sha256(text.encode()).hexdigest()


def find_instances(text: str, folder: str | os.PathLike[str] = "") -> dict[str, Content]:
    """Return the instances that a text denotes: a name, a shell pattern, a file or a board.

    Paths are relative to the folder.

    >>> [list(find_instances(text)) for text in ("match:7,3", "match:*,4", "1..4 ..1. .1.. 4..1")]
    [['match:7,3'], ['match:100,4'], ['board']]
    """
    path = Path(folder, text)
    if shipped := matching_boards(text):
        return shipped
    if text and os.path.exists(path):
        return {path.stem: Board.read(path)}
    if is_board_text(text):
        return {"board": Board.parse(text)}
    if any(sign in text for sign in "*?["):
        if found := {name: None for name in list_instances() if fnmatchcase(name, text)}:
            return dict(found)
        raise BadValue(f"no built-in instance matches the pattern {quote(text)}")
    if is_problem(text):
        return {text: InstanceFiles(files_of(text, folder)) or None}
    if os.sep in text or path.suffix:
        raise BadValue(f"no such file: {quote(str(path))}")
    unknown = unknown_name_message("instance", text, list_instances()).partition(" (known")[0]
    raise BadValue(f"{unknown} (no file either; see catcube list instances)")


def read_standard_input() -> dict[str, Content]:
    """Read a board from standard input."""
    source = "standard input"
    text = read_stream(sys.stdin.buffer, source, LONGEST_FILE)
    return {source: Board.parse(text, source)}


def list_instances() -> dict[str, str]:
    """Return all listed instances, each with the name of its problem."""
    shipped = dict.fromkeys(boards.names(), Sudoku.name)
    return shipped | {
        f"{name}:{text}": name for name, kind in kinds.items() for text in kind.instances
    }


def matching_boards(pattern: str) -> dict[str, Content]:
    """Return the built-in boards that match a name or shell pattern.

    >>> list(matching_boards("small-dimension-2-?"))
    ['small-dimension-2-a', 'small-dimension-2-b', 'small-dimension-2-c', 'small-dimension-2-d']
    """
    return {name: boards.load(name) for name in boards.names() if fnmatchcase(name, pattern)}
