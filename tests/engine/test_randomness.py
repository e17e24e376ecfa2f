"""Whether what is drawn looks random: the usual tests, on the streams and draws of the engine.

Seeds are fixed, so each test passes or fails for ever. A right generator would fail a comparison
with probability CHANCE, and any of this file with one below 10^-5.

The stream itself is that of its authors (`test_rng.py`), who tested it further.
"""

import math
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from catcube.base.seeds import derived_seed
from catcube.engine.compiled.jit import JIT, njit
from catcube.engine.compiled.packed import padded, words_for
from catcube.engine.decode import unpack
from catcube.engine.distributions import decide, new_chances, new_dice, set_chance, throw
from catcube.engine.rng import MOST, draw_flips, flip_thresholds, seeded, shuffle
from tests.engine.many_draws import fill_below, fill_uniform, fill_words

stats = pytest.importorskip("scipy.stats")
pytestmark = pytest.mark.usefixtures("wrapping")

CHANCE = 1e-8
WORDS = 2**14 if JIT else 2**12

# What users have: the stream of one seed; those of several seeds or runs, a word of each in turn.
STREAMS = {
    "one seed": [12345],
    "neighbouring seeds": range(64),
    "neighbouring large seeds": [2**63 + k for k in range(64)],
    "seeds that differ in one bit": [1 << k for k in range(64)],
    "runs of a study": [derived_seed(1, "easy", "sa", "linear", run) for run in range(64)],
    "algorithms of a study": [derived_seed(seed, "easy", "sa", "linear", 1) for seed in range(64)],
}


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
def fill_bits(random, dice, chances, packed, drawn):
    for k in range(drawn.shape[0]):
        throw(random, dice, chances.remainder.size)
        decide(random, dice, chances, packed)
        unpack(packed, drawn[k])


@njit
def set_all(chances, probability):
    for i in range(chances.remainder.size):
        set_chance(chances, i, probability)


