"""The head of the page: what was run, how complete it is, and how the statements stand."""

from catcube.analysis.model import Conditions, Study
from catcube.report.page.markup import joined, notice, paragraph, text
from catcube.report.page.statements import tally
from catcube.report.tables.common import counted


def page_title(study: Study) -> str:
    """That of the publication whose experiments are repeated, or their names.

    >>> page_title(Study(()))
    'Results'
    """
    if study.reference:
        return study.reference.title
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
    """What was run at which scale, what is missing, how the statements stand."""
    conditions = all_conditions(study)
    reference = study.reference
    scales = reference.scales if reference else {}
    return joined(
        [
            f"<h1>{text(page_title(study))}</h1>",
            paragraph(_introduction(study, conditions)),
            tally(reference) if reference and reference.statements else "",
            *(notice(sentence) for sentence in (reference.notices if reference else ())),
            _unfinished(conditions),
            '<ul class="runs">',
            *(_experiment(own, scales.get(own.experiment, "")) for own in conditions),
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
    if study.reference is None:
        return f"{counted(len(conditions), 'experiment')}: {done}"
    return f"{study.reference.introduction} {done}"


def _unfinished(conditions: list[Conditions]) -> str:
    unfinished = [own for own in conditions if not own.complete]
    if not unfinished:
        return ""
    missing = sum(own.total - own.done for own in unfinished)
    names = ", ".join(own.experiment for own in unfinished)
    return notice(
        f"Not complete: {counted(missing, 'run')} of {names} "
        f"{'is' if missing == 1 else 'are'} missing. The command catcube campaign, given the same "
        "plan and the same --out again, makes the missing runs and only those; what is shown here "
        "is made of the complete parts."
    )


def _experiment(conditions: Conditions, scale: str) -> str:
    instances_, pairs = len(conditions.instances), len(conditions.pairs)
    target = "" if conditions.target is None else f", until the value {conditions.target:g}"
    percent = conditions.done * 100 // conditions.total if conditions.total else 100
    failed = f", {conditions.failed:,} failed" if conditions.failed else ""
    return (
        f"<li><h2>{text(conditions.experiment or '(no name)')}</h2>"
        f"<p>{counted(pairs, 'pair')} on {counted(instances_, 'instance')}, "
        f"{counted(conditions.runs, 'run')} each, up to {counted(conditions.budget, 'evaluation')}"
        f"{target}.</p>"
        f'<progress max="{max(conditions.total, 1)}" value="{conditions.done}" '
        f'aria-label="runs done">{percent} %</progress>'
        f'<p class="soft">{conditions.done:,} of {counted(conditions.total, "run")} done '
        f"({percent} %){failed}. {text(scale)}</p></li>"
    )
