"""Plans: experiments, each of instances × algorithms × representations × runs."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from catcube.base.text import quoted, unknown_name_message
from catcube.errors import BadValue
from catcube.experiments import batch
from catcube.experiments.configuration import Configuration
from catcube.problems import instances
from catcube.problems.instances import Content
from catcube.problems.problem import Problem

MOST_CONFIGURATIONS = 250_000
"""The most configurations of a plan: reading so many takes minutes."""

MOST_RUNS = 10**8
"""The most runs of a plan: a store of so many takes about twenty gigabytes."""


@dataclass(frozen=True)
class Experiment:
    """One table of a plan; `boards` are the instances by name, in order.

    An instance whose name has all arguments, as `match:20,9`, has no board; one that was read from
    files, as `colouring:queen8_8.col,9`, has these instead. With `shuffled` the
    categories of each variable are permuted at random, in one way for all runs on an instance,
    before bits represent them.
    """

    name: str
    boards: Mapping[str, Content]
    algorithms: tuple[str, ...]
    representations: tuple[str, ...]
    budget: int
    runs: int
    seed: int = 1
    target: float | None = None
    restart: int | None = None
    preset: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    shuffled: bool = False

    @property
    def size(self) -> int:
        """The number of configurations."""
        return len(self.boards) * len(self.algorithms) * len(self.representations)

    def configurations(self) -> list[Configuration]:
        """Return them by instance, algorithm and representation, as `batch.plan` does."""
        jobs = batch.plan(
            {name: problem_of(board, name) for name, board in self.boards.items()},
            self.algorithms,
            self.representations,
            budget=self.budget,
            runs=1,
            seed=self.seed,
            target=self.target,
            preset=self.preset,
            parameters=self.parameters,
        )
        return [
            Configuration(
                experiment=self.name,
                instance=job.instance,
                board=str(self.boards[job.instance] or ""),
                algorithm=job.run.algorithm.name,
                representation=job.representation,
                # Sorted by name, as in a store.
                parameters=tuple(sorted(job.run.algorithm.recorded(job.run.parameters).items())),
                budget=self.budget,
                target=self.target,
                restart=self.restart,
                seed=self.seed,
                runs=self.runs,
                shuffled=self.shuffled,
            )
            for job in jobs
        ]

    def scaled(
        self, runs: int | None = None, budget: int | None = None, instances: int | None = None
    ) -> "Experiment":
        """Limit runs, evaluations and instances; these are spread evenly."""
        names = list(self.boards)
        count = len(names) if instances is None else min(instances, len(names))
        spread = [names[index * len(names) // count] for index in range(count)]
        return replace(
            self,
            runs=self.runs if runs is None else min(runs, self.runs),
            budget=self.budget if budget is None else min(budget, self.budget),
            boards={name: self.boards[name] for name in spread},
        )


@dataclass(frozen=True)
class Plan:
    """Experiments under one name, built in Python or read by `catcube.experiments.plan_file`.

    >>> from catcube.problems.sudoku import Board
    >>> board = Board("1..4 ..1. .1.. 4..1")
    >>> pilot = Experiment("pilot", {"tiny": board}, ("rls", "sa"), ("linear",), budget=100, runs=5)
    >>> plan = Plan("mine", (pilot,))
    >>> plan.total_runs, plan.scaled(runs=2).total_runs
    (10, 4)
    """

    name: str
    experiments: tuple[Experiment, ...]

    def __post_init__(self) -> None:
        names = [experiment.name for experiment in self.experiments]
        for name in names:
            if names.count(name) > 1:
                raise BadValue(f"two experiments are named {quoted(name)}")
        size = sum(experiment.size for experiment in self.experiments)
        runs = sum(experiment.size * experiment.runs for experiment in self.experiments)
        for count, most, kind in (
            (size, MOST_CONFIGURATIONS, "configurations (instance, algorithm, representation)"),
            (runs, MOST_RUNS, "runs"),
        ):
            if count > most:
                raise BadValue(f"expected at most {most:,} {kind}, got {count:,}")

    def configurations(self) -> list[Configuration]:
        """Return all configurations, in the order of the plan."""
        return list(self._configurations)

    @cached_property
    def _configurations(self) -> list[Configuration]:
        return [
            configuration
            for experiment in self.experiments
            for configuration in experiment.configurations()
        ]

    @property
    def total_runs(self) -> int:
        """The number of runs of the plan."""
        return sum(configuration.runs for configuration in self._configurations)

    def scaled(
        self, runs: int | None = None, budget: int | None = None, instances: int | None = None
    ) -> "Plan":
        """Limit runs, evaluations per run and instances of all experiments."""
        for name, count in {"runs": runs, "budget": budget, "instances": instances}.items():
            if count is not None and count < 1:
                raise BadValue(f"{name}: expected at least 1, got {count!r}")
        return replace(
            self,
            experiments=tuple(
                experiment.scaled(runs, budget, instances) for experiment in self.experiments
            ),
        )

    def checked_experiment(self, name: str) -> str:
        """Return the name if there is such an experiment, else raise a ValueError."""
        known = [experiment.name for experiment in self.experiments]
        if name not in known:
            raise BadValue(unknown_name_message("experiment", name, known))
        return name


def problem_of(board: Content | str, name: str) -> Problem:
    """Build a problem without warnings about conflicting givens: they come when a board is read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return instances.problem_of(board, name)
