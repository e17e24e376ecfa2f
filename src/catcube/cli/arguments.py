"""The arguments of each command of `catcube`; the docstrings are the texts of `--help`."""

import argparse
from argparse import ArgumentTypeError
from collections.abc import Callable

from catcube.base.text import quoted


def add_solve(parser: argparse.ArgumentParser) -> None:
    """Solve a problem by restarts with fresh seeds, each run twice as long as the last.

    Print the best solution in the form of the problem. The exit code is 0 if the known optimum is
    reached, such as a correct board, 1 if not or if none is known, 2 if the input is invalid and
    130 after Ctrl-C, which still shows the best solution found.

    Examples:

      catcube solve sudoku-easy-56
      catcube solve 1..4..1..1..4..1
      catcube solve colouring:queen,8,colours=9 --time-limit 20 --out colours.txt
      catcube solve qap:nug12 --algorithm sa --representation native --seed 1
    """
    parser.add_argument(
        "instance",
        metavar="INSTANCE",
        help="a Sudoku (a file, the board itself, or - for standard input), a shipped instance "
        "(catcube list instances), or a problem such as colouring:queen8_8.col,9",
    )
    parser.add_argument(
        "-a", "--algorithm", default="auto", help="by default ltga and sa at the same time"
    )
    parser.add_argument(
        "-r", "--representation", help="by default native; linear if an algorithm is named"
    )
    parser.add_argument("-b", "--budget", type=_count, help="evaluations, of all restarts together")
    parser.add_argument(
        "-t",
        "--time-limit",
        type=_seconds,
        metavar="SECONDS",
        help="of all restarts together; by default 60 if there is no budget",
    )
    parser.add_argument(
        "-s", "--seed", type=_unsigned, help="the same seed repeats the search; random by default"
    )
    parser.add_argument("--out", metavar="FILE", help="write the best solution to this file")
    _add_parameter(parser)


def add_run(parser: argparse.ArgumentParser) -> None:
    """Run every algorithm with every representation on every instance, several times.

    Print a summary of each, or with --csv one row per run. The seed of a run is derived from
    --seed, its instance, algorithm, representation and number: rows do not depend on --jobs.

    Examples:

      catcube run sudoku-easy-56 -a sa,ltga -r linear,direct -b 100000 -n 20
      catcube run 'small-dimension-3-*' -a all --csv > rows.csv
      catcube run nk:50,3,4 -a sa -p quench=0.2
    """
    parser.add_argument(
        "instance",
        metavar="INSTANCE",
        nargs="+",
        help="a shipped instance, a file, a pattern such as 'small-dimension-3-*', or a problem "
        "such as match:20,9 or colouring:queen8_8.col,9",
    )
    parser.add_argument(
        "-a",
        "--algorithm",
        default="auto",
        help="names separated by commas; auto (the default) chooses one, all are all but surrogate",
    )
    parser.add_argument(
        "-r",
        "--representation",
        default="auto",
        help="names separated by commas; auto (the default) chooses one, all are the shipped ones",
    )
    parser.add_argument(
        "-b", "--budget", type=_count, default=300_000, help="evaluations per run (300000)"
    )
    parser.add_argument("-n", "--runs", type=_count, default=1, help="runs of each combination (1)")
    parser.add_argument("-s", "--seed", type=_unsigned, default=1, help="an integer (1)")
    parser.add_argument("--target", type=_number, help="a run ends when it reaches this value")
    parser.add_argument("--preset", help="a named set of parameters, such as paper")
    _add_parameter(parser)
    parser.add_argument("-j", "--jobs", type=_jobs, help="threads; by default one per core")
    add_format(parser, "table", "csv")


def add_reproduce(parser: argparse.ArgumentParser) -> None:
    """Repeat the experiments of A. Berny, "Linear representation of categorical values" (2021).

    With beyond, make the study of other problems, numbers of categories and of variables.
    Run the same command again to resume after Ctrl-C or a power cut; when all runs are done, it
    only writes the report again. The exit code is 0 if all runs are done, 1 if some failed, 2 if
    the input is invalid and 130 after Ctrl-C.

    Examples:

      catcube reproduce all --scale smoke
      catcube reproduce fixed-target --out results/target
    """
    parser.add_argument(
        "experiment",
        metavar="EXPERIMENT",
        nargs="?",
        choices=["fixed-budget", "ecdf", "fixed-target", "all", "beyond"],
        default="all",
        help="fixed-budget, ecdf, fixed-target, all of these (the default), or beyond",
    )
    parser.add_argument(
        "--scale",
        choices=["smoke", "small", "full"],
        default="small",
        help="smoke: a minute on two cores; small (the default): ten minutes; full: the whole, two "
        "hours (beyond: half an hour)",
    )
    parser.add_argument(
        "--out", metavar="FOLDER", help="by default results/SCALE or results/beyond-SCALE"
    )
    _add_workers(parser)


