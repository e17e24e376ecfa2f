"""The (mu+lambda) evolutionary algorithm; by default (10+1).

C. Witt, "Runtime analysis of the (mu+1) EA on simple pseudo-Boolean functions",
Evolutionary Computation 14 (2006) 65-86.
"""

from typing import Annotated, NamedTuple

import numpy as np

from catcube.algorithms.algorithm import Algorithm, Mutation, ParameterInfo
from catcube.engine.compiled.jit import inlined, njit, part, unsigned
from catcube.engine.point import (
    copy_point,
    draw_mutation,
    flipped_all,
    moved_all,
    point_at,
    point_bytes,
    start,
    take_flips,
    undo_flips,
)
from catcube.engine.recorder import iterate, running
from catcube.engine.rng import below, new_mutation
from catcube.engine.search import AnyLayout


class Parameters(NamedTuple):
    """Parameters of the (mu+lambda) EA."""

    population: Annotated[int, ParameterInfo("population size, mu", low=1)] = 10
    offspring: Annotated[int, ParameterInfo("offspring per generation, lambda", low=1)] = 1
    replace_first: Annotated[
        bool, ParameterInfo("replace the best parent that is not better (else the worst parent)")
    ] = False
    mutation: Mutation = 1.0


SMALL = 1024  # bytes of a point that is copied before its offspring is evaluated


@njit
def kernel(search, parameters, memory):
    """Mutate uniform parents; the best mu of parents and offspring survive.

    order[:mu] are the points of the parents, from best to worst, and values[:mu] their values; the
    other points are free for offspring.
    """
    _, _, order, values = memory
    for k in range(parameters.population):
        values[k] = start(search, point_at(search, k))
        insert(order, values, k, k, False)
        if not running(search.recorder):
            return
    if parameters.replace_first and point_bytes(search) <= SMALL:
        evolve_copies(search, parameters, memory)
    else:
        evolve(search, parameters, memory)


@part
def evolve(search, parameters, memory):
    """Mutate parents in place, and copy those whose offspring survive."""
    thresholds, positions, order, values = memory
    mu = parameters.population
    while iterate(search.recorder):
        newcomer = mu
        for _ in range(parameters.offspring):
            parent = unsigned(below(search.random, mu))
            flips = draw_mutation(search, thresholds, positions)
            worst = values[unsigned(mu - 1)]
            point = point_at(search, order[parent])
            value = flipped_all(search, point, positions, flips, values[parent])
            if value <= worst:
                child = point_at(search, order[unsigned(newcomer)])
                copy_point(search.layout, point, child)
                take_flips(search, child, positions, flips)
                values[unsigned(newcomer)] = value
                newcomer += 1
            undo_flips(search, point, positions, flips)
            if not running(search.recorder):
                return
        for k in range(mu, newcomer):
            insert(order, values, mu, k, parameters.replace_first)


@part
def evolve_copies(search, parameters, memory):
    """Mutate copies of parents, for `replace_first`.

    Most offspring survive then, but the processor cannot predict which: no jump depends on it here.
    """
    thresholds, positions, order, values = memory
    mu = parameters.population
    while iterate(search.recorder):
        for k in range(mu, mu + parameters.offspring):
            parent = unsigned(below(search.random, mu))
            flips = draw_mutation(search, thresholds, positions)
            child = point_at(search, order[unsigned(k)])
            copy_point(search.layout, point_at(search, order[parent]), child)
            value = moved_all(search, child, positions, flips, values[parent])
            values[unsigned(k)] = value
            if not running(search.recorder):
                return
        for k in range(mu, mu + parameters.offspring):
            insert(order, values, mu, k, True)


@inlined
def insert(order, values, mu, k, replace_first):
    """Insert individual k into the mu ranked parents; the replaced one takes its place.

    It replaces the worst parent, or, with `replace_first`, the first one that is not better.
    """
    newcomer, value = order[unsigned(k)], values[unsigned(k)]
    rank = 0
    for other in range(mu):  # without unpredictable jumps
        rank += values[unsigned(other)] < value
    if replace_first:  # a free point if all are better
        order[unsigned(k)] = order[unsigned(rank)]
    elif rank == mu:
        return
    else:
        order[unsigned(k)], values[unsigned(k)] = order[unsigned(mu - 1)], values[unsigned(mu - 1)]
        for other in range(mu - 1, rank, -1):
            order[unsigned(other)] = order[unsigned(other - 1)]
            values[unsigned(other)] = values[unsigned(other - 1)]
    order[unsigned(rank)], values[unsigned(rank)] = newcomer, value


def memory(layout: AnyLayout, parameters: Parameters) -> tuple[np.ndarray, ...]:
    """Allocate memory for a mutation, the ranks and the values."""
    count = parameters.population + parameters.offspring
    mutation = new_mutation(layout.variable.size, parameters.mutation)
    return *mutation, np.arange(count), np.zeros(count)


ALGORITHM = Algorithm(
    name="ea-10p1",
    title="(10+1) evolutionary algorithm, or any (mu+lambda)",
    reference="C. Witt, Evolutionary Computation 14, 2006",
    parameters=Parameters,
    kernel=kernel,
    points=lambda parameters: parameters.population + parameters.offspring,
    memory=memory,
    native=True,
    presets={"paper": {"replace_first": True}},
    added=({"mutation": 1.0},),
    older_names={"mu": "population"},
)
