"""`catcube run`: many runs, as raw rows or as a summary."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from statistics import median

from catcube import algorithms
from catcube.base.text import visible
from catcube.cli import INTERRUPTED
from catcube.cli.input import checking, named_instances, noted_problem, settings, split
from catcube.cli.output import exact_bytes, note
from catcube.cli.ticker import Ticker
from catcube.errors import BadValue
from catcube.experiments.batch import Job, Row, execute_all, plan, row
from catcube.representations.registry import families

MOST = 1_000_000
"""The most runs of one command: a campaign can have more, and can be resumed."""


def command(arguments: Namespace) -> int:
    """Run everything and print one row per run, or a summary of each group of runs."""
    with checking():
        methods = split(arguments.algorithm, "algorithm")
        if methods == ["all"]:
            methods = algorithms.names()
        instances = named_instances(arguments.instance)
        problems = {name: noted_problem(name, board) for name, board in instances.items()}
        representations = split(arguments.representation, "representation")
        if representations == ["all"]:
            representations = families.shipped()
        runs = len(problems) * len(methods) * len(representations) * arguments.runs
        if runs > MOST:
            raise BadValue(f"expected at most {MOST:,} runs, got {runs:,} (see catcube campaign)")
        jobs = plan(
            {name: problem for name, (problem, _) in problems.items()},
            methods,
            representations,
            budget=arguments.budget,
            runs=arguments.runs,
            seed=arguments.seed,
            target=arguments.target,
            preset=arguments.preset,
            parameters=settings(arguments.parameter),
        )
    for _, notes in problems.values():
        for sentence in notes:
            note(visible(sentence))
    with closing(execute_all(jobs, arguments.jobs)) as outcomes:
        rows = with_bar((row(job, outcome) for job, outcome in outcomes), len(jobs))
        try:
            if arguments.format == "csv":
                with exact_bytes():
                    _print_rows(rows)
            else:
                _print_summary(rows, jobs)
        except KeyboardInterrupt:
            return INTERRUPTED
    return 0


def with_bar(rows: Iterable[Row], total: int) -> Iterator[Row]:
    """Yield the rows; on a terminal, a bar shows meanwhile how many there have been."""
    if not sys.stderr.isatty():
        yield from rows
        return
    ticker = Ticker[int](
        lambda done: f"{done:,} of {total:,} runs", interval=0, share=lambda done: done / total
    )
    try:
        for done, found in enumerate(rows, start=1):
            ticker.clear()  # what is printed now stands in a line by itself
            yield found
            ticker(done)
    finally:
        ticker.clear()


def _print_rows(rows: Iterable[Row]) -> None:
    """Print comma-separated values in order, each row as soon as it is ready."""
    print(",".join(Row._fields), flush=True)
    for found in rows:
        cells = (*found[:5], number(found.value), *found[6:8], f"{found.seconds:.6f}")
        print(",".join(_quoted(str(cell)) for cell in cells), flush=True)


def _quoted(cell: str) -> str:
    """Quote a cell of a CSV file; the stem of a file may contain anything."""
    if any(sign in cell for sign in ',"\r\n'):
        return '"' + cell.replace('"', '""') + '"'
    return cell


def number(value: float) -> str:
    """Format a value exactly and as short as possible.

    >>> number(4.0), number(0.1)
    ('4', '0.1')
    """
    return str(int(value)) if value.is_integer() else repr(value)


# Headings of the summary, and the widths of their columns.
_HEADINGS = {"runs": 5, "min": 5, "median": 6, "max": 5, "to best": 10, "ns": 6}


def _print_summary(rows: Iterable[Row], jobs: Sequence[Job]) -> None:
    """Print a line for each instance, algorithm and representation as soon as it is done."""
    names = [(job.instance, job.run.algorithm.name, job.representation) for job in jobs]
    titles = Row._fields[:3]
    widths = [max(map(len, column)) for column in zip(titles, *names, strict=True)]

    def write(labels: Sequence[str], figures: Sequence[str]) -> None:
        left = [f"{label:{width}}" for label, width in zip(labels, widths, strict=True)]
        right = [
            f"{figure:>{width}}" for figure, width in zip(figures, _HEADINGS.values(), strict=True)
        ]
        print("  ".join(left + right), flush=True)

    write(titles, list(_HEADINGS))
    group: list[Row] = []
    try:
        for row in rows:
            if group and group[0][:3] != row[:3]:
                write(group[0][:3], _summary(group))
                group = []
            group.append(row)
    finally:  # after Ctrl-C the runs of the last group that were made still count
        if group:
            write(group[0][:3], _summary(group))
    print("\nmin, median, max: value; to best: median evaluations; ns: per evaluation")


def _summary(group: Sequence[Row]) -> list[str]:
    """Return the cells of a group of runs under the headings."""
    values = [row.value for row in group]
    nanoseconds = 1e9 * sum(row.seconds for row in group) / sum(row.evaluations for row in group)
    return [
        str(len(group)),
        number(min(values)),
        number(float(median(values))),
        number(max(values)),
        number(float(median(row.evaluations_to_best for row in group))),
        f"{nanoseconds:.0f}",
    ]
