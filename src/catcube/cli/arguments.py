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

NAMES = "names separated by commas; auto (the default) chooses one"
SEVERAL: dict[str, Any] = {"nargs": "+", "default": []}
STORE = argument("store", "an SQLite file written by catcube campaign")
REPEATABLE: dict[str, Any] = {"action": "append", "default": []}
PARAMETER = argument(
    "-p --parameter NAME=VALUE", "for every algorithm that has it; repeatable", **REPEATABLE
)
JOBS = argument("-j --jobs", "simultaneous runs; by default one per core", jobs)
WORKERS = [
    JOBS,
    argument("--cluster ADDRESS", "address of a dask scheduler, such as tcp://10.0.0.1:8786"),
    argument("--timeout SECONDS", "a run that takes longer, twice, has failed", seconds),
]


def output_format(default: str, *others: str) -> Arguments:
    """Return --format, and for csv and json the short forms --csv and --json."""
    text = f"of the output, by default {default}"
    found = [argument("--format", text, choices=(default, *others), default=default)]
    for name in sorted({"csv", "json"} & {default, *others}):
        constant: dict[str, Any] = {"dest": "format", "action": "store_const", "const": name}
        found.append(argument(f"--{name}", f"--format {name}", **constant))
    return found


def solve() -> Arguments:
    """Solve a Sudoku or any other problem.

    The search goes on until the known optimum is reached, the budget or the time is used up. Print
    the best solution in the form of the problem. The exit code is 0 if the known optimum is
    reached, such as a correct board, 1 if not or if none is known, 2 if the input is invalid and
    130 after Ctrl-C, which still shows the best solution found.

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
        argument("-a --algorithm", "auto (the default) chooses one", default="auto"),
        argument("-r --representation", "by default chosen with the algorithm"),
        argument("-b --budget", "evaluations", count),
        argument(
            "-t --time-limit SECONDS",
            "by default 60, or 10 if no optimum is known, if there is no budget",
            seconds,
        ),
        argument("-s --seed", "the same seed repeats the search; random by default", unsigned),
        argument("--out FILE", "write the best solution to this file"),
        PARAMETER,
    ]


def run() -> Arguments:
    """Run algorithms many times, print a summary or raw rows.

    Every algorithm is run with every representation on every instance: a built-in one, a file, a
    pattern such as 'small-dimension-3-*', or a problem such as match:20,9. Print
    a summary of each, or with --csv one row per run. The seed of a run is derived from
    --seed, its instance, algorithm, representation and number: rows do not depend on --jobs.

    Examples:

      catcube run sudoku-easy-56 -a sa,ltga -r linear,direct -b 100000 -n 20
      catcube run 'small-dimension-3-*' -a all --csv > rows.csv
      catcube run nk:50,3,4 -a sa -p quench=0.2
    """
    return [
        argument("instance", "names, patterns, files or problems", nargs="+"),
        argument("-a --algorithm", f"{NAMES}, all are all but surrogate", default="auto"),
        argument("-r --representation", f"{NAMES}, all are the shipped ones", default="auto"),
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
    With beyond, make the study of other problems, numbers of categories and of variables. On two
    cores the scale smoke takes a minute, small ten minutes, full two hours (beyond: one).
    Run the same command again to resume after Ctrl-C or a power cut; when all runs are done, it
    only writes the report again. The exit code is 0 if all runs are done, 1 if some failed, 2 if
    the input is invalid and 130 after Ctrl-C.

    Examples:

      catcube reproduce all --scale smoke
      catcube reproduce fixed-target --out results/target
    """
    experiments = ["fixed-budget", "ecdf", "fixed-target", "all", "beyond"]
    scales = ["smoke", "small", "full"]
    return [
        argument(
            "experiment",
            f"{', '.join(experiments)} (all)",
            nargs="?",
            choices=experiments,
            default="all",
        ),
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
    """Show the progress, failures and code versions of a campaign."""
    return [STORE, *output_format("table", "json")]


def check() -> Arguments:
    """Verify a store; --drop removes what is damaged.

    Its structure, checksums, sessions and improvements are read.
    With --drop, what is damaged is removed; the same campaign computes it again. The exit code is
    0 if the store is intact, or after --drop, 1 if it is damaged, 2 if it cannot be read.
    """
    return [
        STORE,
        argument("--drop", "remove what is damaged", action="store_true"),
    ]


def export() -> Arguments:
    """Write the runs of a store as CSV, as Parquet or for IOHanalyzer.

    The columns of csv and parquet are those of catcube run --csv and a few more; ioh is a folder
    for IOHanalyzer and iohinspector. With --no-seconds, the same plan always gives the same bytes;
    ioh never holds seconds.

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
    """Write tables, figures and a page of the results of stores.

    The page needs nothing but a browser. It lists the runs that are missing. Formats of tables are
    csv and tex, of figures svg, png and pdf.

    Examples:

      catcube report mine.sqlite --out mine
      catcube report mine.sqlite --format csv tex svg --targets 0 10
    """
    formats = ["csv", "tex", "svg", "png", "pdf"]
    return [
        argument("source", "a store, or a folder with stores", nargs="+"),
        argument("--out FOLDER", "by default SOURCE if it is a folder, else STORE-report"),
        argument("--format FORMAT", "(csv)", nargs="+", choices=formats, default=["csv"]),
        argument("--targets", "values whose runtimes are shown, too", number, **SEVERAL),
        argument("--budgets", "evaluations after which values are shown, too", count, **SEVERAL),
        argument("--all-figures", "of every instance; by default of 40", action="store_true"),
    ]


def compare() -> Arguments:
    """Place an algorithm or a representation among archived results.

    It is run on the instances of a suite with the archived budget: an algorithm with the
    representations of -r, a representation with the algorithms of -a. Ranks, effects and a report
    follow. Run the same command again to resume after Ctrl-C.

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
        argument("--instances COUNT", "fewer instances, spread over the suite", count),
        argument("--out FOLDER", "of runs and report; by default NAME-on-SUITE"),
        JOBS,
        PARAMETER,
    ]


