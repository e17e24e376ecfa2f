"""The head of the page: what was run, how complete it is, and how many claims hold."""

import tomllib
from collections import Counter
from collections.abc import Iterable
from fnmatch import fnmatchcase
from importlib.resources import files

from catcube.analysis.model import Conditions, Study
from catcube.paper.claims import Claim, Verdict
from catcube.problems.sudoku import instances
from catcube.report.page.markup import joined, notice, paragraph, text
from catcube.report.tables.common import counted

PAPER = "A. Berny, “Linear representation of categorical values” (2021)"
SIGNS = {"confirmed": "✓", "refuted": "✗", "undecided": "?"}
EXPERIMENTS = {
    "fixed-budget": "Fixed budget",
    "ecdf": "Course of the search (ECDF)",
    "fixed-target": "Fixed target",
}


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
            _other_scale(conditions) if study.verdicts else "",
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
    claims = f"Of {counted(total, 'claim')} of the paper, this study finds"
    return f'<p class="soft">{claims}</p><ul class="tally">{entries}</ul>'


def _other_scale(conditions: list[Conditions]) -> str:
    """Verdicts of other experiments than the paper's are to be taken with care."""
    others = [
        own.experiment
        for own in conditions
        if own.experiment in EXPERIMENTS and _scale(own) != _paper(own.experiment)
    ]
    if not others:
        return ""
    return notice(
        f"Not at the paper’s scale: {', '.join(others)}. Verdicts on such claims are those of this "
        "study, and may be others with more runs, instances or evaluations."
    )


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
    if conditions.experiment not in EXPERIMENTS:
        return ""
    scale = _paper(conditions.experiment)
    if scale == _scale(conditions):
        return " This is the paper’s scale."
    return (
        f" The paper: {counted(scale[0], 'instance')}, {counted(scale[1], 'run')}, "
        f"{counted(scale[2], 'evaluation')}."
    )


def _scale(conditions: Conditions) -> tuple[int, int, int]:
    """Instances, runs and evaluations."""
    return len(conditions.instances), conditions.runs, conditions.budget


def _paper(experiment: str) -> tuple[int, int, int]:
    """The same of the paper's experiment."""
    file = files("catcube").joinpath("data", "plans", f"{experiment}.toml")
    [own] = tomllib.loads(file.read_text(encoding="utf-8"))["experiment"]
    boards = [
        name
        for name in instances.names()
        if any(fnmatchcase(name, pattern) for pattern in own["instances"])
    ]
    return len(boards), own["runs"], own["budget"]
