"""Checks of every representation, at sizes where all bit vectors can be enumerated."""

import pickle
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from catcube.problems import Match
from catcube.representations import Representation, representation
from catcube.search.minimize import minimize
from catcube.testing.runs import ensure

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
            ensure(
                isinstance(family, str) and ":" in family,
                f"expected a representation of {N} categories, got {error}",
            )
    ensure(bool(found), f"none of the numbers of categories {list(sizes)} fits the parameters")
    return found


def categories(representation: Representation, N: int) -> None:
    """Check the number of categories, and that each is decoded."""
    ensure(
        representation.categories == N,
        f"expected {N} categories, got {representation.categories}",
    )
    if representation.bits <= MOST:
        seen = set(_decoded(representation).tolist())
        ensure(
            seen == set(range(N)),
            f"expected bit vectors to decode to 0..{N - 1}, got {sorted(seen)}",
        )


def description(representation: Representation, N: int) -> None:
    """Check that it has a name and a description of one line."""
    ensure(bool(representation.name), "it has no name")
    ensure(bool(representation.description), "it has no description")
    ensure("\n" not in representation.description, "its description has more than one line")


def round_trip(representation: Representation, N: int) -> None:
    """Check that a category encoded, canonically or at random, decodes to itself."""
    wanted = np.repeat(np.arange(N), 3)
    for kind, vectors in [
        ("the canonical", representation.encode(wanted)),
        ("a random", representation.encode(wanted, np.random.default_rng(N))),
    ]:
        for category, decoded in zip(wanted, representation.decode(vectors), strict=True):
            ensure(
                category == decoded,
                f"{kind} bit vector of category {category} decodes to {decoded}",
            )


def flips(representation: Representation, N: int) -> None:
    """Check that the neighbours are the categories after flips of one bit."""
    vectors = np.random.default_rng(N).integers(0, 2, (20, representation.bits))
    neighbors = representation.neighbors(vectors)
    for bit in range(representation.bits):
        flipped = vectors.copy()
        flipped[:, bit] ^= 1
        ensure(
            bool((neighbors[:, bit] == representation.decode(flipped)).all()),
            f"vectors with bit {bit} flipped do not decode to the neighbours",
        )


def redundancy(representation: Representation, N: int) -> None:
    """Check that the redundancies sum to 2^n and are those of all bit vectors."""
    sizes = representation.redundancy()
    ensure(
        sum(sizes) == 2**representation.bits,
        f"expected redundancies that sum to 2^{representation.bits}, got {sum(sizes)}",
    )
    if representation.bits <= MOST:
        counted = tuple(np.bincount(_decoded(representation), minlength=N).tolist())
        ensure(sizes == counted, f"expected the redundancies {counted}, got {sizes}")


def reach(representation: Representation, N: int) -> None:
    """Check that the rows of the reach sum to 1, and are those of all flips."""
    try:
        rows = representation.reach()
    except ValueError:  # it would take too long
        return
    ensure(bool(np.allclose(rows.sum(axis=1), 1, rtol=0, atol=1e-12)), "a row does not sum to 1")
    if 0 < representation.bits <= MOST:
        counted = np.zeros((N, N))
        decoded = _decoded(representation)
        for bit in range(representation.bits):
            np.add.at(counted, (decoded, decoded[_flipped(representation, bit)]), 1)
        counted /= counted.sum(axis=1, keepdims=True)
        ensure(
            bool(np.allclose(rows, counted, rtol=0, atol=1e-12)),
            "the reach is not that of all flips",
        )


def locality(representation: Representation, N: int) -> None:
    """Check that the radius and its consequences are those of all bit vectors."""
    if representation.bits > MOST:
        return
    within = np.zeros((2**representation.bits, N), bool)
    within[np.arange(2**representation.bits), _decoded(representation)] = True
    radius = 0
    while not within.all():
        steps = [within[_flipped(representation, bit)] for bit in range(representation.bits)]
        within = np.logical_or.reduce([within, *steps])
        radius += 1
    ensure(
        representation.radius() == radius,
        f"expected the radius {radius}, got {representation.radius()}",
    )
    surjective, bijective = radius <= 1, radius <= 1 and representation.bits == N - 1
    ensure(
        representation.is_locally_surjective() == surjective,
        f"is_locally_surjective: expected {surjective}",
    )
    ensure(
        representation.is_locally_bijective() == bijective,
        f"is_locally_bijective: expected {bijective}",
    )


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
    ensure(representation.is_isotropic() == isotropic, f"is_isotropic: expected {isotropic}")


def data(representation: Representation, N: int) -> None:
    """Check that it can be pickled."""
    copy = pickle.loads(pickle.dumps(representation))
    ensure(
        (copy, copy.name, copy.bits, copy.categories)
        == (representation, representation.name, representation.bits, representation.categories),
        "the unpickled representation differs",
    )


def search(representation: Representation, N: int) -> None:
    """Check that the compiled search decodes its points as `decode` does."""
    problem = Match(3, N, seed=N)
    result = minimize(problem, algorithm="rls", representation=representation, budget=200, seed=N)
    decoded = representation.decode(result.bits.reshape(3, representation.bits))
    ensure(
        decoded.tolist() == problem.space.encode(result.x).tolist(),
        f"a search found {result.x}, but its bits decode to {decoded.tolist()}",
    )
    ensure(
        problem.evaluate(result.x) == result.fun,
        f"a search found a point of value {problem.evaluate(result.x)}, but returned {result.fun}",
    )


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
