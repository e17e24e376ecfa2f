"""The command line of `catcube`: its commands and arguments, read from `commands.toml`."""

import argparse
import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from types import MappingProxyType
from typing import Any, NoReturn

import catcube
from catcube.base.text import expect_known, parse_value, quote
from catcube.errors import BadValue

Arguments = list[tuple[list[str], dict[str, Any]]]
"""The flags or the name of each argument, and its settings for argparse."""

COMMANDS: dict[str, dict[str, Any]] = tomllib.loads(
    files("catcube.cli").joinpath("commands.toml").read_text(encoding="utf-8")
)
"""The commands by name, with the `text` of --help and the `arguments`."""

ABOUT: str = COMMANDS.pop("catcube")["text"]
"""The text of `catcube --help`."""

SHARED = COMMANDS.pop("shared")
"""Arguments shared by several commands."""


def build_arguments(command: str) -> Arguments:
    """Return the arguments of a command for argparse.

    >>> build_arguments("study")[0]
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
    """Return an argument for argparse, given its usage, its help, and the type of its value.

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
        settings["type"] = CONVERTERS[type]
    return flags, {"help": help, **settings}


def output_format(default: str, *others: str) -> Arguments:
    """Return --format and, for csv and json, the short forms --csv and --json."""
    text = f"output format, by default {default}"
    found = [argument("--format", text, choices=(default, *others), default=default)]
    for name in sorted({"csv", "json"} & {default, *others}):
        constant: dict[str, Any] = {"dest": "format", "action": "store_const", "const": name}
        found.append(argument(f"--{name}", f"--format {name}", **constant))
    return found


def reader(expected: str, accepts: Callable[[float], bool], whole: bool) -> Callable[[str], Any]:
    """Return a function that converts text to a number, or raises an error for argparse."""

    def read(text: str) -> Any:
        value = parse_value(text)
        if whole and isinstance(value, float) and value.is_integer():
            value = int(value)  # 1e6 is a convenient way to write a budget
        if type(value) not in (int, int if whole else float) or not accepts(value):
            raise argparse.ArgumentTypeError(f"expected {expected}, got {quote(text)}")
        return value

    return read


CONVERTERS = {
    "count": reader("an integer >= 1", lambda value: 1 <= value < 2**62, whole=True),
    "jobs": reader("an integer from 1 to 4096", lambda value: 1 <= value <= 4096, whole=True),
    "unsigned": reader("an integer >= 0", lambda value: value >= 0, whole=True),
    "number": reader("a number", lambda value: abs(value) < math.inf, whole=False),
    "seconds": reader("a number of seconds > 0", lambda value: 0 < value < math.inf, whole=False),
}
"""Functions that convert a value, by the `type` of the argument."""


class _Help(argparse.HelpFormatter):
    """A formatter that wraps paragraphs, but keeps the lines of indented ones."""

    def _iter_indented_subactions(self, action: Any) -> Any:
        return getattr(action, "_get_subactions", tuple)()  # indented ones would need two lines

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.split("\n\n")
        return "\n\n".join(
            part if part.startswith("  ") else super(_Help, self)._fill_text(part, width, indent)
            for part in paragraphs
        )


class _Parser(argparse.ArgumentParser):
    """A parser that reports errors in one sentence, without the usage."""

    def error(self, message: str) -> NoReturn:
        raise BadValue(f"{message} (see {self.prog} --help)")

    def _print_message(self, message: str, file: object = None) -> None:
        """Print the help or the version; unlike argparse, do not ignore errors of writing."""
        print(message, end="", flush=True)


def parse(argv: list[str]) -> argparse.Namespace:
    """Parse the arguments; raise a ValueError if they are invalid. Without any, print the help."""
    argv = argv or ["--help"]
    if argv[0] not in ("-h", "--help", "--version"):
        expect_known("command", argv[0], COMMANDS)
    found, unknown = build_parser().parse_known_args(argv)
    if unknown:
        raise BadValue(f"unknown arguments: {' '.join(unknown)} (see catcube {argv[0]} --help)")
    return found


def build_parser(
    names: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> argparse.ArgumentParser:
    """Return the parser of the whole command line.

    For completion, `names` restricts arguments, given by name, to lists of values.
    """
    shared: dict[str, Any] = {"formatter_class": _Help, "allow_abbrev": False}
    parser = _Parser(prog="catcube", **_texts(ABOUT), **shared)
    parser.add_argument("--version", action="version", version=f"catcube {catcube.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        added = commands.add_parser(name, help=summary(name), **_texts(command["text"]), **shared)
        for flags, settings in build_arguments(name):
            known = names.get(flags[-1].strip("-"))
            added.add_argument(*flags, **settings | ({"choices": known} if known else {}))
    return parser


def _texts(text: str) -> dict[str, Any]:
    """Divide the text of a command into the parts before and after its arguments."""
    description, heading, examples = text.partition("Examples:\n")
    return {"description": description.strip().replace("%", "%%"), "epilog": heading + examples}


def summary(command: str) -> str:
    """Return the first sentence of the text of a command, without its full stop."""
    line: str = COMMANDS[command]["text"].partition("\n")[0].rstrip(".")
    return line[0].lower() + line[1:]
