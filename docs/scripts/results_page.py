"""The page of the results, as text: every figure in it is computed from the study."""

from collections.abc import Iterable, Sequence

from catcube.studies.analysis.model import (
    VERDICTS,
    Conditions,
    PublishedTable,
    Reference,
    Statement,
)
from catcube.studies.analysis.sections import FixedBudget, FixedTarget, Study
from catcube.studies.paper.rule import NOTHING
from catcube.studies.report.tables import headlines, verdict_counts
from catcube.studies.report.text import cell_text, format_p_value
from catcube.studies.scales import PAPER as SCALES

NAMES = {"fixed-budget": "fixed budget", "ecdf": "ECDF", "fixed-target": "fixed target"}
FIGURES = {
    "Fixed budget": (
        "Mean final values on the instance of the paper's figure 2",
        "fixed-budget-means-sudoku-intermediate-54",
    ),
    "ECDF": (
        "Fraction of the targets reached, linear minus direct, with 95 % bands",
        "ecdf-differences",
    ),
    "Fixed target": ("Median runtimes by erased cells", "fixed-target-runtimes-by-erased-cells"),
}
EXCEPTIONS = (
    "Statements about figures, statements that do not hold, and contradictions within the paper:"
)


def results_page(study: Study, cores: int = 2) -> str:
    """Write the page of a study that has a reference; times are for `cores` cores."""
    reference = study.reference
    assert reference is not None
    parts = [
        _opening(study, reference),
        _runs([section.conditions for section in study.sections], reference, cores),
        *(
            _topic(
                topic, [statement for statement in reference.statements if statement.topic == topic]
            )
            for topic in dict.fromkeys(statement.topic for statement in reference.statements)
        ),
        _tables(reference),
        _effects(study),
        DATA,
    ]
    return "\n".join(parts)


def _opening(study: Study, reference: Reference) -> str:
    reasons = [part.reason for statement in reference.statements for part in statement.parts]
    parts, unshown = len(reasons), sum(reason.endswith(NOTHING) for reason in reasons)
    rows = [row for tables in reference.tables.values() for table in tables for row in table.rows]
    compared = sum(len(row.adjusted) for row in rows)
    differ = sum(len(row.different) for row in rows)
    found = "\n".join(f"- {sentence}" for sentence in headlines(study))
    return f"""\
# Results: the paper's study repeated

<!-- Written by docs/scripts/results.py: edit docs/scripts/results_page.py instead. -->

This page has the results of all three experiments of A. Berny, "Linear representation of
categorical values" (2021), run from the included plans. The paper's {len(reference.statements)}
statements have {parts} parts, mostly one for each algorithm:
**{verdict_counts(reference.statements)}**. Among the parts that hold, {unshown} are exceptions
("all but X") for which the test is not significant. Of {compared:,} published figures that were
compared, {differ} differ by more than chance.

{found}

A tested part *holds* if the test shows the direction that the paper says (5 %, adjusted by Holm
over the statement); it is *contradicted* if the test shows the opposite, and *too close to call*
otherwise. An exception ("all but X") holds unless the test shows for X what the paper says of the
others. Figures are not tested: they *agree* or *disagree* within a tolerance that is named.

[The report](results/report.html) contains all results: each statement with the figures and the test
behind every part, interactive figures, sortable tables, and the published tables next to ours. The
same results are in files: `docs/results/tables` (CSV), `docs/results/figures` (SVG), and the stores
with all runs in `docs/results/data` (see [below](#the-data)).
"""


def _runs(conditions: Sequence[Conditions], reference: Reference, cores: int) -> str:
    rows = []
    total = 0.0
    for condition in conditions:
        [paper] = SCALES["full"].plan(condition.experiment).experiments
        budget = f"{condition.budget:,}"
        if condition.budget != paper.budget:
            budget += f", the paper: {paper.budget:,}"
        counts = f"{len(condition.pairs)} × {len(condition.instances)} × {condition.runs}"
        done = (
            "" if condition.complete else f"; {condition.done:,} of {condition.total:,} runs so far"
        )
        total += condition.seconds
        rows.append(
            f"| {NAMES[condition.experiment]} | {counts}{done} | {budget} | "
            f"{condition.evaluations:,} | "
            f"{_duration(condition.seconds / cores)} |"
        )
    not_judged = "".join(f"\n{sentence}\n" for sentence in reference.notices)
    return f"""\
## What was run

| experiment | pairs × instances × runs | evaluations per run | all evaluations | on {cores} cores |
|---|---|---:|---:|---:|
{chr(10).join(rows)}

Times are the computing times of all runs, added up and divided by {cores}; altogether
{_duration(total / cores)}. The end of the report says when, on what machine and with which code
version the runs were made.
{not_judged}
The puzzles of the paper are not public. Ours were made in the same way: two of each difficulty by
the same generator and two with 17 given digits, and four boards for each number of erased cells.

The paper states few of its parameters. The others were inferred, by comparing whole distributions
of results with the published tables, and then confirmed by runs of the paper's own framework (HNCO,
its release of 2021) with these parameters: statistically, our implementation cannot be
distinguished from it. The raw results of these runs are in `tests/reference`, and a test compares
ours with them. So the agreement of medians with the published tables is partly by construction.
"""


