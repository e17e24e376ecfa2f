"""The families by name: sizes, parameters, refusals, and what their data promise."""

import itertools

import numpy as np
import pytest

from catcube.representations import Representation, families, representation
from catcube.representations.constructions import covering_columns, known_columns
from catcube.representations.registry import family


def test_the_registry_refuses_a_name_twice():
    with pytest.raises(
        ValueError, match=r"the representation 'linear' of .* is already registered by catcube"
    ):

        @family("linear", "another one")
        def another(N: int) -> Representation:
            raise AssertionError("never built")

    assert families["linear"].build(4).bits == 3


@pytest.mark.parametrize(
    ("name", "N", "parameters", "sentence"),
    [
        ("liner", 4, {}, "unknown representation 'liner', did you mean 'linear'?"),
        ("linear", 0, {}, "from 1 to 65,536, got 0"),
        ("linear", 2.5, {}, "got 2.5"),
        ("linear", True, {}, "got True"),
        ("gray:3", 4, {}, "no parameters of the representation 'gray', got '3'"),
        ("vt", 4, {"radius": 2}, "no parameters of the representation 'vt', got {'radius': 2}"),
        ("product:2+x", 4, {}, "block sizes as in 'product:2+2', got '2+x'"),
        ("product:2+2", 8, {}, "sum to 3 for 8 categories, got (2, 2)"),
        ("product", 4, {"blocks": (2, 0)}, "expected positive block sizes"),
        ("covering:", 4, {}, "radius from 1 to 64, got ''"),
        ("covering", 4, {"radius": 0}, "at least 1, got 0"),
        ("linear:0", 4, {}, "times from 1 to 64, got '0'"),
        ("direct:x", 4, {}, "times from 1 to 64, got 'x'"),
    ],
)
def test_bad_names_and_parameters_are_refused(name, N, parameters, sentence):
    with pytest.raises(ValueError) as refusal:
        representation(name, N, **parameters)
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("direct", {1: 0, 2: 1, 9: 4, 16: 4, 256: 8}),
        ("gray", {9: 4, 256: 8}),
        ("linear", {1: 0, 2: 1, 3: 3, 4: 3, 9: 15, 16: 15, 256: 255}),
        ("balanced", {3: 3, 9: 15, 256: 255}),
        ("compact", {1: 0, 2: 1, 3: 3, 4: 3, 5: 6, 6: 7, 7: 7, 8: 7, 9: 11, 10: 11, 11: 15}),
        ("compact", {16: 15, 17: 23, 18: 23, 19: 23, 20: 23, 21: 31, 33: 47, 40: 47, 41: 63}),
        ("unary", {1: 0, 9: 8, 256: 255}),
        ("vt", {1: 0, 9: 8, 256: 255}),
        ("product", {16: 6, 9: 6, 8: 4, 256: 30}),
        ("product:4", {16: 15}),
        ("covering:1", {16: 15, 256: 255}),
        ("covering:2", {2: 1, 4: 2, 8: 4, 16: 5, 32: 9, 64: 13, 128: 19, 256: 26, 512: 39}),
        ("covering:3", {8: 3, 16: 5, 32: 6, 64: 7, 128: 11, 256: 14, 1024: 22}),
    ],
)
def test_numbers_of_bits(name, sizes):
    assert {N: representation(name, N).bits for N in sizes} == sizes


def test_direct_and_linear_are_the_ends_of_product():
    assert representation("product:1+1+1+1", 16) == representation("direct", 16)
    assert representation("product:4", 16) == representation("linear", 16)
    assert representation("product", 16, blocks=(2, 2)).name == "product:2+2"


def words_within(columns, radius):
    words = {0}
    for _ in range(radius):
        words |= {word ^ column for word in words for column in columns}
    return words


@pytest.mark.parametrize("k", range(11))
@pytest.mark.parametrize("radius", range(1, 6))
def test_covering_columns_cover(k, radius):
    columns = covering_columns(k, radius)
    assert words_within(columns, radius) == set(range(2**k))
    assert len(columns) <= len(covering_columns(k, max(1, radius - 1)))


def test_known_covering_columns_have_exactly_their_radius():
    for (k, radius), columns in known_columns().items():
        assert len(words_within(columns, radius)) == 2**k
        assert len(words_within(columns, radius - 1)) < 2**k


@pytest.mark.parametrize("N", [3, 5, 6, 7, 9, 10, 11, 16, 17, 20, 21, 33, 40, 65, 129, 160])
def test_one_flip_of_a_compact_code_reaches_every_category(N):
    code = representation("compact", N)
    assert code.bits <= representation("linear", N).bits
    if code.is_xor_only:
        assert Representation(code.columns, code.table).radius() == 1  # computed, not proved
    else:
        assert "same as balanced" in code.description
        assert code == representation("balanced", N)


@pytest.mark.parametrize("N", range(1, 130))
def test_class_sizes_of_balanced_differ_by_at_most_one(N):
    sizes = representation("balanced", N).redundancy()
    assert max(sizes) - min(sizes) <= 1


def test_vt_reaches_each_other_category_from_three_quarters_of_the_points():
    code = representation("vt", 11)
    vectors = np.array(list(itertools.product((0, 1), repeat=code.bits)))
    neighbors, decoded = code.neighbors(vectors), code.decode(vectors)
    assert not (neighbors == decoded[:, None]).any()
    for change in range(1, 11):
        reached = (neighbors == (decoded[:, None] + change) % 11).any(axis=1)
        assert reached.mean() == 0.75
