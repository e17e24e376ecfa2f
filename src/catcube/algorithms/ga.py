"""A generational genetic algorithm with tournaments, uniform crossover and standard mutation.

J. H. Holland, Adaptation in Natural and Artificial Systems, University of Michigan Press (1975);
uniform crossover: G. Syswerda, ICGA (1989).
"""

from typing import Annotated, NamedTuple

import numpy as np

from catcube.algorithms.algorithm import Algorithm, Mutation, ParameterInfo, Population
from catcube.engine.compiled.arrays import copy_into
from catcube.engine.compiled.dispatch import overload
from catcube.engine.compiled.jit import inlined, njit, part, unsigned
from catcube.engine.compiled.packed import padded_rows, store_word
from catcube.engine.generation import evaluate_all
from catcube.engine.native import decode_move
from catcube.engine.point import draw_mutation, point_at, random_solution
from catcube.engine.recorder import allowed, iterate
from catcube.engine.rng import below, fill_words, new_mutation, next_word, uniform
from catcube.engine.search import AnyLayout, Genes, new_solutions

ONE = np.uint64(1)


class Parameters(NamedTuple):
    """Parameters of the genetic algorithm."""

    population: Population = 100
    tournament: Annotated[int, ParameterInfo("challengers in each tournament", low=0)] = 10
    crossover: Annotated[float, ParameterInfo("crossover probability", low=0, high=1)] = 0.5
    by_variable: Annotated[
        bool, ParameterInfo("crossover exchanges whole variables (else single bits)")
    ] = False
    mutation: Mutation = 1.0


class Memory(NamedTuple):
    """Two generations with their values, and memory for a crossover and a mutation.

    Individuals are packed bits, or rows of categories.
    """

    parents: np.ndarray
    offspring: np.ndarray
    values: np.ndarray
    offspring_values: np.ndarray
    mask: np.ndarray  # the bits, or variables (as bytes), that come from the second parent
    thresholds: np.ndarray
    positions: np.ndarray


@njit
def kernel(search, parameters, memory):
    """Replace all parents by offspring of tournament winners."""
    point = point_at(search, 0)
    size = allowed(search.recorder, parameters.population)
    for k in range(size):
        random_solution(search, memory.parents[k])
    if not evaluate_all(search, point, memory.parents, size, memory.values):
        return
    while iterate(search.recorder):
        size = allowed(search.recorder, parameters.population)
        for k in range(size):
            child = memory.offspring[k]
            make_child(search, parameters, memory, child)
            mutate(search, memory, child)
        if not evaluate_all(search, point, memory.offspring, size, memory.offspring_values):
            return
        copy_into(memory.values, memory.offspring_values)
        for k in range(parameters.population):
            copy_into(memory.parents[k], memory.offspring[k])


@inlined
def make_child(search, parameters, memory, child):
    """Set a child to a tournament winner, or to the crossover of two."""
    mother = memory.parents[tournament_winner(search.random, memory.values, parameters.tournament)]
    if uniform(search.random) >= parameters.crossover:
        copy_into(child, mother)
        return
    father = memory.parents[tournament_winner(search.random, memory.values, parameters.tournament)]
    cross(search, parameters, memory.mask, mother, father, child)


@inlined
def cross_bits(search, parameters, mask, mother, father, child):
    """Take each bit, or all bits of each variable, from either parent."""
    if parameters.by_variable:
        variable_mask(search, mask)
    else:
        fill_words(search.random, mask, child.size - 1)
    for w in range(child.size - 1):
        child[w] = mother[w] ^ ((mother[w] ^ father[w]) & mask[w])


@inlined
def cross_categories(search, parameters, mask, mother, father, child):
    """Take each variable from either parent."""
    for w in range(mask.size >> 6):
        store_word(mask, 64 * w, next_word(search.random))
    for variable in range(child.size):
        child[variable] = father[variable] if mask[variable] != 0 else mother[variable]


cross = overload(cross_bits, cross_categories)


@part
def tournament_winner(random, values, challengers):
    """Return a uniform individual, or the best of its challengers if strictly better."""
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
    """Set a mask to all bits of each variable, or none, with probability 1/2."""
    first_bit = search.layout.first_bit
    for w in range(mask.size):
        mask[w] = 0
    coins = np.uint64(0)
    for variable in range(search.layout.modulus.size):
        if variable & 63 == 0:
            coins = next_word(search.random)
        if coins & ONE != 0:
            for i in range(first_bit[variable], first_bit[variable + 1]):
                mask[i >> 6] |= ONE << np.uint64(i & 63)
        coins >>= ONE


@inlined
def mutate_bits(search, memory, child):
    """Apply standard bit mutation to packed bits."""
    flips = draw_mutation(search, memory.thresholds, memory.positions)
    for k in range(flips):
        i = memory.positions[k]
        child[i >> 6] ^= ONE << np.uint64(i & 63)


@inlined
def mutate_categories(search, memory, child):
    """Change some variables, at least one, to other categories."""
    changes = draw_mutation(search, memory.thresholds, memory.positions)
    for k in range(changes):
        variable, category = decode_move(search.layout, child, memory.positions[k])
        child[unsigned(variable)] = np.uint16(category)


mutate = overload(mutate_bits, mutate_categories)


def memory(layout: AnyLayout, parameters: Parameters) -> Memory:
    """Allocate memory for two generations."""
    parents, offspring = new_solutions(layout, 2, parameters.population)
    values, offspring_values = np.zeros((2, parameters.population))
    mask = new_solutions(layout)
    if isinstance(layout, Genes):
        mask = padded_rows(1, mask.size)[0]
    mutation = new_mutation(layout.variable.size, parameters.mutation)
    return Memory(parents, offspring, values, offspring_values, mask, *mutation)


ALGORITHM = Algorithm(
    name="ga",
    title="genetic algorithm",
    reference="J. H. Holland, Adaptation in Natural and Artificial Systems, 1975",
    parameters=Parameters,
    kernel=kernel,
    memory=memory,
    native=True,
    added=({"mutation": 1.0},),
    older_names={"mu": "population"},
)
