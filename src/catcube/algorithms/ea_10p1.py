"""The (mu+lambda) evolutionary algorithm; by default (10+1).

C. Witt, "Runtime analysis of the (mu+1) EA on simple pseudo-Boolean functions",
Evolutionary Computation 14 (2006) 65-86.
"""

from typing import Annotated, NamedTuple

import numpy as np

from catcube.algorithms.algorithm import Algorithm, Native, ParameterInfo
from catcube.engine.compiled.jit import inlined, njit, part
from catcube.engine.mutation import MOST, flip_thresholds
from catcube.engine.point import (
    copy_point,
    draw_mutation,
    flipped_all,
    point_at,
    start,
    take_flips,
    undo_flips,
)
from catcube.engine.recorder import iterate, running
from catcube.engine.rng import below


class Parameters(NamedTuple):
    """Parameters of the (mu+lambda) EA."""

    mu: Annotated[int, ParameterInfo("parents", low=1)] = 10
    offspring: Annotated[int, ParameterInfo("offspring per generation, lambda", low=1)] = 1
    replace_first: Annotated[
        bool,
        ParameterInfo(
            "an offspring overwrites the first parent, from best to worst, that is not better"
        ),
    ] = False


@njit
def kernel(search, parameters, memory):
    """Mutate uniform parents; the best mu of parents and offspring survive.

    order[:mu] are the indices of the parents among the points, from best to worst; the points of
    the indices after them are free for offspring.
    """
    thresholds, positions, order, values = memory
    mu = parameters.mu
    for k in range(mu):
        values[k] = start(search, point_at(search, k))
        insert(order, values, k, k, False)
        if not running(search.recorder):
            return
    while iterate(search.recorder):
        survivors = 0
        for _ in range(parameters.offspring):
            parent = order[below(search.random, mu)]
            flips = draw_mutation(search, thresholds, positions)
            free = order[mu + survivors]
            worst = values[order[mu - 1]]
            values[free] = beget(search, parent, free, values[parent], worst, positions, flips)
            if not running(search.recorder):
                return
            if values[free] <= worst:
                survivors += 1
        for k in range(survivors):
            insert(order, values, mu, mu + k, parameters.replace_first)


@inlined
def beget(search, parent, free, value, worst, positions, flips):
    """Evaluate a mutant of the parent, and keep it as a free point if it is not worse than all."""
    point = point_at(search, parent)
    candidate = flipped_all(search, point, positions, flips, value)
    if candidate <= worst:
        child = point_at(search, free)
        copy_point(point, child)
        take_flips(search, child, positions, flips)
    undo_flips(search, point, positions, flips)
    return candidate


@part
def insert(order, values, mu, k, replace_first):
    """Insert the individual at order[k] into the mu ranked parents; order[k] gets the replaced one.

    It replaces the worst, or (replace_first) the first one that is not better.
    """
    newcomer = order[k]
    rank = 0
    while rank < mu and values[order[rank]] < values[newcomer]:
        rank += 1
    if rank == mu:
        return
    if replace_first:
        order[k] = order[rank]
    else:
        order[k] = order[mu - 1]
        for other in range(mu - 1, rank, -1):
            order[other] = order[other - 1]
    order[rank] = newcomer


def memory(n: int, parameters: Parameters) -> tuple[np.ndarray, ...]:
    """Allocate memory for one mutation of n bits or variables, and the ranks."""
    count = parameters.mu + parameters.offspring
    return flip_thresholds(n).copy(), np.zeros(MOST, np.int64), np.arange(count), np.zeros(count)


ALGORITHM = Algorithm(
    name="ea-10p1",
    title="(10+1) evolutionary algorithm, or any (mu+lambda)",
    reference="C. Witt, Evolutionary Computation 14, 2006",
    parameters=Parameters,
    kernel=kernel,
    points=lambda parameters: parameters.mu + parameters.offspring,
    memory=lambda n, parameters: memory(n, parameters),
    native=Native(lambda genes, parameters: memory(genes.variable.size, parameters)),
    presets={"paper": {"replace_first": True}},
)
