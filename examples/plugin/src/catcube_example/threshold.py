"""An algorithm: threshold accepting.

G. Dueck and T. Scheuer, "Threshold accepting: a general purpose optimization algorithm appearing
superior to simulated annealing", Journal of Computational Physics 90 (1990) 161-175; here with a
constant threshold.
"""

from typing import Annotated, NamedTuple

from catcube.algorithms.algorithm import Algorithm, ParameterInfo
from catcube.engine.compiled.jit import njit
from catcube.engine.point import flip, flipped, moves, point_at, start
from catcube.engine.recorder import iterate
from catcube.engine.rng import below
from catcube.plugins import algorithm


class Parameters(NamedTuple):
    """Parameters of threshold accepting."""

    threshold: Annotated[float, ParameterInfo("largest accepted worsening", low=0)] = 1.0


@njit
def kernel(search, parameters, memory):
    """Make one uniform move; accept it unless it is worse by more than the threshold."""
    point = point_at(search, 0)
    n = moves(search)
    value = start(search, point)
    while iterate(search.recorder):
        i = below(search.random, n)
        candidate = flipped(search, point, i, value)
        if candidate <= value + parameters.threshold:
            flip(search, point, i)
            value = candidate


THRESHOLD = algorithm(
    Algorithm(
        name="threshold",
        title="threshold accepting with a constant threshold",
        reference="G. Dueck and T. Scheuer, Journal of Computational Physics 90, 1990",
        parameters=Parameters,
        kernel=kernel,
        native=True,
    )
)
