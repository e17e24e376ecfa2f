"""Results reduced to what is compared: one number per run, by instance and pair."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.errors import BadValue
from catcube.statistics.results import Pair, Result, grouped

CELLS = 1_000_000  # numbers that are worked on at a time: memory stays small

Samples = Mapping[str, Mapping[Pair, ArrayLike]]
"""By instance and pair, the values or the runtimes of the runs, infinite without success.

They take a tenth of the memory of as many results.
"""

Data = Iterable[Result] | Samples
"""Results, or samples of what was measured already."""

Sample: TypeAlias = NDArray[np.float64]
Name = TypeVar("Name", bound=Hashable)
Known = TypeVar("Known")


def checked_sample(values: ArrayLike) -> Sample:
    """Return a sample as an array; refuse one that is empty or contains NaN.

    >>> checked_sample([2, 1]).tolist()
    [2.0, 1.0]
    """
    sample = np.asarray(values, np.float64)
    if sample.size == 0:
        raise BadValue("the sample is empty")
    if np.isnan(sample).any():
        raise BadValue("the sample contains NaN")
    return sample


def samples_of(data: Data, measure: Callable[[Result], float]) -> dict[str, dict[Pair, Sample]]:
    """Measure each result; samples are returned as they are, as arrays.

    >>> from catcube.statistics import PlainResult, value_of
    >>> samples_of([PlainResult("easy", "rls", "linear", 1, 2, 120, 120)], value_of)
    {'easy': {Pair(algorithm='rls', representation='linear'): array([2.])}}
    """
    if isinstance(data, Mapping):
        return {
            instance: {Pair(*pair): checked_sample(sample) for pair, sample in pairs.items()}
            for instance, pairs in data.items()
        }
    samples: dict[str, dict[Pair, Sample]] = {}
    for instance, pairs in grouped(data).items():
        samples[instance] = {}
        for pair, runs in pairs.items():
            sample = np.array([measure(run) for run in runs], np.float64)
            if np.isnan(sample).any():
                first = runs[int(np.isnan(sample).argmax())]
                raise BadValue(
                    f"expected a number, got NaN for run {first.run} of {'-'.join(pair)} on "
                    f"{instance}"
                )
            samples[instance][pair] = sample
    return samples


def flattened(known: Mapping[str, Mapping[Pair, Known]]) -> dict[tuple[str, Pair], Known]:
    """Turn a mapping by instance and pair into one by both together.

    >>> flattened({"easy": {Pair("sa", "linear"): 1}})
    {('easy', Pair(algorithm='sa', representation='linear')): 1}
    """
    return {(name, pair): value for name, pairs in known.items() for pair, value in pairs.items()}


def by_instance(
    known: Mapping[tuple[str, Pair], Known], instances: Iterable[str] = ()
) -> dict[str, dict[Pair, Known]]:
    """Undo `flattened`; the instances named are included even if nothing is known of them.

    >>> by_instance({("easy", Pair("sa", "linear")): 1}, ["hard"])
    {'hard': {}, 'easy': {Pair(algorithm='sa', representation='linear'): 1}}
    """
    nested: dict[str, dict[Pair, Known]] = {name: {} for name in instances}
    for (name, pair), value in known.items():
        nested.setdefault(name, {})[pair] = value
    return nested


def equal_sized(
    samples: Mapping[Name, Sample], least: int = 1
) -> Iterator[tuple[Sequence[Name], Sample]]:
    """Yield names and matrices whose rows are samples of one size; none takes much memory.

    A thousand instances with twenty pairs are twenty thousand small samples, for which calling
    numpy takes longer than computing. Each row counts as `least` numbers at least.

    >>> names, rows = next(equal_sized({"a": np.array([1.0, 2]), "b": np.array([3.0, 4])}))
    >>> names, rows.tolist()
    (['a', 'b'], [[1.0, 2.0], [3.0, 4.0]])
    """
    sizes: dict[int, list[Name]] = {}
    for name, sample in samples.items():
        sizes.setdefault(sample.size, []).append(name)
    for size, names in sizes.items():
        step = max(1, CELLS // max(size, least))
        for first in range(0, len(names), step):
            part = names[first : first + step]
            yield part, np.stack([samples[name] for name in part])
