"""What is drawn: a Latin design, in which every category has its turn, neighbours, and numbers."""

from catcube.engine.compiled.jit import njit
from catcube.engine.rng import below, shuffle, uniform


@njit
def draw_design(random, cardinalities, deck, rows):
    """Draw points such that each variable has its categories equally often, or once more."""
    for i in range(cardinalities.size):
        count = cardinalities[i]
        for r in range(rows.shape[0]):
            if r % count == 0:  # a fresh deck of all categories
                for c in range(count):
                    deck[c] = c
                shuffle(random, deck[:count])
            rows[r, i] = deck[r % count]
        shuffle(random, rows[:, i])


@njit
def draw_near(random, cardinalities, changes, point):
    """Give so many variables, not necessarily distinct ones, uniform categories."""
    for _ in range(changes):
        i = below(random, cardinalities.size)
        point[i] = below(random, cardinalities[i])


@njit
def draw_uniform(random):
    """Return a uniform number in [0, 1)."""
    return uniform(random)
