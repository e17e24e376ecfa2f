"""Studies: analysis of experiments, reports, and the repetition of the 2021 paper."""

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from catcube.base.text import expect
from catcube.errors import BadValue

if TYPE_CHECKING:
    from catcube.experiments.plan import Configuration
    from catcube.studies.analysis.sections import Section, Study


def analyse(
    stores: Iterable[str | os.PathLike[str]],
    *,
    targets: Sequence[float] = (),
    budgets: Sequence[int] = (),
) -> "Study":
    """Analyse the experiments in stores, including unfinished ones.

    Experiments that have the names of the paper's come first and are compared with the paper.

    Parameters
    ----------
    stores
        The files. It is an error if two of them contain an experiment of the same name.
    targets
        Target values. Each adds a section on runtimes for each experiment.
    budgets
        Numbers of evaluations. Each adds a section on values for each experiment with a larger
        budget.

    Returns
    -------
    Study
        The sections of all experiments: fixed target for an experiment with a target, otherwise
        fixed budget and ECDF; for the paper's experiments, the views of the paper.

    Examples
    --------
    >>> import tempfile
    >>> from catcube.problems.sudoku import Board
    >>> from catcube.experiments.campaign import run_campaign
    >>> from catcube.experiments.plan import Experiment, Plan
    >>> board = Board("1..4 ..1. .1.. 4..1")
    >>> pilot = Experiment("pilot", {"tiny": board}, ("rls",), ("linear",), budget=50, runs=3)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     progress = run_campaign(Plan("mine", (pilot,)), f"{folder}/mine.sqlite")
    ...     study = analyse([f"{folder}/mine.sqlite"], targets=[4])
    >>> [type(section).__name__ for section in study.sections]
    ['FixedBudget', 'Ecdf', 'FixedTarget']
    >>> study.sections[0].conditions.complete, list(study.sections[0].tables)
    (True, ['tiny'])
    """
    # Imported on use, because they import scipy.
    from catcube.experiments.store import Store
    from catcube.studies.analysis.read import read_experiments
    from catcube.studies.analysis.sections import Study
    from catcube.studies.paper.published import EXPERIMENTS, paper_outline
    from catcube.studies.paper.study import paper_reference

    expect(min(budgets, default=1) >= 1, "budgets of at least one evaluation", list(budgets))
    found: dict[str, list[Section]] = {}
    where: dict[str, os.PathLike[str]] = {}
    planned: dict[str, list[Configuration]] = {}
    for path in stores:
        with Store(path) as store, store.snapshot():
            for configuration in store.configurations():
                planned.setdefault(configuration.experiment, []).append(configuration)
            for name, sections in read_experiments(store, paper_outline, budgets, targets).items():
                if name in found:
                    raise BadValue(
                        f"the experiment {name!r} is in both {where[name]} and {store.path}; "
                        "pass only one of them"
                    )
                where[name], found[name] = store.path, sections
    theirs = [section for name in EXPERIMENTS for section in found.get(name, ())]
    others = [one for name in found if name not in EXPERIMENTS for one in found[name]]
    judged = [section for section in theirs if not section.conditions.chosen]
    return Study((*theirs, *others), paper_reference(judged, planned) if judged else None)
