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


def test_the_numbers_of_the_paper_for_three_flips_of_fifteen_bits():
    assert theory.linear_spread(16, 3) == (35, 28)
    spread = representation("linear", 16).spread(3, exact=True)
    assert spread.tolist() == [[35 if a == b else 28 for b in range(16)] for a in range(16)]


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


@pytest.mark.parametrize("code", [representation("linear", 16), relabelled(16, 5)])
def test_the_theorem_for_sixteen_categories_from_every_point(code):
    points = np.arange(2**15)
    decoded = code.decode(points[:, None] >> np.arange(15) & 1)
    for r in range(4):
        sees = np.zeros((2**15, 16), dtype=np.int64)
        for flipped in itertools.combinations(range(15), r):
            sees[points, decoded[points ^ sum(1 << bit for bit in flipped)]] += 1
        keep, change = theory.linear_spread(16, r)
        assert (sees == np.where(np.arange(16) == decoded[:, None], keep, change)).all()


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
    ("call", "sentence"),
    [
        (
            lambda: theory.linear_spread(9, 1),
            "expected a power of two as the number of categories, got 9",
        ),
        (lambda: theory.linear_spread(8, -1), "expected a non-negative number"),
        (
            lambda: theory.linear_mutation(0, 0.1),
            "expected a power of two as the number of categories, got 0",
        ),
        (
            lambda: theory.mutation_rate(0.9, 4),
            "probability from 0 to 0.75 for 4 categories, got 0.9",
        ),
        (lambda: theory.mutation_rate(0.1, 1), "expected at least 2 categories, got 1"),
        (lambda: theory.uniform_crossover(1), "parents cannot differ"),
        (lambda: theory.category_distribution(representation("vt", 4), [0.5]), "3 bits"),
        (lambda: theory.category_distribution(representation("vt", 2), [1.5]), "between 0 and 1"),
    ],
)
def test_bad_arguments_are_refused_with_one_sentence(call, sentence):
    with pytest.raises(ValueError) as refusal:
        call()
    assert sentence in str(refusal.value)


@given(st.integers(1, 3).flatmap(lambda k: st.tuples(
    st.just(k), st.lists(st.integers(0, 2**k - 1), max_size=4), st.integers(0, 2),
)))  # fmt: skip
def test_the_converse_for_linear_maps(drawn):
    k, extra, copies = drawn
    columns = [*range(1, 2**k), *list(range(1, 2**k)) * copies, *extra]
    code = Representation(columns, range(2**k))
    assert code.is_isotropic() == (theory.columns_are_isotropic(columns, k) or k == 1)


@pytest.mark.parametrize("k", [3, 4, 6, 8])
def test_isotropy_of_large_linear_maps(k):
    assert representation("linear", 2**k).is_isotropic()
    twice = [*range(1, 2**k), *range(1, 2**k), 0]
    assert Representation(twice, range(2**k)).is_isotropic()
    assert not Representation(range(1, 2**k - 1), range(2**k)).is_isotropic()
    assert not representation("linear", 2**k - 1).is_isotropic()


@pytest.mark.parametrize("N", [2, 4, 8])
def test_uniform_crossover_by_enumeration(N):
    code = representation("linear", N)
    n = code.bits
    cube = np.arange(2**n)
    decoded = code.decode(cube[:, None] >> np.arange(n) & 1)
    # By translation one parent may be anything; it is zero here, so the child is mask & other.
    other = cube[decoded == N - 1]
    children = decoded[(cube[:, None] & other[None, :])]
    shares = np.bincount(children.ravel(), minlength=N) / children.size
    parent, third = theory.uniform_crossover(N)
    assert shares[[0, N - 1]].tolist() == pytest.approx([parent, parent])
    assert shares[1 : N - 1].tolist() == pytest.approx([third] * (N - 2))


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


def test_a_product_model_cannot_leave_out_one_category_of_four():
    # The support of its distribution is an affine subspace: 1, 2 or 4 of the 4 categories.
    code = representation("linear", 4)
    for certain in itertools.product((0.0, 0.3, 1.0), repeat=3):
        distribution = theory.category_distribution(code, certain)
        assert (distribution > 1e-12).sum() in (1, 2, 4)


def test_rounding_makes_no_negative_probability():
    # Without care some of these come out at −5e-17: very small beside large bit probabilities.
    code = representation("covering", 64)
    rng = np.random.default_rng(1)
    for _ in range(2000):
        p = rng.random(code.bits) * rng.choice([0, 1e-3, 1e-6, 1], size=code.bits)
        assert (theory.category_distribution(code, p) >= 0).all()


def test_large_representations_mix_evenly_at_one_half():
    for name in ("linear", "covering", "product"):
        code = representation(name, 256)
        even = theory.category_distribution(code, np.full(code.bits, 0.5))
        assert np.allclose(even, 1 / 256, rtol=0, atol=1e-15)
