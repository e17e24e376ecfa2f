"""Many bits with given probabilities at once.

A bit is decided by one random byte r against p: with t = floor(256 p), or 255 for p = 1, it is 1 if
r < t, 0 if r > t, and if r = t (once in 256 times) one uniform real against the remainder 256 p - t
decides. So bytes are compared 32 at a time by vector instructions, and every probability is exact.
"""

from typing import NamedTuple

import numpy as np

from catcube.engine.compiled.jit import part
from catcube.engine.compiled.packed import load_word, lowest, padded
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
    ties: np.ndarray


def new_chances(n: int) -> Chances:
    """Probabilities of n bits, all 1/2."""
    threshold = padded(1, n)[0]
    threshold[:n] = 128
    return Chances(threshold, np.zeros(n))


def new_dice(n: int) -> Dice:
    """Room to throw n bits."""
    ties = padded(1, n)[0]
    thrown = padded(1, n)[0]
    return Dice(thrown.view(np.uint64), thrown, ties)


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
def decide(random, dice, chances, bits):
    """Turn the bytes thrown into bits."""
    n = chances.remainder.size
    for i in range(n):
        bits[i] = np.uint8(dice.bytes[i] < chances.threshold[i])
        dice.ties[i] = np.uint8(dice.bytes[i] == chances.threshold[i])
    for w in range((n + 63) // 64):
        ties = load_word(dice.ties, 64 * w)
        while ties != 0:
            i = 64 * w + lowest(ties)
            bits[i] = np.uint8(uniform(random) < chances.remainder[i])
            ties &= ties - ONE
