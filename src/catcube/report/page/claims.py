"""The paper's claims on the page, with their verdicts and the figures behind them."""

from collections.abc import Mapping

from catcube.analysis.model import Study
from catcube.paper.claims import Claim, Verdict
from catcube.report.page.markup import joined, paragraph, text
from catcube.report.page.summary import EXPERIMENTS, PAPER, SIGNS
from catcube.report.page.tables import table_figure
from catcube.report.tables.table import Column, ReportTable
from catcube.statistics import Summary


def claims(study: Study) -> str:
    """The paper's claims by experiment, each with its verdict; figures are behind a click."""
    groups: dict[str, list[tuple[Claim, Verdict]]] = {}
    for claim, verdict in study.verdicts:
        groups.setdefault(claim.experiment, []).append((claim, verdict))
    parts = [
        "<h2>The paper’s claims</h2>",
        paragraph(
            f"What {PAPER} says, in our words, and whether the runs of this study say so, too. A "
            "claim is undecided while data for it are missing. “Ranked before” means a better "
            "place in the table named."
        ),
    ]
    for experiment, own in groups.items():
        entries = "".join(_claim(claim, verdict) for claim, verdict in own)
        parts.append(f"<h3>{text(EXPERIMENTS.get(experiment, experiment))}</h3>")
        parts.append(f'<ul class="claims">{entries}</ul>')
    return joined(parts)


def _claim(claim: Claim, verdict: Verdict) -> str:
    more = _figures(claim, verdict.figures) if verdict.figures else paragraph("No figures yet.")
    return (
        f'<li id="{text(claim.id)}"><details><summary>'
        f'<span class="verdict {verdict.outcome}">{SIGNS[verdict.outcome]} {verdict.outcome}</span>'
        f"<span>{text(claim.sentence)}"
        f'<span class="reason">{text(verdict.reason)}</span></span></summary>'
        f'<div class="more">{more}</div></details></li>'
    )


def _figures(claim: Claim, figures: Mapping[str, tuple[float, ...]]) -> str:
    """The figures behind a verdict; what they are is told by their number."""
    leads = {name: own for name, own in figures.items() if len(own) == 4}
    longest = max(len(own) for own in figures.values())
    columns: tuple[Column, ...]
    rows: list[list[str | float | None]]
    if claim.experiment == "ecdf":
        columns = (
            *(Column("ahead"), Column("from", "integer"), Column("to", "integer")),
            Column("largest difference", "number"),
        )
        rows = [
            ["linear" if first else "direct", begin, end - 1, gap]
            for first, begin, end, gap in leads.values()
        ]
        caption = "Where one curve is ahead of the other, in evaluations."
    else:
        titles = {2: ("linear", "direct"), 5: Summary._fields}.get(
            longest, tuple(str(number) for number in range(1, longest + 1))
        )
        columns = (Column("algorithm"), *(Column(title, "number") for title in titles))
        rows = [[name, *own, *[None] * (longest - len(own))] for name, own in figures.items()]
        kind = "Lowest percents of success" if claim.id == "target-only-sa-fails" else "Ranks"
        caption = f"{kind}, by algorithm."
    return table_figure(ReportTable(claim.id, "Figures behind the verdict", caption, columns, rows))
