"""What operators on bits see of a category: counting bits, and uniform crossover, both exactly."""

from typing import TYPE_CHECKING

import numpy as np

from catcube.errors import BadValue
from catcube.representations.exact.spectrum import walsh

if TYPE_CHECKING:
    from catcube.representations.representation import Representation

MOST_BITS = 20  # of a cube that is gone through
MOST_WORDS = 64  # of a variable, whose triples are followed bit by bit


def strength(representation: "Representation") -> int:
    """Return how many bits of a variable are fair and independent, given any category.

    That is the strength of the classes as orthogonal arrays: the largest t such that, within every
    class, all patterns of any t bits are equally frequent. Statistics over t bits of a population
    that is spread over the classes then carry no signal about categories. A class has strength t
    if and only if the Walsh transform of its indicator vanishes at all weights from 1 to t.

    >>> from catcube.representations import representation
    >>> [strength(representation("linear", N)) for N in (2, 4, 8, 16)]  # N/2 − 1
    [0, 1, 3, 7]
    >>> strength(representation("direct", 8))
    0
    """
    bits = representation.bits
    if bits > MOST_BITS:
        raise BadValue(f"expected at most {MOST_BITS} bits, got {bits}")
    cube = np.arange(2**bits)
    decoded = representation.decode(cube[:, None] >> np.arange(bits) & 1)
    weights = np.bitwise_count(cube)
    lowest = bits + 1
    for category in range(representation.categories):
        coefficients = walsh((decoded == category).astype(np.int64))
        lowest = min(lowest, *weights[(coefficients != 0) & (weights > 0)].tolist(), bits + 1)
    return int(lowest) - 1


def crossover_keeps(representation: "Representation") -> float:
    """Return the probability that a child of uniform crossover has the category of a parent.

    The parents are uniform among the bit vectors with different categories; each bit of the child
    is that of either parent. Crossover by whole variables always keeps a category.

    >>> from catcube.representations import representation
    >>> [round(crossover_keeps(representation(name, 16)), 3) for name in ("direct", "linear")]
    [0.542, 0.132]
    """
    elements = representation.elements
    if elements.order > MOST_WORDS:
        raise BadValue(f"expected at most {MOST_WORDS} words, got {elements.order}")
    # The probability of the words of one parent, the other, and the child; bit by bit.
    triples = np.zeros((elements.order,) * 3)
    triples[0, 0, 0] = 1.0
    for bit in range(elements.bits):
        before = elements.minus(bit)
        one, other = triples[before], triples[:, before]
        both = one[:, before][:, :, before]
        triples = (2 * (triples + both) + one + one[:, :, before] + other + other[:, :, before]) / 8
    categories = representation.table
    first, second = categories[:, None, None], categories[None, :, None]
    child = categories[None, None, :]
    differ = np.broadcast_to(first != second, triples.shape)
    kept = differ & ((child == first) | (child == second))
    return float(triples[kept].sum() / triples[differ].sum())
