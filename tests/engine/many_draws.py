"""Arrays filled with draws of one kind, by compiled code."""

from catcube.engine.compiled.jit import njit
from catcube.engine.rng import below, next_word, uniform


@njit
def fill_words(random, drawn):
    for k in range(drawn.size):
        drawn[k] = next_word(random)


@njit
def fill_below(random, bound, drawn):
    for k in range(drawn.size):
        drawn[k] = below(random, bound)


@njit
def fill_uniform(random, drawn):
    for k in range(drawn.size):
        drawn[k] = uniform(random)
