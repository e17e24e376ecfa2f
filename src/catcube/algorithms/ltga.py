"""The linkage tree genetic algorithm.

D. Thierens, "The linkage tree genetic algorithm", PPSN XI (2010).
"""

from typing import Annotated, NamedTuple

import numpy as np

from catcube.algorithms.algorithm import Algorithm, Meaning
from catcube.engine.compiled.jit import njit, part
from catcube.engine.compiled.packed import ones, words_for
from catcube.engine.decode import pack, unpack
from catcube.engine.distances import triangle_size
from catcube.engine.generation import evaluate_all
from catcube.engine.information import entropy_table
from catcube.engine.linkage import Tree, Workshop, build, new_tree, new_workshop
from catcube.engine.mixing import Donors, Mixer, mix, new_mixer, place_point, same_bits
from catcube.engine.point import point_at
from catcube.engine.recorder import allowed, copy_into, iterate, running
from catcube.engine.rng import random_words, shuffle


class Parameters(NamedTuple):
    """Parameters of the linkage tree genetic algorithm."""

    population: Annotated[int, Meaning("solutions", low=1)] = 500


class Memory(NamedTuple):
    """The population, its next generation, and the linkage tree."""

    donors: Donors
    values: np.ndarray
    mixed: np.ndarray  # the next generation, packed
    mixed_values: np.ndarray
    shuffled: np.ndarray
    columns: np.ndarray  # the solutions that inform the tree, by columns
    pairs: np.ndarray  # how many of them have both bits of a pair
    table: np.ndarray
    tree: Tree
    workshop: Workshop
    mixer: Mixer


@njit
def kernel(search, parameters, memory):
    """Mix every solution with the population; end when a generation changes nothing."""
    point, room = point_at(search, 0), point_at(search, 1)
    n = point.bits.size
    size = allowed(search.recorder, parameters.population)
    for k in range(size):
        random_words(search.random, n, memory.mixed[k])
    if not evaluate_all(search, room, memory.mixed, size, memory.mixed_values):
        return
    while iterate(search.recorder):
        informers = renew(search.random, memory)
        count_pairs(memory, n)
        build(search.random, memory.tree, memory.workshop, memory.pairs, informers, memory.table)
        for k in range(parameters.population):
            place_point(search, point, memory.donors.solutions[k])
            memory.mixed_values[k] = mix(
                search,
                memory.tree,
                memory.donors,
                parameters.population,
                memory.mixer,
                memory.values[k],
            )
            pack(point.bits, memory.mixed[k])
            if not running(search.recorder):
                return
        if is_subset(memory.mixed, memory.donors.solutions) and is_subset(
            memory.donors.solutions, memory.mixed
        ):
            return


@part
def renew(random, memory):
    """The mixed solutions, shuffled, are the population; the better of each pair informs the tree.

    How many do.
    """
    population = memory.values.size
    for k in range(population):
        memory.shuffled[k] = k
    shuffle(random, memory.shuffled)
    for k in range(population):
        copy_into(memory.donors.solutions[k], memory.mixed[memory.shuffled[k]])
        memory.values[k] = memory.mixed_values[memory.shuffled[k]]
    for i in range(memory.columns.shape[0]):
        for w in range(memory.columns.shape[1]):
            memory.columns[i, w] = 0
    informers = 0
    for k in range(0, population, 2):
        better = k
        if k + 1 < population and memory.values[k + 1] < memory.values[k]:
            better = k + 1
        unpack(memory.donors.solutions[better], memory.mixer.bits)
        shift = np.uint64(informers & 63)
        for i in range(memory.columns.shape[0]):
            memory.columns[i, informers >> 6] |= np.uint64(memory.mixer.bits[i]) << shift
        informers += 1
    return informers


@part
def count_pairs(memory, n):
    """How many of the informing solutions have both bits of each pair, by machine words."""
    pair = 0
    for i in range(n):
        for j in range(i, n):
            both = 0
            for w in range(memory.columns.shape[1]):
                both += ones(memory.columns[i, w] & memory.columns[j, w])
            memory.pairs[pair] = both
            pair += 1


@part
def is_subset(some, all_of_them):
    """Whether each packed solution is also among the others."""
    for k in range(some.shape[0]):
        found = False
        for other in range(all_of_them.shape[0]):
            if same_bits(some[k], all_of_them[other]):
                found = True
                break
        if not found:
            return False
    return True


def memory(n: int, parameters: Parameters) -> Memory:
    """Memory for a population of solutions of n bits."""
    population = parameters.population
    words = words_for(n) + 1
    informers = (population + 1) // 2
    return Memory(
        donors=Donors(
            np.zeros((population, words), np.uint64),
            np.zeros((population, words), np.uint64),
            np.zeros(population, np.int64),
        ),
        values=np.zeros(population),
        mixed=np.zeros((population, words), np.uint64),
        mixed_values=np.zeros(population),
        shuffled=np.zeros(population, np.int64),
        columns=np.zeros((n, words_for(informers)), np.uint64),
        pairs=np.zeros(triangle_size(n), np.int32),
        table=entropy_table(informers),
        tree=new_tree(n),
        workshop=new_workshop(n, informers),
        mixer=new_mixer(n),
    )


ALGORITHM = Algorithm(
    name="ltga",
    title="linkage tree genetic algorithm",
    reference="D. Thierens, PPSN XI, 2010",
    parameters=Parameters,
    kernel=kernel,
    points=lambda parameters: 2,
    memory=memory,
)
