"""Random numbers against their definitions in plain Python integers (tests/naive/stream.py)."""

import numpy as np
import pytest

from catcube.engine.compiled.jit import njit
from catcube.engine.rng import initial_state, random_words
from tests.engine.many_draws import fill_below, fill_uniform, fill_words
from tests.naive.stream import Stream

SEEDS = [0, 1, 2**32 - 1, 2**64 + 3, 2**200]
COUNT = 3000

pytestmark = pytest.mark.usefixtures("wrapping")


@njit
def fill_coins(random, n, packed):
    random_words(random, n, packed)


def words(random, count):
    drawn = np.zeros(count, np.uint64)
    fill_words(random, drawn)
    return drawn


def draws_below(random, bound, count):
    drawn = np.zeros(count, np.int64)
    fill_below(random, bound, drawn)
    return drawn


def test_the_published_sequence():
    """The first words from the state 1, 2, 3, 4, as printed by the authors' C program."""
    random = np.array([1, 2, 3, 4], np.uint64)
    assert words(random, 4).tolist() == [41943041, 58720359, 3588806011781223, 3591011842654386]


@pytest.mark.parametrize("seed", SEEDS)
def test_words(seed):
    random, twin = initial_state(seed), Stream(seed)
    assert words(random, COUNT).tolist() == [twin.word() for _ in range(COUNT)]
    assert random.tolist() == twin.state


@pytest.mark.parametrize(
    "bound",
    [1, 2, 3, 7, 15, 64, 840, 10**6, 2**31 - 1, 2**31, 2**31 + 1, 3 * 2**30, 2**32 - 2, 2**32 - 1],
)
def test_below(bound):
    random, twin = initial_state(bound), Stream(bound)
    assert draws_below(random, bound, COUNT).tolist() == [twin.below(bound) for _ in range(COUNT)]
    assert random.tolist() == twin.state  # the same number of words was drawn


@pytest.mark.parametrize("seed", SEEDS)
def test_uniform(seed):
    drawn = np.zeros(COUNT)
    twin = Stream(seed)
    fill_uniform(initial_state(seed), drawn)
    assert drawn.tolist() == [twin.uniform() for _ in range(COUNT)]
    assert drawn.min() >= 0.0
    assert drawn.max() < 1.0


def test_the_ends_of_uniform():
    """From states whose next word is 0 and 2^64 - 1."""
    drawn = np.zeros(1)
    fill_uniform(np.zeros(4, np.uint64), drawn)
    assert drawn[0] == 0.0
    # s0 = 2^64 - 1 and s3 = 1 add up to 0, so the word is s0.
    fill_uniform(np.array([2**64 - 1, 0, 0, 1], np.uint64), drawn)
    assert drawn[0] == 1.0 - 2.0**-53


@pytest.mark.parametrize("n", [0, 1, 2, 63, 64, 65, 127, 128, 129, 840])
def test_bits(n):
    random, twin = initial_state(n), Stream(n)
    needed = (n + 63) // 64
    packed = np.full(needed + 1, 7, np.uint64)
    for _ in range(20):
        fill_coins(random, n, packed)
        coins = [int(packed[i // 64]) >> i % 64 & 1 for i in range(64 * needed)]
        assert coins[:n] == twin.bits(n)
        assert not any(coins[n:])
        assert packed[needed] == 7
    assert random.tolist() == twin.state
