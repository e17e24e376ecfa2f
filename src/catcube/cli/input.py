"""The input of users: instances, lists of names and parameters."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from catcube.base.text import parse_value, quoted
from catcube.cli import InputError
from catcube.errors import BadValue
from catcube.experiments.plan_file import merge_instances
from catcube.problems.instances import Content, find, standard_input


@contextmanager
def checking() -> Iterator[None]:
    """Convert errors of the library inside the block to an InputError."""
    try:
        yield
    except BrokenPipeError:  # of the output
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise InputError(f"{where}{(error.strerror or str(error)).lower()}") from error
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(str(error)) from error
    except MemoryError as error:
        raise InputError("not enough memory") from error


def named_instances(texts: Sequence[str]) -> dict[str, Content]:
    """Return instances by name, each once; a shell pattern matches several, - is standard input."""
    found: dict[str, Content] = {}
    for text in texts:
        merge_instances(found, standard_input() if text == "-" else find(text))
    return found


def named_instance(text: str) -> tuple[str, Content]:
    """Return one instance and its name."""
    first, *others = named_instances([text]).items()
    if others:
        raise BadValue(f"expected one instance, got {quoted(text)}, which matches several")
    return first


def settings(assignments: Sequence[str]) -> dict[str, Any]:
    """Parse parameters of the form NAME=VALUE.

    >>> settings(["patience=20", "keep_trying=false", "beta_ratio=1.1"])
    {'patience': 20, 'keep_trying': False, 'beta_ratio': 1.1}
    """
    found: dict[str, Any] = {}
    for assignment in assignments:
        name, equals, text = map(str.strip, assignment.partition("="))
        if not equals or not name:
            raise BadValue(f"expected a parameter as NAME=VALUE, got {quoted(assignment)}")
        if name in found:
            raise BadValue(f"the parameter {quoted(name)} is given twice")
        found[name] = parse_value(text)  # the algorithm raises an error for a string
    return found


def names_in(text: str, kind: str) -> list[str] | Literal["all"]:
    """Split names separated by commas, each once; "all" stands for itself.

    >>> names_in("direct, linear", "representations")
    ['direct', 'linear']
    """
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise BadValue(f"expected names separated by commas, got {quoted(text)} for the {kind}")
    return "all" if names == ["all"] else list(dict.fromkeys(names))
