"""The linkage tree genetic algorithm.

D. Thierens, "The linkage tree genetic algorithm", PPSN XI (2010).
"""

from typing import Any, NamedTuple

import numpy as np

from catcube.algorithms.algorithm import Algorithm, Population
from catcube.engine.compiled.arrays import copy_into
from catcube.engine.compiled.dispatch import overload
from catcube.engine.compiled.jit import inlined, njit, part
from catcube.engine.compiled.packed import popcount, words_for
from catcube.engine.distances import Columns, measure_variables, new_columns, triangle_size
from catcube.engine.generation import evaluate_all, fill_columns
from catcube.engine.linkage import build_tree, build_variable_tree
from catcube.engine.mixing import Mixing, mix, new_mixing, same_bits, store
from catcube.engine.point import place_point, point_at, random_solution
from catcube.engine.recorder import allowed, iterate, running
from catcube.engine.rng import shuffle
from catcube.engine.search import AnyLayout, Genes, new_solutions


class Parameters(NamedTuple):
    """Parameters of the linkage tree genetic algorithm."""

    population: Population = 500


class Memory(NamedTuple):
    """The population, its next generation, and the linkage tree."""

    mixing: Mixing
    values: np.ndarray
    mixed: np.ndarray  # the next generation
    mixed_values: np.ndarray
    shuffled: np.ndarray
    informers: np.ndarray  # the solutions from which the tree is learned
    columns: np.ndarray | Columns  # these solutions by bit, or by variable
    pairs: np.ndarray  # the number of them with both bits, for each pair
    block: np.ndarray  # 64 words of scratch memory


@njit
def kernel(search, parameters, memory):
    """Mix every solution with the population, until a generation has no new solution."""
    point, scratch = point_at(search, 0), point_at(search, 1)
    tree, donors, mixer = memory.mixing.tree, memory.mixing.donors, memory.mixing.mixer
    size = allowed(search.recorder, parameters.population)
    for k in range(size):
        random_solution(search, memory.mixed[k])
    if not evaluate_all(search, scratch, memory.mixed, size, memory.mixed_values):
        return
    while iterate(search.recorder):
        next_generation(search.random, memory)
        learn(search, memory)
        for k in range(parameters.population):
            place_point(search, point, donors.solutions[k])
            before, count = memory.values[k], parameters.population
            memory.mixed_values[k] = mix(search, tree, donors, mixer, count, before)
            store(search, point, memory.mixed[k])
            if not running(search.recorder):
                return
        parents, offspring = donors.solutions, memory.mixed
        if is_subset(offspring, parents) and is_subset(parents, offspring):
            return


@part
def next_generation(random, memory):
    """Replace the population by the mixed solutions, shuffled."""
    population = memory.values.size
    for k in range(population):
        memory.shuffled[k] = k
    shuffle(random, memory.shuffled)
    for k in range(population):
        copy_into(memory.mixing.donors.solutions[k], memory.mixed[memory.shuffled[k]])
        memory.values[k] = memory.mixed_values[memory.shuffled[k]]


@part
def choose_informers(memory):
    """Choose the better solution of each pair, or the first if they are equal."""
    values = memory.values
    for k in range(memory.informers.size):
        first = 2 * k
        second_is_better = first + 1 < values.size and values[first + 1] < values[first]
        memory.informers[k] = first + second_is_better


@inlined
def learn_bits(search, memory):
    """Build the tree from the better solution of each pair."""
    choose_informers(memory)
    mixing = memory.mixing
    fill_columns(memory.columns, mixing.donors.solutions, memory.informers, memory.block)
    count_pairs(memory, memory.columns.shape[0])
    total, nobody = memory.informers.size, mixing.mixer.bits[:0]  # all are counted
    build_tree(
        search.random, mixing.tree, mixing.workspace, memory.pairs, total, mixing.table, nobody
    )


@inlined
def learn_categories(search, memory):
    """Build the tree of variables from the better solution of each pair."""
    choose_informers(memory)
    mixing, variables = memory.mixing, search.layout.variable
    measure_variables(
        mixing.workspace.distances,
        memory.columns,
        mixing.donors.solutions,
        memory.informers,
        variables,
        mixing.table,
    )
    build_variable_tree(search.random, mixing.tree, mixing.workspace, variables)


learn = overload(learn_bits, learn_categories)


@part
def count_pairs(memory, n):
    """Count the informers with both bits, for each pair of bits."""
    pair = 0
    for i in range(n):
        for j in range(i, n):
            both = 0
            for w in range(memory.columns.shape[1]):
                both += popcount(memory.columns[i, w] & memory.columns[j, w])
            memory.pairs[pair] = both
            pair += 1


@part
def is_subset(some, all_of_them):
    """Return whether each of some solutions is among the others."""
    for k in range(some.shape[0]):
        found = False
        for other in range(all_of_them.shape[0]):
            if same_bits(some[k], all_of_them[other]):
                found = True
                break
        if not found:
            return False
    return True


def memory(layout: AnyLayout, parameters: Parameters) -> Memory:
    """Allocate memory for a population."""
    population, n = parameters.population, layout.variable.size
    informers = (population + 1) // 2
    if isinstance(layout, Genes):
        columns: Any = new_columns(layout, informers)
        pairs = np.zeros(0, np.int32)
    else:
        columns = np.zeros((n, words_for(informers)), np.uint64)
        pairs = np.zeros(triangle_size(n), np.int32)
    return Memory(
        mixing=new_mixing(layout, informers, population),
        values=np.zeros(population),
        mixed=new_solutions(layout, population),
        mixed_values=np.zeros(population),
        shuffled=np.zeros(population, np.int64),
        informers=np.zeros(informers, np.int64),
        columns=columns,
        pairs=pairs,
        block=np.zeros(64, np.uint64),
    )


ALGORITHM = Algorithm(
    name="ltga",
    title="linkage tree genetic algorithm",
    reference="D. Thierens, PPSN XI, 2010",
    parameters=Parameters,
    kernel=kernel,
    points=lambda parameters: 2,
    memory=memory,
    native=True,
)
