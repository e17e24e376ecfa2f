"""The closed forms against enumeration, against exact properties, and the paper's numbers."""

import itertools
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube.representations import Representation, families, representation
from catcube.representations import closed_forms as theory
from tests.naive import representation as naive


def relabelled(N, seed):
    """Another locally bijective representation: columns, categories and words permuted."""
    rng = np.random.default_rng(seed)
    return Representation(rng.permutation(np.arange(1, N)), rng.permutation(N))


@pytest.mark.parametrize("code", [
    *(representation("linear", N) for N in (2, 4, 8)),
    *(relabelled(N, seed) for N in (4, 8) for seed in range(3)),
])  # fmt: skip
def test_the_theorem_from_every_point_and_for_every_r(code):
    N, n = code.categories, code.bits
    cube = naive.Cube(naive.decoded_cube(code), n, N)
    assert cube.is_locally_bijective()
    for r in range(n + 1):
        keep, change = theory.linear_spread(N, r)
        for x, own_category in enumerate(cube.decoded):
            expected = [keep if b == own_category else change for b in range(N)]
            assert cube.sees[r, x].tolist() == expected


def test_the_theorem_needs_no_linearity():
    # Vasil'ev's perfect codes of length 15, one for each category: (x, y, t) decodes to the Hamming
    # category of x + y and to t + |x| + f(x + y), with any f; this one is not linear.
    n = 15
    points = np.arange(2**n)[:, None] >> np.arange(n) & 1
    x, y, t = points[:, :7], points[:, 7:14], points[:, 14]
    v = x ^ y
    side = (t + x.sum(axis=1) + v[:, 0] * v[:, 1] + v[:, 2] * v[:, 3] * v[:, 4]) % 2
    table = 2 * representation("linear", 8).decode(v) + side
    code = Representation([1 << bit for bit in range(n)], table)
    members = points[table == table[0]]  # zero is one of them, yet they are no linear code:
    assert any(code.decode(members ^ member).any() for member in members[:100])
    assert code.is_locally_bijective()
    assert code.is_isotropic()
    for r in (1, 2, 3, 8):
        keep, change = theory.linear_spread(16, r)
        expected = np.full((16, 16), change)
        np.fill_diagonal(expected, keep)
        assert (code.spread(r) == expected).all()


