"""The head of the page: what was run, how complete it is, and what became of the claims."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from importlib.resources import files

from catcube.analysis.model import Conditions, Study
from catcube.boards import instances
from catcube.claims import Claim, Verdict
from catcube.report.common_tables import counted
from catcube.report.page_markup import joined, notice, paragraph, text
from catcube.report.page_tables import table_figure
from catcube.report.table import Column, ReportTable
from catcube.statistics import Summary

PAPER = "A. Berny, “Linear representation of categorical values” (2021)"
SIGNS = {"confirmed": "✓", "refuted": "✗", "undecided": "?"}
EXPERIMENTS = {"fixed-budget": "Fixed budget", "ecdf": "Course", "fixed-target": "Fixed target"}


def page_title(study: Study) -> str:
    """The paper's experiments or those of a user.

    >>> page_title(Study(()))
    'Results'
    """
    if study.verdicts:
        return "Linear representation of categorical values: the experiments repeated"
    names = dict.fromkeys(own.experiment for own in all_conditions(study))
    return ": ".join(["Results", ", ".join(names)]) if names else "Results"


def all_conditions(study: Study) -> list[Conditions]:
    """Of each experiment once: one looked at in two ways has two sections."""
    found: list[Conditions] = []
    for section in study.sections:
        if section.conditions not in found:
            found.append(section.conditions)
    return found


def summary(study: Study) -> str:
    """What was run at which scale, what is missing, how the claims stand."""
    conditions = all_conditions(study)
    return joined(
        [
            f"<h1>{text(page_title(study))}</h1>",
            paragraph(_introduction(study, conditions)),
            _tally(study.verdicts) if study.verdicts else "",
            _unfinished(conditions),
            '<ul class="runs">',
            *(_experiment(own, bool(study.verdicts)) for own in conditions),
            "</ul>",
        ]
    )


def _introduction(study: Study, conditions: list[Conditions]) -> str:
    if not conditions:
        return "There are no experiments in this study."
    runs, evaluations = (
        sum(own.done for own in conditions),
        sum(own.evaluations for own in conditions),
    )
    done = f"{counted(runs, 'run')} with {counted(evaluations, 'evaluation')} altogether."
    if not study.verdicts:
        return f"{counted(len(conditions), 'experiment')}: {done}"
    return (
        f"The experiments of {PAPER}: binary metaheuristics on Sudoku boards, each with the linear "
        f"and the direct representation of categories. {done}"
    )


def _tally(verdicts: Iterable[tuple[Claim, Verdict]]) -> str:
    counts = Counter(verdict.outcome for _, verdict in verdicts)
    total = sum(counts.values())
    entries = "".join(
        f'<li class="{outcome}"><strong>{counts[outcome]}</strong> {SIGNS[outcome]} {outcome}</li>'
        for outcome in ("confirmed", "refuted", "undecided")
    )
    return f'<p class="said">Of {total} claims of the paper:</p><ul class="tally">{entries}</ul>'


def _unfinished(conditions: list[Conditions]) -> str:
    unfinished = [own for own in conditions if not own.complete]
    if not unfinished:
        return ""
    missing = sum(own.total - own.done for own in unfinished)
    names = ", ".join(own.experiment for own in unfinished)
    return notice(
        f"Not complete: {counted(missing, 'run')} of {names} "
        f"{'is' if missing == 1 else 'are'} missing. The command catcube study, given the same "
        "plan and the same --out again, makes the missing runs and only those; what is shown here "
        "is made of the complete parts."
    )


def _experiment(conditions: Conditions, of_paper: bool) -> str:
    instances_, pairs = len(conditions.instances), len(conditions.pairs)
    target = "" if conditions.target is None else f", until the value {conditions.target:g}"
    percent = conditions.done * 100 // conditions.total if conditions.total else 100
    failed = f", {conditions.failed:,} failed" if conditions.failed else ""
    paper = _scale_of_paper(conditions) if of_paper else ""
    return (
        f"<li><h2>{text(conditions.experiment or '(no name)')}</h2>"
        f"<p>{counted(pairs, 'pair')} on {counted(instances_, 'instance')}, "
        f"{counted(conditions.runs, 'run')} each, up to {counted(conditions.budget, 'evaluation')}"
        f"{target}.</p>"
        f'<progress max="{max(conditions.total, 1)}" value="{conditions.done}" '
        f'aria-label="runs done">{percent} %</progress>'
        f'<p class="soft">{conditions.done:,} of {counted(conditions.total, "run")} done '
        f"({percent} %){failed}.{paper}</p></li>"
    )


def _scale_of_paper(conditions: Conditions) -> str:
    """How the paper ran its experiment of this name."""
    file = files("catcube").joinpath("data", "plans", f"{conditions.experiment}.toml")
    if conditions.experiment not in EXPERIMENTS:
        return ""
    [own] = tomllib.loads(file.read_text(encoding="utf-8"))["experiment"]
    boards = [
        name
        for name in instances.names()
        if any(fnmatchcase(name, pattern) for pattern in own["instances"])
    ]
    scale = len(boards), own["runs"], own["budget"]
    if scale == (len(conditions.instances), conditions.runs, conditions.budget):
        return " This is the paper’s scale."
    return (
        f" The paper: {counted(scale[0], 'instance')}, {counted(scale[1], 'run')}, "
        f"{counted(scale[2], 'evaluation')}."
    )


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
