"""Whether what is drawn looks random: the usual tests, on the seeds and draws of the engine.

Seeds are fixed, so each test passes or fails for ever. A right generator would fail a comparison
with probability CHANCE, and any of this file with one below 10^-5.

The stream itself is that of its authors (`test_rng.py`), who tested it further.
"""

import math
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from catcube.engine.compiled.jit import JIT, njit
from catcube.engine.compiled.packed import padded_rows, words_for
from catcube.engine.decode import unpack
from catcube.engine.distributions import (
    draw_bits,
    draw_bytes,
    new_draws,
    new_probabilities,
    set_probability,
)
from catcube.engine.rng import MOST, draw_flips, flip_thresholds, initial_state, shuffle
from tests.engine.many_draws import fill_below, fill_uniform, fill_words

stats = pytest.importorskip("scipy.stats")
pytestmark = pytest.mark.usefixtures("wrapping")

CHANCE = 1e-8
WORDS = 2**14 if JIT else 2**12


@njit
def fill_shuffled(random, drawn):
    for k in range(drawn.shape[0]):
        for i in range(drawn.shape[1]):
            drawn[k, i] = i
        shuffle(random, drawn[k])


@njit
def fill_flips(random, n, thresholds, positions, counts, first):
    for k in range(counts.size):
        counts[k] = draw_flips(random, n, thresholds, positions)
        for i in range(counts[k]):
            first[k, i] = positions[i]


@njit
def fill_bits(random, draws, chances, packed, drawn):
    for k in range(drawn.shape[0]):
        draw_bytes(random, draws, chances.remainder.size)
        draw_bits(random, draws, chances, packed)
        unpack(packed, drawn[k])


@njit
def set_all(chances, probability):
    for i in range(chances.remainder.size):
        set_probability(chances, i, probability)


def words_of(seed, count):
    drawn = np.zeros(count, np.uint64)
    fill_words(initial_state(seed), drawn)
    return drawn


def even(counts):
    """The p-value that all are equally probable."""
    return stats.chisquare(counts).pvalue if len(counts) > 1 else 1.0


def two_sided(z):
    return float(2 * stats.norm.sf(abs(z)))


# The stream


def test_streams_of_neighbouring_seeds_do_not_correlate():
    """All couples of 200 streams, at several lags."""
    count = WORDS // 32
    drawn = np.stack([words_of(seed, count) for seed in range(200)])
    values = drawn.astype(np.float64) / 2.0**64 - 0.5
    for lag in (0, 1, 2):
        z = 12 * values[:, lag:] @ values[:, : count - lag].T / math.sqrt(count - lag)
        couples = z[np.triu_indices(200, 1)]
        assert two_sided(np.abs(couples).max()) * couples.size > CHANCE
        assert stats.chi2.sf((couples**2).sum(), couples.size) > CHANCE


def test_first_words_of_many_seeds():
    """The first draw decides where a run begins: it is as random as any other."""
    first = np.array([int(words_of(seed, 1)[0]) for seed in range(4000)], np.uint64)
    assert np.unique(first).size == first.size
    for shift in (0, 8, 24, 56):
        octets = ((first >> np.uint64(shift)) & np.uint64(255)).astype(np.int64)
        assert even(np.bincount(octets, minlength=256)) > CHANCE


# The draws


def drawn_below(bound, count, seed=7):
    drawn = np.zeros(count, np.int64)
    fill_below(initial_state(seed), bound, drawn)
    return drawn


