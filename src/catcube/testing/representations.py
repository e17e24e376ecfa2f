"""Checks of every representation, at sizes where all bit vectors can be enumerated."""

import pickle
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from catcube.problems import Match
from catcube.representations import Representation, representation
from catcube.search.minimize import minimize
from catcube.testing.runs import ensure, ensure_equal, ensure_one_line

SIZES = (1, 2, 3, 4, 5, 6, 8, 9, 16)  # numbers of categories
MOST = 10  # bits, to enumerate all bit vectors
FEW = 8  # bits, to enumerate all pairs of bit vectors

Build = Callable[[int], Representation]


def built(family: str | Build | Representation, sizes: Sequence[int]) -> dict[int, Representation]:
    """Return the representations to check, by number of categories.

    A family must have one for each size; one with parameters, as "product:2+2", for some.
    """
    if isinstance(family, Representation):
        return {family.categories: family}
    found = {}
    for N in sizes:
        try:
            found[N] = representation(family, N) if isinstance(family, str) else family(N)
        except ValueError as error:
            fits_some = isinstance(family, str) and ":" in family
            ensure(fits_some, f"expected a representation of {N} categories, got {error}")
    ensure(found, f"none of the numbers of categories {list(sizes)} fits the parameters")
    return found


def categories(representation: Representation, N: int) -> None:
    """Check the number of categories, and that each is decoded."""
    ensure_equal("categories", representation.categories, N)
    if representation.bits <= MOST:
        decoded = np.unique(_decoded(representation)).tolist()
        ensure_equal("decoded categories", decoded, list(range(N)))


def description(representation: Representation, N: int) -> None:
    """Check that it has a name and a description of one line."""
    ensure_one_line(representation, "name", "description")


def round_trip(representation: Representation, N: int) -> None:
    """Check that a category encoded, canonically or at random, decodes to itself."""
    wanted = np.repeat(np.arange(N), 3)
    for kind, random in (("canonical", None), ("random", np.random.default_rng(N))):
        decoded = representation.decode(representation.encode(wanted, random))
        ensure_equal(f"{kind} bit vectors decoded", decoded.tolist(), wanted.tolist())


def flips(representation: Representation, N: int) -> None:
    """Check that the neighbours are the categories after flips of one bit."""
    vectors = np.random.default_rng(N).integers(0, 2, (20, representation.bits))
    neighbors = representation.neighbors(vectors)
    for bit in range(representation.bits):
        flipped = vectors.copy()
        flipped[:, bit] ^= 1
        decoded = representation.decode(flipped).tolist()
        ensure_equal(f"neighbours by bit {bit}", neighbors[:, bit].tolist(), decoded)


def redundancy(representation: Representation, N: int) -> None:
    """Check that the redundancies sum to 2^n and are those of all bit vectors."""
    sizes = representation.redundancy()
    ensure_equal("sum of the redundancies", sum(sizes), 2**representation.bits)
    if representation.bits <= MOST:
        counted = tuple(np.bincount(_decoded(representation), minlength=N).tolist())
        ensure_equal("redundancies", sizes, counted)


def reach(representation: Representation, N: int) -> None:
    """Check that the rows of the reach sum to 1, and are those of all flips."""
    try:
        rows = representation.reach()
    except ValueError:  # it would take too long
        return
    ensure(np.allclose(rows.sum(axis=1), 1, rtol=0, atol=1e-12), "a row does not sum to 1")
    if 0 < representation.bits <= MOST:
        counted = np.zeros((N, N))
        decoded = _decoded(representation)
        for bit in range(representation.bits):
            np.add.at(counted, (decoded, decoded[_flipped(representation, bit)]), 1)
        counted /= counted.sum(axis=1, keepdims=True)
        same = np.allclose(rows, counted, rtol=0, atol=1e-12)
        ensure(same, "the reach is not that of all flips")


def locality(representation: Representation, N: int) -> None:
    """Check that the radius and its consequences are those of all bit vectors."""
    bits = representation.bits
    if bits > MOST:
        return
    within = np.zeros((2**bits, N), bool)
    within[np.arange(2**bits), _decoded(representation)] = True
    radius = 0
    while not within.all():
        steps = [within[_flipped(representation, bit)] for bit in range(bits)]
        within = np.logical_or.reduce([within, *steps])
        radius += 1
    surjective = radius <= 1
    ensure_equal("radius", representation.radius(), radius)
    ensure_equal("is_locally_surjective", representation.is_locally_surjective(), surjective)
    bijective = surjective and bits == N - 1
    ensure_equal("is_locally_bijective", representation.is_locally_bijective(), bijective)


def isotropy(representation: Representation, N: int) -> None:
    """Check isotropy from every point."""
    if representation.bits > FEW:
        return
    vectors = np.arange(2**representation.bits)
    distances = np.bitwise_count(vectors[:, None] ^ vectors)
    of_category = _decoded(representation)[:, None] == np.arange(N)
    isotropic = True
    for r in range(1, representation.bits + 1):
        counts = (distances == r).astype(int) @ of_category
        others = counts[~of_category].reshape(len(vectors), N - 1)
        isotropic &= N == 1 or bool((others == others[:, :1]).all())
    ensure_equal("is_isotropic", representation.is_isotropic(), isotropic)


def data(representation: Representation, N: int) -> None:
    """Check that it can be pickled."""
    copy = pickle.loads(pickle.dumps(representation))
    for name in ("name", "bits", "categories"):
        ensure_equal(f"{name}, unpickled", getattr(copy, name), getattr(representation, name))
    ensure(copy == representation, "the unpickled representation differs")


def search(representation: Representation, N: int) -> None:
    """Check that the compiled search decodes its points as `decode` does."""
    problem = Match(3, N, seed=N)
    result = minimize(problem, algorithm="rls", representation=representation, budget=200, seed=N)
    decoded = representation.decode(result.bits.reshape(3, representation.bits)).tolist()
    ensure_equal("the point of a search", problem.space.encode(result.x).tolist(), decoded)
    ensure_equal("its value", result.fun, problem.evaluate(result.x))


CHECKS = (
    categories,
    description,
    round_trip,
    flips,
    redundancy,
    reach,
    locality,
    isotropy,
    data,
    search,
)


@cache
def _decoded(representation: Representation) -> NDArray[np.int64]:
    """Return the categories of all bit vectors; bit i of the index is bit i of the vector."""
    return representation.decode(
        np.arange(2**representation.bits)[:, None] >> np.arange(representation.bits) & 1
    )


def _flipped(representation: Representation, bit: int) -> NDArray[np.int64]:
    """Return the indices of all bit vectors with one bit flipped."""
    return np.asarray(np.arange(2**representation.bits) ^ (1 << bit))
