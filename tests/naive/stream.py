"""The random stream of a run in plain Python integers: xoshiro256++ of Blackman and Vigna."""

from fractions import Fraction
from functools import cache
from math import comb

import numpy as np

WORD = 2**64


def rotated(word, shift):
    """The 64-bit word rotated to the left."""
    return (word << shift | word >> (64 - shift)) % WORD


class Stream:
    """Draws as the documentation defines them, from one word after another."""

    def __init__(self, seed):
        self.state = [int(word) for word in np.random.SeedSequence(seed).generate_state(4, "u8")]
        self.words = 0  # how many were drawn

    def word(self):
        """The next 64 bits."""
        self.words += 1
        s = self.state
        result = (rotated((s[0] + s[3]) % WORD, 23) + s[0]) % WORD
        t = (s[1] << 17) % WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotated(s[3], 45)
        return result

    def below(self, bound):
        """A uniform integer in 0..bound-1: the high 32 bits of a word times the bound, over 2^32.

        Of the 2^32 products, the 2^32 mod bound with the lowest remainders are drawn again.
        """
        while True:
            quotient, remainder = divmod((self.word() >> 32) * bound, 2**32)
            if remainder >= 2**32 % bound:
                return quotient

    def uniform(self):
        """A uniform real in [0, 1): the high 53 bits of a word over 2^53."""
        return (self.word() >> 11) / 2**53

    def bits(self, n):
        """n fair bits: bit i is bit i mod 64 of word i div 64."""
        words = [self.word() for _ in range((n + 63) // 64)]
        return [words[i // 64] >> i % 64 & 1 for i in range(n)]

    def bytes(self, n):
        """n random bytes: byte i is byte i mod 8 of word i div 8, the lowest first."""
        words = [self.word() for _ in range((n + 7) // 8)]
        return [words[i // 8] >> 8 * (i % 8) & 255 for i in range(n)]

    def decided(self, thrown, probabilities):
        """A bit for each byte thrown, 1 with its probability p: the byte is below 256 p.

        Where the byte is the integer part of 256 p, a uniform real below the rest decides; these
        are drawn after all bytes, in the order of the bits. (For p = 1 that byte is 255.)
        """
        bits = []
        for byte, probability in zip(thrown, probabilities, strict=True):
            whole = min(int(256 * probability), 255)
            if byte == whole:
                bits.append(int(self.uniform() < 256 * probability - whole))
            else:
                bits.append(int(byte < whole))
        return bits

    def flips(self, n):
        """The bits that standard bit mutation flips.

        They are drawn one after the other, again if they were before.
        """
        count = self.flip_count(n)
        indices = []
        while len(indices) < count:
            index = self.below(n)
            if index not in indices:
                indices.append(index)
        return indices

    def flip_count(self, n):
        """How many they are, said by one word.

        k + 1 or more if it is at least 2^64 times the probability of at most k, rounded down.
        """
        word = self.word()
        count = 1
        while count < n and word >= at_most(count, n):
            count += 1
        return count

    def shuffled(self, items):
        """The items in random order: from the last item down, swap with one not behind it."""
        items = list(items)
        for k in range(len(items) - 1, 0, -1):
            other = self.below(k + 1)
            items[k], items[other] = items[other], items[k]
        return items


@cache
def at_most(k, n):
    """2^64 times the chance of at most k flips of n bits, given at least one, rounded down."""
    rate = Fraction(1, n)
    chances = [comb(n, j) * rate**j * (1 - rate) ** (n - j) for j in range(k + 1)]
    return int(WORD * sum(chances[1:]) / (1 - chances[0]))