def _topic(topic: str, statements: Sequence[Statement]) -> str:
    lines = [f"## {topic}", ""]
    if topic in FIGURES:
        caption, name = FIGURES[topic]
        lines += [f"![{caption}](results/figures/{name}.svg)", ""]
    shown = [name for name in VERDICTS if any(_count(one, name) for one in statements)]
    lines += [
        f"| | the paper says | {' | '.join(shown)} |",
        f"|---|---|{'---:|' * len(shown)}",
        *(
            f"| {one.id} | {one.sentence} | "
            + " | ".join(str(_count(one, name) or "") for name in shown)
            + " |"
            for one in statements
        ),
    ]
    exceptions = [sentence for statement in statements for sentence in _exceptions(statement)]
    if exceptions:
        lines += [
            "",
            EXCEPTIONS,
            "",
        ]
        lines += [f"- {sentence}" for sentence in exceptions]
    return "\n".join([*lines, ""])


def _count(statement: Statement, verdict: str) -> int:
    return sum(part.verdict == verdict for part in statement.parts)


def _exceptions(statement: Statement) -> Iterable[str]:
    for part in statement.parts:
        if part.verdict in ("too close to call", "contradicted") and part.p is not None:
            shown = f"adjusted {format_p_value(part.p)}"
            yield f"{statement.id}, {part.about}: **{part.verdict}** ({shown}): {part.reason}."
        elif part.tolerance:
            yield (
                f"{statement.id}, {part.about}: **{part.verdict}**: {part.reason}. Tolerance: "
                f"{part.tolerance}."
            )
    if statement.note:
        yield f"{statement.id}: {statement.note}"


def _tables(reference: Reference) -> str:
    lines = [
        "## The published tables and ours",
        "",
        "| table | figures compared | differ by more than chance |",
        "|---|---:|---|",
    ]
    remarks = []
    for tables in reference.tables.values():
        for table in tables:
            compared = sum(len(row.adjusted) for row in table.rows)
            lines.append(f"| {table.name} | {compared} | {_differences(table) or 'none'} |")
            remarks += table.remarks
    return "\n".join(
        [
            *lines,
            "",
            "Systematic differences:",
            "",
            *(f"- {remark}" for remark in remarks),
            "",
            reference.about_tables,
            "",
        ]
    )


def _differences(table: PublishedTable) -> str:
    return "; ".join(
        f"{'-'.join(row.pair)} ({', '.join(row.different)})" for row in table.rows if row.different
    )


def _effects(study: Study) -> str:
    """Show the effect of the representation by algorithm, with its interval over instances."""
    lines = [
        "## Linear against direct, by algorithm",
        "",
        "The table has Cliff's delta of the runs, averaged over the instances; above 0, linear is "
        "better. The interval (95 %) is Student's, from the spread of the instances; p is adjusted "
        "by Holm.",
        "",
        "| experiment | algorithm | delta | 95 % | p |",
        "|---|---|---:|---|---:|",
    ]
    for section in study.sections:
        if not isinstance(section, FixedBudget | FixedTarget):
            continue
        for one in section.effects:
            mean, low, high = (f"{value:+.2f}".replace("-", "−") for value in one.effect[:3])
            lines.append(
                f"| {NAMES[section.conditions.experiment]} | {one.subject or 'all'} | {mean} | "
                f"{low} to {high} | {cell_text(one.p, 'p')} |"
            )
    return "\n".join([*lines, ""])


def _duration(seconds: float) -> str:
    if seconds < 90 * 60:
        return f"{seconds / 60:.1f} min"
    return f"{seconds / 3600:.1f} h"


DATA = """\
## The data

`docs/results/data` contains the stores, compressed with xz: every run with its seed, its value and
all its improvements. One command makes this page, the report, its tables and its figures from these
stores, or from new stores in their place; a test makes the page and the tables again and compares
them:

<!-- not run: it takes a minute -->

```console
$ python docs/scripts/results.py
```

Unpacked, they are ordinary stores:

<!-- not run: the stores are compressed -->

```console
$ catcube status docs/results/data/fixed-target.sqlite
$ catcube export docs/results/data/fixed-target.sqlite --format csv
$ catcube report docs/results/data --out mine
```
"""
