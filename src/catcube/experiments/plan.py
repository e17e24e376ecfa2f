"""Plans: experiments, each of instances × algorithms × representations × runs.

A `Configuration` is everything that a run depends on, except its number. Together they determine
its key and its seed. `catcube run`, `campaign` and `reproduce` build all runs from configurations.
"""

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Annotated, Any, Self

import msgspec

from catcube import algorithms
from catcube.algorithms.algorithm import Algorithm
from catcube.algorithms.enumeration import ALGORITHM as ENUMERATION
from catcube.base.seeds import derive_seed
from catcube.base.text import expect, expect_known
from catcube.engine.search import Genes, Layout
from catcube.errors import BadValue
from catcube.problems import instances
from catcube.problems.functions import PythonProblem, with_evaluation
from catcube.problems.instances import Content
from catcube.problems.objective import Evaluation
from catcube.problems.problem import Problem
from catcube.representations.layout import build_layout
from catcube.search.auto import AUTO, MAX_MODEL_EVALUATIONS, MODEL_PREFIX, choose
from catcube.search.run import Run, model_prelude

MAX_CONFIGURATIONS = 250_000
"""The maximum number of configurations of a plan: reading them takes minutes."""

MAX_RUNS = 10**8
"""The maximum number of runs of a plan: their store takes about twenty gigabytes."""

_SHARED = ("budget", "target", "restart", "seed", "runs", "shuffled")  # within an experiment

Count = Annotated[int, msgspec.Meta(ge=1)]
Unsigned = Annotated[int, msgspec.Meta(ge=0)]


class Configuration(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Runs of one algorithm with one representation on one instance, fully resolved.

    It is plain data for other processes, machines and stores. `content` is empty if the name of
    the instance includes all arguments, such as `match:20,9`. Otherwise it is the text of a board,
    or of the files of an instance such as `colouring:queen8_8.col,9`. With `shuffled` the
    categories of each variable are permuted before they are represented by bits.

    >>> configuration = Configuration(
    ...     experiment="mine", instance="tiny", content="12..34122143432.", algorithm="rls",
    ...     representation="linear", parameters=(("patience", 50),), budget=100, target=0.0,
    ...     restart=None, seed=1, runs=3)
    >>> configuration.key(2)
    ('mine', 'tiny', 'rls', 'linear', 2, 'a67efe8bb46b2423')
    >>> Configuration.from_json(configuration.to_json()) == configuration
    True
    """

    experiment: str
    instance: str
    content: str = msgspec.field(name="board")  # its name in stores
    algorithm: str
    representation: str
    parameters: tuple[tuple[str, Any], ...]
    budget: Count
    target: float | None
    restart: Count | None
    seed: Unsigned
    runs: Count
    shuffled: bool = False
    problem: Problem | None = None  # an object that only this process has

    @property
    def digest(self) -> str:
        """A hash of everything that determines the outcome of a run."""
        relevant = self._to_builtins()
        del relevant["experiment"], relevant["runs"]
        return sha256(_json(relevant).encode()).hexdigest()[:16]

    @property
    def pair(self) -> tuple[str, str]:
        """Algorithm and representation."""
        return self.algorithm, self.representation

    @property
    def names(self) -> tuple[str, str, str, str]:
        """Experiment, instance, algorithm and representation."""
        return self.experiment, self.instance, self.algorithm, self.representation

    def key(self, number: int) -> tuple[str, str, str, str, int, str]:
        """Return the permanent key of a run."""
        return (*self.names, number, self.digest)

    def run_seed(self, number: int) -> int:
        """Derive the seed of a run from its names, its number and the seed of the experiment."""
        return derive_seed(self.seed, self.instance, self.algorithm, self.representation, number)

    @property
    def shuffling_seed(self) -> int | None:
        """Return the seed of the permutations of categories, one for all pairs on an instance."""
        return derive_seed(self.seed, self.instance, "categories") if self.shuffled else None

    def to_json(self) -> str:
        """Return JSON text with names in a fixed order."""
        return _json(self._to_builtins() | {"parameters": dict(self.parameters)})

    def _to_builtins(self) -> dict[str, Any]:
        """Return all fields as plain data; `shuffled` only if true, so that older keys stay."""
        named = self.problem is None
        expect(named, "an instance by name or file", self.problem, where=f"{self.instance}: ")
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Parse the output of `to_json`; raise a ValueError for anything else."""
        try:
            plain = json.loads(text)
            plain["parameters"] = list(plain["parameters"].items())
            return msgspec.convert(plain, cls)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise BadValue(f"not a configuration ({error})") from error

    def build_run(self) -> Run:
        """Build the run with seed 0; problems and layouts are cached."""
        problem = self.problem or build_problem(self.content, self.instance)[0]
        method, prelude = algorithm_named(self.algorithm), None
        layout = _layout(problem, self.representation, self.shuffling_seed)
        if self.algorithm.startswith(MODEL_PREFIX):  # as `minimize` does with these budgets
            prelude = model_prelude(min(self.budget, MAX_MODEL_EVALUATIONS))
            evaluation = getattr(problem, "evaluation", Evaluation())
            problem = with_evaluation(problem, replace(evaluation, unique=True))
        return Run(
            problem,
            layout,
            method,
            method.from_key(dict(self.parameters)),
            self.budget,
            self.target,
            seed=0,
            restart=self.restart,
            representation=self.representation,
            prelude=prelude,
        )


def algorithm_named(name: str) -> Algorithm:
    """Return a registered algorithm, without the model that precedes it, or the enumeration."""
    name = name.removeprefix(MODEL_PREFIX)
    return ENUMERATION if name == ENUMERATION.name else algorithms.algorithm(name)


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)


