"""Faults of the engine that no other test noticed."""

import numpy as np
import pytest

from catcube.algorithms.algorithm import Algorithm
from catcube.engine.decode import pack
from catcube.engine.generation import evaluate_all, evaluate_samples
from catcube.engine.information import entropy_table
from catcube.engine.jit import njit
from catcube.engine.linkage import FAR, build, new_tree, new_workshop, triangle_size
from catcube.engine.mixing import arrange_bits, differences, differences_of_few, new_mixer
from catcube.engine.packed import padded
from catcube.engine.point import point_at
from catcube.engine.rng import seeded
from catcube.layout import layout_of, representations_of
from catcube.problems import Match
from catcube.run import Run, execute


@njit
def generations(search, parameters, memory):
    """Three, five and again five points of a budget of ten; then one more of each kind."""
    solutions, samples, values, going_on = memory
    point = point_at(search, 0)
    going_on[0] = evaluate_all(search, point, solutions, 3, values)
    going_on[1] = evaluate_samples(search, point, samples, 5, values)
    going_on[2] = evaluate_samples(search, point, samples, 2, values)
    going_on[3] = evaluate_all(search, point, solutions, 1, values)


def test_a_generation_says_whether_to_go_on():
    problem = Match(5, 4, seed=1)
    layout = layout_of(representations_of(problem.space, "linear"))
    n = layout.variable.size
    going_on = np.full(4, 2)
    room = (np.zeros((5, n // 64 + 2), np.uint64), np.zeros((5, 64), np.uint8), np.zeros(5))
    algorithm = Algorithm(
        name="generations",
        title="generations of known sizes",
        reference="",
        parameters=tuple,
        kernel=generations,
        memory=lambda n, parameters: (*room, going_on),
    )
    outcome = execute(Run(problem, layout, algorithm, (), 10, None, 1))
    assert going_on.tolist() == [1, 1, 0, 0]
    assert outcome.evaluations == 11  # the kernel above does not listen


@pytest.mark.parametrize("n", [0, 1, 2, 5, 64, 65])
def test_a_triangle_has_every_pair_once(n):
    assert triangle_size(n) == sum(1 for i in range(n) for _ in range(i, n))


@njit
def build_tree(random, tree, shop, pairs, total, table):
    build(random, tree, shop, pairs, total, table)


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
        shop = new_workshop(2)
        with np.errstate(over="ignore"):
            build_tree(seeded(1), new_tree(2), shop, both, total, entropy_table(total))
        # A merge averages the rows of both; what is left of the other one is as it was measured.
        measured = shop.distance[1, 0]
        assert shop.distance[1, 1] == FAR
        if distance in (0, 1):
            assert measured == distance * 2**30
        else:
            assert measured == pytest.approx(distance * 2**30, abs=16)


@njit
def compare(mixer, order, bits, donor_bits, packed, arranged, low, high):
    """In how many bits two solutions differ within a mask, by words; the mixer says in which."""
    arrange_bits(order, bits, mixer.arranged)
    arrange_bits(order, donor_bits, arranged)
    pack(donor_bits, packed)
    return differences(mixer, arranged, order, low, high)


@njit
def compare_few(mixer, order, bits, packed, low, high):
    """The same, bit by bit."""
    return differences_of_few(mixer, bits, packed, order, low, high)


@pytest.mark.parametrize("n", [1, 63, 64, 65, 200])
def test_differences_within_a_mask(n):
    draw = np.random.default_rng(n)
    ends = sorted({0, 1, 31, 32, 33, 62, 63, 64, 65, 95, 127, 128, 129, 191, 192, n - 1, n})
    ends = [end for end in ends if 0 <= end <= n]
    for share in (0.05, 0.5, 1.0):
        order = draw.permutation(n)
        bits, donor_bits = padded(2, n)
        bits[:n] = draw.integers(0, 2, n)
        donor_bits[:n] = bits[:n] ^ (draw.random(n) < share)
        packed, arranged = np.zeros((2, n // 64 + 2), np.uint64)
        for low in ends:
            for high in (end for end in ends if end > low):
                mixer = new_mixer(n)
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
