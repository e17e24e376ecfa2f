"""Results reduced to what is compared: one number a run, by instance and pair."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.statistics.results import Pair, Result, grouped

Samples = Mapping[str, Mapping[Pair, ArrayLike]]
"""By instance and pair, the values or the runtimes of the runs, infinite without success.

Functions of samples are for many runs: an array takes a tenth of the memory of as many results.
"""


def samples_of(
    results: Iterable[Result], measure: Callable[[Result], float]
) -> dict[str, dict[Pair, NDArray[np.float64]]]:
    """What `measure` says of each result.

    >>> from catcube.statistics import PlainResult, value_of
    >>> samples_of([PlainResult("easy", "rls", "linear", 1, 2, 120, 120)], value_of)
    {'easy': {Pair(algorithm='rls', representation='linear'): array([2.])}}
    """
    return {
        instance: {
            pair: np.array([measure(run) for run in runs], np.float64)
            for pair, runs in pairs.items()
        }
        for instance, pairs in grouped(results).items()
    }
