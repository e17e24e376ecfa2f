"""Comparison of algorithms and representations, on a user's function or on a suite of instances."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import groupby
from operator import itemgetter
from time import time
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from catcube.base.optional import import_optional
from catcube.base.text import expect, expect_known
from catcube.experiments.batch import execute_all
from catcube.experiments.plan import Experiment
from catcube.experiments.tables import NUMBERS
from catcube.experiments.trace import pack_trace
from catcube.problems.functions import Compiled, as_problem
from catcube.problems.instances import Content, find_instances
from catcube.problems.problem import Problem
from catcube.problems.suites import suite
from catcube.search.arguments import as_count, as_seed
from catcube.search.result import Result
from catcube.space import Space
from catcube.statistics import Comparison, Pair, Table
from catcube.studies.analysis.model import Conditions, Group, Outline, plain_outline
from catcube.studies.analysis.read import ExperimentRuns
from catcube.studies.analysis.sections import Effect, FixedBudget, Ranking, Samples, Study, adjust

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

    from catcube.studies.report.write import ReportFiles

SHOWN = ("linear", "direct", "native")
"""The representations of the archived pairs that a report shows."""


def compare(
    fun_or_problem: Problem | Compiled | Callable[[Any], Any] | str,
    space: Space | Mapping[str, Iterable[Any]] | None = None,
    *,
    algorithms: Sequence[str] = ("sa", "ea-1p1", "ga", "p3"),
    representations: Sequence[str] = ("linear", "direct", "native"),
    budget: int = 10_000,
    runs: int = 20,
    seed: int = 1,
    target: float | None = None,
    jobs: int | None = None,
    **parameters: Any,
) -> "CompareResult":
    """Run algorithms with representations many times and test how they differ.

    Parameters
    ----------
    fun_or_problem
        A function (with `space`) or a problem, as for `minimize`; or the name of a problem or
        instance, such as "nk:40,2,8"; or a pattern for several, such as "small-dimension-3-*".
    space
        The space of the function, or its labels by name.
    algorithms, representations
        Names of algorithms and representations; see `catcube list`. The first representation is
        compared with each of the others.
    budget, runs
        Evaluations per run, and the number of runs of each algorithm with each representation.
    seed
        Any integer >= 0, from which the seeds of the runs are derived.
    target
        A value that ends a run. If it is given, runtimes are compared instead of values.
    jobs
        The number of concurrent runs; by default one per core, or one for a Python function.
    **parameters
        Parameters of the algorithms. Each is passed to all algorithms that have it.

    Returns
    -------
    CompareResult
        The results, with `table`, `tests`, `effects`, `plot()`, `to_pandas()`, `report(folder)`.

    Examples
    --------
    >>> def mismatches(point):
    ...     return sum(point[name] != "C" for name in point)
    >>> space = {f"x{i}": "ACGTNRY" for i in range(40)}
    >>> result = compare(mismatches, space, algorithms=["rls"], budget=300, runs=10)
    >>> [(line.rank, line.representation) for line in result.table]
    [(1, 'native'), (2, 'linear'), (3, 'direct')]
    >>> [(one.second, one.p < 0.05) for one in result.effects]
    [('direct', False), ('native', True)]
    """
    boards: Mapping[str, Content | Problem]
    if isinstance(fun_or_problem, str):
        boards = find_instances(fun_or_problem)
    else:
        problem = as_problem(fun_or_problem, space)
        boards = {problem.name or "problem": problem}
        is_python = not isinstance(fun_or_problem, Problem | Compiled)
        jobs = jobs or (1 if is_python else None)
    experiment = Experiment(
        "comparison",
        boards,
        tuple(algorithms),
        tuple(representations),
        budget=as_count("budget", budget),
        runs=as_count("runs", runs),
        seed=as_seed(seed),
        target=target,
        parameters=parameters,
    )
    expect(experiment.size, "algorithms and representations", [*algorithms, *representations])
    outline = plain_outline("comparison", list(boards), target)
    if target is not None:  # the curves are for `plot`
        outline = replace(outline, views=("target", "ecdf"))
    found, results = ExperimentRuns(outline), []
    made = execute_all(experiment.configurations(), jobs)
    for configuration, together in groupby(made, key=itemgetter(0)):
        group = [result for _, result in together]
        found.add(configuration, _rows(group), [pack_trace(*one.trace) for one in group])
        results += group
    return CompareResult(results, Study(tuple(found.sections())))


def _rows(results: Sequence[Result]) -> np.ndarray[Any, Any]:
    """Return runs as rows of a store."""
    rows = np.zeros(len(results), NUMBERS)
    for name in ("value", "evaluations", "evaluations_to_best", "iterations", "seconds"):
        rows[name] = [getattr(one, name) for one in results]
    rows["finished"] = time()
    return rows


@dataclass(frozen=True)
class CompareResult:
    """The runs of a comparison, and their analysis.

    Attributes
    ----------
    results
        The result of every run, as returned by `minimize`.
    study
        The analysis, as returned by `catcube.studies.analyse` for a store.
    """

    results: Sequence[Result]
    study: Study

    @property
    def _ranking(self) -> Ranking:
        return next(one for one in self.study.sections if isinstance(one, Ranking))

    @property
    def table(self) -> Table:
        """The pairs, best first: by values on a single instance, by ranks over several."""
        ranking = self._ranking
        [table, *others] = ranking.tables.values()
        return ranking.ranks["all"] if others else table

    @property
    def tests(self) -> list[Comparison]:
        """Mann–Whitney tests of the first representation against the others, adjusted by Holm."""
        return self._ranking.comparisons

    @property
    def effects(self) -> list[Effect]:
        """Cliff's deltas of the first representation against the others, with intervals."""
        return self._ranking.effects

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a table with one row per run."""
        names = ("instance", "algorithm", "representation", "run", "seed", "value", "evaluations")
        columns = (*names, "evaluations_to_best", "seconds", "parameters", "x")
        frame: pandas.DataFrame = import_optional("pandas").DataFrame(
            {name: [getattr(one, name) for one in self.results] for name in columns}
        )
        return frame

    def plot(self, kind: Literal["values", "curves"] | None = None) -> "Figure":
        """Draw mean values with intervals, or the fractions of targets reached over evaluations.

        By default values are drawn, and curves if the runs have a target.
        """
        from catcube.studies.report.figures import figure_style, report_figures

        parts = {"values": "-means-", "curves": "-curves"}
        if kind is not None:
            expect_known("plot", kind, parts)
        part = parts[kind] if kind else ""
        found = [one for one in report_figures(self.study) if part in one.name]
        target = self._ranking.conditions.target
        expect(found, f"a comparison without a target to plot {kind}", target)
        with figure_style():
            return found[0].draw()

    def report(
        self, folder: str | os.PathLike[str], formats: Sequence[str] = ("csv",)
    ) -> "ReportFiles":
        """Write a report (its page and its tables) to a folder, as `catcube report` does."""
        from catcube.studies.report.write import write_report

        return write_report(self.study, folder, formats)

    def __str__(self) -> str:
        from catcube.studies.report.table import plain_text
        from catcube.studies.report.tables import report_tables

        tables = {key.kind: table for key, table in report_tables(self.study).items()}
        kinds = ("ranks",) if len(self._ranking.tables) > 1 else ("values", "runtimes")
        shown = [tables[kind] for kind in (*kinds, "effects") if kind in tables]
        return "\n\n".join(map(plain_text, shown))


# Suites with archived results


@cache
def archive(name: str) -> FixedBudget:
    """Return the archived results of our algorithms and representations on a suite, by family.

    >>> found = archive("catcube-2026")
    >>> found.conditions.budget, found.conditions.runs, len(found.conditions.pairs)
    (30000, 10, 110)
    """
    with files("catcube").joinpath("data", "archive", f"{name}.npz").open("rb") as file:
        stored = np.load(file, allow_pickle=False)
        pairs = tuple(Pair(*names) for names in stored["pairs"].tolist())
        values = stored["values"]  # instance, pair, run
        samples = {
            instance: dict(zip(pairs, rows, strict=True))
            for instance, rows in zip(stored["instances"].tolist(), values, strict=True)
        }
        budget, runs = int(stored["budget"]), values.shape[-1]
    groups = {
        family: Group(f"{family} instances", list(instances))
        for family, instances in suite(name).families.items()
    }
    conditions = Conditions(name, tuple(samples), pairs, budget, None, runs, seed=1)
    return FixedBudget(conditions, samples, Outline(("budget",), groups))


def add_archived(name: str, new: Samples, shown: Collection[str] | None = None) -> FixedBudget:
    """Return new runs on a suite, which have the archive's budget, together with the archived runs.

    If `shown` is given, only archived pairs with these representations are kept.
    """
    known = archive(name)
    kept = [pair for pair in known.conditions.pairs if not shown or pair.representation in shown]
    samples = {
        one: {pair: known.samples[one][pair] for pair in kept} | dict(found)
        for one, found in new.items()
    }
    done = sum(sample.size for found in samples.values() for sample in found.values())
    conditions = replace(
        known.conditions,
        instances=tuple(samples),
        pairs=tuple(dict.fromkeys(pair for found in samples.values() for pair in found)),
        done=done,
        total=done,
        evaluations=done * known.conditions.budget,
    )
    families, divided = known.outline.groups, known.outline.divide(samples)
    divided.pop("all", None)
    groups = {name: replace(families[name], instances=ours) for name, ours in divided.items()}
    return FixedBudget(conditions, samples, replace(known.outline, groups=groups))


def compare_with_best(section: FixedBudget, new: Collection[Pair]) -> list[Effect]:
    """Compare new pairs with the best archived pair; adjust p by Holm's method."""
    best = next(line.pair for line in section.ranks["all"] if line.pair not in new)
    return adjust({("", "-".join(one), "-".join(best)): section.effect(one, best) for one in new})
