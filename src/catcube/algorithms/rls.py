"""Random local search with restart.

As in A. Berny, "Linear representation of categorical values" (2021).
"""

from typing import Annotated, NamedTuple

from catcube.algorithms.algorithm import Algorithm, ParameterInfo
from catcube.engine.compiled.jit import njit
from catcube.engine.point import begin, flip, flipped, moves, point_at, start
from catcube.engine.recorder import iterate
from catcube.engine.rng import below


class Parameters(NamedTuple):
    """Parameters of random local search."""

    patience: Annotated[int, ParameterInfo("rejected moves in a row before a restart", low=1)] = 50


@njit
def kernel(search, parameters, memory):
    """Make uniform moves that are not worse; restart after `patience` successive rejections."""
    point = point_at(search, 0)
    n = moves(search)
    value = begin(search, point)
    failures = 0
    while iterate(search.recorder):
        if failures == parameters.patience:
            value = start(search, point)
            failures = 0
            continue
        i = below(search.random, n)
        candidate = flipped(search, point, i, value)
        if candidate <= value:
            flip(search, point, i)
            value = candidate
            failures = 0
        else:
            failures += 1


ALGORITHM = Algorithm(
    name="rls",
    title="random local search with restart",
    reference="A. Berny, Linear representation of categorical values, 2021",
    parameters=Parameters,
    kernel=kernel,
    native=True,
)
