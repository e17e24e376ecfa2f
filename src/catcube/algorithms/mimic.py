"""Mutual-information-maximizing input clustering: a chain of bits, each depending on the last.

J. S. De Bonet, C. L. Isbell, P. Viola, "MIMIC: finding optima by estimating probability
densities", NIPS 9 (1996).
"""

from typing import Annotated, NamedTuple

import numpy as np

from catcube.algorithms.algorithm import Algorithm, Native, ParameterInfo
from catcube.algorithms.mimic_native import native_memory, rebuild_categories, sample_categories
from catcube.engine.bernoulli import Chances, Dice, decide, new_chances, new_dice, set_chance, throw
from catcube.engine.columns import turn
from catcube.engine.compiled.dispatch import either
from catcube.engine.compiled.jit import inlined, njit, part, unsigned
from catcube.engine.compiled.packed import ones, words_for
from catcube.engine.generation import evaluate_all, use_initial
from catcube.engine.information import entropy, entropy_table, joint_entropy
from catcube.engine.point import point_at, start
from catcube.engine.recorder import allowed, iterate
from catcube.engine.selection import select_best, selection_fits

NONE = np.uint64(0)


class Parameters(NamedTuple):
    """Parameters of MIMIC."""

    population: Annotated[int, ParameterInfo("samples per generation", low=1)] = 200
    selection: Annotated[int, ParameterInfo("best samples to learn from", low=1)] = 20
    margin: Annotated[
        float, ParameterInfo("probabilities stay this over n from 0 and 1", low=0)
    ] = 1.0


class Memory(NamedTuple):
    """The chain, a generation of samples, and the chosen ones by columns."""

    order: np.ndarray  # of the bits along the chain
    after_zero: Chances  # probabilities along the chain, given the bit before is 0
    after_one: Chances
    dice: Dice
    # For 64 samples at once, a word for each bit; turned over in blocks of 64 words.
    if_zero: np.ndarray  # each bit along the chain, were the one before 0
    if_one: np.ndarray
    drawn: np.ndarray  # each bit, in the order of the layout
    samples: np.ndarray  # packed
    values: np.ndarray
    chosen: np.ndarray
    columns: np.ndarray  # for each bit along the chain, its values in the chosen samples, packed
    counts: np.ndarray  # how many of them are ones
    learned: np.ndarray  # of each bit: ones of the one before, of itself and of both
    table: np.ndarray


@njit
def kernel(search, parameters, memory):
    """Sample along the chain; rebuild the chain from the best samples."""
    point = point_at(search, 0)
    start(search, point)
    while iterate(search.recorder):
        size = allowed(search.recorder, memory.values.size)
        sample_generation(search, memory, size)
        use_initial(search, memory.samples, size)
        if not evaluate_all(search, point, memory.samples, size, memory.values):
            return
        select_best(memory.values, memory.values.size, memory.chosen)
        renew(search, memory, parameters.margin)


@inlined
def sample_bits(search, memory, size):
    """Draw the first `size` points of a generation."""
    for first in range(0, size, 64):
        sample(search.random, memory, memory.samples[first : min(first + 64, size)])


@inlined
def rebuild_bits(search, memory, margin):
    """Rebuild the chain from the best samples."""
    n = memory.order.size
    rebuild(memory, min(margin / n, 0.5))


sample_generation = either(sample_bits, sample_categories)
renew = either(rebuild_bits, rebuild_categories)


