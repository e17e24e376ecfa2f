"""Studies: the analysis of experiments, reports, the paper, and the study beyond it."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from catcube.studies.analysis.sections import Study


def analyse(
    stores: Sequence[str | os.PathLike[str]],
    *,
    targets: Sequence[float] = (),
    budgets: Sequence[int] = (),
) -> "Study":
    """Analyse stores; compare experiments with the names of the paper's with the paper.

    The arguments are those of `catcube.studies.analysis.analyse`.

    >>> analyse([])
    Study(sections=(), reference=None)
    """
    from catcube.studies.analysis import analyse
    from catcube.studies.paper.study import PAPER

    return analyse(stores, PAPER, targets=targets, budgets=budgets)
