"""Results reduced to what is compared: one number a run, by instance and pair."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.statistics.results import Pair, Result, grouped

Samples = Mapping[str, Mapping[Pair, ArrayLike]]
"""By instance and pair, the values or the runtimes of the runs, infinite without success.

Functions of samples are for many runs: an array takes a tenth of the memory of as many results.
"""


def checked_sample(values: ArrayLike) -> NDArray[np.float64]:
    """A sample as an array; one that is empty or holds NaN, of which nothing is true, is refused.

    >>> checked_sample([2, 1]).tolist()
    [2.0, 1.0]
    """
    sample = np.asarray(values, np.float64)
    if sample.size == 0:
        raise ValueError("the sample is empty")
    if np.isnan(sample).any():
        raise ValueError("nothing can be said of a sample with NaN in it")
    return sample


def samples_of(
    results: Iterable[Result], measure: Callable[[Result], float]
) -> dict[str, dict[Pair, NDArray[np.float64]]]:
    """What `measure` says of each result, which must be a number.

    >>> from catcube.statistics import PlainResult, value_of
    >>> samples_of([PlainResult("easy", "rls", "linear", 1, 2, 120, 120)], value_of)
    {'easy': {Pair(algorithm='rls', representation='linear'): array([2.])}}
    """
    found: dict[str, dict[Pair, NDArray[np.float64]]] = {}
    for instance, pairs in grouped(results).items():
        found[instance] = {}
        for pair, runs in pairs.items():
            sample = np.array([measure(run) for run in runs], np.float64)
            if np.isnan(sample).any():
                first = runs[int(np.isnan(sample).argmax())]
                raise ValueError(
                    f"run {first.run} of {'-'.join(pair)} on {instance} has NaN in the place of a "
                    "number"
                )
            found[instance][pair] = sample
    return found