def minimize() -> Arguments:
    """Minimize one's own Python function.

    The function, of a module in this folder or of an installed one, takes a dict of labels and
    returns a number. The space is a TOML file with a line per variable:

      colour = ["red", "blue"]
      depth = {low = 1, high = 9}
      rate = {low = 1e-4, high = 0.1, log = true, count = 20}
      size = {labels = [1, 3, 9], only_if = {colour = "red"}}

    The exit code is 0 if a feasible
    point has a value, 1 if none has, 2 if the input is invalid and 130 after Ctrl-C.

    Examples:

      catcube minimize train:loss --space space.toml --budget 200
      catcube minimize train:loss --space space.toml --study tuning.sqlite
    """
    return [
        argument("function", "the function to minimize", metavar="MODULE:FUNCTION"),
        argument("--space FILE", "the variables and their labels", required=True),
        argument("-b --budget", "calls of the function", count),
        argument("--study STUDY", "the file that keeps all points; to continue, repeat it"),
        argument("--maximize", "larger values are better", action="store_true"),
        argument("-w --workers", "processes that call the function", jobs),
        argument("--timeout SECONDS", "a call that takes longer has failed", seconds),
        argument("-t --time-limit SECONDS", "of the run", seconds),
        argument("--target", "the run ends when it reaches this value", number),
        argument("-a --algorithm", "by default chosen by the budget", default="auto"),
        argument("-s --seed", "random by default", unsigned),
        argument(
            "--constraint MODULE:FUNCTION", "whether a point is feasible; repeatable", **REPEATABLE
        ),
        argument("--catch", "a call that raises an exception has failed", action="store_true"),
        PARAMETER,
    ]


def study() -> Arguments:
    """Show the points and values of one's own function.

    The file keeps all points and values; catcube minimize --study writes it.

    Examples:

      catcube study tuning.sqlite
      catcube study tuning.sqlite --html page.html
    """
    return [
        argument("study", "a file written by study="),
        argument("--csv", "print one row per point", action="store_true"),
        argument("--html PAGE", "write one page that loads nothing"),
    ]


def list_() -> Arguments:
    """List algorithms, representations, problems and instances.

    Examples:

      catcube list                 all sections
      catcube list sa              an algorithm with its parameters
      catcube list colouring       a problem, its arguments and instances
      catcube list sudoku-easy-56  an instance
      catcube list --suite         the instances of a suite that is fixed for good
    """
    return [
        argument("name", "a name to describe, or a section", nargs="?"),
        argument("--suite", "list a suite, the first or NAME", action="store_true"),
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

    Else each is compiled at its first use."""
    return [
        argument("-r --representation", "compile what this one needs; by default what any needs"),
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
