"""Drawing many bits with given probabilities.

A bit is decided by one random byte r against p: with t = floor(256 p), or 255 for p = 1, it is 1 if
r < t, 0 if r > t, and if r = t (once in 256 times) one uniform real against the remainder 256 p - t
decides. So bytes are compared 64 at a time by vector instructions, and every probability is exact.
"""

from typing import NamedTuple

import numpy as np

from catcube.engine.compiled.jit import part
from catcube.engine.compiled.packed import less_word, lowest, padded, same_word
from catcube.engine.rng import fill_words, uniform

ONE = np.uint64(1)


class Chances(NamedTuple):
    """Probabilities of n bits."""

    threshold: np.ndarray  # of the byte
    remainder: np.ndarray


class Dice(NamedTuple):
    """Room for the random bytes of n bits; `words` and `bytes` are the same memory."""

    words: np.ndarray
    bytes: np.ndarray


def new_chances(n: int) -> Chances:
    """Return the probabilities of n bits, all 1/2."""
    threshold = padded(1, n)[0]
    threshold[:n] = 128
    return Chances(threshold, np.zeros(n))


def new_dice(n: int) -> Dice:
    """Allocate room to throw n bits."""
    thrown = padded(1, n)[0]
    return Dice(thrown.view(np.uint64), thrown)


@part
def set_chance(chances, i, probability):
    """Set the probability of bit i."""
    scaled = 256.0 * probability
    threshold = np.int64(min(scaled, 255.0))
    chances.threshold[i] = np.uint8(threshold)
    chances.remainder[i] = scaled - threshold


@part
def throw(random, dice, n):
    """Draw a random byte for each of n bits."""
    fill_words(random, dice.words, (n + 7) // 8)


@part
def decide(random, dice, chances, packed):
    """Turn the bytes thrown into bits, packed; bits beyond the last one are 0."""
    n = chances.remainder.size
    for w in range(dice.bytes.size // 64):
        word = less_word(dice.bytes, chances.threshold, 64 * w)
        ties = same_word(dice.bytes, chances.threshold, 64 * w)
        while ties != 0:
            i = 64 * w + lowest(ties)
            if i >= n:
                break
            if uniform(random) < chances.remainder[i]:
                word |= ties & (~ties + ONE)
            ties &= ties - ONE
        packed[w] = word
