"""Latin squares, quadratic assignment, words and Ehrlich functions against plain definitions."""

from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube.problems import Ehrlich, Latin, Qap, Words, make
from catcube.problems.latin import latin_square
from catcube.problems.qap import NUG12
from catcube.problems.words import known_size


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Latin squares


@given(st.integers(2, 7), st.integers(0, 99), st.data())
def test_latin_counts_doubled_symbols(order, seed, data):
    holes = data.draw(st.integers(1, order * order))
    problem = Latin.holes(order, holes, seed)
    point = [data.draw(st.integers(1, order)) for _ in range(holes)]
    full = problem.square.copy()
    full[full == 0] = point
    doubled = sum(order - len(set(line)) for line in [*full.tolist(), *full.T.tolist()])
    assert problem.evaluate([value - 1 for value in point]) == doubled
    assert problem.evaluate(problem.hidden) == problem.optimum == 0


@pytest.mark.compiled  # it is not compiled code: once is enough
def test_latin_squares_of_order_three_are_uniform():
    found = [latin_square(3, np.random.default_rng(seed)).tobytes() for seed in range(1200)]
    counts = np.array([found.count(colour) for colour in set(found)])
    assert counts.size == 12
    assert ((counts - 100) ** 2 / 100).sum() < 36.2  # chi-squared, 11 degrees: wrong 1 in 6000


def test_latin_with_given_doubles():
    problem = Latin([[1, 1, 0], [0, 0, 0], [0, 0, 0]])
    assert problem.optimum is None
    assert problem.evaluate(dict.fromkeys(problem.space.names, 1)) == 12


@pytest.mark.parametrize(
    "text",
    ["1 . 3\n# a comment\n. . .\n3 1 2", "order 3\n0 -1 2\n-1 -1 -1\n2 0 1", "1 0 3\n0 _ *\n3 1 2"],
)
def test_latin_files(here, text):
    (here / "mine.txt").write_text(text)
    problem = make("latin:mine.txt")
    assert problem.square.tolist() == [[1, 0, 3], [0, 0, 0], [3, 1, 2]]
    point = {"r1c2": 2, "r2c1": 2, "r2c2": 3, "r2c3": 1}
    assert problem.evaluate(point) == 0
    assert problem.solution(point) == "1 2 3\n2 3 1\n3 1 2"


# Quadratic assignment


def test_nug12():
    problem = Qap.instance("nug12")
    point = dict(zip(problem.space.names, NUG12, strict=True))
    assert problem.evaluate(point) == problem.optimum == 578
    assert problem.solution(point) == "12 578\n12 7 9 3 4 8 11 1 5 6 10 2"
    assert (problem.a == problem.a.T).all()
    rows, columns = np.divmod(np.arange(12), 4)
    assert problem.a[2, 7] == abs(rows[2] - rows[7]) + abs(columns[2] - columns[7])


@given(st.integers(1, 5), st.integers(0, 999), st.data())
def test_qap_value(n, seed, data):
    random = np.random.default_rng(seed)
    a, b = random.integers(-9, 10, (2, n, n))
    problem = Qap(a, b)
    p = [data.draw(st.integers(0, n - 1)) for _ in range(n)]
    total = sum(int(a[i, j]) * int(b[p[i], p[j]]) for i in range(n) for j in range(n))
    assert problem.evaluate(p) == total + problem.penalty * (n - len(set(p)))


@pytest.mark.parametrize("seed", range(6))
def test_least_value_of_qap_is_that_of_a_permutation(seed):
    random = np.random.default_rng(seed)
    a, b = random.integers(-5 if seed % 2 else 0, 10, (2, 4, 4))
    problem = Qap(a, b)
    best = min(problem.evaluate(list(p)) for p in product(range(4), repeat=4))
    assert best == min(problem.cost(np.array(p) + 1) for p in permutations(range(4)))


def test_qaplib_files(here):
    (here / "mine.dat").write_text("2\n\n0 1\n2 0\n\n0 3 4\n0\n")
    (here / "mine.sln").write_text("2 10\n 2, 1\n")
    assert make("qap:mine.dat").optimum is None
    problem = make("qap:mine.dat,mine.sln")
    assert problem.evaluate({"p1": 2, "p2": 1}) == problem.optimum == 1 * 4 + 2 * 3
    assert problem.evaluate({"p1": 1, "p2": 2}) == 1 * 3 + 2 * 4


