"""The command `catcube`: its arguments; what each command does is in `catcube.cli`.

Nothing heavy is imported here, so that `catcube --help` answers at once.
"""

import argparse
import gc
import io
import os
import sys
import warnings
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import NoReturn, TextIO

import catcube
from catcube.base.registry import PluginWarning
from catcube.base.text import quoted, shortened, unknown_name_message, visible
from catcube.cli import INTERRUPTED, REFUSED, InputError

BROKEN_PIPE = 141  # as of a process ended by SIGPIPE
LONGEST_SENTENCE = 2000  # characters, whatever was given

# Command -> (its module, what it does).
COMMANDS = {
    "solve": ("catcube.cli.solve", "complete a Sudoku board"),
    "run": ("catcube.cli.run", "run algorithms many times, print raw rows or a summary"),
    "reproduce": ("catcube.cli.reproduce", "repeat the paper's experiments, with a report"),
    "study": ("catcube.cli.study", "make the runs of a plan, or go on with them"),
    "status": ("catcube.cli.status", "how far a study is"),
    "check": ("catcube.cli.check", "whether a study's store is whole; rescue what is"),
    "export": ("catcube.cli.export", "the runs of a study as CSV, Parquet or for IOHanalyzer"),
    "report": ("catcube.cli.report", "tables, figures and a page of what studies have found"),
    "list": ("catcube.cli.listing", "the algorithms, representations, problems, instances"),
    "show": ("catcube.cli.show", "the representations of N categories side by side"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the arguments ask for; the exit code."""
    argv = sys.argv[1:] if argv is None else list(argv)
    thresholds = gc.get_threshold()
    gc.set_threshold(50_000, *thresholds[1:])  # a sixth of the start was garbage collections
    if isinstance(sys.stdout, io.TextIOWrapper):  # names of files may hold what no text can
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        arguments = _parsed(argv)
        with _plugins_noted():
            code: int = import_module(COMMANDS[arguments.command][0]).command(arguments)
        sys.stdout.flush()  # here, where a broken pipe is still caught
        return code
    except InputError as error:
        sentence = " ".join(str(error).split())
        print(f"catcube: {shortened(visible(sentence), LONGEST_SENTENCE)}", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        print("catcube: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has gone; the interpreter must not try to flush it again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except SystemExit as end:  # argparse has printed the help or the version
        return int(end.code or 0)
    finally:
        gc.set_threshold(*thresholds)


@contextmanager
def _plugins_noted() -> Iterator[None]:
    """A plug-in that is left out is told in one line, without the place in the code."""
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, PluginWarning):
                print(f"catcube: note: {visible(str(message))}", file=sys.stderr)
            else:
                usual(message, category, filename, lineno, file, line)

        warnings.showwarning = show
        yield


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one sentence, without the usage."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see {self.prog} --help)")


def _parsed(argv: list[str]) -> argparse.Namespace:
    first = argv[0] if argv else None
    if first is None:
        raise InputError(f"a command is missing: {', '.join(COMMANDS)} (see catcube --help)")
    if not first.startswith("-") and first not in COMMANDS:
        raise InputError(unknown_name_message("command", first, COMMANDS))
    return _parser().parse_args(argv)


def _parser() -> _Parser:
    parser = _Parser(
        prog="catcube",
        description="Optimise functions of categorical variables with binary metaheuristics.",
        epilog="catcube COMMAND --help tells more about a command.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"catcube {catcube.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    arguments = {
        "solve": _solve,
        "run": _run,
        "reproduce": _reproduce,
        "study": _study,
        "status": _status,
        "check": _check,
        "export": _export,
        "report": _report,
        "list": _list,
        "show": _show,
    }
    for name, add_arguments in arguments.items():
        add_arguments(
            commands.add_parser(
                name,
                help=COMMANDS[name][1],
                description=(add_arguments.__doc__ or "").replace("%", "%%"),
                allow_abbrev=False,
            )
        )
    return parser


def _solve(parser: argparse.ArgumentParser) -> None:
    """Complete a Sudoku board by runs with fresh seeds, each twice as long as the one before.

    The exit code is 0 if the board is solved, 1 if not, 2 if the input is refused and 130 after
    Ctrl-C, which still shows the best board found.
    """
    parser.add_argument(
        "puzzle",
        metavar="PUZZLE",
        help="a file, a shipped instance (catcube list instances), the board itself, or - for "
        "standard input",
    )
    parser.add_argument("-a", "--algorithm", default="sa", help="by default sa")
    parser.add_argument("-r", "--representation", default="linear", help="by default linear")
    parser.add_argument("-b", "--budget", type=_count, help="evaluations of all runs together")
    parser.add_argument(
        "-t",
        "--time-limit",
        type=_seconds,
        metavar="SECONDS",
        help="for all runs together; 60 by default if there is no budget either",
    )
    parser.add_argument(
        "-s", "--seed", type=_natural, help="the same seed repeats the search; drawn by default"
    )
    _add_parameter(parser)


def _run(parser: argparse.ArgumentParser) -> None:
    """Run every algorithm with every representation on every instance, several times.

    Prints a summary of each, or with --csv a row for every run. A run's seed is derived from
    --seed and the run's own names, so that the rows do not depend on their order or on --jobs.
    """
    parser.add_argument(
        "instance",
        metavar="INSTANCE",
        nargs="+",
        help="a shipped instance, a file, a pattern such as 'small-dimension-3-*', or a problem "
        "such as match:20,9",
    )
    parser.add_argument(
        "-a", "--algorithm", default="sa", help="names with commas; all: those shipped"
    )
    parser.add_argument("-r", "--representation", default="linear", help="names with commas")
    parser.add_argument(
        "-b", "--budget", type=_count, default=300_000, help="evaluations a run (300000)"
    )
    parser.add_argument("-n", "--runs", type=_count, default=1, help="runs of each kind (1)")
    parser.add_argument("-s", "--seed", type=_natural, default=1, help="an integer (1)")
    parser.add_argument("--target", type=_number, help="a run ends when it reaches this value")
    parser.add_argument("--preset", help="a named setting of all algorithms, such as paper")
    _add_parameter(parser)
    parser.add_argument("-j", "--jobs", type=_jobs, help="threads; by default all cores")
    parser.add_argument("--csv", action="store_true", help="print the raw results")


def _reproduce(parser: argparse.ArgumentParser) -> None:
    """Repeat the experiments of A. Berny, "Linear representation of categorical values" (2021).

    Whatever ends it (Ctrl-C, a power cut), the same command goes on where it was; when all runs
    are there it makes the report anew. The exit code is 0 if all runs are done, 1 if some failed,
    2 if the input is refused and 130 after Ctrl-C.
    """
    parser.add_argument(
        "experiment",
        metavar="EXPERIMENT",
        nargs="?",
        choices=["fixed-budget", "ecdf", "fixed-target", "all"],
        default="all",
        help="fixed-budget, ecdf, fixed-target or all (the default)",
    )
    parser.add_argument(
        "--scale",
        choices=["smoke", "small", "paper"],
        default="small",
        help="smoke: a minute on two cores; small (the default): ten minutes; paper: all of it, "
        "some hours",
    )
    parser.add_argument("--out", metavar="FOLDER", help="by default results/SCALE")
    _add_workers(parser)


def _study(parser: argparse.ArgumentParser) -> None:
    """Make the runs of a plan and keep them in a store, an SQLite file.

    Whatever ends it (Ctrl-C, a power cut), the same command goes on where it was. The exit code is
    0 if all runs are done, 1 if some failed, 2 if the input is refused and 130 after Ctrl-C.
    """
    parser.add_argument(
        "plan", metavar="PLAN", help="a TOML file, or ecdf, fixed-budget or fixed-target"
    )
    parser.add_argument("--out", metavar="STORE", help="by default PLAN.sqlite in this folder")
    _add_workers(parser)
    parser.add_argument("--only", metavar="EXPERIMENT", help="one experiment of the plan")


def _status(parser: argparse.ArgumentParser) -> None:
    """Show how far a study is, what failed and which versions made it, also while it runs."""
    parser.add_argument("store", metavar="STORE", help="an SQLite file made by catcube study")
    parser.add_argument("--json", action="store_true", help="for programs")


def _check(parser: argparse.ArgumentParser) -> None:
    """Read all of a store and say whether it is as it was written; or which runs still are.

    The exit code is 0 if it is whole, 1 if it is damaged, 2 if it cannot be read at all.
    """
    parser.add_argument("store", metavar="STORE", help="an SQLite file made by catcube study")
    parser.add_argument("--rescue", metavar="NEW", help="copy the whole runs into this new store")


def _export(parser: argparse.ArgumentParser) -> None:
    """Write the runs of a study that are done, in the order of its plan.

    The columns of csv and parquet are those of catcube run --csv and a few more; ioh is a folder
    that IOHanalyzer and iohinspector read. Without the seconds that runs took, the same plan gives
    the same bytes every time; ioh holds none.
    """
    parser.add_argument("store", metavar="STORE", help="an SQLite file made by catcube study")
    parser.add_argument("--format", choices=["csv", "parquet", "ioh"], default="csv")
    parser.add_argument("--output", metavar="PATH", help="by default CSV goes to standard output")
    parser.add_argument(
        "--no-seconds", dest="seconds", action="store_false", help="leave the last column out"
    )


def _report(parser: argparse.ArgumentParser) -> None:
    """Write tables (CSV, Markdown, LaTeX), figures and a page of the runs that are done.

    The page needs nothing but a browser. It says what of a study is missing.
    """
    parser.add_argument(
        "source", metavar="SOURCE", nargs="+", help="a store, or a folder with stores"
    )
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help="by default the folder given, or STORE-report beside the store",
    )
    parser.add_argument(
        "--all-figures",
        action="store_true",
        help="also of every instance; by default of the first 24 (a third of a second each)",
    )


def _list(parser: argparse.ArgumentParser) -> None:
    """List algorithms, representations, problems and instances, or describe one of them."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="what to describe, or a section")
    parser.add_argument("--json", action="store_true", help="for programs")


def _show(parser: argparse.ArgumentParser) -> None:
    """Show the representations of N categories: bits, redundancy, reach of one flip, radius."""
    parser.add_argument("categories", metavar="N", type=_count, help="number of categories")
    parser.add_argument("--figure", metavar="PATH", help="draw the linear cube (up to four bits)")
    parser.add_argument("--json", action="store_true", help="for programs")


def _add_workers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-j", "--jobs", type=_jobs, help="runs at a time; by default all cores")
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="of a dask scheduler, such as tcp://10.0.0.1:8786"
    )
    parser.add_argument(
        "--timeout",
        type=_seconds,
        metavar="SECONDS",
        help="a run without result by then is tried once more, then has failed",
    )


def _add_parameter(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-p",
        "--parameter",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set a parameter (catcube list ALGORITHM) of every algorithm that has it; repeatable",
    )


def _reader(wanted: str, accepts: Callable[[float], bool], whole: bool) -> Callable[[str], float]:
    """A function that reads a number of the wanted kind, or says what was wanted."""

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
            raise ArgumentTypeError(f"{wanted} is wanted, not {quoted(text)}")
        return value

    return read


_count = _reader("an integer from 1", lambda value: 1 <= value < 2**62, whole=True)
_jobs = _reader("an integer from 1 to 4096", lambda value: 1 <= value <= 4096, whole=True)
_natural = _reader("an integer >= 0", lambda value: value >= 0, whole=True)
_number = _reader("a number", lambda value: abs(value) < float("inf"), whole=False)
_seconds = _reader("a number of seconds > 0", lambda value: 0 < value < float("inf"), whole=False)
