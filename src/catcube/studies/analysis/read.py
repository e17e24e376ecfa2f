"""Reading of the runs of a store, by experiment, in one pass: a million take about 100 MB."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.experiments.plan import Configuration
from catcube.experiments.store import DamageError, Store
from catcube.experiments.trace import TraceError, unpack_traces
from catcube.statistics import Curve, Pair, Sample, instance_curves
from catcube.studies.analysis.model import Conditions, Missing, Outline, Outliner, Session, View
from catcube.studies.analysis.sections import Ecdf, FixedBudget, FixedTarget, Section, map_all

ByPair = dict[str, dict[Pair, Sample]]


def read_experiments(
    store: Store, outline: Outliner, budgets: Sequence[int] = (), targets: Sequence[float] = ()
) -> dict[str, list[Section]]:
    """Return the sections of all experiments of a store, in the order of its plan."""
    configurations = store.configurations()
    instances: dict[str, dict[str, None]] = {}
    for configuration in configurations:
        instances.setdefault(configuration.experiment, {})[configuration.instance] = None
    experiments: dict[str, ExperimentRuns] = {}
    try:
        for index, rows, traces in store.run_arrays():
            configuration = configurations[index]
            name = configuration.experiment
            if name not in experiments:
                found = outline(name, tuple(instances[name]), configuration.target)
                experiments[name] = ExperimentRuns(found, budgets, targets)
            experiments[name].add(configuration, rows, traces)
    except TraceError as error:
        raise DamageError(store.path, str(error)) from error
    failed = [row[0] for row in store.failures()]
    return {
        name: one.sections(_sessions(store, one.column("session")), failed.count(name))
        for name, one in experiments.items()
    }


def _sessions(store: Store, made_by: NDArray[np.int64]) -> tuple[Session, ...]:
    """Return the sessions that executed any of these runs."""
    made, found = Counter(made_by.tolist()), []
    for number, began, version, sources, machine in store.sessions():
        parts = {name: str(value) for name, value in json.loads(machine).items()}
        if made[number]:
            found.append(Session(began, version, sources, parts, made[number]))
    return tuple(found)


class ExperimentRuns:
    """The runs of one experiment, from which its sections are built.

    The runs of a configuration are those of `Store.run_arrays`. The pairs of an instance must be
    added one after another. A pair without all of its runs counts as missing.
    """

    def __init__(
        self, outline: Outline, budgets: Sequence[int] = (), targets: Sequence[float] = ()
    ) -> None:
        self.outline = outline
        self.configurations: list[Configuration] = []
        self.rows: list[NDArray[np.void]] = []
        self.missing: list[Missing] = []
        self.runs: dict[str, dict[Pair, NDArray[np.void]]] = {}
        self.curves: dict[str, dict[Pair, Curve]] = {}
        self.chosen_budgets: dict[int, ByPair] = {budget: {} for budget in budgets}
        self.chosen_targets: dict[float, ByPair] = {target: {} for target in targets}
        self._traces: dict[Pair, Sequence[bytes]] = {}  # of the last instance

    def add(
        self, configuration: Configuration, rows: NDArray[np.void], traces: Sequence[bytes]
    ) -> None:
        """Add the runs of the next configuration of the plan."""
        instance, pair = configuration.instance, Pair(*configuration.pair)
        if self.configurations and self.configurations[-1].instance != instance:
            self._make_curves()
        self.configurations.append(configuration)
        self.rows.append(rows)
        if rows.size < configuration.runs:
            self.missing.append(Missing(instance, pair, configuration.runs - rows.size))
            return
        self.runs.setdefault(instance, {})[pair] = rows
        if "ecdf" in self.outline.views:
            self._traces[pair] = traces
        if self.chosen_budgets or self.chosen_targets:
            evaluations, values, begins = unpack_traces(traces)
            for budget, found in self.chosen_budgets.items():
                known = np.where(evaluations <= budget, values, np.inf)
                found.setdefault(instance, {})[pair] = np.minimum.reduceat(known, begins)
            for target, found in self.chosen_targets.items():
                reached = np.where(values <= target, evaluations, np.inf)
                found.setdefault(instance, {})[pair] = np.minimum.reduceat(reached, begins)

    def _make_curves(self) -> None:
        """Compute the curves of the last instance, whose targets depend on all its pairs."""
        pairs, self._traces = self._traces, {}
        if pairs:
            packed = [trace for traces in pairs.values() for trace in traces]
            counts = [len(traces) for traces in pairs.values()]
            curves = instance_curves(*unpack_traces(packed), counts)
            self.curves[self.configurations[-1].instance] = dict(zip(pairs, curves, strict=True))

    def column(self, name: str) -> NDArray[Any]:
        """Return a column of all runs, including those of incomplete pairs."""
        return np.concatenate([rows[name] for rows in self.rows])

    def conditions(self, sessions: tuple[Session, ...] = (), failed: int = 0) -> Conditions:
        """Return how the experiment was run; it began with its first session."""
        first, finished = self.configurations[0], self.column("finished")
        shared = ("experiment", "budget", "target", "runs", "seed")
        return Conditions(
            **{name: getattr(first, name) for name in shared},
            instances=tuple(dict.fromkeys(one.instance for one in self.configurations)),
            pairs=tuple(dict.fromkeys(Pair(*one.pair) for one in self.configurations)),
            done=finished.size,
            total=sum(one.runs for one in self.configurations),
            failed=failed,
            evaluations=int(self.column("evaluations").sum()),
            seconds=float(self.column("seconds").sum()),
            began=min((one.began for one in sessions), default=None),
            finished=float(finished.max()) if finished.size else None,
            missing=tuple(self.missing),
            sessions=sessions,
        )

    def sections(self, sessions: tuple[Session, ...] = (), failed: int = 0) -> list[Section]:
        """Return a section for each view and for each chosen budget and target."""
        self._make_curves()
        conditions, outline = self.conditions(sessions, failed), self.outline
        evaluations = map_all(self.runs, lambda rows: rows["evaluations"].astype(np.float64))
        target = np.nan if conditions.target is None else conditions.target

        def runtimes(rows: NDArray[np.void]) -> Sample:
            """Return the evaluations to the target, infinite without success."""
            return np.where(rows["value"] <= target, rows["evaluations_to_best"], np.inf)

        values = map_all(self.runs, lambda rows: rows["value"])
        views: dict[View, Section] = {
            "budget": FixedBudget(conditions, values, outline),
            "ecdf": Ecdf(conditions, self.curves, outline),
            "target": FixedTarget(conditions, map_all(self.runs, runtimes), outline, evaluations),
        }
        found = [views[view] for view in outline.views]
        for budget, sample in self.chosen_budgets.items():
            if budget < conditions.budget:
                chosen = replace(conditions, budget=budget, target=None, chosen=True)
                found.append(FixedBudget(chosen, sample, outline))
        for target, sample in self.chosen_targets.items():
            chosen = replace(conditions, target=target, chosen=True)
            found.append(FixedTarget(chosen, sample, outline, evaluations))
        return found
