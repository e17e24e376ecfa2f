"""From stores to a study."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence

from catcube.errors import BadValue
from catcube.experiments.store import Store
from catcube.studies.analysis.ecdf import ecdf_section
from catcube.studies.analysis.experiment_runs import ExperimentRuns, read_experiments
from catcube.studies.analysis.model import Section, Study
from catcube.studies.analysis.outline import Outliner, View, plain_outline
from catcube.studies.analysis.sections import fixed_budget_section, fixed_target_section


def analyse(
    stores: Iterable[str | os.PathLike[str]],
    outline: Outliner = plain_outline,
    first: Sequence[str] = (),
) -> Study:
    """Analyse the experiments in these stores, also unfinished ones.

    The experiments named by `first` come first, then others as they are stored. The outline of an
    experiment tells its views: by default fixed target if it has a target, otherwise fixed budget
    and ECDF. An experiment may be in one of the stores only: the same name twice is a ValueError.

    >>> import tempfile
    >>> from catcube.problems.sudoku import Board
    >>> from catcube.experiments.campaign import run_campaign
    >>> from catcube.experiments.plan import Experiment, Plan
    >>> board = Board("1..4 ..1. .1.. 4..1")
    >>> pilot = Experiment("pilot", {"tiny": board}, ("rls",), ("linear",), budget=50, runs=3)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     progress = run_campaign(Plan("mine", (pilot,)), f"{folder}/mine.sqlite")
    ...     study = analyse([f"{folder}/mine.sqlite"])
    >>> [type(section).__name__ for section in study.sections]
    ['FixedBudget', 'Ecdf']
    >>> study.sections[0].conditions.complete, list(study.sections[0].values)
    (True, ['tiny'])
    """
    found: dict[str, list[Section]] = {}
    where: dict[str, os.PathLike[str]] = {}
    for path in stores:
        with Store(path) as store, store.snapshot():
            for experiment in read_experiments(store, outline):
                name = experiment.conditions.experiment
                if name in found:
                    raise BadValue(
                        f"the experiment {name!r} is in {where[name]} and in {store.path}; "
                        "give one of them"
                    )
                where[name] = store.path
                found[name] = [_SECTIONS[view](experiment) for view in experiment.outline.views]
    order = [*(name for name in first if name in found), *found]
    sections = [section for name in dict.fromkeys(order) for section in found[name]]
    return Study(tuple(sections))


_SECTIONS: Mapping[View, Callable[[ExperimentRuns], Section]] = {
    "budget": fixed_budget_section,
    "ecdf": ecdf_section,
    "target": fixed_target_section,
}
