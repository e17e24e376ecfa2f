"""Decoding and encoding: the paper's example, definitions in words, the contract of the data."""

import itertools
import pickle

import numpy as np
import pytest
from scipy.stats import chisquare

from catcube.representations import Representation, encoding, families, representation
from tests.naive import representation as naive

NAMES = list(families)
PARAMETERS = ["product:1+2", "product:2+1+1", "product:1+1+1+1", "covering:1", "covering:3"]


def whole_cube(n):
    return np.array(list(itertools.product((0, 1), repeat=n)), dtype=np.uint8).reshape(2**n, n)


def test_the_dna_example_of_the_paper_vertex_by_vertex():
    dna = representation("linear", 4)
    assert dna.matrix.tolist() == [[1, 0, 1], [0, 1, 1]]
    words = dict(zip(("00", "10", "01", "11"), "AGCT", strict=True))
    for vertex in whole_cube(3):
        base = words["".join(map(str, dna.matrix @ vertex % 2))]
        assert "AGCT"[dna.decode(vertex)] == base
        assert sorted("AGCT"[b] for b in dna.neighbors(vertex)) == sorted(set("AGCT") - {base})
    assert "AGCT"[dna.decode([1, 0, 1])] == "C"
    assert ["AGCT"[b] for b in dna.neighbors([1, 0, 1])] == ["T", "A", "G"]


