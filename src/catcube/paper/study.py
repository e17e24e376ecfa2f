"""A study with what the paper adds to it: published tables, statements, groups of instances."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from catcube.analysis import analyse
from catcube.analysis.model import Conditions, FixedBudget, FixedTarget, Section, Study
from catcube.analysis.reference import PublishedTable, Reference
from catcube.campaigns.configuration import Configuration
from catcube.campaigns.store.store import Store
from catcube.paper.boards import outline
from catcube.paper.comparison import compared_runtimes, compared_values
from catcube.paper.findings import statements_of
from catcube.paper.scales import EXPERIMENTS, SCALES, scale_difference

SOURCE = "A. Berny, “Linear representation of categorical values” (2021)"
TITLE = "Linear representation of categorical values: the experiments repeated"
INTRODUCTION = (
    f"The experiments of {SOURCE}: binary metaheuristics on Sudoku boards, each with the linear "
    "and the direct representation of categories."
)
NOT_JUDGED = "not judged: not at the paper’s scale"


def paper_study(stores: Sequence[str | os.PathLike[str]]) -> Study:
    """Analyse the stores, and hold the paper's experiments among them against the paper.

    An experiment is the paper's by its name. Its statements are judged, and its tables tested,
    only if it is complete and at the paper's scale. A study without any of them has no reference.

    >>> paper_study([])
    Study(sections=(), reference=None)
    """
    study = analyse(stores, outline, EXPERIMENTS)
    own = [section for section in study.sections if section.conditions.experiment in EXPERIMENTS]
    if not own:
        return study
    planned = _configurations(stores)
    differences = {
        section.conditions.experiment: _difference(section.conditions, planned) for section in own
    }
    return replace(study, reference=paper_reference(own, differences))


def paper_reference(sections: Sequence[Section], differences: Mapping[str, str]) -> Reference:
    """Hold sections of the paper's experiments against it.

    `differences` name, by experiment, what is not as in the paper; empty if nothing is.
    """
    at_scale = [own for own in sections if not differences[own.conditions.experiment]]
    notices = [
        f"{experiment}: {NOT_JUDGED} (other {difference})."
        for experiment, difference in differences.items()
        if difference
    ]
    tables = {}
    for section in sections:
        tested = section in at_scale
        if isinstance(section, FixedBudget):
            found = compared_values(section, tested)
        elif isinstance(section, FixedTarget):
            found = compared_runtimes(section, tested)
        else:
            continue
        name = section.conditions.experiment
        tables[name] = [PublishedTable(table, rows) for table, rows in found.items()]
    return Reference(
        source=SOURCE,
        title=TITLE,
        introduction=INTRODUCTION,
        notices=notices,
        scales={name: _scale(name, difference) for name, difference in differences.items()},
        statements=statements_of(at_scale),
        tables=tables,
    )


def _configurations(
    stores: Sequence[str | os.PathLike[str]],
) -> dict[str, list[Configuration]]:
    found: dict[str, list[Configuration]] = {}
    for path in stores:
        with Store(path) as store:
            for own in store.configurations():
                found.setdefault(own.experiment, []).append(own)
    return found


def _difference(conditions: Conditions, planned: Mapping[str, Sequence[Configuration]]) -> str:
    name = conditions.experiment
    difference = scale_difference(name, planned[name])
    missing = "" if conditions.complete else "runs are missing"
    return ", ".join(filter(None, [difference, missing]))


def _scale(experiment: str, difference: str) -> str:
    """Say how an experiment compares with the paper's."""
    if not difference:
        return "This is the paper’s scale."
    [paper] = SCALES["paper"].plan(experiment).experiments
    return (
        f"The paper: {len(paper.boards)} instances, {paper.runs} runs, "
        f"{paper.budget:,} evaluations."
    )