def interleaved(seeds, count):
    """Words of the streams of these seeds, one of each in turn."""
    seeds = list(seeds)
    drawn = np.zeros((len(seeds), count // len(seeds)), np.uint64)
    for seed, row in zip(seeds, drawn, strict=True):
        fill_words(seeded(seed), row)
    return drawn.T.ravel()


@pytest.fixture(params=STREAMS)
def words(request):
    return interleaved(STREAMS[request.param], WORDS)


def bits_of(words):
    return np.unpackbits(words.view(np.uint8), bitorder="little")


def even(counts):
    """The p-value that all are equally probable."""
    return stats.chisquare(counts).pvalue if len(counts) > 1 else 1.0


def two_sided(z):
    return float(2 * stats.norm.sf(abs(z)))


# The stream


def test_ones_are_half(words):
    ones = int(bits_of(words).sum())
    assert stats.binomtest(ones, 64 * words.size).pvalue > CHANCE


def test_each_bit_of_the_words_is_fair_and_independent_of_the_others(words):
    """64 bits, and the correlations of all their couples: the largest of 2080 is no surprise."""
    bits = bits_of(words).reshape(-1, 64).astype(np.float64) * 2 - 1
    z = bits.T @ bits / math.sqrt(len(bits))
    couples = z[np.triu_indices(64, 1)]
    assert two_sided(np.abs(couples).max()) * couples.size > CHANCE
    assert stats.chi2.sf((couples**2).sum(), couples.size) > CHANCE
    assert two_sided(np.abs(bits.sum(axis=0)).max() / math.sqrt(len(bits))) * 64 > CHANCE


@pytest.mark.parametrize("part", ["low", "high"])
def test_bytes_and_couples_of_successive_bytes(words, part):
    """The serial test: also of the lowest bits, where weak generators are weakest."""
    shift = np.uint64(0 if part == "low" else 56)
    octets = ((words >> shift) & np.uint64(255)).astype(np.int64)
    assert even(np.bincount(octets, minlength=256)) > CHANCE
    small = octets >> 4 if part == "high" else octets & 15
    assert even(np.bincount(small[:-1:2] * 16 + small[1::2], minlength=256)) > CHANCE


def test_runs_of_bits(words):
    """How often bit k of successive words changes, and how long runs of ones are."""
    bits = bits_of(words)
    changes = int((bits[1:] != bits[:-1]).sum())
    assert stats.binomtest(changes, bits.size - 1).pvalue > CHANCE
    edges = np.flatnonzero(np.diff(bits, prepend=2, append=2))
    lengths = np.minimum(np.diff(edges), 12)
    wanted = 0.5 ** np.arange(1, 13)
    wanted[-1] *= 2
    counts = np.bincount(lengths, minlength=13)[1:]
    assert stats.chisquare(counts, wanted * counts.sum()).pvalue > CHANCE


@pytest.mark.parametrize("lag", [1, 2, 3, 64, 128])
def test_serial_correlation(words, lag):
    """Of the words as fractions; 64 is the next word of the same stream."""
    values = words.astype(np.float64) / 2.0**64 - 0.5
    z = 12 * (values[lag:] * values[:-lag]).sum() / math.sqrt(values.size - lag)
    assert two_sided(z) > CHANCE


def test_streams_of_neighbouring_seeds_do_not_correlate():
    """All couples of 200 streams, at several lags."""
    count = WORDS // 32
    drawn = np.stack([interleaved([seed], count) for seed in range(200)])
    values = drawn.astype(np.float64) / 2.0**64 - 0.5
    for lag in (0, 1, 2):
        z = 12 * values[:, lag:] @ values[:, : count - lag].T / math.sqrt(count - lag)
        couples = z[np.triu_indices(200, 1)]
        assert two_sided(np.abs(couples).max()) * couples.size > CHANCE
        assert stats.chi2.sf((couples**2).sum(), couples.size) > CHANCE


def test_first_words_of_many_seeds():
    """The first draw decides where a run begins: it is as random as any other."""
    first = np.array([int(interleaved([seed], 1)[0]) for seed in range(4000)], np.uint64)
    assert np.unique(first).size == first.size
    for shift in (0, 8, 24, 56):
        octets = ((first >> np.uint64(shift)) & np.uint64(255)).astype(np.int64)
        assert even(np.bincount(octets, minlength=256)) > CHANCE


# The draws


def drawn_below(bound, count, seed=7):
    drawn = np.zeros(count, np.int64)
    fill_below(seeded(seed), bound, drawn)
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
    fill_uniform(seeded(8), drawn)
    assert stats.kstest(drawn, "uniform").pvalue > CHANCE
    last = (drawn * 2.0**53).astype(np.int64)
    assert even(np.bincount(last & 15, minlength=16)) > CHANCE
    descents = int((drawn[1:] < drawn[:-1]).sum())  # mean (n − 1)/2, variance (n + 1)/12
    assert two_sided((descents - (WORDS - 1) / 2) / math.sqrt((WORDS + 1) / 12)) > CHANCE


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_all_permutations_are_equally_probable(size):
    drawn = np.zeros((60_000 if JIT else 3000, size), np.int64)
    fill_shuffled(seeded(size), drawn)
    counts = Counter(map(tuple, drawn.tolist()))
    assert set(counts) <= set(permutations(range(size)))
    assert even([counts[order] for order in permutations(range(size))]) > CHANCE


@pytest.mark.parametrize("n", [2, 5, 64, 360])
def test_flips_are_binomial_and_anywhere(n):
    """Their number is Binomial(n, 1/n) given that it is not 0; they are distinct and even."""
    count = 60_000 if JIT else 3000
    counts, flips = np.zeros(count, np.int64), np.full((count, MOST), -1)
    fill_flips(seeded(n), n, flip_thresholds(n), np.zeros(MOST, np.int64), counts, flips)
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
    chances, drawn = new_chances(n), padded(count, n)
    set_all(chances, probability)
    fill_bits(seeded(11), new_dice(n), chances, np.zeros(words_for(n) + 1, np.uint64), drawn)
    drawn = drawn[:, :n].astype(np.int64)
    assert stats.binomtest(int(drawn.sum()), drawn.size, probability).pvalue > CHANCE
    worst = min(stats.binomtest(int(k), count, probability).pvalue for k in drawn.sum(axis=0))
    assert worst * n > CHANCE
    both = (drawn[:, 1:] & drawn[:, :-1])[:, ::2], drawn[1::2] & drawn[:-1:2]
    for sample in both:
        assert stats.binomtest(int(sample.sum()), sample.size, probability**2).pvalue > CHANCE
