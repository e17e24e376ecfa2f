"""The paper as a publication that studies are compared with."""

from collections.abc import Mapping, Sequence

from catcube.experiments.plan import Configuration
from catcube.studies.analysis.model import Conditions, PublishedTable, Reference
from catcube.studies.analysis.sections import Ecdf, Section
from catcube.studies.analysis.study import Publication
from catcube.studies.paper.beside import MOVED, REPETITIONS, compared, remarks
from catcube.studies.paper.published import outline
from catcube.studies.paper.rule import Evidence
from catcube.studies.paper.scales import EXPERIMENTS, SCALES, scale_difference
from catcube.studies.paper.statements import BASIS, judged

SOURCE = "A. Berny, “Linear representation of categorical values” (2021)"
TITLE = "Linear representation of categorical values: the experiments repeated"
INTRODUCTION = (
    f"The experiments of {SOURCE}: binary metaheuristics on Sudoku boards, each with the linear "
    "and the direct representation of categories."
)
ABOUT_TABLES = (
    "Of the published runs only summaries are known, and their instances are not ours. So our own "
    f"experiment is repeated in the bootstrap ({REPETITIONS:,} times), on other instances of the "
    "same kind where there are any, and the p-value of a difference is the share of pairs of "
    "repetitions that differ at least as much. The smallest and the largest value or runtime are "
    "compared by counting the runs beyond the published one, success by Fisher’s exact test. All "
    "p-values of a table are adjusted by Holm together. A pair is said to have moved if its rank "
    f"differs by {MOVED} or more. The parameters that the paper does not state were inferred from "
    "these same tables, so that agreement of medians is partly by construction; runs of the "
    "paper’s framework with the inferred parameters confirm them."
)


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
        source=SOURCE,
        title=TITLE,
        introduction=INTRODUCTION,
        notices=[notice] if others else [],
        scales={name: _scale(name, difference) for name, difference in differences.items()},
        statements=judged(Evidence(at_scale)) if at_scale else (),
        basis=BASIS,
        tables=tables,
        about_tables=ABOUT_TABLES,
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
