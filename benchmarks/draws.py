"""A yardstick that travels between machines: one 64-bit draw of the package's generator."""

import time

import numpy as np

from benchmarks.effort import Effort
from catcube.engine.compiled.jit import njit
from catcube.engine.rng import next_word, seeded


@njit
def draw(random, times):
    """Return the XOR of so many words."""
    mixed = np.uint64(0)
    for _ in range(times):
        mixed ^= next_word(random)
    return mixed


def draws(effort: Effort) -> list[float]:
    """Return nanoseconds per draw in several repeats, sorted."""
    times = effort.evaluations(200_000_000)
    draw(seeded(0), 1)
    figures = []
    for number in range(effort.repeats):
        random = seeded(effort.seed + number)
        began = time.thread_time()
        draw(random, times)
        figures.append(1e9 * (time.thread_time() - began) / times)
    return sorted(figures)
