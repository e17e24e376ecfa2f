"""The tables of what a study is held against: statements, and published tables beside ours."""

from collections import Counter
from collections.abc import Sequence

from catcube.statistics import Line, Summary
from catcube.studies.analysis.model import Conditions
from catcube.studies.analysis.reference import (
    VERDICTS,
    Beside,
    Part,
    PublishedTable,
    Reference,
    Statement,
)
from catcube.studies.report.names import file_name, safe_name
from catcube.studies.report.tables.table import PAIR, Cell, Column, Kind, ReportTable, SectionTables
from catcube.studies.report.text import counted

_FEW = 3  # figures beside which words fit


def statement_tables(reference: Reference | None) -> SectionTables:
    """Make the table of all statements, and that of all their parts."""
    if reference is None or not reference.statements:
        return {}
    statements = reference.statements
    tables = [
        ReportTable(
            name="statements",
            title="What the publication says, and what our runs say",
            caption=(
                f"The statements of {reference.source}, in our words, and the verdicts on their "
                f"parts: {verdict_counts(statements)}. Bold: a part is contradicted."
            ),
            columns=(
                *(Column("statement"), Column("where"), Column("sentence")),
                *(Column(verdict, "integer") for verdict in VERDICTS),
                Column("note"),
            ),
            rows=[
                [
                    *(statement.id, statement.where, statement.sentence),
                    *(
                        sum(part.verdict == verdict for part in statement.parts)
                        for verdict in VERDICTS
                    ),
                    statement.note,
                ]
                for statement in statements
            ],
            marked=frozenset(
                row
                for row, statement in enumerate(statements)
                if any(part.verdict == "contradicted" for part in statement.parts)
            ),
        ),
        ReportTable(
            name="statement-parts",
            title="The statements part by part",
            caption=(
                "The verdict on each part, what our runs show, and the p-value behind it, adjusted "
                "by Holm over the statement. Bold: contradicted."
            ),
            columns=(
                *(Column("statement"), Column("part"), Column("verdict"), Column("finding")),
                Column("adjusted p", "p"),
            ),
            rows=[
                [statement.id, part.about, part.verdict, part.reason, part.p]
                for statement in statements
                for part in statement.parts
            ],
            marked=frozenset(
                row for row, part in enumerate(_parts(statements)) if part.verdict == "contradicted"
            ),
        ),
    ]
    return {(table.name, ""): table for table in tables}


def _parts(statements: Sequence[Statement]) -> list[Part]:
    return [part for statement in statements for part in statement.parts]


def verdict_counts(statements: Sequence[Statement]) -> str:
    """Count the parts by verdict, in words.

    >>> part = Part("sa", "holds", "")
    >>> verdict_counts([Statement("B1", "", "", "", "", [part, part])])
    'of 2 parts 2 hold'
    """
    counts = Counter(part.verdict for part in _parts(statements))
    phrases = {
        "holds": "hold",
        "too close to call": "are too close to call",
        "contradicted": "are contradicted",
        "not measured": "are not measured",
    }
    found = ", ".join(f"{counts[name]} {phrases[name]}" for name in VERDICTS if counts[name])
    return f"of {counted(counts.total(), 'part')} {found}"


def parts_table(statement: Statement) -> ReportTable:
    """Make the table of the parts of one statement, with the figures behind the verdicts.

    What was found is not said in words, too, where many figures say it.
    """
    tested = any(part.p is not None for part in statement.parts)
    in_words = len(statement.columns) <= _FEW or not tested
    return ReportTable(
        name=f"statement-{safe_name(statement.id)}",
        title=f"{statement.id}, part by part",
        caption=statement.test,
        columns=(
            *(Column("part"), Column("verdict")),
            *(
                Column(title, _kind([part.figures[index] for part in statement.parts]))
                for index, title in enumerate(statement.columns)
            ),
            *((Column("adjusted p", "p"),) if tested else ()),
            *((Column("finding"),) if in_words else ()),
        ),
        rows=[
            [
                *(part.about, part.verdict, *part.figures),
                *((part.p,) if tested else ()),
                *((part.reason,) if in_words else ()),
            ]
            for part in statement.parts
        ],
        marked=frozenset(
            row for row, part in enumerate(statement.parts) if part.verdict == "contradicted"
        ),
    )


def _kind(cells: Sequence[Cell]) -> Kind:
    return "text" if any(isinstance(cell, str) for cell in cells) else "number"


def published_tables(reference: Reference | None, conditions: Conditions) -> SectionTables:
    """Put the published tables of an experiment beside ours."""
    tables = reference.tables.get(conditions.experiment, ()) if reference else ()
    return {("published", table.name): _published(conditions, table) for table in tables}


def _published(conditions: Conditions, table: PublishedTable) -> ReportTable:
    """Put every figure of a published table beside ours."""
    short = safe_name(table.name).removeprefix(f"{safe_name(conditions.experiment)}-")
    lines = [line for row in table.rows for line in (row.ours, row.published) if line]
    with_success = any(line.success_percent is not None for line in lines)
    figures = [*Summary._fields, *(["success"] if with_success else [])]
    columns = [Column("rank", "integer"), Column("published rank", "integer"), *PAIR]
    for name in figures:
        kind: Kind = "percent" if name == "success" else "number"
        columns += [Column(name, kind), Column(f"published {name}", kind)]
    return ReportTable(
        name=file_name(conditions.experiment, "published", short),
        title=f"{conditions.experiment}: {_subject(short)} beside the published table",
        caption=(
            "Our figures, each with the published one after it. The last column names the figures "
            "that differ by more than chance (5 %, adjusted by Holm over the table). Bold: any "
            "does."
        ),
        columns=[*columns, Column("differ")],
        rows=[_published_row(row, figures) for row in table.rows],
        marked=frozenset(number for number, row in enumerate(table.rows) if row.different),
    )


def _subject(name: str) -> str:
    """Write the name of a table in words.

    >>> _subject("ranks"), _subject("runtimes-3-a")
    ('ranks', 'runtimes (3-a)')
    """
    kind, _, subject = name.partition("-")
    return f"{kind} ({subject})" if subject else kind


def _published_row(row: Beside, figures: Sequence[str]) -> list[Cell]:
    both = (row.ours, row.published)
    cells: list[Cell] = [*(line and line.rank for line in both), *row.pair]
    for name in figures:
        cells += [_figure(line, name) for line in both]
    return [*cells, ", ".join(row.different)]


def _figure(line: Line | None, name: str) -> Cell:
    if line is None:
        return None
    return line.success_percent if name == "success" else getattr(line.summary, name)
