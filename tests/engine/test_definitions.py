"""Parts of the engine against their definitions: generations, distances, masks, ties, blocks."""

import numpy as np
import pytest

from catcube.engine.compiled.jit import JIT, njit
from catcube.engine.compiled.packed import padded_rows, words_for
from catcube.engine.decode import pack, unpack
from catcube.engine.distances import FAR, entropy_table, measure, new_distances
from catcube.engine.distributions import draw_bits, new_draws, new_probabilities, set_probability
from catcube.engine.generation import transpose
from catcube.engine.mixing import Mixer, arrange_bits, find_differences, find_few_differences
from catcube.engine.rng import initial_state

once = pytest.mark.skipif(
    JIT, reason="takes seconds to compile, and test_twins.py compares the compiled kernels"
)


@njit
def measured(distances, pairs, total, table, newcomer):
    measure(distances, pairs, total, table, newcomer)


@once
def test_two_bits_are_at_the_distance_of_the_definition():
    # Equal, opposite, constant: 0. Independent: 1. Solutions 00, 01, 11: 2 - 2 H(1/3) / log2(3).
    third = 2 - 2 * (np.log2(3) - 2 / 3) / np.log2(3)
    cases = [
        ([0, 1, 0, 1], [0, 1, 0, 1], 0),
        ([0, 1, 0, 1], [1, 0, 1, 0], 0),
        ([0, 0, 0, 0], [1, 1, 1, 1], 0),
        ([0, 0, 1, 1], [0, 1, 0, 1], 1),
        ([0, 0, 1], [0, 1, 1], third),
    ]
    for first, second, distance in cases:
        total = len(first)
        both = np.array([sum(first), np.dot(first, second), sum(second)], np.int32)
        distances = new_distances(2, total, 64)
        measured(distances, both, total, entropy_table(total), np.zeros(0, np.uint8))
        found = distances.matrix[0, 1]
        assert distances.matrix[1, 0] == found
        assert distances.matrix[0, 0] == distances.matrix[1, 1] == FAR
        if distance in (0, 1):
            assert found == distance * 2**30
        else:
            assert found == pytest.approx(distance * 2**30, abs=16)


@pytest.mark.parametrize("n", [1, 2, 20, 70])
def test_a_newcomer_is_counted(n):
    solutions = np.random.default_rng(n).integers(0, 2, (30, n))
    triangle = np.triu_indices(n)
    before, after = (
        (rows.T @ rows)[triangle].astype(np.int32) for rows in (solutions[:-1], solutions)
    )
    found = []
    for pairs, newcomer in ((before, solutions[-1]), (after, np.zeros(0))):
        distances = new_distances(n, 30, 128)
        measured(distances, pairs, 30, entropy_table(30), newcomer.astype(np.uint8))
        found.append(distances.matrix.tolist())
    assert before.tolist() == after.tolist()
    assert found[0] == found[1]


@njit
def compare(mixer, order, bits, donor_bits, packed, arranged, low, high):
    """In how many bits two solutions differ within a mask, by words; the mixer says in which."""
    arrange_bits(order, bits, mixer.arranged)
    arrange_bits(order, donor_bits, arranged)
    pack(donor_bits, packed)
    return find_differences(mixer, arranged, order, low, high)


@njit
def compare_few(mixer, order, bits, packed, low, high):
    """The same, bit by bit."""
    return find_few_differences(mixer, bits, packed, order, low, high)


@pytest.mark.parametrize("n", [1, 63, 64, 65, 200])
def test_differences_within_a_mask(n):
    draw = np.random.default_rng(n)
    ends = sorted({0, 1, 32, 63, 64, 65, 96, 127, 128, n - 1, n})
    ends = [end for end in ends if 0 <= end <= n]
    for share in (0.1, 1.0):
        order = draw.permutation(n)
        bits, donor_bits = padded_rows(2, n)
        bits[:n] = draw.integers(0, 2, n)
        donor_bits[:n] = bits[:n] ^ (draw.random(n) < share)
        packed, arranged, mixed, candidate = np.zeros((4, n // 64 + 2), np.uint64)
        for low in ends:
            for high in (end for end in ends if end > low):
                mixer = Mixer(mixed, candidate, *np.zeros((2, n), np.int64), padded_rows(1, n)[0])
                wanted = [k for k in range(low, high) if bits[order[k]] != donor_bits[order[k]]]
                for few in (False, True):
                    mixer.leaves[:] = -1
                    if few:
                        found = compare_few(mixer, order, bits, packed, low, high)
                    else:
                        words = (packed, arranged)
                        found = compare(mixer, order, bits, donor_bits, *words, low, high)
                    assert found == len(wanted)
                    assert mixer.leaves[:found].tolist() == wanted
                    assert mixer.positions[:found].tolist() == order[wanted].tolist()


@njit
def decide_thrown(random, draws, chances, packed, bits):
    draw_bits(random, draws, chances, packed)
    unpack(packed, bits)


@njit
def set_one(chances, i, probability):
    set_probability(chances, i, probability)


@pytest.mark.parametrize("n", [1, 64, 65, 130])
def test_ties_are_broken_by_the_remainder_of_each_bit(n):
    draw = np.random.default_rng(n)
    chances, draws = new_probabilities(n), new_draws(n)
    bits, packed = padded_rows(1, n)[0], np.zeros(words_for(n) + 1, np.uint64)
    # With a remainder of 0 a tie is 0; p = 1 is the byte 255 and the remainder 1: a tie is 1.
    certain = draw.integers(0, 2, n)
    for i in range(n):
        set_one(chances, i, 1.0 if certain[i] else draw.integers(0, 256) / 256)
    assert chances.threshold[:n][certain == 1].tolist() == [255] * certain.sum()
    assert chances.remainder.tolist() == certain.tolist()
    draws.bytes[:n] = chances.threshold[:n]
    with np.errstate(over="ignore"):
        decide_thrown(initial_state(1), draws, chances, packed, bits)
    assert bits[:n].tolist() == certain.tolist()
    assert not bits[n:].any()
    draws.bytes[:n] = np.minimum(chances.threshold[:n], 254) + 1
    with np.errstate(over="ignore"):
        decide_thrown(initial_state(1), draws, chances, packed, bits)
    assert bits[:n].tolist() == certain.tolist()  # above the threshold, or a tie at 255


@njit
def turned(block):
    transpose(block)


def test_rows_become_columns():
    for seed in range(3):
        bits = np.random.default_rng(seed).integers(0, 2, (64, 64), dtype=np.uint8)
        block = np.packbits(bits, axis=1, bitorder="little").view(np.uint64).ravel()
        turned(block)
        found = np.unpackbits(block.view(np.uint8).reshape(64, 8), axis=1, bitorder="little")
        assert found.tolist() == bits.T.tolist()
