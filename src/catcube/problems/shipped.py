"""The instance files of the package, by problem and name without suffix."""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from catcube.base.text import unknown_name_message
from catcube.errors import BadValue
from catcube.problems.scanner import TextFile


def shipped_names(problem: str) -> list[str]:
    """Return the names of the shipped instance files of a problem.

    >>> shipped_names("match")
    []
    """
    return list(_files(problem))


def shipped_file(problem: str, name: str) -> TextFile:
    """Return a shipped instance file."""
    if name not in _files(problem):
        raise BadValue(unknown_name_message("instance", name, _files(problem)))
    file = _files(problem)[name]
    return TextFile(file.name, file.read_text(encoding="utf-8"))


@cache
def _files(problem: str) -> dict[str, Traversable]:
    folder = files("catcube").joinpath("data", "instances", problem)
    if not folder.is_dir():
        return {}
    return {
        file.name.partition(".")[0]: file for file in sorted(folder.iterdir(), key=lambda x: x.name)
    }
