"""Parsing of input: instances, lists of names, parameters, and names of Python objects."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from operator import attrgetter
from typing import Any, Literal

from catcube.base.text import expect, parse_value, quote
from catcube.errors import BadValue
from catcube.experiments.plan_file import merge_instances
from catcube.problems.instances import Content, find_instances, read_standard_input


def find_named_instances(texts: Sequence[str]) -> dict[str, Content]:
    """Return instances by name; a pattern stands for several, and - for standard input."""
    found: dict[str, Content] = {}
    for text in texts:
        merge_instances(found, read_standard_input() if text == "-" else find_instances(text))
    return found


def find_named_instance(text: str) -> tuple[str, Content]:
    """Return the name and content of a single instance."""
    first, *others = find_named_instances([text]).items()
    expect(not others, "the name of one instance, not of several", text)
    return first


def parse_settings(assignments: Sequence[str]) -> dict[str, Any]:
    """Parse parameters of the form NAME=VALUE.

    >>> parse_settings(["patience=20", "keep_trying=false", "beta_ratio=1.1"])
    {'patience': 20, 'keep_trying': False, 'beta_ratio': 1.1}
    """
    found: dict[str, Any] = {}
    for assignment in assignments:
        name, equals, text = map(str.strip, assignment.partition("="))
        expect(equals and name, "a parameter as NAME=VALUE", assignment)
        expect(name not in found, "each parameter once", assignment)
        found[name] = parse_value(text)  # the algorithm raises an error for a string
    return found


def split_names(text: str, kind: str) -> list[str] | Literal["all"]:
    """Split names separated by commas and remove duplicates; return "all" unchanged.

    >>> split_names("direct, linear", "representations")
    ['direct', 'linear']
    """
    names = [name.strip() for name in text.split(",")]
    expect(all(names), f"names of {kind} separated by commas", text)
    return "all" if names == ["all"] else list(dict.fromkeys(names))


def import_object(name: str) -> Any:
    """Import the object MODULE:ATTRIBUTE; the module may be in the current folder.

    >>> import_object("math:sqrt")(9)
    3.0
    """
    module, _, path = name.partition(":")
    expect(module and path, "MODULE:NAME", name)
    folder = os.getcwd()
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        return attrgetter(path)(import_module(module))
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise BadValue(f"the module {quote(module)} needs {error.name}") from error
        raise BadValue(f"no module {quote(module)} in {folder}") from error
    except AttributeError as error:
        raise BadValue(f"{quote(name)}: {error}") from error
