"""The runs of a store by experiment, read in one pass: a million take about 100 megabytes."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from catcube.errors import BadValue
from catcube.experiments.plan import Configuration
from catcube.experiments.store import DamageError, Store
from catcube.experiments.trace import TraceError, unpack_traces
from catcube.statistics import Curve, Pair, Sample, instance_curves
from catcube.studies.analysis.model import Conditions, Missing, Outline, Outliner, Session

BYTES = 4_000_000  # of packed traces that are unpacked together: that is quicker, and not too much


@dataclass(frozen=True)
class ExperimentRuns:
    """An experiment: its conditions, and the runs of complete pairs by instance.

    Instances and pairs are in the order of the plan; an instance without a complete pair is
    omitted. The runs of a pair are rows of `Store.parts`, in the order of their numbers. There are
    curves if the ECDF is among the views, values and runtimes at the budgets and to the targets
    that were asked for.
    """

    conditions: Conditions
    outline: Outline
    runs: Mapping[str, Mapping[Pair, NDArray[np.void]]]
    curves: Mapping[str, Mapping[Pair, Curve]]
    values: Mapping[int, Mapping[str, Mapping[Pair, Sample]]] = field(default_factory=dict)
    runtimes: Mapping[float, Mapping[str, Mapping[Pair, Sample]]] = field(default_factory=dict)

    def complete_instances(self) -> list[str]:
        """List the instances on which every pair of the plan has all its runs."""
        wanted = len(self.conditions.pairs)
        return [instance for instance, pairs in self.runs.items() if len(pairs) == wanted]


def read_experiments(
    store: Store, outline: Outliner, budgets: Sequence[int] = (), targets: Sequence[float] = ()
) -> list[ExperimentRuns]:
    """Read all experiments of a store, in the order of its plan."""
    configurations = store.configurations()
    instances: dict[str, dict[str, None]] = {}
    for configuration in configurations:
        instances.setdefault(configuration.experiment, {})[configuration.instance] = None
    readers: dict[str, _Reader] = {}
    try:
        for index, rows, traces in store.parts():
            configuration = configurations[index]
            name = configuration.experiment
            if name not in readers:
                found = outline(name, tuple(instances[name]), configuration.target)
                within = [budget for budget in budgets if budget < configuration.budget]
                readers[name] = _Reader(found, within, targets)
            readers[name].read(configuration, rows, traces)
        return [reader.experiment(store) for reader in readers.values()]
    except TraceError as error:
        raise DamageError(store.path, str(error)) from error


class _Reader:
    """Collects the runs of one experiment."""

    def __init__(self, outline: Outline, budgets: Sequence[int], targets: Sequence[float]) -> None:
        self.outline = outline
        self.configurations: list[Configuration] = []
        self.rows: list[NDArray[np.void]] = []
        self.runs: dict[str, dict[Pair, NDArray[np.void]]] = {}
        self.missing: dict[tuple[str, Pair], int] = {}
        self.maker = CurveMaker()
        self.values: dict[int, dict[str, dict[Pair, Sample]]] = {key: {} for key in budgets}
        self.runtimes: dict[float, dict[str, dict[Pair, Sample]]] = {key: {} for key in targets}

    def read(
        self, configuration: Configuration, rows: NDArray[np.void], traces: Sequence[bytes]
    ) -> None:
        """Read the runs of a configuration, the next of the plan."""
        self.configurations.append(configuration)
        self.rows.append(rows)
        instance, pair = configuration.instance, Pair(*configuration.pair)
        if rows.size < configuration.runs:
            self.missing[instance, pair] = configuration.runs - rows.size
            return
        self.runs.setdefault(instance, {})[pair] = rows
        if "ecdf" in self.outline.views:
            self.maker.add(instance, pair, traces)
        if self.values or self.runtimes:
            evaluations, values, begins = unpack_traces(traces)
            for budget, found in self.values.items():
                known = np.where(evaluations <= budget, values, np.inf)
                found.setdefault(instance, {})[pair] = np.minimum.reduceat(known, begins)
            for target, found in self.runtimes.items():
                reached = np.where(values <= target, evaluations, np.inf)
                found.setdefault(instance, {})[pair] = np.minimum.reduceat(reached, begins)

    def experiment(self, store: Store) -> ExperimentRuns:
        """Return the experiment after all runs are read."""
        return ExperimentRuns(
            _conditions(store, self.configurations, self.rows, self.missing),
            self.outline,
            self.runs,
            self.maker.curves(),
            self.values,
            self.runtimes,
        )


def _conditions(
    store: Store,
    configurations: Sequence[Configuration],
    parts: Sequence[NDArray[np.void]],
    missing: Mapping[tuple[str, Pair], int],
) -> Conditions:
    """Describe an experiment of a store by its configurations, their runs, and missing runs.

    Its sessions are those that made any of its runs; it began with the first of them.
    """
    first = configurations[0]
    session, evaluations, seconds, finished = (
        np.concatenate([rows[name] for rows in parts])
        for name in ("session", "evaluations", "seconds", "finished")
    )
    sessions = _sessions(store, session)
    return Conditions(
        experiment=first.experiment,
        instances=tuple(dict.fromkeys(one.instance for one in configurations)),
        pairs=tuple(dict.fromkeys(Pair(*one.pair) for one in configurations)),
        budget=first.budget,
        target=first.target,
        runs=first.runs,
        seed=first.seed,
        done=session.size,
        total=sum(one.runs for one in configurations),
        failed=sum(row[0] == first.experiment for row in store.failures()),
        evaluations=int(evaluations.sum()),
        seconds=float(seconds.sum()),
        began=min((one.began for one in sessions), default=None),
        finished=float(finished.max()) if finished.size else None,
        missing=tuple(Missing(*names, count) for names, count in missing.items()),
        sessions=sessions,
    )


def _sessions(store: Store, made_by: NDArray[np.int64]) -> tuple[Session, ...]:
    numbers, counts = np.unique(made_by, return_counts=True)
    made = dict(zip(numbers.tolist(), counts.tolist(), strict=True))
    return tuple(
        Session(
            began,
            version,
            sources,
            {name: str(value) for name, value in json.loads(machine).items()},
            made[number],
        )
        for number, began, version, sources, machine in store.sessions()
        if number in made
    )


class CurveMaker:
    """Makes curves of the packed traces of runs, as they are read: instance after instance.

    >>> from catcube.experiments.trace import pack_trace
    >>> maker = CurveMaker()
    >>> trace, pair = pack_trace(np.array([1, 5]), np.array([8.0, 0])), Pair("sa", "linear")
    >>> maker.add("easy", pair, [trace])
    >>> maker.curves()["easy"][pair].at([1, 5]).tolist()
    [0.02, 1.0]
    """

    def __init__(self) -> None:
        self._curves: dict[str, dict[Pair, Curve]] = {}
        self._waiting: dict[str, dict[Pair, Sequence[bytes]]] = {}
        self._bytes = 0

    def add(self, instance: str, pair: Pair, traces: Sequence[bytes]) -> None:
        """Add all runs of a pair on an instance; its targets depend on all its pairs."""
        if self._bytes >= BYTES and instance not in self._waiting:
            self._make()
        if instance in self._curves:
            raise BadValue(f"the pairs on {instance!r} do not follow each other")
        self._waiting.setdefault(instance, {})[pair] = traces
        self._bytes += sum(map(len, traces))

    def curves(self) -> dict[str, dict[Pair, Curve]]:
        """Return the curves of all that was added, by instance."""
        self._make()
        return self._curves

    def _make(self) -> None:
        """Unpack what waits, together."""
        traces, self._waiting, self._bytes = self._waiting, {}, 0
        if not traces:
            return
        packed = [trace for pairs in traces.values() for runs in pairs.values() for trace in runs]
        evaluations, values, begins = unpack_traces(packed)
        bounds = np.append(begins, values.size)
        first = 0
        for instance, pairs in traces.items():
            runs = [len(pair_traces) for pair_traces in pairs.values()]
            last = first + sum(runs)
            part = slice(bounds[first], bounds[last])
            found = instance_curves(
                evaluations[part], values[part], bounds[first:last] - bounds[first], runs
            )
            self._curves[instance] = dict(zip(pairs, found, strict=True))
            first = last
