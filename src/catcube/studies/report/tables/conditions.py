"""The tables of how the experiments were run."""

from collections.abc import Sequence

from catcube.studies.analysis.model import Conditions, Study
from catcube.studies.report.tables.table import PAIR, Cell, Column, ReportTable, SectionTables
from catcube.studies.report.text import moment


def condition_tables(study: Study) -> SectionTables:
    """List how the experiments were run, by what code on what machine, and missing runs."""
    tables = (make(study.conditions) for make in (_conditions, _sessions, _missing))
    return {(table.name, ""): table for table in tables}


def _conditions(experiments: Sequence[Conditions]) -> ReportTable:
    return ReportTable(
        name="conditions",
        title="How the experiments were run",
        caption=(
            "Runs of each pair on each instance, runs done of all, and their cost: computing time "
            "is summed over the runs, elapsed time is from the first to the last run, pauses "
            "included. Bold: not complete."
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
                *(one.experiment, len(one.instances), len(one.pairs), one.budget, one.target),
                *(one.runs, str(one.seed), one.done, one.total, one.failed, one.evaluations),
                *(one.seconds, _elapsed(one)),
            ]
            for one in experiments
        ],
        marked=frozenset(row for row, one in enumerate(experiments) if not one.complete),
    )


def _elapsed(conditions: Conditions) -> float | None:
    if conditions.began is None or conditions.finished is None:
        return None
    return conditions.finished - conditions.began


def _sessions(experiments: Sequence[Conditions]) -> ReportTable:
    parts = dict.fromkeys(
        part for one in experiments for session in one.sessions for part in session.machine
    )
    rows: list[list[Cell]] = [
        [
            *(one.experiment, moment(session.began), session.runs, session.version),
            *(session.sources, *(session.machine.get(part) for part in parts)),
        ]
        for one in experiments
        for session in one.sessions
    ]
    return ReportTable(
        name="sessions",
        title="Sessions: code and machine",
        caption=(
            "When each session began (UTC), how many runs it made, with which version and sources "
            "of catcube, and on what machine."
        ),
        columns=(
            *(Column("experiment"), Column("began"), Column("runs", "integer")),
            *(Column("version"), Column("sources"), *(Column(part) for part in parts)),
        ),
        rows=rows,
    )


def _missing(experiments: Sequence[Conditions]) -> ReportTable:
    return ReportTable(
        name="missing",
        title="Missing runs",
        caption="How many runs of each pair on each instance are not done.",
        columns=(
            *(Column("experiment"), Column("instance"), *PAIR, Column("missing runs", "integer")),
        ),
        rows=[
            [one.experiment, missing.instance, *missing.pair, missing.runs]
            for one in experiments
            for missing in one.missing
        ],
    )
