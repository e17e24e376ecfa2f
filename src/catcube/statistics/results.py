"""What the statistics are made of: one result per run, grouped by instance and pair."""

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol, TypeVar

from catcube.errors import BadValue


class Pair(NamedTuple):
    """An algorithm and the representation it works through."""

    algorithm: str
    representation: str


class Result(Protocol):
    """One run. `catcube.experiments.batch.Row` is one; so is any object with these attributes."""

    @property
    def instance(self) -> str:
        """What was solved."""

    @property
    def algorithm(self) -> str:
        """By which algorithm."""

    @property
    def representation(self) -> str:
        """Through which representation."""

    @property
    def run(self) -> int:
        """The number of the run."""

    @property
    def value(self) -> float:
        """The best value found."""

    @property
    def evaluations_to_best(self) -> int:
        """After how many evaluations it was found."""

    @property
    def evaluations(self) -> int:
        """All evaluations of the run."""


class PlainResult(NamedTuple):
    """A result and nothing else, for results that were not computed here."""

    instance: str
    algorithm: str
    representation: str
    run: int
    value: float
    evaluations_to_best: int
    evaluations: int


AnyResult = TypeVar("AnyResult", bound=Result)
Grouped = dict[str, dict[Pair, list[AnyResult]]]


def value_of(result: Result) -> float:
    """Return the best value of a run: the measure of a fixed-budget experiment."""
    return float(result.value)


def runtime_to(target: float) -> Callable[[Result], float]:
    """Return the measure of a fixed-target experiment: evaluations to the target, or infinity.

    The evaluation that found the best value is the one that reached the target if the run was
    stopped there, or if no value is below the target.

    >>> found = PlainResult("easy", "rls", "linear", 1, 0.0, 120, 120)
    >>> missed = PlainResult("easy", "rls", "linear", 2, 2.0, 80, 1000)
    >>> [runtime_to(0.0)(result) for result in (found, missed)]
    [120.0, inf]
    """

    def runtime(result: Result) -> float:
        return float(result.evaluations_to_best) if result.value <= target else float("inf")

    return runtime


def grouped(results: Iterable[AnyResult]) -> Grouped[AnyResult]:
    """Group the results by instance and pair, both in the order of their first appearance.

    A run that appears twice is refused: it would count twice everywhere.

    >>> one = PlainResult("easy", "rls", "linear", 1, 0.0, 120, 120)
    >>> grouped([one]) == {"easy": {("rls", "linear"): [one]}}
    True
    >>> grouped([one, one])
    Traceback (most recent call last):
    ...
    catcube.errors.BadValue: run 1 of rls-linear on easy appears twice
    """
    groups: Grouped[AnyResult] = {}
    seen = set()
    for result in results:
        pair = Pair(result.algorithm, result.representation)
        if (result.instance, pair, result.run) in seen:
            raise BadValue(
                f"run {result.run} of {'-'.join(pair)} on {result.instance} appears twice"
            )
        seen.add((result.instance, pair, result.run))
        groups.setdefault(result.instance, {}).setdefault(pair, []).append(result)
    return groups


def complete(results: Iterable[AnyResult], runs: int) -> list[AnyResult]:
    """Keep the results of the instances on which every pair has at least `runs` runs.

    In an unfinished experiment, these can already be ranked. The pairs are those that appear
    anywhere in the results.

    >>> done = [PlainResult("a", name, "linear", 1, 0.0, 9, 9) for name in ("rls", "sa")]
    >>> half = [PlainResult("b", "rls", "linear", 1, 0.0, 9, 9)]
    >>> complete(done + half, runs=1) == done
    True
    """
    groups = grouped(results)
    pairs = {pair for by_pair in groups.values() for pair in by_pair}
    return [
        result
        for by_pair in groups.values()
        if all(len(by_pair.get(pair, [])) >= runs for pair in pairs)
        for pair_results in by_pair.values()
        for result in pair_results
    ]
