"""The paper as a publication that studies are compared with."""

from collections.abc import Mapping, Sequence

from catcube.experiments.plan import Configuration
from catcube.studies.analysis.model import Conditions, PublishedTable, Reference
from catcube.studies.analysis.sections import Ecdf, Section
from catcube.studies.analysis.study import Publication
from catcube.studies.paper.beside import compared, remarks
from catcube.studies.paper.published import outline
from catcube.studies.paper.rule import Evidence
from catcube.studies.paper.scales import EXPERIMENTS, SCALES, scale_difference
from catcube.studies.paper.statements import TEXTS, judged


def paper_reference(
    sections: Sequence[Section], planned: Mapping[str, Sequence[Configuration]]
) -> Reference:
    """Compare sections of the paper's experiments with it; `planned` are their configurations.

    Its statements are judged, and its tables tested, only if an experiment is complete and at the
    paper's scale.
    """
    return hold_against_paper(
        sections,
        {one.conditions.experiment: _difference(one.conditions, planned) for one in sections},
    )


def hold_against_paper(sections: Sequence[Section], differences: Mapping[str, str]) -> Reference:
    """Compare sections with the paper; `differences` are those of each experiment."""
    at_scale = {
        one.conditions.experiment: one
        for one in sections
        if not differences[one.conditions.experiment]
    }
    tables = {}
    for section in sections:
        name = section.conditions.experiment
        if not isinstance(section, Ecdf):
            tables[name] = [
                PublishedTable(table, rows, remarks(table, rows) if name in at_scale else ())
                for table, rows in compared(section, name in at_scale).items()
            ]
    others = [f"{name} ({difference})" for name, difference in differences.items() if difference]
    notice = f"Not judged, because not at the paper’s scale: {', '.join(others)}."
    return Reference(
        **TEXTS,
        notices=[notice] if others else [],
        scales={name: _scale(name, difference) for name, difference in differences.items()},
        statements=judged(Evidence(at_scale)) if at_scale else (),
        tables=tables,
    )


def _difference(conditions: Conditions, planned: Mapping[str, Sequence[Configuration]]) -> str:
    name = conditions.experiment
    difference = scale_difference(name, planned[name])
    missing = "" if conditions.complete else "runs missing"
    return ", ".join(filter(None, [difference, missing]))


def _scale(experiment: str, difference: str) -> str:
    """Describe how an experiment compares with the paper's."""
    if not difference:
        return "This is the paper’s scale."
    [paper] = SCALES["full"].plan(experiment).experiments
    return (
        f"The paper: {len(paper.instances)} instances, {paper.runs} runs, "
        f"{paper.budget:,} evaluations."
    )


PAPER = Publication(EXPERIMENTS, outline, paper_reference)
