"""From stores to a study."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from catcube.errors import BadValue
from catcube.experiments.plan import Configuration
from catcube.experiments.store import Store
from catcube.studies.analysis.model import Outline, Outliner, Reference, plain_outline
from catcube.studies.analysis.read import read_experiments
from catcube.studies.analysis.sections import Section, Study


@dataclass(frozen=True)
class Publication:
    """Experiments that are known by name: in which order, how they are viewed, and judged."""

    experiments: Sequence[str]
    outline: Outliner
    judge: Callable[[Sequence[Section], Mapping[str, Sequence[Configuration]]], Reference]


def analyse(
    stores: Iterable[str | os.PathLike[str]],
    publication: Publication | None = None,
    *,
    targets: Sequence[float] = (),
    budgets: Sequence[int] = (),
) -> Study:
    """Analyse the experiments in these stores, also unfinished ones.

    Parameters
    ----------
    stores
        Files. An experiment may be in one of them only: the same name twice is an error.
    publication
        Its experiments come first, and are compared with it.
    targets
        Values to be reached: each gives another section on runtimes.
    budgets
        Numbers of evaluations; those below the budget of an experiment give another
        section on values.

    Returns
    -------
    Study
        Without a publication, an experiment with a target is viewed as fixed target, another one
        as fixed budget and as ECDF.

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
    if any(budget < 1 for budget in budgets):
        raise BadValue(f"expected budgets of at least one evaluation, got {list(budgets)}")
    known = publication.experiments if publication else ()

    def outline(name: str, instances: Sequence[str], target: float | None) -> Outline:
        outliner = publication.outline if publication and name in known else plain_outline
        return outliner(name, instances, target)

    found: dict[str, list[Section]] = {}
    where: dict[str, os.PathLike[str]] = {}
    planned: dict[str, list[Configuration]] = {}
    for path in stores:
        with Store(path) as store, store.snapshot():
            for configuration in store.configurations():
                planned.setdefault(configuration.experiment, []).append(configuration)
            for name, sections in read_experiments(store, outline, budgets, targets).items():
                if name in found:
                    raise BadValue(
                        f"the experiment {name!r} is in {where[name]} and in {store.path}; "
                        "give one of them"
                    )
                where[name], found[name] = store.path, sections
    order = dict.fromkeys([*(name for name in known if name in found), *found])
    everything = tuple(section for name in order for section in found[name])
    theirs = [
        section
        for name in known
        for section in found.get(name, ())
        if not section.conditions.chosen
    ]
    return Study(everything, publication.judge(theirs, planned) if publication and theirs else None)
