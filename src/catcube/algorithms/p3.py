"""The parameter-less population pyramid.

B. W. Goldman, W. F. Punch, "Parameter-less population pyramid", GECCO (2014).
"""

from typing import Annotated, NamedTuple

import numpy as np

from catcube.algorithms.algorithm import Algorithm, Native, ParameterInfo
from catcube.algorithms.p3_memory import (
    FIRST_LEVELS,
    FIRST_MEMBERS,
    HELD,
    LEVELS,
    grown,
    native_grown,
    new_memory,
)
from catcube.algorithms.p3_native import climb_categories, learn_categories, new_native_memory
from catcube.engine import mixing, native_mixing
from catcube.engine.compiled.copies import copy_into
from catcube.engine.compiled.dispatch import either
from catcube.engine.compiled.jit import inlined, njit, part
from catcube.engine.decode import pack
from catcube.engine.linkage import Tree, build
from catcube.engine.mixing import Donors, same_bits
from catcube.engine.native_mixing import NativeDonors
from catcube.engine.point import begin, flip, flipped, point_at
from catcube.engine.recorder import iterate, running
from catcube.engine.rng import shuffle

PRIME = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(29)


class Parameters(NamedTuple):
    """Parameters of the pyramid: none but whether new solutions climb first."""

    hill_climber: Annotated[
        bool, ParameterInfo("improve new solutions by a first-improvement hill climber")
    ] = True


mix = either(mixing.mix, native_mixing.mix)


@njit
def kernel(search, parameters, memory):
    """Lead one new solution after the other up the pyramid; True if it needs more room for them."""
    point = point_at(search, 0)
    hash_held(memory)
    while has_room(memory):
        if not iterate(search.recorder):
            return False
        value = begin(search, point)
        if parameters.hill_climber and running(search.recorder):
            value = climb(search, point, value, memory)
        if not running(search.recorder):
            return False
        level = 0
        add(search, memory, level)
        while level < memory.sizes[LEVELS]:
            before = value
            value = mix(
                search,
                tree_at(memory, level),
                donors_at(memory, level),
                memory.members[level],
                memory.mixer,
                value,
            )
            if not running(search.recorder):
                return False
            if value < before:
                add(search, memory, level + 1)
            level += 1
    return True


@part
def climb_bits(search, point, value, memory):
    """Try the bits in random order, keep what is strictly better, until none is."""
    n = point.bits.size
    for i in range(n):
        memory.order[i] = i
        memory.tried[i] = False
    tried = 0
    while tried < n:
        shuffle(search.random, memory.order)
        for i in memory.order:
            if memory.tried[i]:
                continue
            candidate = flipped(search, point, i, value)
            if candidate < value:
                flip(search, point, i)
                value = candidate
                for other in range(n):
                    memory.tried[other] = False
                tried = 0
            memory.tried[i] = True
            tried += 1
            if not running(search.recorder):
                return value
    return value


climb = either(climb_bits, climb_categories)


@part
def add(search, memory, level):
    """Add the solution to a level, unless the pyramid has held it before, and renew its tree."""
    solution = memory.mixer.candidate
    store(search, point_at(search, 0), solution)
    slot = slot_of(memory, solution)
    if memory.slots[slot] >= 0:
        return
    memory.slots[slot] = memory.sizes[HELD]
    copy_into(memory.held[memory.sizes[HELD]], solution)
    memory.sizes[HELD] += 1
    if level == memory.sizes[LEVELS]:
        memory.sizes[LEVELS] += 1
    copy_into(memory.donors.solutions[level, memory.members[level]], solution)
    memory.members[level] += 1
    learn(search, memory, level, tree_at(memory, level))


@inlined
def store_bits(search, point, packed):
    """Keep the solution that a point is at."""
    pack(point.bits, packed)


@inlined
def learn_bits(search, memory, level, tree):
    """Renew the counts and the tree of a level to which the solution was added."""
    pairs = memory.pairs[level]
    total, newcomer = memory.members[level], point_at(search, 0).bits
    build(search.random, tree, memory.workshop, pairs, total, memory.table, newcomer)


store = either(store_bits, native_mixing.store)
learn = either(learn_bits, learn_categories)


@part
def hash_held(memory):
    """Fill the hash table with all solutions held: its size may have changed."""
    for slot in range(memory.slots.size):
        memory.slots[slot] = -1
    for k in range(memory.sizes[HELD]):
        memory.slots[slot_of(memory, memory.held[k])] = k


@part
def slot_of(memory, solution):
    """Return where in the hash table a solution is, or would be."""
    code = np.uint64(0)
    for w in range(solution.size):
        code = (code ^ solution[w]) * PRIME
        code ^= code >> SHIFT
    last = memory.slots.size - 1
    slot = np.int64(code & np.uint64(last))
    while memory.slots[slot] >= 0 and not same_bits(memory.held[memory.slots[slot]], solution):
        slot = (slot + 1) & last
    return slot


@inlined
def has_room(memory):
    """Return whether one more iteration fits: a member more on every level, and one more level."""
    levels = memory.sizes[LEVELS]
    if levels == memory.members.size:
        return False
    for level in range(levels):
        if memory.members[level] == memory.donors.solutions.shape[1]:
            return False
    return memory.sizes[HELD] + levels + 1 <= memory.held.shape[0]


@inlined
def tree_at(memory, level):
    """Return the tree of a level."""
    trees = memory.trees
    return Tree(
        trees.order[level],
        trees.low[level],
        trees.high[level],
        trees.masks[level],
        trees.version[level],
    )


@inlined
def donors_of_bits(memory, level):
    """Return the members of a level."""
    donors = memory.donors
    return Donors(donors.solutions[level], donors.arranged[level], donors.stamps[level])


@inlined
def donors_of_categories(memory, level):
    """Return the members of a level."""
    return NativeDonors(memory.donors.solutions[level])


donors_at = either(donors_of_bits, donors_of_categories)


ALGORITHM = Algorithm(
    name="p3",
    title="parameter-less population pyramid",
    reference="B. W. Goldman, W. F. Punch, GECCO, 2014",
    parameters=Parameters,
    kernel=kernel,
    points=lambda parameters: 2,
    memory=lambda n, parameters: new_memory(n, FIRST_LEVELS, FIRST_MEMBERS),
    grow=grown,
    native=Native(
        lambda genes, parameters: new_native_memory(genes, FIRST_LEVELS, FIRST_MEMBERS),
        native_grown,
    ),
    presets={"paper": {"hill_climber": False}},
)
