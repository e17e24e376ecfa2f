"""The data of the statistics: one result per run, or samples with one number per run."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.base.text import expect

__all__ = [
    "Counts",
    "Data",
    "Pair",
    "PlainResult",
    "Result",
    "Sample",
    "Samples",
    "as_sample",
    "complete",
    "group_results",
    "records",
    "runtime_to",
    "samples_of",
    "value_of",
]


class Pair(NamedTuple):
    """An algorithm and its representation.

    Examples
    --------
    >>> Pair("rls", "linear").representation
    'linear'
    """

    algorithm: str
    representation: str


class PlainResult(NamedTuple):
    """A minimal result, for results of other programs.

    Examples
    --------
    >>> PlainResult("easy", "rls", "linear", 1, 0.0, 120, 1000).evaluations_to_best
    120
    """

    instance: str
    algorithm: str
    representation: str
    run: int
    value: float
    evaluations_to_best: int
    evaluations: int
    trace: tuple[ArrayLike, ArrayLike] = (), ()  # evaluations and values of the improvements


Result: TypeAlias = Any
"""A run: any object with the attributes of `PlainResult`, such as a result of `minimize`, or a dict
of them, such as a row of `catcube run --csv`."""


def records(results: Iterable[Result]) -> Iterator[Result]:
    """Yield results as objects; convert rows of a DataFrame or of `csv.DictReader`.

    Parameters
    ----------
    results
        Results, mappings from column names to cells (such as rows of `csv.DictReader`), or a
        DataFrame with one row per run.

    Yields
    ------
    Result
        An object with the attributes of a run. Cells of a mapping are converted to numbers where
        `PlainResult` has them, and for `seed`; all others become strings.

    Examples
    --------
    >>> rows = [{"instance": "easy", "run": "1", "value": "2.5", "evaluations": "9"}]
    >>> next(records(rows)).value
    2.5
    """
    for result in results.itertuples() if hasattr(results, "itertuples") else results:
        if isinstance(result, Mapping):
            read = {name: _READ.get(name, str)(cell) for name, cell in result.items()}
            result = SimpleNamespace(**read)
        yield result


_READ: dict[str, Callable[[Any], Any]] = {
    "value": float,
    **dict.fromkeys(("run", "seed", "evaluations_to_best", "evaluations"), int),
}


def value_of(result: Result) -> float:
    """Return the best value of a run, the measure of a fixed-budget experiment.

    Parameters
    ----------
    result
        The run.

    Returns
    -------
    float
        Its best value; smaller values are better.

    Examples
    --------
    >>> value_of(PlainResult("easy", "rls", "linear", 1, 2, 80, 1000))
    2.0
    """
    return float(result.value)


def runtime_to(target: float) -> Callable[[Result], float]:
    """Return the measure of a fixed-target experiment: evaluations to the target, or infinity.

    These are the evaluations to the best value. So a run must have been stopped at the target,
    unless no value is below it.

    Parameters
    ----------
    target
        The target. A run is successful if its best value is at most this.

    Returns
    -------
    callable
        A function that takes a result and returns its runtime: a number of evaluations as a float,
        or infinity for a run without success. Smaller runtimes are better.

    Examples
    --------
    >>> found = PlainResult("easy", "rls", "linear", 1, 0.0, 120, 120)
    >>> missed = PlainResult("easy", "rls", "linear", 2, 2.0, 80, 1000)
    >>> [runtime_to(0.0)(result) for result in (found, missed)]
    [120.0, inf]
    """

    def runtime(result: Result) -> float:
        return float(result.evaluations_to_best) if result.value <= target else float("inf")

    return runtime


def group_results(results: Iterable[Result]) -> dict[str, dict[Pair, list[Result]]]:
    """Group results by instance and pair, both in the order of their first appearance.

    A run that appears twice is an error. Runs of `minimize` are told apart by their seeds.

    Parameters
    ----------
    results
        The results, or rows that `records` can convert.

    Returns
    -------
    dict
        The results of each pair, by instance and then by `Pair`, in the given order.

    Examples
    --------
    >>> one = PlainResult("easy", "rls", "linear", 1, 0.0, 120, 120)
    >>> group_results([one]) == {"easy": {("rls", "linear"): [one]}}
    True
    >>> group_results([one, one])
    Traceback (most recent call last):
    ...
    catcube.errors.BadValue: expected different runs, got 'run 1 of rls-linear on easy, twice'
    """
    groups: dict[str, dict[Pair, list[Result]]] = {}
    seen = set()
    for result in records(results):
        pair = Pair(result.algorithm, result.representation)
        run = result.instance, pair, result.run, getattr(result, "seed", None)
        name = f"run {result.run} of {'-'.join(pair)} on {result.instance}"
        expect(run not in seen, "different runs", f"{name}, twice")
        seen.add(run)
        groups.setdefault(result.instance, {}).setdefault(pair, []).append(result)
    return groups


def complete(results: Iterable[Result], runs: int) -> list[Result]:
    """Return the results of the instances on which every pair has at least `runs` runs.

    In an unfinished experiment, these can be ranked already. The pairs are all that appear in the
    results.

    Parameters
    ----------
    results
        The results, or rows that `records` can convert.
    runs
        The number of runs that every pair must have.

    Returns
    -------
    list of Result
        All results of these instances, by instance and pair.

    Examples
    --------
    >>> done = [PlainResult("a", name, "linear", 1, 0.0, 9, 9) for name in ("rls", "sa")]
    >>> half = [PlainResult("b", "rls", "linear", 1, 0.0, 9, 9)]
    >>> complete(done + half, runs=1) == done
    True
    """
    every = group_results(results).values()
    pairs = {pair for one in every for pair in one}
    whole = [one for one in every if all(len(one.get(pair, ())) >= runs for pair in pairs)]
    return [result for one in whole for found in one.values() for result in found]


Samples = Mapping[str, Mapping[Pair, ArrayLike]]
"""Values or runtimes of the runs, by instance and pair; runtimes without success are infinite.

