"""The kinds of problems by name: a problem is written NAME:ARGUMENTS, as `match:20,9,seed=3`.

The first argument may name a generator, as in `colouring:queen,8,colours=9`, or a file, as in
`colouring:queen8_8.col,9`. A problem that was made from files has them in `files`, and can be made
again from those, without the files on disk.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from catcube.base.arguments import arguments_of, takes, usage
from catcube.base.registry import Registry
from catcube.base.text import unknown_name_message
from catcube.problems.problem import Problem
from catcube.problems.reading import FileError, TextFile
from catcube.problems.shipped import shipped_file, shipped_names

Build = TypeVar("Build", bound=Callable[..., Problem])
Maker = Callable[..., Problem]


class Kind(NamedTuple):
    """A kind of problems: its name, one line about it, how to make one, arguments worth a try.

    `generators` make one from what follows their names, `reader` makes one from a file.
    """

    name: str
    title: str
    build: Maker
    instances: tuple[str, ...]
    generators: dict[str, Maker] = {}  # noqa: RUF012 (never changed)
    reader: Maker | None = None

    @property
    def usage(self) -> str:
        """How a problem of this kind is written."""
        return " or ".join(self.usages)

    @property
    def usages(self) -> list[str]:
        """The ways in which a problem of this kind is written."""
        found = [f"{generator},{usage(maker)}" for generator, maker in self.generators.items()]
        if self.reader is not None:
            found.append(usage(self.reader).replace("file", "FILE", 1))
        if not found:
            found.append(usage(self.build))
        return [f"{self.name}:{own}".replace(", ", ",").rstrip(":,") for own in found]

    def maker(self, arguments: str) -> tuple[Maker, str]:
        """Return what makes the problem of these arguments, and those of them that it takes."""
        first, _, rest = arguments.partition(",")
        if first.strip() in self.generators:
            return self.generators[first.strip()], rest
        return self.reader or self.build, arguments


kinds: Registry[Kind] = Registry("problem")
for _name, _module in {
    "sudoku": "catcube.problems.sudoku.problem",
    "match": "catcube.problems.match",
    "onemax": "catcube.problems.onemax",
    "leadingones": "catcube.problems.leadingones",
    "nk": "catcube.problems.nk",
    "potts": "catcube.problems.potts",
    "colouring": "catcube.problems.colouring",
    "factors": "catcube.problems.factors.problem",
    "latin": "catcube.problems.latin",
    "qap": "catcube.problems.qap",
    "words": "catcube.problems.words",
    "pest": "catcube.problems.pest",
    "ehrlich": "catcube.problems.ehrlich",
}.items():
    kinds.promise(_name, _module)


def kind(
    name: str,
    title: str,
    instances: Sequence[str] = (),
    generators: Sequence[str] = (),
    reader: str | None = None,
) -> Callable[[Build], Build]:
    """Register the decorated class or function as a kind of problems.

    A name that is taken is refused. The arguments of a problem must say all about it: what it is
    may not depend on chance (a seed needs a default). `instances` are arguments that are listed,
    each the text after the colon. `generators` are the names of class methods that make one from
    other arguments, `reader` that of one whose arguments annotated as `TextFile` are files.
    """

    def register(build: Build) -> Build:
        makers = {generator: getattr(build, generator) for generator in generators}
        read = None if reader is None else getattr(build, reader)
        kinds.add(name, Kind(name, title, build, tuple(instances), makers, read), build.__module__)
        return build

    return register


def is_problem(text: str) -> bool:
    """Return whether a text begins with the name of a kind of problems.

    >>> is_problem("match:20,9"), is_problem("sudoku-easy-56")
    (True, False)
    """
    return text.partition(":")[0] in kinds


def files_of(text: str, folder: str | os.PathLike[str] = "") -> tuple[TextFile, ...]:
    """Read the files that a problem, as it is written, is made from; paths start in the folder.

    >>> files_of("match:20,9")
    ()
    """
    name, maker, given = _understood(text)
    names = [given[parameter] for parameter in takes(maker, TextFile) if parameter in given]
    return tuple(
        TextFile(own, TextFile.read(os.path.join(folder, own)).text)
        for own in names
        if own not in shipped_names(name)
    )


def make(text: str, files: Sequence[TextFile] | None = None) -> Problem:
    """Make the problem that is written NAME or NAME:ARGUMENTS.

    >>> import catcube
    >>> len(make("match:20,9").space)
    20
    >>> make("match:20")
    Traceback (most recent call last):
    ValueError: match:20: the argument 'categories' is missing (match:variables,categories,seed=1)

    What it says about files is read from disk, unless `files` are given:

    >>> triangle = TextFile("triangle.col", "p edge 3 3\\ne 1 2\\ne 1 3\\ne 2 3")
    >>> make("colouring:triangle.col,3", [triangle]).files == (triangle,)
    True
    """
    name, maker, given = _understood(text)
    if files is None:
        files = files_of(text)
    for parameter in takes(maker, TextFile):
        if parameter in given and given[parameter] in shipped_names(name):
            given[parameter] = shipped_file(name, given[parameter])
        elif parameter in given:
            given[parameter] = _file(given[parameter], files)
    try:
        made = maker(**given)
    except FileError:
        raise
    except (ValueError, TypeError) as error:
        raise ValueError(f"{text}: {error} ({kinds[name].usage})") from error
    if not isinstance(made, Problem):
        raise TypeError(f"{text}: expected a Problem, got {made!r}")
    made.files = tuple(files)
    return made


def _understood(text: str) -> tuple[str, Maker, dict[str, Any]]:
    """Return the name of the problem that a text describes, what makes it, and its arguments."""
    name, _, arguments = text.partition(":")
    if name not in kinds:
        raise ValueError(unknown_name_message("problem", name, kinds))
    maker, rest = kinds[name].maker(arguments)
    try:
        return name, maker, arguments_of(maker, rest)
    except ValueError as error:
        raise ValueError(f"{text}: {error} ({kinds[name].usage})") from error


def _file(name: str, files: Sequence[TextFile]) -> TextFile:
    """Return the file of this name."""
    for file in files:
        if file.name == name:
            return file
    raise ValueError(f"expected the file {name!r} among those given, got none of that name")
