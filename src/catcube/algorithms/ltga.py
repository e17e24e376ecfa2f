"""The linkage tree genetic algorithm.

D. Thierens, "The linkage tree genetic algorithm", PPSN XI (2010).
"""

from typing import Any, NamedTuple

import numpy as np

from catcube.algorithms.algorithm import Algorithm, Native, Population
from catcube.engine.compiled.arrays import copy_into
from catcube.engine.compiled.dispatch import overload
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
from catcube.engine.generation import evaluate_all
from catcube.engine.linkage import (
    Tree,
    Workspace,
    build,
    build_of_variables,
    new_tree,
    new_workspace,
)
from catcube.engine.mixing import (
    Donors,
    Mixer,
    NativeMixer,
    mix,
    new_donors,
    new_mixer,
    new_native_donors,
    new_native_mixer,
    same_bits,
    store,
)
from catcube.engine.point import place_point, point_at, random_solution
from catcube.engine.recorder import allowed, iterate, running
from catcube.engine.rng import shuffle
from catcube.engine.search import Genes


class Parameters(NamedTuple):
    """Parameters of the linkage tree genetic algorithm."""

    population: Population = 500


class Memory(NamedTuple):
    """The population, its next generation, and the linkage tree."""

    donors: Donors
    values: np.ndarray
    mixed: np.ndarray  # the next generation
    mixed_values: np.ndarray
    shuffled: np.ndarray
    informers: np.ndarray  # which solutions inform the tree
    columns: np.ndarray | Columns  # these solutions by bit, or by variable
    pairs: np.ndarray  # how many of them have both bits of a pair
    table: np.ndarray
    tree: Tree
    workspace: Workspace
    mixer: Mixer | NativeMixer


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
        before, after = memory.donors.solutions, memory.mixed
        if is_subset(after, before) and is_subset(before, after):
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


@part
def choose_informers(memory):
    """Choose the better solution of each pair, the first of equal ones."""
    values = memory.values
    for k in range(memory.informers.size):
        first = 2 * k
        second_is_better = first + 1 < values.size and values[first + 1] < values[first]
        memory.informers[k] = first + second_is_better


@inlined
def learn_bits(search, memory):
    """Build the tree from the better solution of each pair."""
    choose_informers(memory)
    fill_columns(memory)
    count_pairs(memory, memory.columns.shape[0])
    total, nobody = memory.informers.size, memory.mixer.bits[:0]  # all are counted
    build(search.random, memory.tree, memory.workspace, memory.pairs, total, memory.table, nobody)


@inlined
def learn_categories(search, memory):
    """Build the tree of variables from the better solution of each pair."""
    choose_informers(memory)
    measure_variables(
        memory.workspace.distances,
        memory.columns,
        memory.donors.solutions,
        memory.informers,
        search.layout.variable,
        memory.table,
    )
    build_of_variables(search.random, memory.tree, memory.workspace, search.layout.variable)


learn = overload(learn_bits, learn_categories)


@part
def fill_columns(memory):
    """Fill the columns with the bits of the informers."""
    for i in range(memory.columns.shape[0]):
        for w in range(memory.columns.shape[1]):
            memory.columns[i, w] = 0
    for k in range(memory.informers.size):
        unpack(memory.donors.solutions[memory.informers[k]], memory.mixer.bits)
        shift = np.uint64(k & 63)
        for i in range(memory.columns.shape[0]):
            memory.columns[i, k >> 6] |= np.uint64(memory.mixer.bits[i]) << shift


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
    columns = np.zeros((n, words_for((population + 1) // 2)), np.uint64)
    pairs = np.zeros(triangle_size(n), np.int32)
    return _memory(n, new_donors(n, population), columns, pairs, new_mixer(n))


def native_memory(genes: Genes, parameters: Parameters) -> Memory:
    """Allocate memory for a population of solutions of categories."""
    n, variables, population = genes.size.size, genes.first_move.size, parameters.population
    columns = new_columns(genes, (population + 1) // 2)
    donors, mixer = new_native_donors(variables, population), new_native_mixer(n, variables)
    return _memory(n, donors, columns, np.zeros(0, np.int32), mixer)


def _memory(n: int, donors: Donors, columns: Any, pairs: Any, mixer: Any) -> Memory:
    population = len(donors.solutions)
    informers = (population + 1) // 2
    return Memory(
        donors=donors,
        values=np.zeros(population),
        mixed=np.zeros_like(donors.solutions),
        mixed_values=np.zeros(population),
        shuffled=np.zeros(population, np.int64),
        informers=np.zeros(informers, np.int64),
        columns=columns,
        pairs=pairs,
        table=entropy_table(informers),
        tree=new_tree(n),
        workspace=new_workspace(n, informers),
        mixer=mixer,
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