@part
def sample(random, memory, samples):
    """Draw up to 64 points along the chain."""
    n = memory.order.size
    for s in range(samples.shape[0]):
        throw(random, memory.dice, n)
        decide(random, memory.dice, memory.after_zero, memory.if_zero[s::64])
        decide(random, memory.dice, memory.after_one, memory.if_one[s::64])
    for first in range(0, n, 64):
        turn(memory.if_zero[first : first + 64])
        turn(memory.if_one[first : first + 64])
    for k in range(n, memory.drawn.size):
        memory.drawn[k] = 0
    before = NONE
    for k in range(n):
        before = memory.if_zero[k] ^ (before & (memory.if_zero[k] ^ memory.if_one[k]))
        memory.drawn[unsigned(memory.order[k])] = before
    for w in range(memory.drawn.size // 64):
        block = memory.drawn[64 * w : 64 * w + 64]
        turn(block)
        for s in range(samples.shape[0]):
            samples[s, w] = block[s]


@part
def rebuild(memory, bound):
    """Build a chain: from the most certain bit, each next one the most certain given the last."""
    n = memory.order.size
    total = memory.chosen.size
    transpose(memory)
    placed = place_constants(memory, total)
    if placed == 0:
        exchange(memory, 0, first_of_all(memory, total))
        placed = 1
    for k in range(placed, n):
        exchange(memory, k, most_certain(memory, k, total))
    first = clipped(memory.counts[0] / total, bound)
    set_chance(memory.after_zero, 0, first)
    set_chance(memory.after_one, 0, first)
    for k in range(1, n):
        set_conditional(memory, k, total, bound)


@part
def place_constants(memory, total):
    """Begin the chain with the bits that never change; how many. Nothing is more certain."""
    placed = 0
    for k in range(memory.order.size):
        if memory.counts[k] == 0 or memory.counts[k] == total:
            exchange(memory, placed, k)
            placed += 1
    return placed


@part
def first_of_all(memory, total):
    """Return the first position of a bit with the lowest entropy."""
    root = 0
    for k in range(1, memory.order.size):
        certain = abs(2 * memory.counts[k] - total)
        if certain > abs(2 * memory.counts[root] - total):
            root = k
    return root


@part
def most_certain(memory, k, total):
    """Return the first position from k on whose bit has the lowest entropy given that at k - 1."""
    last = memory.counts[k - 1]
    known = entropy(memory.table, total, last)
    best = k
    lowest = np.inf
    for other in range(k, memory.order.size):
        both = common(memory, k - 1, other)
        joint = joint_entropy(memory.table, total, last, memory.counts[other], both)
        if joint < lowest:
            lowest = joint
            best = other
            if joint == known:  # nothing is more certain than certain
                break
    return best


@inlined
def common(memory, a, b):
    """Return how many of the chosen samples have both bits set."""
    both = ones(memory.columns[a, 0] & memory.columns[b, 0])
    for w in range(1, memory.columns.shape[1]):
        both += ones(memory.columns[a, w] & memory.columns[b, w])
    return both


@inlined
def exchange(memory, a, b):
    """Exchange two positions of the chain."""
    memory.order[a], memory.order[b] = memory.order[b], memory.order[a]
    memory.counts[a], memory.counts[b] = memory.counts[b], memory.counts[a]
    for w in range(memory.columns.shape[1]):
        held = memory.columns[a, w]
        memory.columns[a, w] = memory.columns[b, w]
        memory.columns[b, w] = held


@inlined
def set_conditional(memory, k, total, bound):
    """Estimate the probabilities of the bit at k given the one before; 1/2 without data."""
    both = common(memory, k - 1, k)
    last, count = memory.counts[k - 1], memory.counts[k]
    learned = memory.learned[k]
    if learned[0] == last and learned[1] == count and learned[2] == both:
        return
    learned[0], learned[1], learned[2] = last, count, both
    after_one = both / last if last > 0 else 0.5
    after_zero = (count - both) / (total - last) if last < total else 0.5
    set_chance(memory.after_one, k, clipped(after_one, bound))
    set_chance(memory.after_zero, k, clipped(after_zero, bound))


@inlined
def clipped(probability, bound):
    """Return the probability, kept away from 0 and 1."""
    return min(max(probability, bound), 1.0 - bound)


@part
def transpose(memory):
    """Collect the chosen samples by columns, in the order of the bits."""
    n = memory.order.size
    for k in range(n):
        memory.order[k] = k
        memory.counts[k] = 0
    block = memory.drawn[:64]
    for first in range(0, memory.chosen.size, 64):
        chosen = memory.chosen[first : min(first + 64, memory.chosen.size)]
        for w in range(memory.drawn.size // 64):
            for s in range(block.size):
                block[s] = memory.samples[chosen[s], w] if s < chosen.size else NONE
            turn(block)
            for k in range(64 * w, min(64 * w + 64, n)):
                column = block[unsigned(k & 63)]
                memory.columns[unsigned(k), unsigned(first >> 6)] = column
                memory.counts[k] += ones(column)


def memory(n: int, parameters: Parameters) -> Memory:
    """Allocate memory for a chain of n bits and a population; all probabilities are 1/2."""
    return Memory(
        order=np.arange(n),
        after_zero=new_chances(n),
        after_one=new_chances(n),
        dice=new_dice(n),
        if_zero=np.zeros(64 * words_for(n), np.uint64),
        if_one=np.zeros(64 * words_for(n), np.uint64),
        drawn=np.zeros(64 * words_for(n), np.uint64),
        samples=np.zeros((parameters.population, words_for(n) + 1), np.uint64),
        values=np.zeros(parameters.population),
        chosen=np.zeros(parameters.selection, np.int64),
        columns=np.zeros((n, words_for(parameters.selection)), np.uint64),
        counts=np.zeros(n, np.int64),
        learned=np.full((n, 3), -1),
        table=entropy_table(parameters.selection),
    )


ALGORITHM = Algorithm(
    name="mimic",
    title="mutual-information-maximizing input clustering",
    reference="J. S. De Bonet, C. L. Isbell, P. Viola, NIPS 9, 1996",
    parameters=Parameters,
    kernel=kernel,
    check=selection_fits,
    memory=memory,
    native=Native(native_memory),
)