DEFINITIONS = {
    "direct": naive.direct,
    "gray": naive.gray,
    "linear": naive.linear,
    "balanced": naive.balanced,
    "unary": naive.unary,
    "vt": naive.vt,
    "product": lambda N, bits: naive.product(
        N, [-(-naive.smallest_k(N) // 2), naive.smallest_k(N) // 2], bits
    ),
    "product:2+1+1": lambda N, bits: naive.product(N, [2, 1, 1], bits),
}


@pytest.mark.parametrize(
    ("name", "N"),
    [
        (name, N)
        for name in DEFINITIONS
        for N in (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16)
        if name != "product:2+1+1" or N > 8
    ],
)
def test_decoding_is_the_definition_in_words(name, N):
    code = representation(name, N)
    vectors = whole_cube(code.bits)
    vectors = vectors[:: max(1, len(vectors) // 3000)]
    expected = [DEFINITIONS[name](N, bits) for bits in vectors.tolist()]
    assert code.decode(vectors).tolist() == expected


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("N", [*range(1, 36), 64, 100, 255, 256, 257, 512, 1024])
def test_the_contract_of_the_engine(name, N):
    code = representation(name, N)
    k = code.elements.dimension
    assert code.categories == N
    assert code.columns.shape == code.weights.shape == (code.bits,)
    assert code.table.shape == (2**k * code.modulus,)
    for array in (code.columns, code.weights, code.table):
        assert array.dtype == np.int64
        assert not array.flags.writeable
    assert 0 <= code.columns.min(initial=0) <= code.columns.max(initial=0) < 2**k
    assert 0 <= code.weights.min(initial=0) <= code.weights.max(initial=0) < code.modulus
    assert set(code.table.tolist()) == set(range(N))
    assert code.description
    assert "\n" not in code.description
    assert code.name.partition(":")[0] == name
    assert representation(code.name, N) == code


@pytest.mark.parametrize("name", NAMES + PARAMETERS)
def test_canonical_representatives_have_the_fewest_ones_and_these_early(name):
    for N in range(1, 17):
        if name.startswith("product:") and sum(map(int, name[8:].split("+"))) != (
            naive.smallest_k(N)
        ):
            continue
        code = representation(name, N)
        if code.bits > 9:
            continue
        cube = naive.Cube(naive.decoded_cube(code), code.bits, N)
        assert code.encode(range(N)).tolist() == [cube.canonical(a) for a in range(N)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("N", [1, 2, 3, 7, 9, 16, 33, 255, 256])
def test_encoding_is_undone_by_decoding(name, N):
    code = representation(name, N)
    categories = np.arange(N).reshape(1, N)
    assert code.decode(code.encode(categories)).tolist() == categories.tolist()
    drawn = code.encode(categories, np.random.default_rng(3))
    assert drawn.shape == (1, N, code.bits)
    assert drawn.dtype == np.uint8
    assert code.decode(drawn).tolist() == categories.tolist()


NOT_SEPARABLE = Representation([1, 2, 3, 1], np.arange(12) % 5, [1, 2, 1, 0], 3)


@pytest.mark.parametrize(
    ("name", "N"),
    [("direct", 5), ("linear", 6), ("balanced", 5), ("unary", 6), ("vt", 7), (NOT_SEPARABLE, 5)],
)
def test_random_representatives_are_uniform(name, N):
    code = representation(name, N) if isinstance(name, str) else name
    rng = np.random.default_rng(11)
    cube = whole_cube(code.bits)
    for category in {0, N // 2, N - 1}:
        members = cube[code.decode(cube) == category]
        index_of = {member.tobytes(): index for index, member in enumerate(members)}
        drawn = code.encode([category] * (200 * len(members)), rng)
        counts = np.bincount([index_of[x.tobytes()] for x in drawn], minlength=len(members))
        assert len(members) == 1 or chisquare(counts).pvalue > 1e-3


def test_uniform_integers_of_any_size():
    rng = np.random.default_rng(5)
    drawn = [encoding.uniform_integer(5, rng) for _ in range(5000)]
    assert chisquare(np.bincount(drawn, minlength=5)).pvalue > 1e-3
    huge = [encoding.uniform_integer(3 << 300, rng) >> 300 for _ in range(3000)]
    assert chisquare(np.bincount(huge, minlength=3)).pvalue > 1e-3
    assert encoding.uniform_integer(1, rng) == 0


def test_a_single_category_takes_no_bits():
    for name in NAMES:
        code = representation(name, 1)
        assert (code.bits, code.categories) == (0, 1)
        assert code.decode(np.zeros((3, 0), dtype=int)).tolist() == [0, 0, 0]
        assert code.encode(0).shape == code.encode(0, np.random.default_rng()).shape == (0,)
        assert code.neighbors([]).shape == (0,)
        assert code.redundancy() == (1,)
        assert code.reach().tolist() == code.spread(0).tolist() == [[1.0]]
        assert code.spread(1).tolist() == [[0.0]]
        assert code.mutation_matrix(0.3).tolist() == [[1.0]]
        assert code.radius() == 0
        assert code.is_locally_bijective()
        assert code.is_locally_surjective()
        assert code.is_isotropic()


@pytest.mark.parametrize(
    ("data", "culprit"),
    [
        (([1, 4], range(4)), "column: .* got .4."),
        (([-1], range(2)), "column: .* got .-1."),
        (([1, 2], range(3)), "entries of the table"),
        (([1, 2], []), "at least one category"),
        (([1.5], [0, 1]), "columns: expected a sequence of integers"),
        (([1], [[0, 1]]), "table: expected a sequence of integers"),
        (([1, 2], [0, 1, 2, 4]), "category 3 .1 of 5"),
        (([1, 2], [0, 1, 2, -1]), "no category"),
        (([3, 3], [0, 1, 0, 0]), "category 1"),
        (([0], range(2), [2], 2), "weight: expected"),
        (([0], range(2), [1, 1], 2), "expected 1 weights, .* got 2"),
        (([0], range(2), None, 0), "modulus of at least 1"),
    ],
)
def test_bad_data_is_refused(data, culprit):
    with pytest.raises(ValueError, match=culprit):
        Representation(*data)


def test_a_table_beyond_the_categories_is_refused():
    with pytest.raises(ValueError, match="category 2"):
        Representation([1], [0, 1], categories=3)
    with pytest.raises(ValueError, match="table entry"):
        Representation([1], [0, 5], categories=2)


def test_words_that_nobody_has_need_no_category():
    code = Representation([3, 3], [0, -1, -1, 1])
    assert code.redundancy() == (2, 2)
    assert code.decode([[1, 0], [1, 1]]).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("method", "argument", "culprit"),
    [
        ("decode", [0, 1], "3 bits, got .2,."),
        ("decode", 1, "3 bits"),
        ("decode", [0, 1, 2], "bits 0 or 1"),
        ("neighbors", [0.5, 0, 1], "bits 0 or 1"),
        ("encode", 4, "categories from 0 to 3"),
        ("encode", [0, -1], "categories from 0 to 3"),
        ("encode", 0.0, "integer categories"),
        ("spread", -1, "non-negative number"),
        ("mutation_matrix", 1.5, "between 0 and 1"),
    ],
)
def test_bad_arguments_are_refused(method, argument, culprit):
    with pytest.raises(ValueError, match=culprit):
        getattr(representation("linear", 4), method)(argument)


def test_a_matrix_is_only_for_pure_xors():
    assert representation("gray", 4).matrix.tolist() == [[1, 1], [0, 1]]
    for name in ("vt", "unary", "balanced"):
        with pytest.raises(ValueError, match="has no matrix: it adds weights modulo 9"):
            _ = representation(name, 9).matrix


def test_equality_is_about_the_data():
    one, same = representation("direct", 8), representation("product:1+1+1", 8)
    assert one == same
    assert hash(one) == hash(same)
    assert one != representation("gray", 8)
    assert one != representation("direct", 7)
    assert one != "direct"
    assert repr(one) == "Representation('direct', bits=3, categories=8)"


def test_a_pickled_representation_is_the_same_and_still_read_only():
    code = representation("balanced", 9)
    code.encode(0, np.random.default_rng(0))
    copy = pickle.loads(pickle.dumps(code))
    assert copy == code
    assert (copy.name, copy.description, copy.radius()) == ("balanced", code.description, 1)
    with pytest.raises(ValueError, match="read-only"):
        copy.table[0] = 1
