"""Exact properties against the enumeration of whole cubes, and their laws beyond."""

from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catcube.representations import Representation, families, representation
from tests.naive import representation as naive

NAMES = [*families, "covering:1", "covering:3", "product:1+1", "product:2+1+1"]


def fits(name, N):
    blocks = name.partition("product:")[2]
    return not blocks or sum(map(int, blocks.split("+"))) == naive.smallest_k(N)


SMALL = [
    (name, N)
    for name in NAMES
    for N in (*range(1, 14), 16, 20, 32)
    if fits(name, N) and 1 <= representation(name, N).bits <= 10
]
LARGER = [("compact", 9), ("compact", 10), ("vt", 12), ("unary", 12)]


@cache
def enumerated(name, N):
    code = representation(name, N)
    return naive.Cube(naive.decoded_cube(code), code.bits, N)


def assert_as_enumerated(code, cube):
    assert code.redundancy() == cube.redundancy()
    assert code.reach(exact=True).tolist() == cube.reach()
    for r in range(code.bits + 1):
        assert code.spread(r, exact=True).tolist() == cube.spread(r)
    assert not code.spread(code.bits + 1).any()
    p = Fraction(1, 3)
    assert code.mutation_matrix(p, exact=True).tolist() == cube.mutation_matrix(p)
    assert code.is_locally_surjective() == cube.is_locally_surjective()
    assert code.is_locally_bijective() == cube.is_locally_bijective()
    assert code.is_isotropic() == cube.is_isotropic()
    assert code.radius() == cube.radius()


@pytest.mark.parametrize(("name", "N"), SMALL + LARGER)
def test_families_are_as_enumerated(name, N):
    assert_as_enumerated(representation(name, N), enumerated(name, N))


@pytest.mark.parametrize(
    ("name", "N"),
    [(name, N) for name, N in SMALL if name in ("unary", "vt", "balanced", "compact")],
)
def test_a_family_without_its_proved_facts_is_the_same(name, N):
    code = representation(name, N)
    bare = Representation(code.columns, code.table, code.weights, code.modulus)
    assert bare == code
    assert bare.radius() == code.radius()
    assert bare.is_locally_surjective() == code.is_locally_surjective()
    assert bare.is_locally_bijective() == code.is_locally_bijective()


@pytest.mark.parametrize("additive", [False, True])
def test_isotropy_is_not_judged_by_a_few_points(additive):
    # All points are distinct words, as XORs or as sums; one of 2^15 gets another category, so
    # that it and its neighbours are the only points that see it.
    n = 15
    table = representation("linear", 16).decode(np.arange(2**n)[:, None] >> np.arange(n) & 1)
    powers = [1 << bit for bit in range(n)]
    data = {"columns": [0] * n, "weights": powers, "modulus": 2**n} if additive else {}
    assert Representation(**{"columns": powers, "table": table, **data}).is_isotropic()
    table[12345] ^= 1
    spoilt = Representation(**{"columns": powers, "table": table, **data})
    assert spoilt.is_xor_only != additive
    assert not spoilt.is_isotropic()


@st.composite
def representations(draw):
    """Any columns, weights and table: a table is relabelled so that all its categories occur."""
    k, modulus = draw(st.integers(0, 3)), draw(st.integers(1, 4))
    n = draw(st.integers(1, 6))
    columns = draw(st.lists(st.integers(0, 2**k - 1), min_size=n, max_size=n))
    weights = draw(st.lists(st.integers(0, modulus - 1), min_size=n, max_size=n))
    size = 2**k * modulus
    drawn = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    met = {
        naive.decode(columns, weights, modulus, range(size), naive.bits_of(x, n))
        for x in range(2**n)
    }
    labels = sorted({drawn[word] for word in met})
    table = [labels.index(drawn[word]) if word in met else -1 for word in range(size)]
    return Representation(columns, table, weights, modulus)


@settings(max_examples=80)
@given(representations())
def test_any_columns_weights_and_table_are_as_enumerated(code):
    cube = naive.Cube(naive.decoded_cube(code), code.bits, code.categories)
    points = np.arange(2**code.bits)[:, None] >> np.arange(code.bits) & 1
    assert code.decode(points).tolist() == cube.decoded.tolist()
    canonical = [cube.canonical(a) for a in range(code.categories)]
    assert code.encode(range(code.categories)).tolist() == canonical
    drawn = code.encode(range(code.categories), np.random.default_rng(0))
    assert code.decode(drawn).tolist() == list(range(code.categories))
    assert_as_enumerated(code, cube)


@pytest.mark.parametrize("name", families)
@pytest.mark.parametrize("N", [9, 31, pytest.param(256, marks=pytest.mark.long)])
def test_laws_where_the_cube_is_too_big(name, N):
    code = representation(name, N)
    sizes = code.redundancy()
    assert sum(sizes) == 2**code.bits
    steps = code.spread(1, exact=True) * np.array(sizes, dtype=object)[:, None]
    assert steps.sum(axis=1).tolist() == [size * code.bits for size in sizes]
    assert (steps == steps.T).all()  # a flip undone is a flip
    assert np.allclose(code.reach().sum(axis=1), 1, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "N", "r"),
    [
        ("linear", 200, 3),
        ("product", 100, 4),
        ("covering", 256, 5),
        ("compact", 20, 4),
        ("unary", 100, 7),
        ("vt", 40, 3),
        ("vt", 90, 2),
        ("balanced", 9, 5),
        ("balanced", 20, 2),
    ],
)
def test_laws_of_the_spread_where_the_cube_is_too_big(name, N, r):
    code = representation(name, N)
    spread = code.spread(r, exact=True)
    assert (spread.sum(axis=1) == comb(code.bits, r)).all()
    steps = spread * np.array(code.redundancy(), dtype=object)[:, None]
    assert (steps == steps.T).all()
    assert all(entry.denominator == 1 for entry in steps.ravel())
    assert np.array_equal(code.spread(r), spread.astype(float))


@pytest.mark.parametrize(("name", "N"), [("linear", 9), ("balanced", 9), ("vt", 16), ("unary", 9)])
def test_mutation_is_the_mixture_of_all_spreads(name, N):
    code, p = representation(name, N), 0.2
    n = code.bits
    mixture = sum(p**r * (1 - p) ** (n - r) * code.spread(r) for r in range(n + 1))
    assert np.allclose(code.mutation_matrix(p), mixture, rtol=0, atol=1e-12)


def test_what_is_not_feasible_is_refused_with_its_size():
    balanced = representation("balanced", 200)
    with pytest.raises(ValueError, match=r"pairs of words for the spread of 4 flips .*'balanced'"):
        balanced.spread(4)
    with pytest.raises(ValueError, match=r"mutation matrix .*'balanced'"):
        balanced.mutation_matrix(Fraction(1, 7), exact=True)
    with pytest.raises(ValueError, match=r"reach .*'balanced'"):
        representation("balanced", 1000).reach()
    vt = representation("vt", 40)
    bare = Representation(vt.columns, vt.table, vt.weights, vt.modulus)
    with pytest.raises(ValueError, match=r"at most 16 bits for the radius .* got 39"):
        bare.radius()
    many = Representation([1 << bit for bit in range(20)], np.arange(2**20) % 200)
    with pytest.raises(ValueError, match=r"words times categories .* got 209715200"):
        many.spread(1)