def add_campaign(parser: argparse.ArgumentParser) -> None:
    """Run the experiments of a plan and keep the results in a store, an SQLite file.

    Run the same command again to resume after Ctrl-C or a power cut. The exit code is 0 if all
    runs are done, 1 if some failed, 2 if the input is invalid and 130 after Ctrl-C.

    Examples:

      catcube campaign mine.toml --out mine.sqlite
      catcube campaign fixed-budget --jobs 8
    """
    parser.add_argument(
        "plan", metavar="PLAN", help="a TOML file, or a shipped plan such as fixed-budget"
    )
    parser.add_argument("--out", metavar="STORE", help="by default PLAN.sqlite in this folder")
    _add_workers(parser)
    parser.add_argument("--only", metavar="EXPERIMENT", help="one experiment of the plan")


def add_status(parser: argparse.ArgumentParser) -> None:
    """Show the progress, the failures and the code versions of a campaign, even while it runs."""
    parser.add_argument("store", metavar="STORE", help="an SQLite file written by catcube campaign")
    add_format(parser, "table", "json")


def add_check(parser: argparse.ArgumentParser) -> None:
    """Verify a store: its structure, checksums, sessions and improvements; report what is damaged.

    With --drop, what is damaged is removed; the same campaign computes it again. The exit code is
    0 if the store is intact, or after --drop, 1 if it is damaged, 2 if it cannot be read.
    """
    parser.add_argument("store", metavar="STORE", help="an SQLite file written by catcube campaign")
    parser.add_argument("--drop", action="store_true", help="remove what is damaged")
    parser.add_argument("--plan", help="compare with this plan: a TOML file, or a shipped one")


def add_export(parser: argparse.ArgumentParser) -> None:
    """Write the finished runs of a campaign, in the order of its plan.

    The columns of csv and parquet are those of catcube run --csv and a few more; ioh is a folder
    for IOHanalyzer and iohinspector. With --no-seconds, the same plan always gives the same bytes;
    ioh never holds seconds.

    Examples:

      catcube export mine.sqlite > runs.csv
      catcube export mine.sqlite --format ioh --out ioh
    """
    parser.add_argument("store", metavar="STORE", help="an SQLite file written by catcube campaign")
    add_format(parser, "csv", "parquet", "ioh")
    parser.add_argument("--out", metavar="PATH", help="by default, CSV to standard output")
    parser.add_argument(
        "--no-seconds",
        dest="seconds",
        action="store_false",
        help="omit the last column, the seconds",
    )


def add_report(parser: argparse.ArgumentParser) -> None:
    """Write tables and a page of the finished runs; figures and other formats on request.

    The page needs nothing but a browser. It lists the runs that are missing.

    Examples:

      catcube report mine.sqlite --out mine
      catcube report mine.sqlite --format csv tex svg --targets 0 10
    """
    parser.add_argument(
        "source", metavar="SOURCE", nargs="+", help="a store, or a folder with stores"
    )
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help="by default SOURCE if it is a folder, or STORE-report beside the store",
    )
    parser.add_argument(
        "--format",
        nargs="+",
        metavar="FORMAT",
        choices=["csv", "md", "tex", "svg", "png", "pdf"],
        default=["csv"],
        help="of tables (csv, md, tex) and of figures (svg, png, pdf); by default csv",
    )
    parser.add_argument(
        "--targets",
        nargs="+",
        type=_number,
        default=[],
        help="values whose runtimes are shown, too",
    )
    parser.add_argument(
        "--budgets",
        nargs="+",
        type=_count,
        default=[],
        help="numbers of evaluations after which values are shown, too",
    )
    parser.add_argument(
        "--all-figures",
        action="store_true",
        help="for every instance; by default for the first 24 (a third of a second each)",
    )


def add_list(parser: argparse.ArgumentParser) -> None:
    """List algorithms, representations, problems and instances, or describe one of them.

    Examples:

      catcube list                 all sections
      catcube list sa              an algorithm with its parameters
      catcube list colouring       a problem, its arguments and instances
      catcube list sudoku-easy-56  an instance
      catcube list --suite         the instances of a suite that is fixed for good
    """
    parser.add_argument("name", metavar="NAME", nargs="?", help="a name to describe, or a section")
    parser.add_argument("--suite", action="store_true", help="list a suite, the first or NAME")
    add_format(parser, "table", "json")


