"""The linkage tree genetic algorithm.

D. Thierens, "The linkage tree genetic algorithm", PPSN XI (2010).
"""

from typing import Annotated, NamedTuple

import numpy as np

from catcube.algorithms.algorithm import Algorithm, Native, ParameterInfo
from catcube.engine.compiled.arrays import copy_into
from catcube.engine.compiled.dispatch import either
from catcube.engine.compiled.jit import inlined, njit, part
from catcube.engine.compiled.packed import ones, words_for
from catcube.engine.decode import unpack
from catcube.engine.distances import (
    Columns,
    entropy_table,
    measure_variables,
    new_columns,
    triangle_size,
)
from catcube.engine.generation import evaluate_all, random_solution
from catcube.engine.linkage import (
    Tree,
    Workshop,
    agglomerate,
    arrange,
    build,
    new_tree,
    new_workshop,
)
from catcube.engine.mixing import (
    Donors,
    Mixer,
    NativeDonors,
    NativeMixer,
    mix,
    name_leaves,
    new_mixer,
    new_native_mixer,
    place_point,
    same_bits,
    store,
)
from catcube.engine.point import point_at
from catcube.engine.recorder import allowed, iterate, running
from catcube.engine.rng import shuffle
from catcube.engine.search import CATEGORY, Genes


class Parameters(NamedTuple):
    """Parameters of the linkage tree genetic algorithm."""

    population: Annotated[int, ParameterInfo("solutions", low=1)] = 500


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


class NativeMemory(NamedTuple):
    """The same with solutions of categories."""

    donors: NativeDonors
    values: np.ndarray
    mixed: np.ndarray
    mixed_values: np.ndarray
    shuffled: np.ndarray
    informers: np.ndarray  # which solutions inform the tree
    columns: Columns  # and their categories by variable
    table: np.ndarray
    tree: Tree
    workshop: Workshop
    mixer: NativeMixer


@njit
def kernel(search, parameters, memory):
    """Mix every solution with the population; end when a generation changes nothing."""
    point, room = point_at(search, 0), point_at(search, 1)
    size = allowed(search.recorder, parameters.population)
    for k in range(size):
        random_solution(search, memory.mixed[k])
    if not evaluate_all(search, room, memory.mixed, size, memory.mixed_values):
        return
    while iterate(search.recorder):
        renew(search.random, memory)
        learn(search, memory)
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
            store(search, point, memory.mixed[k])
            if not running(search.recorder):
                return
        if is_subset(memory.mixed, memory.donors.solutions) and is_subset(
            memory.donors.solutions, memory.mixed
        ):
            return


@part
def renew(random, memory):
    """Make the mixed solutions, shuffled, the population."""
    population = memory.values.size
    for k in range(population):
        memory.shuffled[k] = k
    shuffle(random, memory.shuffled)
    for k in range(population):
        copy_into(memory.donors.solutions[k], memory.mixed[memory.shuffled[k]])
        memory.values[k] = memory.mixed_values[memory.shuffled[k]]


@inlined
def better_of(values, k):
    """Return the better of the solutions k and k + 1, the first of equal ones."""
    if k + 1 < values.size and values[k + 1] < values[k]:
        return k + 1
    return k


@inlined
def learn_bits(search, memory):
    """Build the tree from the better solution of each pair."""
    informers = fill_columns(memory)
    count_pairs(memory, memory.columns.shape[0])
    nobody = memory.mixer.bits[:0]  # all are counted
    build(
        search.random, memory.tree, memory.workshop, memory.pairs, informers, memory.table, nobody
    )


@inlined
def learn_categories(search, memory):
    """Build the tree of variables from the better solution of each pair."""
    tree, shop, variables = memory.tree, memory.workshop, search.layout.variable
    for k in range(memory.informers.size):
        memory.informers[k] = better_of(memory.values, 2 * k)
    measure_variables(
        shop.distances,
        memory.columns,
        memory.donors.solutions,
        memory.informers,
        variables,
        memory.table,
    )
    agglomerate(search.random, shop)
    arrange(search.random, tree, shop)
    name_leaves(tree, variables)


learn = either(learn_bits, learn_categories)


@part
def fill_columns(memory):
    """Fill the columns with the better solution of each pair; how many there are."""
    for i in range(memory.columns.shape[0]):
        for w in range(memory.columns.shape[1]):
            memory.columns[i, w] = 0
    informers = 0
    for k in range(0, memory.values.size, 2):
        unpack(memory.donors.solutions[better_of(memory.values, k)], memory.mixer.bits)
        shift = np.uint64(informers & 63)
        for i in range(memory.columns.shape[0]):
            memory.columns[i, informers >> 6] |= np.uint64(memory.mixer.bits[i]) << shift
        informers += 1
    return informers


@part
def count_pairs(memory, n):
    """Count the solutions that have both bits of each pair, by machine words."""
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
    """Return whether each solution is also among the others."""
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
    """Allocate memory for a population of solutions of n bits."""
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


def native_memory(genes: Genes, parameters: Parameters) -> NativeMemory:
    """Allocate memory for a population of solutions of categories."""
    population, n = parameters.population, genes.variable.size
    shape = population, genes.first_move.size
    informers = (population + 1) // 2
    return NativeMemory(
        donors=NativeDonors(np.zeros(shape, CATEGORY)),
        values=np.zeros(population),
        mixed=np.zeros(shape, CATEGORY),
        mixed_values=np.zeros(population),
        shuffled=np.zeros(population, np.int64),
        informers=np.zeros(informers, np.int64),
        columns=new_columns(genes, informers),
        table=entropy_table(informers),
        tree=new_tree(n),
        workshop=new_workshop(n, informers),
        mixer=new_native_mixer(genes),
    )


ALGORITHM = Algorithm(
    name="ltga",
    title="linkage tree genetic algorithm",
    reference="D. Thierens, PPSN XI, 2010",
    parameters=Parameters,
    kernel=kernel,
    points=lambda parameters: 2,
    memory=memory,
    native=Native(native_memory),
)
