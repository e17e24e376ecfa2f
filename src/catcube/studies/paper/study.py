"""Comparison of a study with the paper."""

from collections.abc import Mapping, Sequence
from functools import cache

from msgspec.structs import asdict

from catcube.experiments.plan import Configuration
from catcube.studies.analysis.model import PublishedTable, Reference
from catcube.studies.analysis.sections import Ecdf, Section
from catcube.studies.paper.comparison import compare_tables, remarks
from catcube.studies.paper.rule import Evidence
from catcube.studies.paper.statements import TEXTS, judge_all
from catcube.studies.scales import PAPER as SCALES


def paper_reference(
    sections: Sequence[Section], planned: Mapping[str, Sequence[Configuration]]
) -> Reference:
    """Compare sections of the paper's experiments, with their planned configurations, with it.

    Statements are judged and tables are tested only for experiments that are complete and at the
    paper's scale.
    """
    differences = {}
    for one in sections:
        name = one.conditions.experiment
        missing = "" if one.conditions.complete else "runs missing"
        different = scale_difference(name, planned[name]), missing
        differences[name] = ", ".join(filter(None, different))
    return compare_with_paper(sections, differences)


def compare_with_paper(sections: Sequence[Section], differences: Mapping[str, str]) -> Reference:
    """Compare sections with the paper, given the differences in scale of each experiment."""
    named = {one.conditions.experiment: one for one in sections}
    at_scale = {name: one for name, one in named.items() if not differences[name]}
    tables = {}
    for section in sections:
        name = section.conditions.experiment
        if not isinstance(section, Ecdf):
            tables[name] = [
                PublishedTable(table, rows, remarks(table, rows) if name in at_scale else ())
                for table, rows in compare_tables(section, name in at_scale).items()
            ]
    others = [f"{name} ({difference})" for name, difference in differences.items() if difference]
    notice = f"Not judged, because not at the paper’s scale: {', '.join(others)}."
    return Reference(
        **TEXTS,
        notices=[notice] if others else [],
        scales={name: _scale(name, difference) for name, difference in differences.items()},
        statements=judge_all(Evidence(at_scale)) if at_scale else (),
        tables=tables,
    )


def _scale(experiment: str, difference: str) -> str:
    """Describe the scale of an experiment in the paper."""
    if not difference:
        return "This is the paper’s scale."
    [paper] = SCALES["full"].plan(experiment).experiments
    return (
        f"The paper: {len(paper.instances)} instances, {paper.runs} runs, "
        f"{paper.budget:,} evaluations."
    )


@cache
def _of_the_paper(experiment: str) -> dict[tuple[str, ...], Configuration]:
    return {one.names[1:]: one for one in SCALES["full"].plan(experiment).configurations()}


def scale_difference(experiment: str, configurations: Sequence[Configuration]) -> str:
    """Name what differs between configurations and those of the paper, apart from the seed.

    >>> smoke = SCALES["smoke"].plan("fixed-budget").configurations()
    >>> scale_difference("fixed-budget", smoke)
    'runs, budget'
    >>> scale_difference("fixed-budget", SCALES["full"].plan("fixed-budget").configurations())
    ''
    """
    paper = _of_the_paper(experiment)
    here: dict[tuple[str, ...], Configuration] = {one.names[1:]: one for one in configurations}
    different = {
        name
        for names, one in here.items()
        if names in paper
        for name, value in asdict(one).items()
        if value != getattr(paper[names], name)
    } - {"seed"}
    for place, name in ((slice(1), "instances"), (slice(1, None), "pairs")):
        if {names[place] for names in paper} != {names[place] for names in here}:
            different.add(name)
    if not {"instances", "pairs"} & different and paper.keys() != here.keys():
        different |= {"instances", "pairs"}  # some instances lack a pair
    return ", ".join(name for name in DIFFERENCES if name in different)


DIFFERENCES = ("instances", "content", "pairs", "runs", "budget", "target", "restart", "parameters")
