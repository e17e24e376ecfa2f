"""Random numbers: xoshiro256++ of Blackman and Vigna (2021), with a state of four words.

All draws depend on the stream of 64-bit words only, so that a run is the same on every machine,
compiled or not. numpy's generators in numba measured 5 to 20 times slower.

Standard bit mutation flips Binomial(n, c/n) bits, at least one, at distinct uniform positions. The
number of flips is drawn from its cumulative distribution (`flip_thresholds`), not bit by bit.
"""

from decimal import Decimal, localcontext
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from catcube.engine.compiled.jit import inlined, part

ONE = np.uint64(1)
U11, U17, U19, U23, U32, U41, U45 = map(np.uint64, (11, 17, 19, 23, 32, 41, 45))
LOW32 = np.uint64(0xFFFFFFFF)
UNIT = 2.0**-53


def initial_state(seed: int) -> np.ndarray:
    """Return the state for a seed of any size; consecutive seeds give independent streams."""
    return np.random.SeedSequence(seed).generate_state(4, np.uint64)


@inlined
def _advance(s0, s1, s2, s3):
    """Return the next 64 random bits, and the four words of the state after them."""
    total = s0 + s3
    word = ((total << U23) | (total >> U41)) + s0
    shifted = s1 << U17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    return word, s0, s1, s2 ^ shifted, (s3 << U45) | (s3 >> U19)


@inlined
def next_word(random):
    """Return the next 64 random bits."""
    word, s0, s1, s2, s3 = _advance(random[0], random[1], random[2], random[3])
    random[0], random[1], random[2], random[3] = s0, s1, s2, s3
    return word


@inlined
def below(random, bound):
    """Return an unbiased uniform integer in 0..bound-1, for bound < 2^32 (Lemire 2019)."""
    width = np.uint64(bound)
    product = (next_word(random) >> U32) * width
    if (product & LOW32) < width:
        reject = ((LOW32 - width) + np.uint64(1)) % width
        while (product & LOW32) < reject:
            product = (next_word(random) >> U32) * width
    return np.int64(product >> U32)


@inlined
def uniform(random):
    """Return a uniform number in [0, 1), a multiple of 2^-53."""
    return np.float64(next_word(random) >> U11) * UNIT


@part
def fill_words(random, words, count):
    """Fill the first `count` words with random bits, 3 times as fast as `next_word`."""
    s0, s1, s2, s3 = random[0], random[1], random[2], random[3]
    for w in range(count):
        words[w], s0, s1, s2, s3 = _advance(s0, s1, s2, s3)
    random[0], random[1], random[2], random[3] = s0, s1, s2, s3


@part
def random_words(random, n, packed):
    """Fill packed words with n random bits; the bits beyond n are 0."""
    words = (n + 63) // 64
    fill_words(random, packed, words)
    if n & 63 != 0:
        packed[words - 1] &= (ONE << np.uint64(n & 63)) - ONE


@part
def random_categories(random, sizes, positions, categories):
    """Set categories[positions[k]] = below(random, sizes[k]) for all k, faster than `below`."""
    s0, s1, s2, s3 = random[0], random[1], random[2], random[3]
    for k in range(sizes.size):
        width = np.uint64(sizes[k])
        product = np.uint64(0)
        drawn = False
        while not drawn:
            word, s0, s1, s2, s3 = _advance(s0, s1, s2, s3)
            product = (word >> U32) * width
            low = product & LOW32
            drawn = low >= width or low >= ((LOW32 - width) + ONE) % width
        categories[positions[k]] = np.int32(product >> U32)
    random[0], random[1], random[2], random[3] = s0, s1, s2, s3


@part
def shuffle(random, items):
    """Shuffle the items in place, uniformly (Fisher and Yates, from the end)."""
    for k in range(items.size - 1, 0, -1):
        other = below(random, k + 1)
        held = items[k]
        items[k] = items[other]
        items[other] = held


MOST = 64  # flips; more have a probability below 2^-64 at the rate 1/n (1/64! < 2^-295)


@lru_cache(maxsize=64)
def flip_thresholds(n: int, mean: float = 1.0) -> NDArray[np.uint64]:
    """Return the cumulative distribution of the number of flips in a mutation of n bits.

    A random word from thresholds[k - 1] to thresholds[k] means k + 1 flips. They are computed in
    decimal arithmetic, and so are the same on every machine.

    Parameters
    ----------
    n
        The number of bits, or of variables.
    mean
        The mutation rate times n; the rate is at most 1/2.

    Returns
    -------
    array of uint64
        The thresholds, a read-only array.

    Examples
    --------
    >>> (flip_thresholds(2)[:2] / 2.0**64).round(3).tolist()  # one flip: 2/3, two flips: 1/3
    [0.667, 1.0]
    """
    thresholds = np.full(MOST, 2**64 - 1, np.uint64)
    if n < 2:
        return thresholds
    with localcontext() as context:
        context.prec = 60
        flips = min(Decimal(mean), Decimal(n) / 2)
        odds = flips / (n - flips)  # of a flip of one bit
        none = (1 - flips / n) ** n
        chance = none * n * odds / (1 - none)  # of one flip, given at least one
        total = Decimal(0)
        for k in range(1, min(n, MOST)):
            total += chance
            thresholds[k - 1] = min(int(total * 2**64), 2**64 - 1)
            chance *= odds * (n - k) / (k + 1)
    thresholds.flags.writeable = False
    return thresholds


def new_mutation(n: int, mean: float) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the thresholds for mutations of n bits or variables, and memory for their moves."""
    return flip_thresholds(n, mean).copy(), np.zeros(MOST, np.int64)


@inlined
def draw_flips(random, n, thresholds, positions):
    """Write the distinct uniform positions of a mutation; return their number."""
    return draw_moves(random, n, n, 1, 0, thresholds, positions)


@inlined
def draw_moves(random, n, bound, reciprocal, shift, thresholds, moves):
    """Write uniform moves below a bound, of distinct variables; return their number.

    There are n variables, and the variable of move i is (i * reciprocal) >> shift.
    """
    word, changes = next_word(random), 1
    while word >= thresholds[changes - 1] and changes < min(n, moves.size):
        changes += 1
    for k in range(changes):
        fresh = False
        while not fresh:
            moves[k] = below(random, bound)
            variable = (moves[k] * reciprocal) >> shift
            fresh = True
            for earlier in range(k):
                if (moves[earlier] * reciprocal) >> shift == variable:
                    fresh = False
    return changes
