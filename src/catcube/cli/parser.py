"""The command line of `catcube`: its commands, and parsing of arguments."""

import argparse
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
    "check": ("catcube.cli.check", "verify a store; --rescue NEW copies the intact runs"),
    "export": (
        "catcube.cli.export",
        "write the runs of a store as CSV, as Parquet or for IOHanalyzer",
    ),
    "report": ("catcube.cli.report", "write tables, figures and a page of the results of stores"),
    "list": ("catcube.cli.listing", "list algorithms, representations, problems and instances"),
    "show": ("catcube.cli.show", "compare the representations of N categories"),
    "warm": ("catcube.cli.warm", "compile all algorithms now, side by side"),
}


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, without the usage."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see {self.prog} --help)")

    def _print_message(self, message: str, file: object = None) -> None:
        """Print the help or the version; unlike argparse, do not ignore a failure."""
        print(message, end="", flush=True)


def parsed(argv: list[str]) -> argparse.Namespace:
    """Parse the arguments, or raise an InputError."""
    first = argv[0] if argv else None
    if first is None:
        raise InputError(f"expected a command: {', '.join(COMMANDS)} (see catcube --help)")
    if not first.startswith("-") and first not in COMMANDS:
        raise InputError(unknown_name_message("command", first, COMMANDS))
    return _parser().parse_args(argv)


def _parser() -> _Parser:
    parser = _Parser(
        prog="catcube",
        description="Optimise functions of categorical variables with binary metaheuristics.",
        epilog="catcube COMMAND --help describes a command.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"catcube {catcube.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, add_arguments in ARGUMENTS.items():
        add_arguments(
            commands.add_parser(
                name,
                help=COMMANDS[name][1],
                description=(add_arguments.__doc__ or "").replace("%", "%%"),
                allow_abbrev=False,
            )
        )
    return parser
