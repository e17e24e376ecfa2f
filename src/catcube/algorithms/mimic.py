"""Mutual-information-maximizing input clustering: a chain of bits, each depending on the last.

J. S. De Bonet, C. L. Isbell, P. Viola, "MIMIC: finding optima by estimating probability
densities", NIPS 9 (1996).
"""

from typing import Annotated, NamedTuple

import numpy as np

from catcube.algorithms.algorithm import Algorithm, Meaning
from catcube.engine.bernoulli import Chances, Dice, decide, new_chances, new_dice, set_chance, throw
from catcube.engine.compiled.jit import inlined, natural, njit, part
from catcube.engine.compiled.packed import ones, padded, words_for
from catcube.engine.generation import evaluate_samples
from catcube.engine.information import entropy, entropy_table, joint_entropy
from catcube.engine.point import point_at, start
from catcube.engine.recorder import allowed, iterate
from catcube.engine.selection import select_best, selection_fits


class Parameters(NamedTuple):
    """Parameters of MIMIC."""

    population: Annotated[int, Meaning("samples a generation", low=1)] = 200
    selection: Annotated[int, Meaning("best samples to learn from", low=1)] = 20
    margin: Annotated[float, Meaning("probabilities stay this over n from 0 and 1", low=0)] = 1.0


class Memory(NamedTuple):
    """The chain, a generation of samples, and the chosen ones by columns."""

    order: np.ndarray  # of the bits along the chain
    after_zero: Chances  # probabilities along the chain, given the bit before is 0
    after_one: Chances
    dice: Dice
    if_zero: np.ndarray  # each bit along the chain, were the one before 0
    if_one: np.ndarray
    samples: np.ndarray
    values: np.ndarray
    chosen: np.ndarray
    columns: np.ndarray  # for each bit along the chain, its values in the chosen samples, packed
    counts: np.ndarray  # how many of them are ones
    table: np.ndarray


@njit
def kernel(search, parameters, memory):
    """Sample along the chain; rebuild the chain from the best samples."""
    point = point_at(search, 0)
    n = point.bits.size
    bound = min(parameters.margin / n, 0.5) if n > 0 else 0.5
    start(search, point)
    while iterate(search.recorder):
        size = allowed(search.recorder, memory.values.size)
        for k in range(size):
            sample(search.random, memory, memory.samples[k])
        if not evaluate_samples(search, point, memory.samples, size, memory.values):
            return
        select_best(memory.values, memory.values.size, memory.chosen)
        rebuild(memory, bound)


@part
def sample(random, memory, bits):
    """Draw a point along the chain."""
    n = memory.order.size
    throw(random, memory.dice, n)
    decide(random, memory.dice, memory.after_zero, memory.if_zero)
    decide(random, memory.dice, memory.after_one, memory.if_one)
    before = np.uint8(0)
    for k in range(n):
        before = memory.if_zero[k] ^ (before & (memory.if_zero[k] ^ memory.if_one[k]))
        bits[natural(memory.order[k])] = before


@part
def rebuild(memory, bound):
    """A new chain: from the most certain bit, each next one the most certain given the last."""
    n = memory.order.size
    total = memory.chosen.size
    transpose(memory)
    if n == 0:
        return
    root = 0
    for k in range(1, n):
        certain = abs(2 * memory.counts[k] - total)
        if certain > abs(2 * memory.counts[root] - total):
            root = k
    exchange(memory, 0, root)
    first = clipped(memory.counts[0] / total, bound)
    set_chance(memory.after_zero, 0, first)
    set_chance(memory.after_one, 0, first)
    for k in range(1, n):
        exchange(memory, k, most_certain(memory, k, total))
        set_conditional(memory, k, total, bound)


@part
def most_certain(memory, k, total):
    """The first place from k on whose bit has the lowest entropy given the bit at k - 1."""
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
    """How many of the chosen samples have both bits set."""
    both = ones(memory.columns[a, 0] & memory.columns[b, 0])
    for w in range(1, memory.columns.shape[1]):
        both += ones(memory.columns[a, w] & memory.columns[b, w])
    return both


@inlined
def exchange(memory, a, b):
    """Exchange two places of the chain."""
    memory.order[a], memory.order[b] = memory.order[b], memory.order[a]
    memory.counts[a], memory.counts[b] = memory.counts[b], memory.counts[a]
    for w in range(memory.columns.shape[1]):
        held = memory.columns[a, w]
        memory.columns[a, w] = memory.columns[b, w]
        memory.columns[b, w] = held


@inlined
def set_conditional(memory, k, total, bound):
    """The probabilities of the bit at k given the one before; 1/2 without data."""
    both = common(memory, k - 1, k)
    last = memory.counts[k - 1]
    after_one = both / last if last > 0 else 0.5
    after_zero = (memory.counts[k] - both) / (total - last) if last < total else 0.5
    set_chance(memory.after_one, k, clipped(after_one, bound))
    set_chance(memory.after_zero, k, clipped(after_zero, bound))


@inlined
def clipped(probability, bound):
    """The probability, kept away from 0 and 1."""
    return min(max(probability, bound), 1.0 - bound)


@part
def transpose(memory):
    """The chosen samples by columns, in the natural order of the bits."""
    for k in range(memory.order.size):
        memory.order[k] = k
        memory.counts[k] = 0
        for w in range(memory.columns.shape[1]):
            memory.columns[k, w] = 0
    for s in range(memory.chosen.size):
        bits = memory.samples[memory.chosen[s]]
        shift = np.uint64(s & 63)
        for k in range(memory.order.size):
            memory.columns[k, s >> 6] |= np.uint64(bits[k]) << shift
            memory.counts[k] += bits[k]


def memory(n: int, parameters: Parameters) -> Memory:
    """Memory for a chain of n bits and a population; all probabilities are 1/2."""
    return Memory(
        order=np.arange(n),
        after_zero=new_chances(n),
        after_one=new_chances(n),
        dice=new_dice(n),
        if_zero=padded(1, n)[0],
        if_one=padded(1, n)[0],
        samples=padded(parameters.population, n),
        values=np.zeros(parameters.population),
        chosen=np.zeros(parameters.selection, np.int64),
        columns=np.zeros((n, words_for(parameters.selection)), np.uint64),
        counts=np.zeros(n, np.int64),
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
)
