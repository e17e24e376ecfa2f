"""Entropies of small counts, without logarithms in an inner loop.

k·log2(k) is kept in a table in fixed point: integers, held in floats so that loops over them become
vector instructions. Sums are then exact whatever their order. Only the logarithms of primes are
rounded, those of products are sums of them: so what is equal mathematically is equal (counts of 2,
2, 4, 12 and of 0, 6, 6, 8 have the same entropy), and ties are the same on every machine.
"""

import math

import numpy as np
from numpy.typing import NDArray

from catcube.engine.compiled.jit import inlined, unsigned

POINT = 28  # bits after the binary point, as long as sums stay below 2^53


def entropy_table(most: int) -> NDArray[np.float64]:
    """Return k·log2(k) for k = 0..most, in units of 2^-28; of larger ones for more than 10^6.

    What is made of them, ratios and comparisons, does not depend on the unit.
    """
    point = POINT
    while most * most.bit_length() * 2**point >= 2**53:
        point -= 1
    logarithms = np.zeros(most + 1, np.int64)
    for k in range(2, most + 1):
        if logarithms[k] == 0:  # k is a prime
            power = k
            while power <= most:
                logarithms[power::power] += round(math.log2(k) * 2**point)
                power *= k
    return np.arange(most + 1.0) * logarithms


@inlined
def joint_entropy(table, total, first, second, both):
    """Return total · H(a, b) from counts of a, b and both among `total`; up to a constant.

    The constant, total·log2(total), is left out: the result is minus the sum of the four terms.
    """
    return -(
        table[unsigned(both)]
        + table[unsigned(first - both)]
        + table[unsigned(second - both)]
        + table[unsigned(total - first - second + both)]
    )


@inlined
def entropy(table, total, count):
    """Return total · H(a) from the count of a among `total`, up to the same constant."""
    return -(table[unsigned(count)] + table[unsigned(total - count)])
