"""Steepest-descent hill climbing with restart.

As in A. Berny, "Linear representation of categorical values" (2021).
"""

from typing import NamedTuple

import numpy as np

from catcube.algorithms.algorithm import Algorithm
from catcube.engine.compiled.jit import njit, part
from catcube.engine.generation import WINDOW, announce_neighbours
from catcube.engine.point import begin, flip, flipped, moves, point_at, start
from catcube.engine.recorder import iterate, running
from catcube.engine.rng import below


class Parameters(NamedTuple):
    """Hill climbing has no parameters."""


@njit
def kernel(search, parameters, memory):
    """Move to a best neighbour, of equal ones a random one; restart at local optima."""
    (best,) = memory
    point = point_at(search, 0)
    n = moves(search)
    value = begin(search, point)
    while iterate(search.recorder):
        ties = 0
        lowest = value
        for first in range(0, n, WINDOW):
            last = min(first + WINDOW, n)
            announce_neighbours(search, point, first, last)
            lowest, ties = scan(search, best, first, last, value, lowest, ties)
            if not running(search.recorder):
                return
        if ties > 0:
            flip(search, point, best[below(search.random, ties)])
            value = lowest
        else:
            value = start(search, point)


@part
def scan(search, best, first, last, value, lowest, ties):
    """Evaluate neighbours; return the lowest value, and the number of moves to it in `best`."""
    point = point_at(search, 0)
    for i in range(first, last):
        candidate = flipped(search, point, i, value)
        if candidate <= lowest and candidate < value:
            if candidate < lowest:
                lowest = candidate
                ties = 0
            best[ties] = i
            ties += 1
        if not running(search.recorder):
            break
    return lowest, ties


ALGORITHM = Algorithm(
    name="hc",
    title="steepest-descent hill climbing with restart",
    reference="A. Berny, Linear representation of categorical values, 2021",
    parameters=Parameters,
    kernel=kernel,
    memory=lambda layout, parameters: (np.zeros(layout.moves, np.int64),),
    native=True,
)
