"""Mutations and bits of given probabilities against their definitions (tests/naive/stream.py)."""

import math

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
from catcube.engine.rng import MOST, draw_flips, flip_thresholds, initial_state
from tests.naive.stream import Stream, at_most

COUNT = 2000 if JIT else 300

pytestmark = pytest.mark.usefixtures("wrapping")


@njit
def flips_of(random, n, thresholds, positions):
    return draw_flips(random, n, thresholds, positions)


@njit
def bits_of(random, draws, chances, probabilities, packed, bits):
    for i in range(probabilities.size):
        set_probability(chances, i, probabilities[i])
    draw_bytes(random, draws, probabilities.size)
    draw_bits(random, draws, chances, packed)
    unpack(packed, bits)


@pytest.mark.parametrize("n", [*range(1, 20), 63, 64, 65, 128, 360, 840, 1215])
def test_how_many_flips(n):
    """The thresholds are exact: 2^64 times a fraction, rounded down."""
    thresholds = flip_thresholds(n).tolist()
    for k in range(1, min(n, MOST if n < 200 else 30)):
        assert thresholds[k - 1] == min(at_most(k, n), 2**64 - 1)


@pytest.mark.parametrize("mean", [0.25, 2.0, 4.0])
@pytest.mark.parametrize("n", [3, 64, 360])
def test_how_many_flips_at_another_rate(n, mean):
    stats = pytest.importorskip("scipy.stats")
    flips = stats.binom(n, min(mean / n, 0.5))
    expected = (flips.cdf([1, 2, 3]) - flips.pmf(0)) / (1 - flips.pmf(0))
    found = np.append(flip_thresholds(n, mean), 2**64 - 1)[:3] / 2**64
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 64, 360])
def test_where_flips_are(n):
    random, twin = initial_state(n), Stream(n)
    positions = np.zeros(MOST, np.int64)
    thresholds = flip_thresholds(n)
    for _ in range(COUNT):
        count = flips_of(random, n, thresholds, positions)
        assert positions[:count].tolist() == twin.flips(n)
    assert random.tolist() == twin.state


@pytest.mark.parametrize("n", [1, 7, 8, 9, 64, 65, 200])
def test_bits_of_given_probabilities(n):
    random, twin = initial_state(n), Stream(n)
    generator = np.random.default_rng(n)
    special = [0.0, 1.0, 0.5, 1 / 256, 255 / 256, 0.3, 1e-9, math.nextafter(1, 0)]
    draws, chances, bits = new_draws(n), new_probabilities(n), padded_rows(1, n)[0]
    packed = np.zeros(words_for(n) + 1, np.uint64)
    for _ in range(COUNT // 10):
        probabilities = np.where(
            generator.random(n) < 0.5, generator.random(n), generator.choice(special, n)
        )
        bits_of(random, draws, chances, probabilities, packed, bits)
        assert bits[:n].tolist() == twin.decided(twin.bytes(n), probabilities.tolist())
        assert not bits[n:].any()
        assert not bits[:n][probabilities == 0].any()
        assert bits[:n][probabilities == 1].all()
    assert random.tolist() == twin.state
