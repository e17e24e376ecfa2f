"""`catcube run`: execute many runs; print rows or a summary."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from statistics import median
from typing import Any

from catcube.base.text import escape, expect
from catcube.cli import INTERRUPTED
from catcube.cli.execution import BAR, progress_bar, report_compiling
from catcube.cli.input import find_named_instances, parse_settings, split_names
from catcube.cli.output import bold, exact_bytes, print_note
from catcube.experiments.batch import execute_all
from catcube.experiments.export import COLUMNS, CsvWriter, format_number
from catcube.experiments.kernels import prepare
from catcube.experiments.plan import Configuration, Experiment, Plan
from catcube.experiments.plan_file import check_algorithms, check_representations

MAX_RUNS = 1_000_000
"""The maximum number of runs of a command; a campaign can have more, and can be resumed."""

Results = Iterable[tuple[Configuration, Any]]


def command(arguments: Namespace) -> int:
    """Execute the runs and print one row per run, or a summary of each pair and instance."""
    experiment = Experiment(
        "run",
        find_named_instances(arguments.instance),
        check_algorithms(split_names(arguments.algorithm, "algorithms")),
        check_representations(split_names(arguments.representation, "representations")),
        budget=arguments.budget,
        runs=arguments.runs,
        seed=arguments.seed,
        target=arguments.target,
        preset=arguments.preset,
        parameters=parse_settings(arguments.parameter),
    )
    runs = experiment.size * arguments.runs
    expect(runs <= MAX_RUNS, f"at most {MAX_RUNS:,} runs (a campaign can have more)", runs)
    configurations = experiment.configurations()
    for sentence in Plan("run", (experiment,)).notes():
        print_note(sentence)
    with (
        progress_bar(total=runs, bar_format=BAR if len(configurations) > 1 else None) as shown,
        closing(execute_all(configurations, arguments.jobs, report_compiling(shown))) as results,
    ):
        try:
            if arguments.format == "csv":
                with exact_bytes():
                    _print_rows(results, shown)
            else:
                _print_summary(results, configurations, shown)
        except KeyboardInterrupt:
            return INTERRUPTED
    return 0


def _print_rows(results: Results, shown: Any) -> None:
    """Print comma-separated values in order, each row as soon as its run is done."""
    with shown.external_write_mode():
        writer = CsvWriter(sys.stdout, COLUMNS[1:])  # without the experiment
        sys.stdout.flush()
    for configuration, result in _advance(results, shown):
        with shown.external_write_mode():
            writer.write(configuration, result)
            sys.stdout.flush()


def _advance(results: Results, shown: Any) -> Results:
    """Yield the results, and advance the bar."""
    for configuration, result in results:
        shown.set_description(refresh=False)  # after "compiling"
        shown.update()
        yield configuration, result


# Headings of the summary, and the widths of their columns.
_HEADINGS = {"runs": 4, "min": 6, "gap": 6, "median": 6, "max": 6, "to best": 7, "ns": 5}


def _print_summary(results: Results, configurations: Sequence[Configuration], shown: Any) -> None:
    """Print a line for each pair as soon as its runs are done, by instance."""
    titles = COLUMNS[2:4]
    pairs = [configuration.pair for configuration in configurations]
    widths = [max(map(len, column)) for column in zip(titles, *pairs, strict=True)]
    instance = optimum = None

    def write(labels: Sequence[str], figures: Iterable[str]) -> None:
        left = map("{:{}}".format, labels, widths)
        right = map("{:>{}}".format, figures, _HEADINGS.values())
        with shown.external_write_mode():
            print("  ".join([*left, *right]), flush=True)

    for configuration, group in groupby(_advance(results, shown), itemgetter(0)):
        made = []
        try:
            for _, result in group:
                made.append(result)
        finally:  # after Ctrl-C, summarise the finished runs of the last pair
            if made and configuration.instance != instance:
                instance = configuration.instance
                optimum = prepare(configuration).problem.optimum
                known = "unknown" if optimum is None else format_number(optimum)
                with shown.external_write_mode():
                    print(bold(f"{escape(instance)}: optimum {known}"))
                write(titles, _HEADINGS)
            if made:
                write(configuration.pair, _summary(made, optimum))
    shown.close()  # or the last lines would stand below it
    print("\nmin, median, max: value; gap: min minus optimum; to best: median evaluations")
    print("to the best value; ns: nanoseconds per evaluation")


def _summary(group: Sequence[Any], optimum: float | None) -> list[str]:
    """Return the cells of a group of runs, in the order of the headings."""
    values = [result.value for result in group]
    evaluations = sum(result.evaluations for result in group)
    nanoseconds = 1e9 * sum(result.seconds for result in group) / evaluations
    time = f"{nanoseconds:.0f}" if nanoseconds < 1e5 else f"{nanoseconds:.0e}"
    gap = "" if optimum is None else f"{min(values) - optimum:.4g}"
    to_best = median(result.evaluations_to_best for result in group)
    least, middle, most = (f"{number:.5g}" for number in (min(values), median(values), max(values)))
    return [str(len(group)), least, gap, middle, most, f"{to_best:.0f}", time]
