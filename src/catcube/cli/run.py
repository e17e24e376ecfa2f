"""`catcube run`: many runs, as raw rows or as a summary."""

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
from catcube.cli.execution import BAR, bar, say_compiling
from catcube.cli.input import named_instances, settings, split_names
from catcube.cli.output import bold, exact_bytes, note
from catcube.experiments.batch import execute_all
from catcube.experiments.export import COLUMNS, CsvWriter, number
from catcube.experiments.kernels import prepare
from catcube.experiments.plan import Configuration, Experiment, Plan
from catcube.experiments.plan_file import named_algorithms, named_representations

MOST = 1_000_000
"""The most runs of one command: a campaign can have more, and can be resumed."""

Results = Iterable[tuple[Configuration, Any]]


def command(arguments: Namespace) -> int:
    """Run everything and print one row per run, or a summary of each group of runs."""
    experiment = Experiment(
        "run",
        named_instances(arguments.instance),
        named_algorithms(split_names(arguments.algorithm, "algorithms")),
        named_representations(split_names(arguments.representation, "representations")),
        budget=arguments.budget,
        runs=arguments.runs,
        seed=arguments.seed,
        target=arguments.target,
        preset=arguments.preset,
        parameters=settings(arguments.parameter),
    )
    runs = experiment.size * arguments.runs
    expect(runs <= MOST, f"at most {MOST:,} runs (a campaign can have more)", runs)
    configurations = experiment.configurations()
    for sentence in Plan("run", (experiment,)).notes():
        note(sentence)
    with (
        bar(total=runs, bar_format=BAR if len(configurations) > 1 else None) as shown,
        closing(execute_all(configurations, arguments.jobs, say_compiling(shown))) as results,
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
    """Print comma-separated values in order, each row as soon as it is ready."""
    with shown.external_write_mode():
        writer = CsvWriter(sys.stdout, COLUMNS[1:])  # there is no experiment
        sys.stdout.flush()
    for configuration, result in _counted(results, shown):
        with shown.external_write_mode():
            writer.write(configuration, result)
            sys.stdout.flush()


def _counted(results: Results, shown: Any) -> Results:
    """Yield the results, and move the bar, which no longer says that kernels are compiled."""
    for configuration, result in results:
        shown.set_description(refresh=False)
        shown.update()
        yield configuration, result


# Headings of the summary, and the widths of their columns.
_HEADINGS = {"runs": 4, "min": 6, "gap": 6, "median": 6, "max": 6, "to best": 7, "ns": 5}


def _print_summary(results: Results, configurations: Sequence[Configuration], shown: Any) -> None:
    """Print a line for each algorithm and representation as soon as it is done, by instance."""
    titles = COLUMNS[2:4]
    pairs = [configuration.pair for configuration in configurations]
    widths = [max(map(len, column)) for column in zip(titles, *pairs, strict=True)]
    instance = optimum = None

    def write(labels: Sequence[str], figures: Iterable[str]) -> None:
        left = map("{:{}}".format, labels, widths)
        right = map("{:>{}}".format, figures, _HEADINGS.values())
        with shown.external_write_mode():
            print("  ".join([*left, *right]), flush=True)

    for configuration, group in groupby(_counted(results, shown), itemgetter(0)):
        made = []
        try:
            for _, result in group:
                made.append(result)
        finally:  # after Ctrl-C the runs of the last group that were made still count
            if made and configuration.instance != instance:
                instance = configuration.instance
                optimum = prepare(configuration).problem.optimum
                known = "unknown" if optimum is None else number(optimum)
                with shown.external_write_mode():
                    print(bold(f"{escape(instance)}: optimum {known}"))
                write(titles, _HEADINGS)
            if made:
                write(configuration.pair, _summary(made, optimum))
    shown.close()  # or the last lines would stand below it
    print("\nmin, median, max: value; gap: min minus optimum; to best: median evaluations")
    print("to the best value; ns: nanoseconds per evaluation")


def _summary(group: Sequence[Any], optimum: float | None) -> list[str]:
    """Return the cells of a group of runs under the headings."""
    values = [result.value for result in group]
    evaluations = sum(result.evaluations for result in group)
    nanoseconds = 1e9 * sum(result.seconds for result in group) / evaluations
    time = f"{nanoseconds:.0f}" if nanoseconds < 1e5 else f"{nanoseconds:.0e}"
    gap = "" if optimum is None else f"{min(values) - optimum:.4g}"
    to_best = median(result.evaluations_to_best for result in group)
    least, middle, most = (f"{number:.5g}" for number in (min(values), median(values), max(values)))
    return [str(len(group)), least, gap, middle, most, f"{to_best:.0f}", time]
