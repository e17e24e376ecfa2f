"""The command line of `catcube`: its commands, and parsing of arguments."""

import argparse
import inspect
from typing import NoReturn

import catcube
from catcube.base.text import unknown_name_message
from catcube.cli import InputError
from catcube.cli.arguments import ARGUMENTS

# Command -> (its module, one line about it).
COMMANDS = {
    "solve": ("catcube.cli.solve", "solve a Sudoku or any other problem"),
    "run": ("catcube.cli.run", "run algorithms many times, print raw rows or a summary"),
    "reproduce": ("catcube.cli.reproduce", "repeat the paper's experiments or the study beyond it"),
    "campaign": ("catcube.cli.campaign", "run the experiments of a plan, or resume them"),
    "status": ("catcube.cli.status", "show the progress of a campaign"),
    "check": ("catcube.cli.check", "verify a store; --drop removes what is damaged"),
    "export": (
        "catcube.cli.export",
        "write the runs of a store as CSV, as Parquet or for IOHanalyzer",
    ),
    "report": ("catcube.cli.report", "write tables, figures and a page of the results of stores"),
    "minimize": ("catcube.cli.minimize", "minimize one's own Python function"),
    "study": ("catcube.cli.study", "show the points and values of one's own function"),
    "list": ("catcube.cli.listing", "list algorithms, representations, problems and instances"),
    "show": ("catcube.cli.show", "compare the representations of N categories"),
    "warm": ("catcube.cli.warm", "compile all algorithms in parallel"),
    "completion": ("catcube.cli.completion", "print a completion script for a shell"),
}


EXAMPLES = """\
Examples:

  catcube solve sudoku-easy-56         solve a puzzle
  catcube list                         see what there is
  catcube run sudoku-easy-56 -a sa,ltga -b 100000 -n 20
                                       compare two algorithms
  catcube reproduce all --scale smoke  repeat the paper in small

catcube COMMAND --help describes a command.
"""


class _Help(argparse.HelpFormatter):
    """Wrap paragraphs, and keep the lines of those that are indented."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.split("\n\n")
        return "\n\n".join(
            part if part.startswith("  ") else super(_Help, self)._fill_text(part, width, indent)
            for part in paragraphs
        )


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, without the usage."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see {self.prog} --help)")

    def _print_message(self, message: str, file: object = None) -> None:
        """Print the help or the version; unlike argparse, do not ignore a failure."""
        print(message, end="", flush=True)


def parse(argv: list[str]) -> argparse.Namespace:
    """Parse the arguments, or raise an InputError; without arguments, print the help."""
    argv = argv or ["--help"]
    if not argv[0].startswith("-") and argv[0] not in COMMANDS:
        raise InputError(unknown_name_message("command", argv[0], COMMANDS))
    return build_parser().parse_args(argv)


def build_parser() -> _Parser:
    """Return the parser of the whole command line."""
    parser = _Parser(
        prog="catcube",
        description="Optimise functions of categorical variables.",
        epilog=EXAMPLES,
        formatter_class=_Help,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"catcube {catcube.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, add_arguments in ARGUMENTS.items():
        text, _, examples = (inspect.getdoc(add_arguments) or "").partition("\n\nExamples:\n")
        added = commands.add_parser(
            name,
            help=COMMANDS[name][1],
            description=text.replace("%", "%%"),
            epilog=examples and f"Examples:\n{examples}",
            formatter_class=_Help,
            allow_abbrev=False,
        )
        add_arguments(added)
    return parser
