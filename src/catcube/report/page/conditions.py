"""The end of the page: how the experiments were run, and which runs are missing."""

from collections.abc import Sequence
from datetime import UTC, datetime

from catcube.analysis.model import Conditions, Study
from catcube.report.page.markup import folded, joined, paragraph, text
from catcube.report.page.summary import all_conditions
from catcube.report.page.tables import table_figure
from catcube.report.tables.common import counted
from catcube.report.tables.table import ReportTable

_SHOWN_ELSEWHERE = ("statements", "statement-parts")


def conditions_body(study: Study, tables: Sequence[ReportTable]) -> str:
    """Facts of each experiment, then the tables that belong to no section."""
    parts = ["<h2>How it was run</h2>", '<div class="run">']
    for own in all_conditions(study):
        facts = "".join(f"<dt>{text(name)}</dt><dd>{text(is_)}</dd>" for name, is_ in _facts(own))
        name = text(own.experiment or "(no name)")
        parts.append(f'<div><h3>{name}</h3><dl class="facts">{facts}</dl></div>')
    parts.append("</div>")
    if all(own.complete for own in all_conditions(study)):
        parts.append(paragraph("No run is missing."))
    parts += [
        folded(own.title, [table_figure(own)]) for own in tables if own.name not in _SHOWN_ELSEWHERE
    ]
    return joined(parts)


def _facts(conditions: Conditions) -> list[tuple[str, str]]:
    sessions = conditions.sessions
    facts = [
        ("Runs", f"{conditions.done:,} of {counted(conditions.total, 'run')} done"),
        ("Failed", f"{conditions.failed:,}" if conditions.failed else "none"),
        ("Seed", str(conditions.seed)),
        ("Evaluations", f"{conditions.evaluations:,}"),
        ("Computing", f"{_duration(conditions.seconds)}, summed over all runs"),
    ]
    if conditions.began is not None and conditions.finished is not None:
        elapsed = _duration(conditions.finished - conditions.began)
        facts.append(
            (
                "From – to",
                f"{_moment(conditions.began)} – {_moment(conditions.finished)} UTC ({elapsed}, in "
                f"{counted(len(sessions), 'session')})",
            )
        )
    versions = dict.fromkeys(f"{own.version} (sources {own.sources[:12]})" for own in sessions)
    machines = dict.fromkeys(
        ", ".join(f"{name} {own.machine[name]}" for name in own.machine) for own in sessions
    )
    facts += [("catcube", version) for version in versions]
    return facts + [("Machine", machine) for machine in machines if machine]


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def _duration(seconds: float) -> str:
    """In words a person uses.

    >>> [_duration(seconds) for seconds in (0.4, 75, 7325)]
    ['0.4 s', '1 min 15 s', '2 h 2 min']
    """
    if seconds < 60:
        return f"{seconds:.2g} s"
    minutes = round(seconds) // 60
    if minutes < 60:
        return f"{minutes} min {round(seconds) % 60} s"
    return f"{minutes // 60:,} h {minutes % 60} min"
