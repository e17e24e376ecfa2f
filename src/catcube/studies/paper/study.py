"""A study with what the paper adds to it: published tables, statements, groups of instances."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from catcube.experiments.plan import Configuration
from catcube.experiments.store import Store
from catcube.studies.analysis import analyse
from catcube.studies.analysis.model import Conditions, FixedBudget, FixedTarget, Section, Study
from catcube.studies.analysis.reference import PublishedTable, Reference
from catcube.studies.paper.boards import outline
from catcube.studies.paper.comparison import compared_runtimes, compared_values
from catcube.studies.paper.levels import Levels, read_levels
from catcube.studies.paper.remarks import MOVED, remarks
from catcube.studies.paper.repetition import REPETITIONS
from catcube.studies.paper.scales import EXPERIMENTS, SCALES, scale_difference
from catcube.studies.paper.statements import BASIS, Evidence, judged

SOURCE = "A. Berny, “Linear representation of categorical values” (2021)"
TITLE = "Linear representation of categorical values: the experiments repeated"
INTRODUCTION = (
    f"The experiments of {SOURCE}: binary metaheuristics on Sudoku boards, each with the linear "
    "and the direct representation of categories."
)
ABOUT_TABLES = (
    "Of the published runs only summaries are known, and their instances are not ours. So our own "
    f"experiment is repeated in the bootstrap ({REPETITIONS:,} times), on other instances of the "
    "same kind where there are any, and the p-value of a difference is the share of couples of "
    "repetitions that differ at least as much. The smallest and the largest value or runtime are "
    "compared by counting the runs beyond the published one, success by Fisher’s exact test. All "
    "p-values of a table are adjusted by Holm together. A pair is said to have moved if its rank "
    f"differs by {MOVED} or more. The parameters that the paper does not state were inferred from "
    "these same tables, so that agreement of medians is partly by construction."
)
NOT_JUDGED = "Not judged: not at the paper’s scale"


def paper_study(stores: Sequence[str | os.PathLike[str]]) -> Study:
    """Analyse the stores, and hold the paper's experiments among them against the paper.

    An experiment is the paper's by its name. Its statements are judged, and its tables tested,
    only if it is complete and at the paper's scale. A study without any of them has no reference.

    >>> paper_study([])
    Study(sections=(), reference=None)
    """
    study = analyse(stores, outline, EXPERIMENTS)
    sections = [
        section for section in study.sections if section.conditions.experiment in EXPERIMENTS
    ]
    if not sections:
        return study
    planned, where = _configurations(stores)
    differences = {
        section.conditions.experiment: _difference(section.conditions, planned)
        for section in sections
    }
    levels = None
    if differences.get("ecdf") == "":
        levels = read_levels(where["ecdf"], "ecdf")
    return replace(study, reference=paper_reference(sections, differences, levels))


def paper_reference(
    sections: Sequence[Section], differences: Mapping[str, str], levels: Levels | None = None
) -> Reference:
    """Hold sections of the paper's experiments against it.

    `differences` name, by experiment, what is not as in the paper; empty if nothing is. The
    `levels` are those of the runs of the ECDF, if that is as in the paper.
    """
    at_scale = [section for section in sections if not differences[section.conditions.experiment]]
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
        tables[name] = [
            PublishedTable(table, rows, remarks(table, rows) if tested else ())
            for table, rows in found.items()
        ]
    return Reference(
        source=SOURCE,
        title=TITLE,
        introduction=INTRODUCTION,
        notices=_notices(differences),
        scales={name: _scale(name, difference) for name, difference in differences.items()},
        statements=judged(_evidence(at_scale, levels)),
        basis=BASIS,
        tables=tables,
        about_tables=ABOUT_TABLES,
    )


def _notices(differences: Mapping[str, str]) -> list[str]:
    """Say which experiments are not judged, and what is not as in the paper.

    >>> _notices({"ecdf": "runs, budget", "fixed-budget": ""})
    ['Not judged: not at the paper’s scale: ecdf (runs, budget).']
    """
    others = [f"{name} ({difference})" for name, difference in differences.items() if difference]
    return [f"{NOT_JUDGED}: {', '.join(others)}."] if others else []


def _evidence(sections: Sequence[Section], levels: Levels | None) -> Evidence:
    evidence = Evidence(levels=levels)
    for section in sections:
        if isinstance(section, FixedBudget):
            evidence = replace(evidence, budget=section)
        elif isinstance(section, FixedTarget):
            evidence = replace(evidence, target=section)
    return evidence


def _configurations(
    stores: Sequence[str | os.PathLike[str]],
) -> tuple[dict[str, list[Configuration]], dict[str, str | os.PathLike[str]]]:
    """Read what is planned, and in which store, by experiment."""
    found: dict[str, list[Configuration]] = {}
    where = {}
    for path in stores:
        with Store(path) as store:
            for configuration in store.configurations():
                found.setdefault(configuration.experiment, []).append(configuration)
                where[configuration.experiment] = path
    return found, where


def _difference(conditions: Conditions, planned: Mapping[str, Sequence[Configuration]]) -> str:
    name = conditions.experiment
    difference = scale_difference(name, planned[name])
    missing = "" if conditions.complete else "runs missing"
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
