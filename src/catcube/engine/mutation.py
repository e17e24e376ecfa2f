"""Standard bit mutation: flip Binomial(n, 1/n) bits, at least one, at distinct uniform positions.

The number of flips is drawn from its cumulative distribution, not bit by bit.
"""

from decimal import Decimal, localcontext
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from catcube.engine.compiled.jit import inlined
from catcube.engine.rng import below, next_word

MOST = 64  # flips; more have a probability below 2^-64 (1/64! < 2^-295)


@lru_cache(maxsize=64)
def flip_thresholds(n: int) -> NDArray[np.uint64]:
    """Return thresholds: a random word from thresholds[k - 1] to thresholds[k] means k + 1 flips.

    Computed in decimal arithmetic, so that it is the same on every machine.
    """
    thresholds = np.full(MOST, 2**64 - 1, np.uint64)
    if n < 2:
        return thresholds
    with localcontext() as context:
        context.prec = 60
        none = (1 - Decimal(1) / n) ** n
        chance = none * n / (n - 1) / (1 - none)  # of one flip, given at least one
        total = Decimal(0)
        for k in range(1, min(n, MOST)):
            total += chance
            thresholds[k - 1] = min(int(total * 2**64), 2**64 - 1)
            chance *= Decimal(n - k) / ((k + 1) * (n - 1))
    thresholds.flags.writeable = False
    return thresholds


@inlined
def draw_count(random, n, thresholds, most):
    """Return how many of n bits or variables a mutation changes, at least one."""
    word = next_word(random)
    changes = 1
    while word >= thresholds[changes - 1] and changes < min(n, most):
        changes += 1
    return changes


@inlined
def draw_flips(random, n, thresholds, positions):
    """Write distinct uniform positions; how many there are."""
    flips = draw_count(random, n, thresholds, positions.size)
    for k in range(flips):
        fresh = False
        while not fresh:
            positions[k] = below(random, n)
            fresh = True
            for earlier in range(k):
                if positions[earlier] == positions[k]:
                    fresh = False
    return flips
