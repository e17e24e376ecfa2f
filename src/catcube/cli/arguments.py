"""The commands of `catcube` and their arguments, read from `commands.toml`."""

import math
import tomllib
from argparse import ArgumentTypeError
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from catcube.base.text import quoted

Arguments = list[tuple[list[str], dict[str, Any]]]
"""The flags, or the name, of each argument, and what argparse is to know about it."""

COMMANDS: dict[str, dict[str, Any]] = tomllib.loads(
    files("catcube.cli").joinpath("commands.toml").read_text(encoding="utf-8")
)
"""The commands by name: the `text` of --help, and the `arguments`. A module runs each."""

ABOUT: str = COMMANDS.pop("catcube")["text"]
"""The text of `catcube --help`."""

SHARED = COMMANDS.pop("shared")
"""Arguments that several commands have."""


def arguments_of(command: str) -> Arguments:
    """Return the arguments of a command.

    >>> arguments_of("study")[0]
    (['study'], {'help': 'a study file', 'metavar': 'STUDY'})
    """
    found: Arguments = []
    for given in COMMANDS[command]["arguments"]:
        settings = SHARED[given] if isinstance(given, str) else given
        formats = settings.get("formats")
        found += output_format(*formats) if formats else [argument(**settings)]
    return found


def argument(
    usage: str, help: str, type: str = "", **settings: Any
) -> tuple[list[str], dict[str, Any]]:
    """Describe an argument by its usage, its help, and the kind of value that it takes.

    >>> argument("-t --time-limit SECONDS", "of the run")
    (['-t', '--time-limit'], {'help': 'of the run', 'metavar': 'SECONDS'})
    """
    *flags, last = usage.split()
    if last.isupper():
        settings["metavar"] = last
    else:
        flags.append(last)
    if not flags[0].startswith("-"):
        settings.setdefault("metavar", last.upper())
    if type:
        settings["type"] = READERS[type]
    return flags, {"help": help, **settings}


def output_format(default: str, *others: str) -> Arguments:
    """Return --format, and for csv and json the short forms --csv and --json."""
    text = f"output format, by default {default}"
    found = [argument("--format", text, choices=(default, *others), default=default)]
    for name in sorted({"csv", "json"} & {default, *others}):
        constant: dict[str, Any] = {"dest": "format", "action": "store_const", "const": name}
        found.append(argument(f"--{name}", f"--format {name}", **constant))
    return found


def reader(expected: str, accepts: Callable[[float], bool], whole: bool) -> Callable[[str], float]:
    """Return a function that reads a number, or raises an error that says what was expected."""

    def read(text: str) -> float:
        try:
            value: float = int(text)
        except ValueError:
            try:
                value = float(text)
                if whole and value == int(value):
                    value = int(value)  # 1e6 is a handy way to write a budget
            except (ValueError, OverflowError):
                value = float("nan")
        if not accepts(value) or (whole and not isinstance(value, int)):
            raise ArgumentTypeError(f"expected {expected}, got {quoted(text)}")
        return value

    return read


READERS = {
    "count": reader("an integer >= 1", lambda value: 1 <= value < 2**62, whole=True),
    "jobs": reader("an integer from 1 to 4096", lambda value: 1 <= value <= 4096, whole=True),
    "unsigned": reader("an integer >= 0", lambda value: value >= 0, whole=True),
    "number": reader("a number", lambda value: abs(value) < math.inf, whole=False),
    "seconds": reader("a number of seconds > 0", lambda value: 0 < value < math.inf, whole=False),
}
"""What reads a value, by the `type` of the argument."""
