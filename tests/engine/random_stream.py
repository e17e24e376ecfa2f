"""Random words to standard output, without end: python -m tests.engine.random_stream STREAMS SEED.

They are those of streams of neighbouring seeds, a word of each in turn.
"""

import contextlib
import os
import sys

import numpy as np

from catcube.engine.compiled.jit import njit
from catcube.engine.rng import fill_words, seeded


@njit
def fill(random, words):
    fill_words(random, words, words.size)


def main(streams, seed):
    states = [seeded(seed + k) for k in range(streams)]
    words = np.zeros((streams, 2**17 // streams), np.uint64)
    with contextlib.suppress(BrokenPipeError):
        while True:
            for state, row in zip(states, words, strict=True):
                fill(state, row)
            rest = memoryview(words.T.tobytes())
            while rest:
                rest = rest[os.write(1, rest) :]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