@pytest.mark.parametrize("k", range(9))
def test_the_closed_form_is_the_exact_spread(k):
    assert theory.linear_spread(16, 3) == (35, 28)  # the paper's example
    N = 2**k
    code = representation("linear", N)
    rs = range(N) if N <= 32 else (0, 1, 2, 5, N // 2, N - 1)
    for r in rs:
        keep, change = theory.linear_spread(N, r)
        assert keep + (N - 1) * change == comb(N - 1, r)
        expected = np.full((N, N), change, dtype=object)
        np.fill_diagonal(expected, keep)
        assert (code.spread(r, exact=True) == expected).all()
        if N > 1:
            assert theory.krawtchouk(N - 1, r, N // 2) == keep - change


@pytest.mark.parametrize("k", range(1, 9))
@pytest.mark.parametrize("p", [Fraction(0), Fraction(1, 255), Fraction(1, 5), Fraction(9, 10)])
def test_mutation_keeps_or_draws_uniformly(k, p):
    N = 2**k
    eigenvalue = (1 - 2 * p) ** (N // 2)
    keep, change = theory.linear_mutation(N, p)
    assert (keep, change) == (eigenvalue + (1 - eigenvalue) / N, (1 - eigenvalue) / N)
    matrix = representation("linear", N).mutation_matrix(p, exact=N <= 32)
    expected = np.full((N, N), change, dtype=object)
    np.fill_diagonal(expected, keep)
    if N <= 32:
        assert (matrix == expected).all()
    assert np.allclose(matrix.astype(float), expected.astype(float), rtol=0, atol=1e-13)


@pytest.mark.parametrize("N", [2, 4, 16, 256])
def test_the_rate_for_a_wanted_change(N):
    code = representation("linear", N)
    for q in (0.0, 0.01, 0.3, 0.7 * (N - 1) / N, (N - 1) / N):
        p = theory.mutation_rate(q, N)
        assert 0 <= p <= 0.5
        assert 1 - code.mutation_matrix(p)[0, 0] == pytest.approx(q, abs=1e-9)


@pytest.mark.parametrize(
    ("function", "arguments", "culprit"),
    [
        (theory.linear_spread, (9, 1), "power of two .* got 9"),
        (theory.linear_spread, (8, -1), "non-negative number"),
        (theory.linear_mutation, (0, 0.1), "power of two .* got 0"),
        (theory.mutation_rate, (0.9, 4), "from 0 to 0.75 for 4 categories, got 0.9"),
        (theory.mutation_rate, (0.1, 1), "power of two >= 2 .* got 1"),
        (theory.uniform_crossover, (1,), "power of two >= 2 .* got 1"),
        (theory.category_distribution, (representation("vt", 4), [0.5]), "shape .3,., got .1,."),
        (theory.category_distribution, (representation("vt", 2), [1.5]), "between 0 and 1"),
        (theory.strength, (representation("linear", 32),), "at most 16 bits, got 31"),
        (theory.crossover_keeps, (representation("balanced", 9),), "at most 64 words, got 144"),
    ],
)
def test_bad_arguments_are_refused(function, arguments, culprit):
    with pytest.raises(ValueError, match=culprit):
        function(*arguments)


@given(st.integers(1, 3).flatmap(lambda k: st.tuples(
    st.just(k), st.lists(st.integers(0, 2**k - 1), max_size=4), st.integers(0, 2),
)))  # fmt: skip
def test_the_converse_for_linear_maps(drawn):
    k, extra, copies = drawn
    columns = [*range(1, 2**k), *list(range(1, 2**k)) * copies, *extra]
    code = Representation(columns, range(2**k))
    assert code.is_isotropic() == (theory.columns_are_isotropic(columns, k) or k == 1)


@pytest.mark.parametrize("name", families)
@pytest.mark.parametrize("N", [1, 2, 3, 5, 8, 9])
def test_category_distribution_by_enumeration(name, N):
    code = representation(name, N)
    p = np.random.default_rng(N).random(code.bits)
    cube = np.arange(2**code.bits)[:, None] >> np.arange(code.bits) & 1
    likelihood = np.where(cube == 1, p, 1 - p).prod(axis=1)
    expected = np.bincount(code.decode(cube), likelihood, minlength=N)
    distribution = theory.category_distribution(code, p)
    assert np.allclose(distribution, expected, rtol=0, atol=1e-12)
    assert (distribution >= 0).all()


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
    t = theory.strength(code)
    assert is_array_of_strength(code, t)
    assert t == code.bits or not is_array_of_strength(code, t + 1)


@pytest.mark.parametrize("k", range(1, 5))
def test_classes_of_linear_are_orthogonal_arrays_of_strength_half_n_minus_one(k):
    assert theory.strength(representation("linear", 2**k)) == 2**k // 2 - 1
    if k <= 3:  # a column twice is a pair of bits that only count together: each stays fair
        assert theory.strength(representation("linear:2", 2**k)) == 2**k - 1


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
    assert theory.crossover_keeps(code) == pytest.approx(kept.sum() / differ.sum())


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_crossover_in_closed_form(k):
    N = 2**k
    assert theory.crossover_keeps(representation("linear", N)) == pytest.approx(
        2 * theory.uniform_crossover(N)[0]
    )
    # Of the k bits of direct, the child has all d that differ from one parent: 2 · 2^(−d).
    assert theory.crossover_keeps(representation("direct", N)) == pytest.approx(
        2 * (1.5**k - 1) / (N - 1)
    )
