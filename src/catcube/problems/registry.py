"""The kinds of problems by name: a problem is written NAME:ARGUMENTS, as `match:20,9,seed=3`."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from catcube.base.arguments import called, usage
from catcube.base.registry import Registry
from catcube.base.text import unknown_name_message
from catcube.problems.problem import Problem

Build = TypeVar("Build", bound=Callable[..., Problem])


class Kind(NamedTuple):
    """A kind of problems: its name, one line about it, how to make one, arguments worth a try."""

    name: str
    title: str
    build: Callable[..., Problem]
    instances: tuple[str, ...]

    @property
    def usage(self) -> str:
        """How a problem of this kind is written."""
        arguments = usage(self.build)
        return f"{self.name}:{arguments}".replace(", ", ",") if arguments else self.name


kinds: Registry[Kind] = Registry("problem")
for _name, _module in {
    "sudoku": "catcube.problems.sudoku.problem",
    "match": "catcube.problems.match",
}.items():
    kinds.promise(_name, _module)


def kind(name: str, title: str, instances: Sequence[str] = ()) -> Callable[[Build], Build]:
    """Register the decorated class or function as a kind of problems.

    A name that is taken is refused. The arguments of a problem must say all about it: what it is
    may depend neither on chance (a seed needs a default) nor on files that change. `instances` are
    arguments that are listed, each the text after the colon.
    """

    def register(build: Build) -> Build:
        kinds.add(name, Kind(name, title, build, tuple(instances)), build.__module__)
        return build

    return register


def is_problem(text: str) -> bool:
    """Whether a text begins with the name of a kind of problems.

    >>> is_problem("match:20,9"), is_problem("sudoku-easy-56")
    (True, False)
    """
    return text.partition(":")[0] in kinds


def make(text: str) -> Problem:
    """Make the problem that is written NAME or NAME:ARGUMENTS.

    >>> import catcube
    >>> len(make("match:20,9").space)
    20
    >>> make("match:20")
    Traceback (most recent call last):
    ValueError: match:20: the argument 'categories' is missing (match:variables,categories,seed=1)
    """
    name, _, arguments = text.partition(":")
    if name not in kinds:
        raise ValueError(unknown_name_message("problem", name, kinds))
    own = kinds[name]
    try:
        made = called(own.build, arguments)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{text}: {error} ({own.usage})") from error
    if not isinstance(made, Problem):
        raise TypeError(f"{text}: a Problem is wanted, not {made!r}")
    return made
