"""Studies: the analysis of experiments, reports, the paper, and the study beyond it."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from catcube.studies.analysis.model import Study


def analyse(
    stores: Sequence[str | os.PathLike[str]],
    *,
    targets: Sequence[float] = (),
    budgets: Sequence[int] = (),
) -> "Study":
    """Analyse stores, and hold experiments of known publications against these.

    The arguments are those of `catcube.studies.analysis.analyse`.

    >>> analyse([])
    Study(sections=(), reference=None)
    """
    from catcube.studies import analysis
    from catcube.studies.paper.study import PAPER

    return analysis.analyse(stores, [PAPER], targets=targets, budgets=budgets)
