"""The page of the results, as text: every figure in it is computed from the study."""

from collections.abc import Iterable, Sequence

from catcube.studies.analysis.model import Conditions, FixedBudget, FixedTarget, Study
from catcube.studies.analysis.reference import (
    VERDICTS,
    PublishedTable,
    Reference,
    Statement,
    Verdict,
)
from catcube.studies.paper.scales import SCALES

NAMES = {"fixed-budget": "fixed budget", "ecdf": "ECDF", "fixed-target": "fixed target"}
SAID: dict[Verdict, str] = {
    "holds": "hold",
    "too close to call": "are too close to call",
    "contradicted": "are contradicted",
    "not measured": "are not measured",
}
FIGURES = {
    "Fixed budget": (
        "Mean final values on the instance of the paper's figure 2",
        "fixed-budget-means-sudoku-intermediate-54",
    ),
    "ECDF": ("The share of targets reached, all pairs", "ecdf-curves"),
    "Fixed target": ("Median runtimes by erased cells", "fixed-target-runtimes-by-erased-cells"),
}


def results_page(study: Study, cores: int = 2) -> str:
    """Write the page of a study that has a reference; times are for so many cores."""
    reference = study.reference
    assert reference is not None
    parts = [
        _opening(reference),
        _runs([section.conditions for section in study.sections], reference, cores),
        *(
            _topic(
                topic, [statement for statement in reference.statements if statement.topic == topic]
            )
            for topic in dict.fromkeys(statement.topic for statement in reference.statements)
        ),
        _tables(reference),
        _comparisons(study),
        DATA,
    ]
    return "\n".join(parts)


def _opening(reference: Reference) -> str:
    verdicts = [part.verdict for statement in reference.statements for part in statement.parts]
    counts = ", ".join(
        f"{verdicts.count(name)} {SAID[name]}" for name in VERDICTS if name in verdicts
    )
    rows = [row for tables in reference.tables.values() for table in tables for row in table.rows]
    compared = sum(len(row.adjusted) for row in rows)
    differ = sum(len(row.different) for row in rows)
    return f"""\
# Results: the paper's study repeated

<!-- Written by docs/scripts/results.py: edit docs/scripts/results_page.py instead. -->

All three experiments of A. Berny, "Linear representation of categorical values" (2021), run from
the shipped plans. The paper's {len(reference.statements)} statements have {len(verdicts)} parts,
mostly one for each algorithm: **{counts}**. Of {compared:,} published figures that were compared,
{differ} differ by more than chance.

A part *holds* if it is true of our runs and the difference is significant (5 %, adjusted by Holm
over the statement); it is *contradicted* if the opposite is significant, *too close to call*
otherwise, and *not measured* unless budget, runs, instances, pairs and parameters are the paper's.

[The report](results/report.html) has everything: each statement with the figures and the test
behind every part, interactive figures, sortable tables, the published tables beside ours. The same
as files: `docs/results/tables` (CSV, Markdown, LaTeX), `docs/results/figures` (SVG), and the stores
with all runs in `docs/results/data` (see [below](#the-data)).
"""


def _runs(conditions: Sequence[Conditions], reference: Reference, cores: int) -> str:
    rows = []
    total = 0.0
    for condition in conditions:
        [paper] = SCALES["paper"].plan(condition.experiment).experiments
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
{_duration(total / cores)}. When, on what machine and by which sources the runs were made is at the
end of the report.
{not_judged}
The puzzles are not the paper's own, which are not public, but made the same way: two of each
difficulty of the same generator and two with 17 given digits; four boards for each number of erased
cells. The parameters that the paper does not state were inferred from its tables, so that agreement
of medians is partly by construction.
"""


def _topic(topic: str, statements: Sequence[Statement]) -> str:
    lines = [f"## {topic}", ""]
    if topic in FIGURES:
        caption, name = FIGURES[topic]
        lines += [f"![{caption}](results/figures/{name}.svg)", ""]
    lines += [
        "| | the paper says | holds | too close to call | contradicted | not measured |",
        "|---|---|---:|---:|---:|---:|",
        *(
            f"| {statement.id} | {statement.sentence} | "
            + " | ".join(
                str(sum(part.verdict == name for part in statement.parts) or "")
                for name in VERDICTS
            )
            + " |"
            for statement in statements
        ),
    ]
    exceptions = [sentence for statement in statements for sentence in _exceptions(statement)]
    if exceptions:
        lines += ["", "What does not hold, and where the paper disagrees with itself:", ""]
        lines += [f"- {sentence}" for sentence in exceptions]
    return "\n".join([*lines, ""])


def _exceptions(statement: Statement) -> Iterable[str]:
    for part in statement.parts:
        if part.verdict in ("too close to call", "contradicted"):
            p = "< 0.001" if (part.p or 0) < 0.001 else f"= {part.p:.3f}"
            yield (
                f"{statement.id}, {part.about}: **{part.verdict}** (adjusted p {p}): {part.reason}."
            )
    if statement.note:
        yield f"{statement.id}: {statement.note}"


def _tables(reference: Reference) -> str:
    lines = [
        "## The published tables beside ours",
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
            "What is systematic:",
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


def _comparisons(study: Study) -> str:
    """Say on how many instances a representation is significantly better, by algorithm."""
    lines = [
        "## Linear against direct, instance by instance",
        "",
        "On how many instances one representation is significantly better (Mann–Whitney, 5 %, "
        "adjusted by Holm over all tests of the experiment).",
        "",
        "| experiment | algorithm | linear better | direct better | of |",
        "|---|---|---:|---:|---:|",
    ]
    for section in study.sections:
        if not isinstance(section, FixedBudget | FixedTarget):
            continue
        for name in dict.fromkeys(comparison.algorithm for comparison in section.comparisons):
            tests = [
                comparison for comparison in section.comparisons if comparison.algorithm == name
            ]
            better = [test.delta for test in tests if test.adjusted <= 0.05]
            linear, direct = sum(delta > 0 for delta in better), sum(delta < 0 for delta in better)
            lines.append(
                f"| {NAMES[section.conditions.experiment]} | {name} | {linear} | {direct} | "
                f"{len(tests)} |"
            )
    return "\n".join([*lines, ""])


def _duration(seconds: float) -> str:
    if seconds < 90 * 60:
        return f"{seconds / 60:.1f} min"
    return f"{seconds / 3600:.1f} h"


DATA = """\
## The data

`docs/results/data` holds the stores, compressed with xz: every run with its seed, its value and all
its improvements. This page, the report, its tables and figures are made of them by one command,
which also takes new stores in place of the old ones; a test makes page and tables anew and compares
them:

<!-- not run: it takes a minute -->

```console
$ python docs/scripts/results.py
```

Unpacked, they are stores as any other:

<!-- not run: the stores are compressed -->

```console
$ catcube status docs/results/data/fixed-target.sqlite
$ catcube export docs/results/data/fixed-target.sqlite --format csv
$ catcube report docs/results/data --out mine
```
"""
