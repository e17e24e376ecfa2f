"""Parsing of the command line of `catcube`."""

import argparse
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NoReturn

import catcube
from catcube.base.text import expect_known
from catcube.cli.arguments import ABOUT, COMMANDS, arguments_of
from catcube.errors import BadValue


class _Help(argparse.HelpFormatter):
    """Wrap paragraphs, and keep the lines of those that are indented."""

    def _iter_indented_subactions(self, action: Any) -> Any:
        return getattr(action, "_get_subactions", tuple)()  # indented ones would need two lines

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.split("\n\n")
        return "\n\n".join(
            part if part.startswith("  ") else super(_Help, self)._fill_text(part, width, indent)
            for part in paragraphs
        )


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, without the usage."""

    def error(self, message: str) -> NoReturn:
        raise BadValue(f"{message} (see {self.prog} --help)")

    def _print_message(self, message: str, file: object = None) -> None:
        """Print the help or the version; unlike argparse, do not ignore a failure."""
        print(message, end="", flush=True)


def parse(argv: list[str]) -> argparse.Namespace:
    """Parse the arguments, or raise a ValueError; without arguments, print the help."""
    argv = argv or ["--help"]
    if not argv[0].startswith("-"):
        expect_known("command", argv[0], COMMANDS)
    found, unknown = build_parser().parse_known_args(argv)
    if unknown:
        raise BadValue(f"unknown arguments: {' '.join(unknown)} (see catcube {argv[0]} --help)")
    return found


def build_parser(
    names: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> argparse.ArgumentParser:
    """Return the parser of the whole command line.

    With `names`, arguments of these names accept nothing else, which completion needs.
    """
    shared: dict[str, Any] = {"formatter_class": _Help, "allow_abbrev": False}
    parser = _Parser(prog="catcube", **_texts(ABOUT), **shared)
    parser.add_argument("--version", action="version", version=f"catcube {catcube.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        added = commands.add_parser(name, help=summary(name), **_texts(command["text"]), **shared)
        for flags, settings in arguments_of(name):
            known = names.get(flags[-1].strip("-"))
            added.add_argument(*flags, **settings | ({"choices": known} if known else {}))
    return parser


def _texts(text: str) -> dict[str, Any]:
    """Divide the text of a command into what stands before and after its arguments."""
    description, heading, examples = text.partition("Examples:\n")
    return {"description": description.strip().replace("%", "%%"), "epilog": heading + examples}


def summary(command: str) -> str:
    """Return the first sentence about a command, without its full stop."""
    line: str = COMMANDS[command]["text"].partition("\n")[0].rstrip(".")
    return line[0].lower() + line[1:]