@pytest.mark.parametrize("bound", [2, 3, 5, 7, 9, 15, 63, 100, 255, 256, 257])
def test_integers_and_couples_of_successive_ones(bound):
    drawn = drawn_below(bound, 40 * bound if not JIT else 400 * bound)
    assert even(np.bincount(drawn, minlength=bound)) > CHANCE
    first, second = drawn[:-1:2] * 5 // bound, drawn[1::2] * 5 // bound
    sizes = np.bincount(np.arange(bound) * 5 // bound, minlength=5) / bound
    wanted = np.outer(sizes, sizes).ravel() * first.size
    counts = np.bincount(first * 5 + second, minlength=25)
    assert stats.chisquare(counts[wanted > 0], wanted[wanted > 0]).pvalue > CHANCE


@pytest.mark.parametrize("bound", [3 * 2**30, 2**31 + 1, 2**32 - 1])
def test_large_integers_are_even(bound):
    """A third of the words, or half, would be biased if none were drawn again."""
    drawn = drawn_below(bound, WORDS)
    assert drawn.max() < bound
    assert even(np.bincount(drawn * 30 // bound, minlength=30)) > CHANCE
    assert even(np.bincount(drawn % 3, minlength=3)) > CHANCE


def test_uniform_reals():
    drawn = np.zeros(WORDS)
    fill_uniform(initial_state(8), drawn)
    assert stats.kstest(drawn, "uniform").pvalue > CHANCE
    last = (drawn * 2.0**53).astype(np.int64)
    assert even(np.bincount(last & 15, minlength=16)) > CHANCE
    descents = int((drawn[1:] < drawn[:-1]).sum())  # mean (n − 1)/2, variance (n + 1)/12
    assert two_sided((descents - (WORDS - 1) / 2) / math.sqrt((WORDS + 1) / 12)) > CHANCE


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_all_permutations_are_equally_probable(size):
    drawn = np.zeros((60_000 if JIT else 3000, size), np.int64)
    fill_shuffled(initial_state(size), drawn)
    counts = Counter(map(tuple, drawn.tolist()))
    assert set(counts) <= set(permutations(range(size)))
    assert even([counts[order] for order in permutations(range(size))]) > CHANCE


@pytest.mark.parametrize("n", [2, 5, 64, 360])
def test_flips_are_binomial_and_anywhere(n):
    """Their number is Binomial(n, 1/n) given that it is not 0; they are distinct and even."""
    count = 60_000 if JIT else 3000
    counts, flips = np.zeros(count, np.int64), np.full((count, MOST), -1)
    fill_flips(initial_state(n), n, flip_thresholds(n), np.zeros(MOST, np.int64), counts, flips)
    chances = stats.binom.pmf(np.arange(1, n + 1), n, 1 / n) / stats.binom.sf(0, n, 1 / n)
    common = int((chances * count > 10).sum())
    seen = np.bincount(np.minimum(counts, common + 1), minlength=common + 2)[1:]
    wanted = np.append(chances[:common], chances[common:].sum()) * count
    kept = wanted > 1
    seen, wanted = seen[kept], wanted[kept]
    assert stats.chisquare(seen, wanted * seen.sum() / wanted.sum()).pvalue > CHANCE
    assert even(np.bincount(flips[flips >= 0], minlength=n)) > CHANCE
    for row, size in zip(flips[:1000].tolist(), counts[:1000].tolist(), strict=True):
        assert len(set(row[:size])) == size
    two = flips[counts >= 2][:, :2]  # the second position is even among the other ones
    assert even(np.bincount((two[:, 1] - two[:, 0]) % n, minlength=n)[1:]) > CHANCE


@pytest.mark.parametrize("probability", [1e-3, 1 / 256, 0.1, 0.3, 0.5, 0.7, 255 / 256, 0.9999])
def test_bits_of_a_probability(probability):
    """Each of 70 bits, their sum, and their neighbours in the same draw and in the next one."""
    n, count = 70, 3000 if JIT else 200
    chances, drawn = new_probabilities(n), padded_rows(count, n)
    set_all(chances, probability)
    fill_bits(
        initial_state(11), new_draws(n), chances, np.zeros(words_for(n) + 1, np.uint64), drawn
    )
    drawn = drawn[:, :n].astype(np.int64)
    assert stats.binomtest(int(drawn.sum()), drawn.size, probability).pvalue > CHANCE
    worst = min(stats.binomtest(int(k), count, probability).pvalue for k in drawn.sum(axis=0))
    assert worst * n > CHANCE
    both = (drawn[:, 1:] & drawn[:, :-1])[:, ::2], drawn[1::2] & drawn[:-1:2]
    for sample in both:
        assert stats.binomtest(int(sample.sum()), sample.size, probability**2).pvalue > CHANCE