They take a tenth of the memory of the results.
"""

Data = Iterable[Result] | Samples
"""Results, or samples of numbers."""

Sample: TypeAlias = NDArray[np.float64]
Counts: TypeAlias = NDArray[np.int64]
Name = TypeVar("Name", bound=Hashable)


def as_sample(values: ArrayLike) -> Sample:
    """Convert a sample to an array; raise an error if it is empty or contains NaN.

    Parameters
    ----------
    values
        The numbers of a sample, usually one per run; they may be infinite.

    Returns
    -------
    numpy.ndarray
        The values as floats, in the given shape.

    Examples
    --------
    >>> as_sample([2, 1]).tolist()
    [2.0, 1.0]
    """
    sample = np.asarray(values, np.float64)
    expect(sample.size, "a sample with at least one value", "an empty one")
    expect(not np.isnan(sample).any(), "a sample without NaN", np.nan)
    return sample


def samples_of(data: Data, measure: Callable[[Result], float]) -> dict[str, dict[Pair, Sample]]:
    """Return the samples in the data: measure each result, or convert given samples to arrays.

    A measure of NaN is an error.

    Parameters
    ----------
    data
        Results or samples.
    measure
        The quantity to take from each result, such as `value_of` or `runtime_to(target)`. It is not
        used for samples, which are numbers already.

    Returns
    -------
    dict
        A one-dimensional array for each pair, with a number per run, by instance and then by
        `Pair`.

    Examples
    --------
    >>> from catcube.statistics import PlainResult, value_of
    >>> samples_of([PlainResult("easy", "rls", "linear", 1, 2, 120, 120)], value_of)
    {'easy': {Pair(algorithm='rls', representation='linear'): array([2.])}}
    """
    if isinstance(data, Mapping):
        return {
            instance: {Pair(*pair): as_sample(sample) for pair, sample in pairs.items()}
            for instance, pairs in data.items()
        }
    samples: dict[str, dict[Pair, Sample]] = {}
    for instance, pairs in group_results(data).items():
        samples[instance] = {}
        for pair, runs in pairs.items():
            sample = np.array([measure(run) for run in runs], np.float64)
            first = runs[int(np.isnan(sample).argmax())].run
            where = f"run {first} of {'-'.join(pair)} on {instance}: "
            expect(not np.isnan(sample).any(), "a number", np.nan, where=where)
            samples[instance][pair] = sample
    return samples
