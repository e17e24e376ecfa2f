"""A generational genetic algorithm with tournaments, uniform crossover and standard mutation.

J. H. Holland, Adaptation in Natural and Artificial Systems, University of Michigan Press (1975);
uniform crossover: G. Syswerda, ICGA (1989).
"""

from typing import Annotated, NamedTuple

import numpy as np

from catcube.algorithms.algorithm import Algorithm, Meaning
from catcube.engine.compiled.jit import inlined, njit, part
from catcube.engine.compiled.packed import words_for
from catcube.engine.generation import evaluate_all
from catcube.engine.mutation import MOST, draw_flips, flip_thresholds
from catcube.engine.point import point_at
from catcube.engine.recorder import allowed, copy_into, iterate
from catcube.engine.rng import below, fill_words, next_word, random_words, uniform

ONE = np.uint64(1)


class Parameters(NamedTuple):
    """Parameters of the genetic algorithm."""

    mu: Annotated[int, Meaning("individuals", low=1)] = 100
    tournament: Annotated[int, Meaning("challengers in a tournament", low=0)] = 10
    crossover: Annotated[float, Meaning("probability of crossover", low=0, high=1)] = 0.5
    by_variable: Annotated[
        bool, Meaning("crossover takes whole variables, not bits, from either parent")
    ] = False


class Memory(NamedTuple):
    """Two generations of packed individuals and their values, and room for one mutation."""

    parents: np.ndarray
    offspring: np.ndarray
    values: np.ndarray
    offspring_values: np.ndarray
    mask: np.ndarray
    thresholds: np.ndarray
    positions: np.ndarray


@njit
def kernel(search, parameters, memory):
    """Offspring of tournament winners replace all parents."""
    point = point_at(search, 0)
    n = point.bits.size
    size = allowed(search.recorder, parameters.mu)
    for k in range(size):
        random_words(search.random, n, memory.parents[k])
    if not evaluate_all(search, point, memory.parents, size, memory.values):
        return
    while iterate(search.recorder):
        size = allowed(search.recorder, parameters.mu)
        for k in range(size):
            child = memory.offspring[k]
            beget(search, parameters, memory, child)
            if n > 0:
                mutate(search.random, memory, n, child)
        if not evaluate_all(search, point, memory.offspring, size, memory.offspring_values):
            return
        copy_into(memory.values, memory.offspring_values)
        for k in range(parameters.mu):
            copy_into(memory.parents[k], memory.offspring[k])


@inlined
def beget(search, parameters, memory, child):
    """A copy of a tournament winner, or a cross of two."""
    mother = memory.parents[tournament_winner(search.random, memory.values, parameters.tournament)]
    if uniform(search.random) >= parameters.crossover:
        copy_into(child, mother)
        return
    father = memory.parents[tournament_winner(search.random, memory.values, parameters.tournament)]
    if parameters.by_variable:
        variable_mask(search, memory.mask)
    else:
        fill_words(search.random, memory.mask, child.size - 1)
    for w in range(child.size - 1):
        child[w] = mother[w] ^ ((mother[w] ^ father[w]) & memory.mask[w])


@part
def tournament_winner(random, values, challengers):
    """A uniform individual, or a strictly better challenger; none challenges itself."""
    winner = below(random, values.size)
    if values.size > 1:
        for _ in range(challengers):
            challenger = below(random, values.size - 1)
            challenger += challenger >= winner
            if values[challenger] < values[winner]:
                winner = challenger
    return winner


@part
def variable_mask(search, mask):
    """All bits of a variable, or none, with probability 1/2 each."""
    for w in range(mask.size):
        mask[w] = 0
    coins = np.uint64(0)
    for variable in range(search.layout.modulus.size):
        if variable & 63 == 0:
            coins = next_word(search.random)
        if coins & ONE != 0:
            for i in range(
                search.layout.first_bit[variable], search.layout.first_bit[variable + 1]
            ):
                mask[i >> 6] |= ONE << np.uint64(i & 63)
        coins >>= ONE


@inlined
def mutate(random, memory, n, child):
    """Standard bit mutation of packed bits."""
    flips = draw_flips(random, n, memory.thresholds, memory.positions)
    for k in range(flips):
        i = memory.positions[k]
        child[i >> 6] ^= ONE << np.uint64(i & 63)


def memory(n: int, parameters: Parameters) -> Memory:
    """Memory for two generations."""
    words = words_for(n) + 1
    return Memory(
        parents=np.zeros((parameters.mu, words), np.uint64),
        offspring=np.zeros((parameters.mu, words), np.uint64),
        values=np.zeros(parameters.mu),
        offspring_values=np.zeros(parameters.mu),
        mask=np.zeros(words, np.uint64),
        thresholds=flip_thresholds(n).copy(),
        positions=np.zeros(MOST, np.int64),
    )


ALGORITHM = Algorithm(
    name="ga",
    title="genetic algorithm",
    reference="J. H. Holland, Adaptation in Natural and Artificial Systems, 1975",
    parameters=Parameters,
    kernel=kernel,
    memory=memory,
)
