"""What the study has measured: values, losses, areas and optima by experiment and instance."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from catcube.experiments.plan import Configuration, problem_of
from catcube.experiments.store import Store
from catcube.experiments.trace import unpack_traces
from catcube.statistics import Curve, Pair, Sample
from catcube.studies.analysis.model import Samples
from catcube.studies.analysis.read import CurveMaker


@dataclass(frozen=True)
class Facts:
    """What is known of an instance without a search."""

    categories: int  # of the variable that has the most
    variables: int
    optimum: float | None


@dataclass
class Measured:
    """An experiment of the study: of each pair on each instance one number per run.

    Only pairs with all their runs are here. `values` are the best values found, `first` those of
    the first point, `runtimes` the evaluations to the known optimum or to the target, infinite
    where it is missed.
    """

    experiment: str
    budget: int
    runs: int
    done: int = 0
    total: int = 0
    seconds: float = 0.0
    facts: dict[str, Facts] = field(default_factory=dict)
    values: dict[str, dict[Pair, Sample]] = field(default_factory=dict)
    first: dict[str, dict[Pair, Sample]] = field(default_factory=dict)
    runtimes: dict[str, dict[Pair, Sample]] = field(default_factory=dict)
    curves: Mapping[str, Mapping[Pair, Curve]] = field(default_factory=dict)

    @property
    def algorithms(self) -> list[str]:
        """The algorithms, in the order of the plan."""
        return list(
            dict.fromkeys(pair.algorithm for by_pair in self.values.values() for pair in by_pair)
        )

    @property
    def representations(self) -> list[str]:
        """The representations, in the order of the plan."""
        pairs = (pair for by_pair in self.values.values() for pair in by_pair)
        return list(dict.fromkeys(pair.representation for pair in pairs))

    def losses(self) -> Samples:
        """Return values as parts of the range: 0 is the best found, 1 the worst first point."""
        found = {}
        for instance, pairs in self.values.items():
            best = min(float(sample.min()) for sample in pairs.values())
            worst = max(float(sample.max()) for sample in self.first[instance].values())
            unit = worst - best or 1.0
            found[instance] = {pair: (sample - best) / unit for pair, sample in pairs.items()}
        return found

    def runtimes_or_values(self) -> Samples:
        """Return evaluations to the target, and beyond the budget, by value, where it is missed."""
        return {
            instance: {
                pair: np.where(
                    np.isfinite(sample), sample, self.budget + self.values[instance][pair]
                )
                for pair, sample in pairs.items()
            }
            for instance, pairs in self.runtimes.items()
        }

    def areas(self) -> dict[str, dict[Pair, float]]:
        """Return the areas over the convergence curves: 0 is at the best target at once."""
        return {
            instance: {pair: 1 - curve.area(self.budget) for pair, curve in pairs.items()}
            for instance, pairs in self.curves.items()
        }


def read(stores: Iterable[str | os.PathLike[str]]) -> dict[str, Measured]:
    """Read the experiments of these stores, in their order, also unfinished ones."""
    found: dict[str, Measured] = {}
    for path in stores:
        with Store(path) as store, store.snapshot():
            configurations = store.configurations()
            makers: dict[str, CurveMaker] = {}
            for index, rows, traces in store.parts():
                configuration = configurations[index]
                name = configuration.experiment
                measured = found.setdefault(
                    name, Measured(name, configuration.budget, configuration.runs)
                )
                measured.total += configuration.runs
                measured.done += rows.size
                measured.seconds += float(rows["seconds"].sum())
                if rows.size == configuration.runs:
                    _take(measured, configuration, rows, traces)
                    maker = makers.setdefault(name, CurveMaker())
                    maker.add(configuration.instance, Pair(*configuration.pair), traces)
            for name, maker in makers.items():
                found[name].curves = maker.curves()
    return found


def _take(
    measured: Measured, configuration: Configuration, rows: np.ndarray, traces: list[bytes]
) -> None:
    instance, pair = configuration.instance, Pair(*configuration.pair)
    if instance not in measured.facts:
        problem = problem_of(configuration.board, instance)
        sizes = problem.space.cardinalities
        measured.facts[instance] = Facts(int(sizes.max()), len(problem.space), problem.optimum)
    _, values, begins = unpack_traces(traces)
    optimum = measured.facts[instance].optimum
    target = configuration.target if optimum is None else optimum
    measured.values.setdefault(instance, {})[pair] = rows["value"]
    measured.first.setdefault(instance, {})[pair] = values[begins]
    if target is not None:
        reached = np.where(rows["value"] <= target, rows["evaluations_to_best"], np.inf)
        measured.runtimes.setdefault(instance, {})[pair] = reached