@lru_cache(maxsize=128)
def build_problem(content: str, name: str) -> tuple[Problem, list[str]]:
    """Build the problem of an instance; return it and the warnings about it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        problem = instances.build_problem(content, name)
    return problem, [f"{name}: {warning.message}" for warning in caught]


@lru_cache(maxsize=128)
def _layout(problem: Problem, representation: str, shuffling_seed: int | None) -> Layout | Genes:
    return build_layout(problem.space, representation, shuffling_seed)


def compare_plans(stored: Sequence[Configuration], planned: Sequence[Configuration]) -> str | None:
    """Describe the first difference of two plans; None if they are equal."""
    for there, here in zip(stored, planned, strict=False):
        for name in Configuration.__struct_fields__:
            old, new = getattr(there, name), getattr(here, name)
            if old != new:
                shown = (
                    "of other files" if name == "content" else f"{old!r} stored, {new!r} planned"
                )
                return f"experiment {there.experiment!r}, {name}: {shown}"
    if len(stored) != len(planned):
        return f"{len(stored)} configurations stored, {len(planned)} planned"
    return None


@dataclass(frozen=True)
class Experiment:
    """A table of a plan.

    `instances` are contents by name: None if the name includes all arguments, such as `match:20,9`.
    A `Problem` can be run by `catcube.experiments.batch`, but not be stored. With `shuffled` the
    categories of each variable are permuted at random before they are represented by bits, in the
    same way for all runs on an instance.
    """

    name: str
    instances: Mapping[str, Content | Problem]
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
        return len(self.instances) * len(self.algorithms) * len(self.representations)

    def configurations(self) -> list[Configuration]:
        """Return the configurations by instance, algorithm and representation.

        A parameter is passed to each algorithm that has it; raise an error for one that none has.
        "auto" is resolved for each instance.
        """
        return list(self._configurations)

    @cached_property
    def _configurations(self) -> list[Configuration]:
        self._check_parameters()
        found: dict[tuple[str, str, str, str], Configuration] = {}
        for instance, content in self.instances.items():
            problem = content if isinstance(content, Problem) else None
            text = "" if problem else str(content or "")
            built = problem or build_problem(text, instance)[0]
            in_python = isinstance(built, PythonProblem)
            for algorithm in self.algorithms:
                for representation in self.representations:
                    choice = choose(
                        built.space,
                        self.budget,
                        in_python,
                        algorithm,
                        representation,
                        self.preset,
                        self.parameters,
                        exchange=built.exchanges and AUTO in (algorithm, representation),
                    )
                    method = algorithm_named(choice.algorithm or ENUMERATION.name)
                    settings = dict(choice.parameters) | self._parameters_of(method)
                    recorded = method.to_key(method.resolve(self.preset, settings))
                    configuration = Configuration(
                        experiment=self.name,
                        instance=instance,
                        content=text,
                        algorithm=choice.name or method.name,
                        representation=str(choice.representation),
                        parameters=tuple(sorted(recorded.items())),
                        problem=problem,
                        **{name: getattr(self, name) for name in _SHARED},
                    )
                    configuration.build_run()  # raises an error if it is not possible
                    found[configuration.names] = configuration
        return list(found.values())

    def _parameters_of(self, method: Algorithm) -> dict[str, Any]:
        """Return the parameters of an algorithm: all if it is the only one, else those it has."""
        if len(self.algorithms) == 1:
            return dict(self.parameters)
        accepted = method.accepted_names()
        return {name: value for name, value in self.parameters.items() if name in accepted}

    def _check_parameters(self) -> None:
        """Raise a ValueError for a parameter that none of several algorithms has."""
        methods = [algorithm_named(name) for name in self.algorithms if name != AUTO]
        known = sorted(set().union(*(method.accepted_names() for method in methods)))
        for name in self.parameters if len(self.algorithms) > 1 else ():
            expect_known("parameter", name, known)

    def scaled(
        self, runs: int | None = None, budget: int | None = None, instances: int | None = None
    ) -> "Experiment":
        """Return a copy with limited runs and evaluations, and evenly spread instances."""
        names = list(self.instances)
        count = min(instances or len(names), len(names))
        spread = [names[index * len(names) // count] for index in range(count)]
        return replace(
            self,
            runs=min(runs or self.runs, self.runs),
            budget=min(budget or self.budget, self.budget),
            instances={name: self.instances[name] for name in spread},
        )


@dataclass(frozen=True)
class Plan:
    """Experiments under one name, built in Python or read by `catcube.experiments.plan_file`.

    >>> pilot = Experiment("pilot", {"match:9,4": None}, ("rls", "sa"), ("linear",), 100, runs=5)
    >>> plan = Plan("mine", (pilot,))
    >>> plan.total_runs, plan.scaled(runs=2).total_runs
    (10, 4)
    """

    name: str
    experiments: tuple[Experiment, ...]

    def __post_init__(self) -> None:
        names = [experiment.name for experiment in self.experiments]
        expect(len({*names}) == len(names), "experiments with different names", names)
        check_size(sum(experiment.size for experiment in self.experiments), self.total_runs)

    def configurations(self) -> list[Configuration]:
        """Return all configurations, in the order of the plan."""
        return [one for experiment in self.experiments for one in experiment.configurations()]

    @property
    def total_runs(self) -> int:
        """The number of runs of the plan."""
        return sum(experiment.size * experiment.runs for experiment in self.experiments)

    def notes(self) -> list[str]:
        """Return warnings about the instances, such as conflicting givens of a board."""
        return [
            note
            for experiment in self.experiments
            for name, content in experiment.instances.items()
            if not isinstance(content, Problem)
            for note in build_problem(str(content or ""), name)[1]
        ]

    def scaled(
        self, runs: int | None = None, budget: int | None = None, instances: int | None = None
    ) -> "Plan":
        """Return a copy whose experiments have limited runs, evaluations per run and instances."""
        for name, count in {"runs": runs, "budget": budget, "instances": instances}.items():
            expect(count is None or count >= 1, "at least 1", count, where=f"{name}: ")
        scaled = (experiment.scaled(runs, budget, instances) for experiment in self.experiments)
        return replace(self, experiments=tuple(scaled))

    def check_experiment(self, name: str) -> None:
        """Raise a ValueError unless there is an experiment of this name."""
        expect_known("experiment", name, [experiment.name for experiment in self.experiments])


def check_size(configurations: int, runs: int) -> None:
    """Raise a ValueError if a plan has too many configurations or runs."""
    most = f"at most {MAX_CONFIGURATIONS:,} configurations"
    expect(configurations <= MAX_CONFIGURATIONS, most, configurations)
    expect(runs <= MAX_RUNS, f"at most {MAX_RUNS:,} runs", runs)
