"""The tables about the whole study: how the experiments were run."""

from datetime import UTC, datetime

from catcube.analysis.model import Conditions, Study
from catcube.report.tables.common import PAIR
from catcube.report.tables.table import Cell, Column, ReportTable


def condition_tables(study: Study) -> list[ReportTable]:
    """How the experiments were run, by what code on what machine, and which runs are missing."""
    # An experiment looked at in two ways has two sections with the same conditions.
    all_conditions: list[Conditions] = []
    for section in study.sections:
        if section.conditions not in all_conditions:
            all_conditions.append(section.conditions)
    tables = (_conditions(all_conditions), _sessions(all_conditions), _missing(all_conditions))
    return [table for table in tables if table.rows]


def _conditions(all_conditions: list[Conditions]) -> ReportTable:
    return ReportTable(
        name="conditions",
        title="How the experiments were run",
        caption=(
            "Runs of each pair on each instance, runs done of all, and what they took: time of "
            "computing is summed over the runs, elapsed is from the first to the last run, "
            "pauses included. Bold: not complete."
        ),
        columns=(
            *(Column("experiment"), Column("instances", "integer"), Column("pairs", "integer")),
            *(Column("budget", "integer"), Column("target", "number"), Column("runs", "integer")),
            *(Column("seed"), Column("done", "integer"), Column("of", "integer")),
            *(Column("failed", "integer"), Column("evaluations", "integer")),
            *(Column("computing (s)", "number"), Column("elapsed (s)", "number")),
        ),
        rows=[
            [
                *(own.experiment, len(own.instances), len(own.pairs), own.budget, own.target),
                *(own.runs, str(own.seed), own.done, own.total, own.failed, own.evaluations),
                *(own.seconds, _elapsed(own)),
            ]
            for own in all_conditions
        ],
        marked=frozenset(row for row, own in enumerate(all_conditions) if not own.complete),
    )


def _elapsed(conditions: Conditions) -> float | None:
    if conditions.began is None or conditions.finished is None:
        return None
    return conditions.finished - conditions.began


def _sessions(all_conditions: list[Conditions]) -> ReportTable:
    parts = dict.fromkeys(
        part for own in all_conditions for session in own.sessions for part in session.machine
    )
    rows: list[list[Cell]] = [
        [
            *(own.experiment, _moment(session.began), session.runs, session.version),
            *(session.sources, *(session.machine.get(part) for part in parts)),
        ]
        for own in all_conditions
        for session in own.sessions
    ]
    return ReportTable(
        name="sessions",
        title="What the runs were made with",
        caption=(
            "Each stretch of computing: when it began (UTC), how many runs it made, with which "
            "version and sources of catcube, and on what machine."
        ),
        columns=(
            *(Column("experiment"), Column("began"), Column("runs", "integer")),
            *(Column("version"), Column("sources"), *(Column(part) for part in parts)),
        ),
        rows=rows,
    )


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def _missing(all_conditions: list[Conditions]) -> ReportTable:
    return ReportTable(
        name="missing",
        title="Runs that are missing",
        caption="How many runs of each pair on each instance are not done.",
        columns=(
            *(Column("experiment"), Column("instance"), *PAIR, Column("missing runs", "integer")),
        ),
        rows=[
            [own.experiment, one.instance, *one.pair, one.runs]
            for own in all_conditions
            for one in own.missing
        ],
    )
