"""The (1+1) evolutionary algorithm.

H. Mühlenbein, "How genetic algorithms really work: mutation and hillclimbing", PPSN II (1992);
S. Droste, T. Jansen, I. Wegener, "On the analysis of the (1+1) evolutionary algorithm",
Theoretical Computer Science 276 (2002) 51-81.
"""

from typing import NamedTuple

from catcube.algorithms.algorithm import Algorithm, Mutation
from catcube.engine.compiled.jit import njit
from catcube.engine.point import begin, draw_mutation, flipped_all, point_at, take_flips, undo_flips
from catcube.engine.recorder import iterate
from catcube.engine.rng import new_mutation


class Parameters(NamedTuple):
    """Parameters of the (1+1) EA."""

    mutation: Mutation = 1.0


@njit
def kernel(search, parameters, memory):
    """Apply standard bit mutation; accept if not worse."""
    thresholds, positions = memory
    point = point_at(search, 0)
    value = begin(search, point)
    while iterate(search.recorder):
        flips = draw_mutation(search, thresholds, positions)
        candidate = flipped_all(search, point, positions, flips, value)
        if candidate <= value:
            take_flips(search, point, positions, flips)
            value = candidate
        else:
            undo_flips(search, point, positions, flips)


ALGORITHM = Algorithm(
    name="ea-1p1",
    title="(1+1) evolutionary algorithm",
    reference="S. Droste, T. Jansen, I. Wegener, Theoretical Computer Science 276, 2002",
    parameters=Parameters,
    kernel=kernel,
    memory=lambda layout, parameters: new_mutation(layout.variable.size, parameters.mutation),
    native=True,
    added=({"mutation": 1.0},),
)
