"""The statements that a study is held against, with the verdicts on their parts."""

from collections import Counter

from catcube.analysis.reference import VERDICTS, Reference, Statement, Verdict
from catcube.report.page.markup import joined, paragraph, text
from catcube.report.page.tables import table_figure
from catcube.report.tables.common import counted
from catcube.report.tables.reference import parts_table

SIGNS: dict[Verdict, str] = {
    "holds": "✓",
    "too close to call": "≈",
    "contradicted": "✗",
    "not measured": "–",
}


def tally(reference: Reference) -> str:
    """Count the parts of all statements by verdict."""
    counts = Counter(part.verdict for own in reference.statements for part in own.parts)
    entries = "".join(
        f'<li class="{_style(verdict)}"><strong>{counts[verdict]}</strong> {SIGNS[verdict]} '
        f"{verdict}</li>"
        for verdict in VERDICTS
    )
    said = (
        f"Of {counted(counts.total(), 'part')} of {counted(len(reference.statements), 'statement')}"
        " of the paper, this study finds"
    )
    return f'<p class="soft">{said}</p><ul class="tally">{entries}</ul>'


def statements(reference: Reference) -> str:
    """All statements by topic; each opens to its parts, their figures and tests."""
    topics: dict[str, list[Statement]] = {}
    for own in reference.statements:
        topics.setdefault(own.topic, []).append(own)
    parts = [
        "<h2>The paper’s statements</h2>",
        paragraph(
            f"What {reference.source} says, in our words, and whether the runs of this study say "
            "so, too, part by part: mostly one part for each algorithm."
        ),
        *(paragraph(sentence) for sentence in reference.basis),
    ]
    for topic, found in topics.items():
        entries = "".join(map(_statement, found))
        parts.append(f"<h3>{text(topic)}</h3>")
        parts.append(f'<ul class="statements">{entries}</ul>')
    return joined(parts)


def _statement(statement: Statement) -> str:
    counts = Counter(part.verdict for part in statement.parts)
    badges = "".join(
        f'<span class="verdict {_style(verdict)}">{counts[verdict]} {SIGNS[verdict]} '
        f"{verdict}</span>"
        for verdict in VERDICTS
        if counts[verdict]
    )
    note = f'<span class="reason">{text(statement.note)}</span>' if statement.note else ""
    where = f" ({text(statement.where)})" if statement.where else ""
    return (
        f'<li id="{text(statement.id)}"><details><summary>'
        f'<span class="verdicts">{badges}</span>'
        f"<span><strong>{text(statement.id)}</strong> {text(statement.sentence)}{where}"
        f"{note}</span></summary>"
        f'<div class="more">{table_figure(parts_table(statement))}</div></details></li>'
    )


def _style(verdict: Verdict) -> str:
    return verdict.replace(" ", "-")
