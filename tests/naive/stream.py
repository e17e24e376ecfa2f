"""The random stream of a run in plain Python integers: xoshiro256++ of Blackman and Vigna."""

import numpy as np

WORD = 2**64


def rotated(word, places):
    """The 64-bit word rotated to the left."""
    return (word << places | word >> (64 - places)) % WORD


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
