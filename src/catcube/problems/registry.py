"""The registry of kinds of problems: a problem is named NAME:ARGUMENTS, as `match:20,9,seed=3`.

The first argument may name a generator, as in `colouring:queen,8,colours=9`, or a file, as in
`colouring:queen8_8.col,9`. A problem that was read from files has them in `files`, and can be built
again from those, without the files on disk.
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
    """A kind of problems: its name, one line about it, its constructor, arguments to list.

    `generators` build one from the arguments after their names, `reader` builds one from a file.
    """

    name: str
    title: str
    build: Maker
    instances: tuple[str, ...]
    generators: dict[str, Maker] = {}  # noqa: RUF012 (never changed)
    reader: Maker | None = None

    @property
    def usage(self) -> str:
        """The forms of the name of such a problem, in one line."""
        return " or ".join(self.usages)

    @property
    def usages(self) -> list[str]:
        """The forms of the name of such a problem."""
        found = [f"{generator},{usage(maker)}" for generator, maker in self.generators.items()]
        if self.reader is not None:
            found.append(usage(self.reader).replace("file", "FILE", 1))
        if not found:
            found.append(usage(self.build))
        return [f"{self.name}:{form}".replace(", ", ",").rstrip(":,") for form in found]

    def maker(self, arguments: str) -> tuple[Maker, str]:
        """Return the constructor for these arguments, and the arguments for it."""
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

    A name that is taken is an error. The arguments must determine the problem (a seed needs a
    default). `instances` are the listed arguments, each the text after the colon. `generators` are
    the names of class methods that build one from other arguments, `reader` that of one whose
    arguments annotated as `TextFile` are files.
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
    """Read the files that the name of a problem contains; paths are relative to the folder.

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
    """Build the problem of the name NAME or NAME:ARGUMENTS.

    >>> import catcube
    >>> len(make("match:20,9").space)
    20
    >>> make("match:20")
    Traceback (most recent call last):
    catcube.errors.BadValue: match:20: missing a required argument: 'categories' (match:...)

    Files are read from disk, unless `files` has them:

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
    """Return the name of the kind of a problem, its constructor, and its arguments."""
    name, _, arguments = text.partition(":")
    expect_known("problem", name, kinds)
    maker, rest = kinds[name].maker(arguments)
    try:
        return name, maker, parse_arguments(maker, rest)
    except ValueError as error:
        raise BadValue(f"{text}: {error} ({kinds[name].usage})") from error
