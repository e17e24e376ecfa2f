"""What operators on bits see of a category, against whole cubes and closed forms."""

import itertools

import numpy as np
import pytest

from catcube.representations import closed_forms as theory
from catcube.representations import representation
from catcube.representations.closed_forms import crossover_keeps, strength


def cube(bits):
    return np.arange(2**bits)[:, None] >> np.arange(bits) & 1


def is_array_of_strength(code, t):
    """Whether within each class all patterns of any t bits are equally frequent: by counting."""
    points = cube(code.bits)
    decoded = code.decode(points)
    for category in range(code.categories):
        members = points[decoded == category]
        for subset in itertools.combinations(range(code.bits), t):
            patterns = members[:, subset] @ (1 << np.arange(t))
            if len(set(np.bincount(patterns, minlength=2**t).tolist())) > 1:
                return False
    return True


@pytest.mark.parametrize("name", ["direct", "linear", "balanced", "compact", "vt"])
@pytest.mark.parametrize("N", [3, 4, 5, 8])
def test_strength_by_counting_patterns(name, N):
    code = representation(name, N)
    t = strength(code)
    assert is_array_of_strength(code, t)
    assert t == code.bits or not is_array_of_strength(code, t + 1)


@pytest.mark.parametrize("k", range(1, 5))
def test_repeated_columns_leave_the_strength(k):
    """A column twice is a pair of bits that only count together: one bit alone stays fair."""
    if k <= 3:
        twice = representation("linear:2", 2**k)
        assert strength(twice) == 2 * (strength(representation("linear", 2**k)) + 1) - 1


@pytest.mark.parametrize("k", range(1, 5))
def test_classes_of_linear_are_orthogonal_arrays_of_strength_half_n_minus_one(k):
    assert strength(representation("linear", 2**k)) == 2**k // 2 - 1


def test_bits_of_two_variables_say_nothing_about_their_categories():
    """From N = 4 on: any joint law of two categories gives the same law of a bit of each."""
    code = representation("linear", 4)
    points = cube(code.bits)
    decoded = code.decode(points)
    joint = np.random.default_rng(1).dirichlet(np.ones(16)).reshape(4, 4)
    ones = np.stack([points[decoded == category].mean(axis=0) for category in range(4)])
    assert (ones == 0.5).all()
    # Given the categories, the vectors are independent and uniform in their classes.
    assert np.einsum("ab,ai,bj->ij", joint, ones, ones) == pytest.approx(np.full((3, 3), 0.25))
    ones = cube(2).astype(float)  # direct: the bits are the category
    assert np.ptp(np.einsum("ab,ai,bj->ij", joint, ones, ones)) > 0.01


@pytest.mark.parametrize("k", [2, 3, 4])
def test_near_one_half_a_product_of_bits_says_little_about_the_category(k):
    """With all bits at ½ − ε every character is (2ε)^(N/2): the order at which a signal begins."""
    N, epsilon = 2**k, 1 / 64
    law = theory.category_distribution(representation("linear", N), np.full(N - 1, 0.5 - epsilon))
    assert law[0] - law[1] == pytest.approx((2 * epsilon) ** (N // 2))
    direct = theory.category_distribution(representation("direct", N), np.full(k, 0.5 - epsilon))
    assert np.ptp(direct) > epsilon / N


@pytest.mark.parametrize("name", ["direct", "gray", "linear", "unary", "vt", "covering:2"])
@pytest.mark.parametrize("N", [3, 4, 5])
def test_crossover_by_enumeration(name, N):
    code = representation(name, N)
    decoded = code.decode(cube(code.bits))
    points = np.arange(2**code.bits)
    one, other, mask = np.meshgrid(points, points, points, indexing="ij")
    child = decoded[(one & mask) | (other & ~mask)]
    differ = decoded[one] != decoded[other]
    kept = differ & ((child == decoded[one]) | (child == decoded[other]))
    assert crossover_keeps(code) == pytest.approx(kept.sum() / differ.sum())


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_crossover_in_closed_form(k):
    N = 2**k
    assert crossover_keeps(representation("linear", N)) == pytest.approx(
        2 * theory.uniform_crossover(N)[0]
    )
    # Of the k bits of direct, the child has all d that differ from one parent: 2 · 2^(−d).
    assert crossover_keeps(representation("direct", N)) == pytest.approx(2 * (1.5**k - 1) / (N - 1))


def test_what_is_too_large_is_refused():
    with pytest.raises(ValueError, match="expected at most 20 bits, got 31"):
        strength(representation("linear", 32))
    with pytest.raises(ValueError, match="expected at most 64 words, got 144"):
        crossover_keeps(representation("balanced", 9))
