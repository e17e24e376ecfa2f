"""What PBIL and UMDA share: a product distribution moved towards the best of its samples."""

from typing import NamedTuple

import numpy as np

from catcube.engine.bernoulli import Chances, Dice, decide, new_chances, new_dice, set_chance, throw
from catcube.engine.compiled.jit import part
from catcube.engine.compiled.packed import padded
from catcube.engine.generation import evaluate_samples
from catcube.engine.point import point_at, start
from catcube.engine.recorder import allowed, iterate
from catcube.engine.selection import select_best


class Memory(NamedTuple):
    """The distribution, a generation of samples, their values, and the places of the best."""

    probability: np.ndarray
    chances: Chances
    dice: Dice
    samples: np.ndarray
    values: np.ndarray
    chosen: np.ndarray
    ones: np.ndarray


def new_memory(n: int, population: int, selection: int) -> Memory:
    """Memory for a product distribution of n bits and a population."""
    return Memory(
        probability=np.full(n, 0.5),
        chances=new_chances(n),
        dice=new_dice(n),
        samples=padded(population, n),
        values=np.zeros(population),
        chosen=np.zeros(selection, np.int64),
        ones=np.zeros(n, np.int64),
    )


@part
def evolve(search, memory, rate, margin):
    """Sample; move every probability by `rate` towards its mean among the best; keep the margin."""
    point = point_at(search, 0)
    n = point.bits.size
    bound = min(margin / n, 0.5) if n > 0 else 0.5
    start(search, point)
    while iterate(search.recorder):
        size = allowed(search.recorder, memory.values.size)
        for k in range(size):
            throw(search.random, memory.dice, n)
            decide(search.random, memory.dice, memory.chances, memory.samples[k])
        if not evaluate_samples(search, point, memory.samples, size, memory.values):
            return
        select_best(memory.values, memory.values.size, memory.chosen)
        count_ones(memory)
        for i in range(n):
            mean = memory.ones[i] / memory.chosen.size
            moved = memory.probability[i] + rate * (mean - memory.probability[i])
            memory.probability[i] = min(max(moved, bound), 1.0 - bound)
            set_chance(memory.chances, i, memory.probability[i])


@part
def count_ones(memory):
    """How many of the chosen samples have each bit set."""
    for i in range(memory.ones.size):
        memory.ones[i] = 0
    for k in memory.chosen:
        sample = memory.samples[k]
        for i in range(memory.ones.size):
            memory.ones[i] += sample[i]
