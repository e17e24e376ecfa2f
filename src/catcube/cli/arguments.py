"""The commands of `catcube` and their arguments.

There is a function for each command. Its docstring is the text of `--help`, its first sentence the
line in the list of commands; the module of the same name runs it.
"""

from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import Any

from catcube.base.text import quoted

Arguments = list[tuple[list[str], dict[str, Any]]]
"""The flags, or the name, of each argument, and what argparse is to know about it."""


def argument(
    usage: str, text: str, read: Callable[[str], Any] | None = None, **settings: Any
) -> tuple[list[str], dict[str, Any]]:
    """Describe an argument by its usage, its help, and a function that reads it.

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
    if read is not None:
        settings["type"] = read
    return flags, {"help": text, **settings}


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


count = reader("an integer >= 1", lambda value: 1 <= value < 2**62, whole=True)
jobs = reader("an integer from 1 to 4096", lambda value: 1 <= value <= 4096, whole=True)
unsigned = reader("an integer >= 0", lambda value: value >= 0, whole=True)
number = reader("a number", lambda value: abs(value) < float("inf"), whole=False)
seconds = reader("a number of seconds > 0", lambda value: 0 < value < float("inf"), whole=False)

# What several commands have.

NAMES = "names separated by commas; auto (the default) selects one"
SEVERAL: dict[str, Any] = {"nargs": "+", "default": []}
STORE = argument("store", "an SQLite file written by catcube campaign")
REPEATABLE: dict[str, Any] = {"action": "append", "default": []}
PARAMETER = argument("-p --parameter NAME=VALUE", "of the algorithm; repeatable", **REPEATABLE)
JOBS = argument("-j --jobs", "simultaneous runs; by default one per core", jobs)
WORKERS = [
    JOBS,
    argument("--cluster ADDRESS", "address of a dask scheduler, such as tcp://10.0.0.1:8786"),
    argument("--timeout SECONDS", "a run that takes longer, twice, has failed", seconds),
]


def output_format(default: str, *others: str) -> Arguments:
    """Return --format, and for csv and json the short forms --csv and --json."""
    text = f"output format, by default {default}"
    found = [argument("--format", text, choices=(default, *others), default=default)]
    for name in sorted({"csv", "json"} & {default, *others}):
        constant: dict[str, Any] = {"dest": "format", "action": "store_const", "const": name}
        found.append(argument(f"--{name}", f"--format {name}", **constant))
    return found


def solve() -> Arguments:
    """Solve a Sudoku or any other problem.

    The search ends when it reaches the known optimum, the budget or the time limit.
    The best solution is printed in the form of the problem. The exit code is 0 if the known optimum
    was reached (a correct board), 1 if it was not or is unknown, 2 if the input is invalid, and
    130 after Ctrl-C, which still prints the best solution found.

    Examples:

      catcube solve sudoku-easy-56
      catcube solve 1..4..1..1..4..1
      catcube solve colouring:queen,8,colours=9 --time-limit 20 --out colours.txt
      catcube solve qap:nug12 --algorithm ltga --representation native --seed 1
    """
    return [
        argument(
            "instance",
            "a Sudoku (a file, the board itself, or - for standard input), a built-in instance "
            "(catcube list instances), or a problem such as colouring:queen8_8.col,9",
        ),
        argument("-a --algorithm", "a name; auto (the default) selects one", default="auto"),
        argument("-r --representation", "by default selected with the algorithm"),
        argument("-b --budget", "number of evaluations", count),
        argument(
            "-t --time-limit SECONDS",
            "by default unlimited with a budget, else 60, or 10 if the optimum is unknown",
            seconds,
        ),
        argument("-s --seed", "the same seed repeats the search; random by default", unsigned),
        argument("--out FILE", "write the best solution to this file"),
        PARAMETER,
    ]


def run() -> Arguments:
    """Run algorithms many times; print a summary or one row per run.

    Every algorithm is run with every representation on every instance: a built-in one, a file, a
    pattern such as 'small-dimension-3-*', or a problem such as match:20,9. The seed of a run is
    derived from --seed and from its instance, algorithm, representation and number, so the results
    do not depend on --jobs.

    Examples:

      catcube run sudoku-easy-56 -a sa,ltga -r linear,direct -b 100000 -n 20
      catcube run 'small-dimension-3-*' -a all --csv > rows.csv
      catcube run nk:50,3,4 -a sa -p quench=0.2
    """
    return [
        argument("instance", "names, patterns, files or problems", nargs="+"),
        argument("-a --algorithm", f"{NAMES}, all means all except surrogate", default="auto"),
        argument("-r --representation", f"{NAMES}, all means all built-in ones", default="auto"),
        argument("-b --budget", "evaluations per run (300000)", count, default=300_000),
        argument("-n --runs", "runs of each combination (1)", count, default=1),
        argument("-s --seed", "an integer (1)", unsigned, default=1),
        argument("--target", "a run ends when it reaches this value", number),
        argument("--preset", "a named set of parameters, such as paper"),
        PARAMETER,
        JOBS,
        *output_format("table", "csv"),
    ]


def reproduce() -> Arguments:
    """Repeat the paper's experiments, or the study beyond it.

    The paper is A. Berny, "Linear representation of categorical values" (2021).
    The experiment beyond is a study of other problems and of other numbers of categories and
    variables. On two cores the scale smoke takes a minute, small ten minutes, and full two hours
    (beyond: one). Run the same command again to resume after Ctrl-C or a power cut; when all runs
    are done, it only writes the report again. This needs pip install '.[report]'. The exit code is
    0 if all runs are done, 1 if some failed, 2 if the input is invalid, and 130 after Ctrl-C.

    Examples:

      catcube reproduce all --scale smoke
      catcube reproduce fixed-target --out results/target
    """
    experiments = ["fixed-budget", "ecdf", "fixed-target", "all", "beyond"]
    one_of: dict[str, Any] = {"nargs": "?", "choices": experiments, "default": "all"}
    scales = ["smoke", "small", "full"]
    return [
        argument("experiment", f"{', '.join(experiments)} (all)", **one_of),
        argument("--scale", "by default small", choices=scales, default="small"),
        argument("--out FOLDER", "by default results/SCALE or results/beyond-SCALE"),
        *WORKERS,
    ]


def campaign() -> Arguments:
    """Run the experiments of a plan, or resume them.

    The results are kept in a store, an SQLite file. Run the same command again to resume after
    Ctrl-C or a power cut. The exit code is 0 if all runs are done, 1 if some failed, 2 if the input
    is invalid and 130 after Ctrl-C.

    Examples:

      catcube campaign mine.toml --out mine.sqlite
      catcube campaign fixed-budget --jobs 8
    """
    return [
        argument("plan", "a TOML file, or a built-in plan such as fixed-budget"),
        argument("--out STORE", "by default PLAN.sqlite in this folder"),
        *WORKERS,
        argument("--only EXPERIMENT", "one experiment of the plan"),
    ]


def status() -> Arguments:
    """Show the progress, failures and code versions of a campaign.

    Examples:

      catcube status mine.sqlite
      catcube status mine.sqlite --json
    """
    return [STORE, *output_format("table", "json")]


def check() -> Arguments:
    """Verify a store; --drop removes damaged parts.

    The structure, checksums, sessions and improvements are verified. Run the same campaign again to
    compute the runs that --drop removed. The exit code is 0 if the store is intact, or after
    --drop, 1 if it is damaged, and 2 if it cannot be read.

    Examples:

      catcube check mine.sqlite
      catcube check mine.sqlite --drop
    """
    return [STORE, argument("--drop", "remove damaged parts", action="store_true")]


def export() -> Arguments:
    """Write the runs of a store as CSV, as Parquet or for IOHanalyzer.

    csv and parquet have the columns of catcube run --csv and a few more; ioh is a folder for
    IOHanalyzer and iohinspector. With --no-seconds, the same plan always gives the same bytes; ioh
    contains no seconds.

    Examples:

      catcube export mine.sqlite > runs.csv
      catcube export mine.sqlite --format ioh --out ioh
    """
    return [
        STORE,
        *output_format("csv", "parquet", "ioh"),
        argument("--out PATH", "by default, CSV to standard output"),
        argument("--no-seconds", "omit the last column", dest="seconds", action="store_false"),
    ]


def report() -> Arguments:
    """Write a page, tables and figures of the results in stores.

    The page needs only a browser. It lists missing runs. Tables are written as csv or tex, figures
    as svg, png or pdf. This needs pip install '.[report]'.

    Examples:

      catcube report mine.sqlite --out mine
      catcube report mine.sqlite --format csv tex svg --targets 0 10
    """
    formats = ["csv", "tex", "svg", "png", "pdf"]
    return [
        argument("source", "a store, or a folder with stores", nargs="+"),
        argument("--out FOLDER", "by default SOURCE if it is a folder, else STORE-report"),
        argument(
            "--format FORMAT",
            "of files (csv)",
            nargs="+",
            choices=formats,
            default=["csv"],
        ),
        argument("--targets", "also show the runtimes to these values", number, **SEVERAL),
        argument("--budgets", "also show the values at these budgets", count, **SEVERAL),
        argument("--all-figures", "draw every instance, not only 40", action="store_true"),
    ]


def compare() -> Arguments:
    """Place an algorithm or a representation among archived results.

    It is run on the instances of a suite with the archived budget: an algorithm with the
    representations of -r, a representation with the algorithms of -a. Ranks and effects are
    printed, and a report is written, which needs pip install '.[report]'. Run the same command
    again to resume after Ctrl-C.

    Examples:

      catcube compare my_algorithm --suite catcube-2026
      catcube compare my_module:my_representation --algorithm sa,ga
    """
    codes = "linear,direct,native"
    return [
        argument("name", "an algorithm or a representation, or MODULE:ATTRIBUTE", nargs="+"),
        argument("--suite", "its name (catcube-2026)", default="catcube-2026"),
        argument("-a --algorithm", "for a representation (all)", default="all"),
        argument("-r --representation", f"for an algorithm ({codes})", default=codes),
        argument("-n --runs", "runs of each combination (as archived)", count),
        argument("--instances COUNT", "use fewer instances, spread over the suite", count),
        argument("--out FOLDER", "for runs and report; by default NAME-on-SUITE"),
        JOBS,
        PARAMETER,
    ]


def minimize() -> Arguments:
    """Minimize a Python function.

    The function, from a module in this folder or from an installed one, takes a dict of labels and
    returns a number. The space is a TOML file with one line per variable:

      colour = ["red", "blue"]
      depth = {low = 1, high = 9}
      rate = {low = 1e-4, high = 0.1, log = true, count = 20}
      size = {labels = [1, 3, 9], only_if = {colour = "red"}}

    The exit code is 0 if a feasible point has a value, 1 if none has, 2 if the input is invalid,
    and 130 after Ctrl-C.

    Examples:

      catcube minimize train:loss --space space.toml --budget 200
      catcube minimize train:loss --space space.toml --study tuning.sqlite
    """
    return [
        argument("function", "the function to minimize", metavar="MODULE:FUNCTION"),
        argument("--space FILE", "the variables and their labels", required=True),
        argument("-b --budget", "calls of the function", count),
        argument("--study STUDY", "stores all points; the same command resumes"),
        argument("--maximize", "larger values are better", action="store_true"),
        argument("-w --workers", "processes that call the function", jobs),
        argument("--timeout SECONDS", "a call that takes longer has failed", seconds),
        argument("-t --time-limit SECONDS", "time limit of the run", seconds),
        argument("--target", "the run ends when it reaches this value", number),
        argument("-a --algorithm", "by default selected by budget and space", default="auto"),
        argument("-s --seed", "random by default", unsigned),
        argument("--constraint MODULE:FUNCTION", "is a point feasible? repeatable", **REPEATABLE),
        argument("--catch", "a call that raises an exception has failed", action="store_true"),
        PARAMETER,
    ]


def study() -> Arguments:
    """Show a study file: its points, values and best point.

    catcube minimize --study and the argument study= of catcube.minimize write it.

    Examples:

      catcube study tuning.sqlite
      catcube study tuning.sqlite --html page.html
    """
    return [
        argument("study", "a study file"),
        *output_format("table", "csv"),
        argument("--html PAGE", "write a self-contained page"),
    ]


def list_() -> Arguments:
    """List algorithms, representations, problems and instances.

    Examples:

      catcube list                 all sections
      catcube list sa              an algorithm with its parameters
      catcube list colouring       a problem, its arguments and instances
      catcube list sudoku-easy-56  an instance
      catcube list --suite         the instances of a fixed suite
    """
    return [
        argument("name", "a name to describe, or a section", nargs="?"),
        argument("--suite", "list the suite NAME (catcube-2026)", action="store_true"),
        *output_format("table", "json"),
    ]


def show() -> Arguments:
    """Compare the representations of N categories.

    The table shows bits, redundancy, reach of a flip and radius.

    Examples:

      catcube show 9
      catcube show 4 --figure cube.png
    """
    return [
        argument("categories", "number of categories", count, metavar="N"),
        argument("--figure PATH", "draw the cube of the linear representation (up to four bits)"),
        *output_format("table", "json"),
    ]


def warm() -> Arguments:
    """Compile all algorithms in parallel.

    Otherwise each is compiled at its first use.

    Examples:

      catcube warm
      catcube warm --representation linear
    """
    return [
        argument("-r --representation", "compile for this one only; by default for all"),
        argument("-j --jobs", "processes; by default all cores", jobs),
    ]


def completion() -> Arguments:
    """Print a completion script for a shell.

    It needs shtab: pip install '.[completion]'.

    Examples:

      catcube completion bash > ~/.local/share/bash-completion/completions/catcube
      catcube completion zsh > ~/.zsh/functions/_catcube
      catcube completion fish > ~/.config/fish/completions/catcube.fish
    """
    return [argument("shell", "bash, zsh or fish", choices=["bash", "zsh", "fish"])]


COMMANDS: dict[str, Callable[[], Arguments]] = {
    command.__name__.rstrip("_"): command
    for command in (
        *(solve, run, reproduce, campaign, status, check, export, report),
        *(compare, minimize, study, list_, show, warm, completion),
    )
}