# Words


def naive_words(texts, distance, reverse, gc):
    turned = str.maketrans("ATCG", "TAGC")

    def missing(x, y):
        return max(0, distance - sum(a != b for a, b in zip(x, y, strict=True)))

    total = sum(missing(x, y) for x, y in combinations(texts, 2))
    if reverse:
        total += sum(missing(x, y.translate(turned)[::-1]) for x, y in combinations(texts, 2))
        total += sum(missing(x, x.translate(turned)[::-1]) for x in texts)
    if gc:
        total += sum(abs(sum(base in "GC" for base in x) - len(x) // 2) for x in texts)
    return total


@given(st.integers(1, 5), st.integers(1, 6), st.booleans(), st.booleans(), st.data())
def test_words_value(words, length, reverse, gc, data):
    distance = data.draw(st.integers(0, length))
    alphabet = data.draw(st.permutations("ATCG").map("".join))
    problem = Words(words, length, distance, alphabet, reverse, gc)
    letters = data.draw(st.text("ATCG", min_size=words * length, max_size=words * length))
    point = dict(zip(problem.space.names, letters, strict=True))
    texts = problem.solution(point).splitlines()
    assert "".join(texts) == letters
    assert problem.evaluate(point) == naive_words(texts, distance, reverse, gc)


@pytest.mark.parametrize(
    ("q", "n", "d"), [(2, 3, 3), (2, 4, 2), (2, 5, 3), (2, 7, 3), (3, 4, 3), (4, 5, 4), (3, 3, 3)]
)
def test_known_sizes_are_possible(q, n, d):
    """A greedy code of the words in lexicographic order, or a linear one, has at least so many."""
    size = known_size(q, n, d)
    bound = q ** (n - d + 1)  # Singleton: no code has more
    assert 1 <= size <= bound
    words = []
    for word in product(range(q), repeat=n):
        if all(sum(a != b for a, b in zip(word, other, strict=True)) >= d for other in words):
            words.append(word)
    assert len(words) >= size


# Ehrlich functions


def naive_ehrlich(problem, q, epistasis, x):
    """The paper's definition, minimised."""
    banned = sum(bool(problem.banned[a, b]) for a, b in pairwise(x))
    if banned:
        return 1 + banned
    f = 1.0
    for motif, offsets in zip(problem.motifs.tolist(), problem.offsets.tolist(), strict=True):
        k = len(motif)
        h = max(
            (q * sum(x[at + s] == a for a, s in zip(motif, offsets, strict=True)) // k) / q
            for at in range(len(x) - offsets[-1])
        )
        f *= h * (1 + epistasis * h * (h - 1))
    return 1 - f


@pytest.mark.parametrize(
    ("arguments", "q", "epistasis"),
    [
        ("15,4,2,4", 4, 0.0),
        ("20,5,2,4,2", 2, 0.0),
        ("16,3,3,3,epistasis=1.5", 3, 1.5),
        ("6,4,1,6", 6, 0),
    ],
)
def test_ehrlich_as_defined(arguments, q, epistasis):
    problem = make(f"ehrlich:{arguments}")
    random = np.random.default_rng(1)
    allowed = [np.flatnonzero(~row) for row in problem.banned]
    infeasible = []
    for _ in range(200):
        x = [int(random.integers(len(allowed)))]
        while len(x) < len(problem.space):  # most of them feasible
            wild = random.random() < 0.03
            x.append(int(random.integers(len(allowed)) if wild else random.choice(allowed[x[-1]])))
        value = problem.evaluate(x)
        assert value == pytest.approx(naive_ehrlich(problem, q, epistasis, x), abs=1e-12)
        infeasible.append(value > 1)
    assert 0 < sum(infeasible) < 200
    assert problem.evaluate(problem.hidden) == problem.optimum == 0


@pytest.mark.parametrize("seed", range(20))
def test_ehrlich_optimum_is_constructible(seed):
    problem = Ehrlich(24, 6, motifs=3, motif_length=4, quantization=2, epistasis=2.0, seed=seed)
    assert problem.evaluate(problem.hidden) == 0
    assert not problem.banned.diagonal().any()
    assert problem.banned.any(axis=1).all()
    reached = np.linalg.matrix_power((~problem.banned).astype(int), 6) > 0
    assert reached.all()  # from every state to every other
