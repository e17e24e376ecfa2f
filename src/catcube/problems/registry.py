"""The registry of kinds of problems, which have names NAME:ARGUMENTS, such as `match:20,9,seed=3`.

The first argument may be the name of a generator, as in `colouring:queen,8,colours=9`, or of a
file, as in `colouring:queen8_8.col,9`. A problem read from files keeps them in `files`, from which
it can be built again without the files on disk.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from catcube.base.registry import Registry
from catcube.base.text import expect, expect_known, parameters_of_type, parse_arguments, usage
from catcube.errors import BadType, BadValue
from catcube.problems.problem import Problem
from catcube.problems.scanner import FileError, TextFile, builtin_file, builtin_names

Build = TypeVar("Build", bound=Callable[..., Problem])
Maker = Callable[..., Problem]


class Kind(NamedTuple):
    """A kind of problems: its name and title, its constructor, and the arguments of instances.

    `generators` are constructors for the arguments after their names, `reader` is one for a file.
    """

    name: str
    title: str
    build: Maker
    instances: tuple[str, ...]
    generators: dict[str, Maker] = {}  # noqa: RUF012 (never changed)
    reader: Maker | None = None

    @property
    def usage(self) -> str:
        """The forms of names of such problems, in one line."""
        return " or ".join(self.usages)

    @property
    def usages(self) -> list[str]:
        """The forms of names of such problems."""
        found = [f"{generator},{usage(maker)}" for generator, maker in self.generators.items()]
        if self.reader is not None:
            found.append(usage(self.reader).replace("file", "FILE", 1))
        if not found:
            found.append(usage(self.build))
        return [f"{self.name}:{form}".replace(", ", ",").rstrip(":,") for form in found]

    def maker(self, arguments: str) -> tuple[Maker, str]:
        """Return the constructor for arguments, and its part of the arguments."""
        first, _, rest = arguments.partition(",")
        if first.strip() in self.generators:
            return self.generators[first.strip()], rest
        return self.reader or self.build, arguments


kinds: Registry[Kind] = Registry("problem")
_BUILTIN = (
    "sudoku match onemax leadingones nk potts colouring factors latin qap words pest ehrlich trap "
    "csp hiff"
)
_MODULES = {"sudoku": "sudoku.problem", "match": "onemax", "leadingones": "onemax"}
for _name in _BUILTIN.split():
    kinds.declare(_name, f"catcube.problems.{_MODULES.get(_name, _name)}")


def kind(
    name: str,
    title: str,
    instances: Sequence[str] = (),
    generators: Sequence[str] = (),
    reader: str | None = None,
) -> Callable[[Build], Build]:
    """Register the decorated class or function as a kind of problems.

    The arguments must determine the problem, so a seed needs a default.

    Parameters
    ----------
    name
        The name, before the colon; a name that is taken is an error.
    title
        A description of one line.
    instances
        The arguments, texts after the colon, of the instances that are listed.
    generators
        The names of class methods that build a problem from other arguments.
    reader
        The name of a class method that reads a problem; its parameters annotated as `TextFile` are
        files.

    Returns
    -------
    callable
        The decorator, which returns the class or function.

    Examples
    --------
    >>> kinds["match"].title
    'variables that differ from a hidden assignment'
    """

    def register(build: Build) -> Build:
        makers = {generator: getattr(build, generator) for generator in generators}
        read = None if reader is None else getattr(build, reader)
        kinds.add(name, Kind(name, title, build, tuple(instances), makers, read), build.__module__)
        if isinstance(build, type) and "name" not in vars(build):
            build.name = name  # type: ignore[attr-defined] # a problem has one
        return build

    return register


def is_problem(text: str) -> bool:
    """Return whether a text begins with the name of a kind of problems.

    >>> is_problem("match:20,9"), is_problem("sudoku-easy-56")
    (True, False)
    """
    return text.partition(":")[0] in kinds


def files_of(text: str, folder: str | os.PathLike[str] = "") -> tuple[TextFile, ...]:
    """Read the files that are mentioned in the name of a problem, relative to a folder.

    >>> files_of("match:20,9")
    ()
    """
    name, maker, arguments = _parse(text)
    paths = [
        arguments[parameter]
        for parameter in parameters_of_type(maker, TextFile)
        if parameter in arguments
    ]
    return tuple(
        TextFile(path, TextFile.read(os.path.join(folder, path)).text)
        for path in paths
        if path not in builtin_names(name)
    )


def make(text: str, files: Sequence[TextFile] | None = None) -> Problem:
    """Build a problem by name.

    Parameters
    ----------
    text
        NAME or NAME:ARGUMENTS.
    files
        The files that the arguments mention; by default, they are read from disk.

    Returns
    -------
    Problem
        The problem.

    Examples
    --------
    >>> len(make("match:20,9").space)
    20
    >>> make("match:20")
    Traceback (most recent call last):
    catcube.errors.BadValue: match:20: missing a required argument: 'categories' (match:...)

    With the content of a file:

    >>> triangle = TextFile("triangle.col", "p edge 3 3\\ne 1 2\\ne 1 3\\ne 2 3")
    >>> make("colouring:triangle.col,3", [triangle]).files == (triangle,)
    True
    """
    name, maker, arguments = _parse(text)
    if files is None:
        files = files_of(text)
    given = {file.name: file for file in files}
    for parameter in arguments.keys() & parameters_of_type(maker, TextFile):
        path = arguments[parameter]
        shipped = path in builtin_names(name)
        expect(shipped or path in given, f"the file {path!r} in files", list(given))
        arguments[parameter] = builtin_file(name, path) if shipped else given[path]
    try:
        problem = maker(**arguments)
    except FileError:
        raise
    except (ValueError, TypeError) as error:
        raise BadValue(f"{text}: {error} ({kinds[name].usage})") from error
    expect(isinstance(problem, Problem), "a Problem", problem, BadType, where=f"{text}: ")
    problem.files = tuple(files)
    return problem


def _parse(text: str) -> tuple[str, Maker, dict[str, Any]]:
    """Parse the name of a problem: its kind, the constructor and the arguments."""
    name, _, arguments = text.partition(":")
    expect_known("problem", name, kinds)
    maker, rest = kinds[name].maker(arguments)
    try:
        return name, maker, parse_arguments(maker, rest)
    except ValueError as error:
        raise BadValue(f"{text}: {error} ({kinds[name].usage})") from error
