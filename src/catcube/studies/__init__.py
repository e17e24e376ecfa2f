"""Studies: the analysis of experiments, reports, the paper, and the study beyond it."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from catcube.experiments.plan import Configuration
    from catcube.studies.analysis.model import Outline, Reference
    from catcube.studies.analysis.sections import Section, Study


def analyse(
    stores: Sequence[str | os.PathLike[str]],
    *,
    targets: Sequence[float] = (),
    budgets: Sequence[int] = (),
) -> "Study":
    """Analyse stores; hold experiments with the names of the paper's against the paper.

    The arguments are those of `catcube.studies.analysis.analyse`.

    >>> analyse([])
    Study(sections=(), reference=None)
    """
    from catcube.studies import analysis
    from catcube.studies.analysis.study import Publication

    paper = Publication(("fixed-budget", "ecdf", "fixed-target"), _outline, _judge)
    return analysis.analyse(stores, [paper], targets=targets, budgets=budgets)


# The paper is imported for its own experiments only.


def _outline(experiment: str, instances: Sequence[str], target: float | None) -> "Outline":
    from catcube.studies.paper.published import outline

    return outline(experiment, instances, target)


def _judge(
    sections: "Sequence[Section]", planned: "Mapping[str, Sequence[Configuration]]"
) -> "Reference":
    from catcube.studies.paper.study import paper_reference

    return paper_reference(sections, planned)