def add_minimize(parser: argparse.ArgumentParser) -> None:
    """Minimize one's own Python function, and print the best point.

    The function takes a dict of labels and returns a number. The exit code is 0 if a feasible
    point has a value, 1 if none has, 2 if the input is invalid and 130 after Ctrl-C.

    Example: catcube minimize train:loss --space space.toml --budget 200 --study tuning.sqlite
    """
    parser.add_argument(
        "function",
        metavar="MODULE:FUNCTION",
        help="a function of a module in this folder, or of an installed one",
    )
    parser.add_argument(
        "--space",
        required=True,
        metavar="FILE",
        help="a TOML file with a line per variable, such as colour = ['red', 'blue'], or "
        "depth = {low = 1, high = 9}, or rate = {low = 1e-4, high = 0.1, log = true, count = 20}; "
        "only_if = {model = 'svm'} inside the braces is a condition",
    )
    parser.add_argument("-b", "--budget", type=_count, help="calls of the function")
    parser.add_argument(
        "--study", metavar="STUDY", help="the file that keeps all points; to continue, repeat it"
    )
    parser.add_argument("--maximize", action="store_true", help="larger values are better")
    parser.add_argument("-w", "--workers", type=_jobs, help="processes that call the function")
    parser.add_argument(
        "--timeout", type=_seconds, metavar="SECONDS", help="a call that takes longer has failed"
    )
    parser.add_argument("-t", "--time-limit", type=_seconds, metavar="SECONDS", help="of the run")
    parser.add_argument("--target", type=_number, help="the run ends when it reaches this value")
    parser.add_argument("-a", "--algorithm", default="auto", help="by default chosen by the budget")
    parser.add_argument("-s", "--seed", type=_unsigned, help="random by default")
    parser.add_argument(
        "--constraint",
        metavar="MODULE:FUNCTION",
        action="append",
        default=[],
        help="returns whether a point is feasible, or by how much it is not; repeatable",
    )
    parser.add_argument(
        "--catch", action="store_true", help="a call that raises an exception has failed"
    )
    _add_parameter(parser)


def add_study(parser: argparse.ArgumentParser) -> None:
    """Show a study, the file that keeps the points and values of one's own function.

    Examples: catcube study tuning.sqlite, catcube study tuning.sqlite --html page.html
    """
    parser.add_argument("study", metavar="STUDY", help="a file written by study=")
    parser.add_argument("--csv", action="store_true", help="print one row per point")
    parser.add_argument("--html", metavar="PAGE", help="write one page that loads nothing")


def add_show(parser: argparse.ArgumentParser) -> None:
    """Compare the representations of N categories: bits, redundancy, reach of a flip, radius.

    Examples:

      catcube show 9
      catcube show 4 --figure cube.png
    """
    parser.add_argument("categories", metavar="N", type=_count, help="number of categories")
    parser.add_argument(
        "--figure",
        metavar="PATH",
        help="draw the cube of the linear representation (up to four bits)",
    )
    add_format(parser, "table", "json")


def add_warm(parser: argparse.ArgumentParser) -> None:
    """Compile all algorithms in parallel now, instead of each at its first use."""
    parser.add_argument(
        "-r", "--representation", help="compile what this one needs; by default what any needs"
    )
    parser.add_argument("-j", "--jobs", type=_jobs, help="processes; by default all cores")


def add_completion(parser: argparse.ArgumentParser) -> None:
    """Print a script that completes commands, options and names in a shell.

    Examples:

      catcube completion bash > ~/.local/share/bash-completion/completions/catcube
      catcube completion zsh >> ~/.zshrc
      catcube completion fish > ~/.config/fish/completions/catcube.fish
    """
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])


def add_format(parser: argparse.ArgumentParser, default: str, *others: str) -> None:
    """Add --format, and for csv and json the short forms --csv and --json."""
    choices = (default, *others)
    parser.add_argument(
        "--format", choices=choices, default=default, help=f"of the output, by default {default}"
    )
    for name in {"csv", "json"} & set(choices):
        parser.add_argument(
            f"--{name}", dest="format", action="store_const", const=name, help=f"--format {name}"
        )


def _add_workers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-j", "--jobs", type=_jobs, help="simultaneous runs; by default one per core"
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="address of a dask scheduler, such as tcp://10.0.0.1:8786",
    )
    parser.add_argument(
        "--timeout",
        type=_seconds,
        metavar="SECONDS",
        help="repeat a run once that takes longer, then count it as failed",
    )


def _add_parameter(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-p",
        "--parameter",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set a parameter of every algorithm that has it (see catcube list NAME); repeatable",
    )


def _reader(expected: str, accepts: Callable[[float], bool], whole: bool) -> Callable[[str], float]:
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


_count = _reader("an integer >= 1", lambda value: 1 <= value < 2**62, whole=True)
_jobs = _reader("an integer from 1 to 4096", lambda value: 1 <= value <= 4096, whole=True)
_unsigned = _reader("an integer >= 0", lambda value: value >= 0, whole=True)
_number = _reader("a number", lambda value: abs(value) < float("inf"), whole=False)
_seconds = _reader("a number of seconds > 0", lambda value: 0 < value < float("inf"), whole=False)


ARGUMENTS = {
    "solve": add_solve,
    "run": add_run,
    "reproduce": add_reproduce,
    "campaign": add_campaign,
    "status": add_status,
    "check": add_check,
    "export": add_export,
    "report": add_report,
    "minimize": add_minimize,
    "study": add_study,
    "list": add_list,
    "show": add_show,
    "warm": add_warm,
    "completion": add_completion,
}
