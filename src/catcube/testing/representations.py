"""Checks of representations, at sizes where all bit vectors can be enumerated."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from catcube.problems import Match
from catcube.representations import Representation, representation
from catcube.search.minimize import minimize
from catcube.testing.algorithms import ensure, ensure_equal, ensure_one_line

SIZES = (1, 2, 3, 4, 5, 6, 8, 9, 16)  # numbers of categories
MOST = 10  # bits of a representation whose bit vectors are enumerated

Build = Callable[[int], Representation]


def build_all(
    family: str | Build | Representation, sizes: Sequence[int]
) -> dict[int, Representation]:
    """Return the representations to check, by number of categories.

    A family must exist for every size; one with parameters, such as "product:2+2", for some size.
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
    """Check that the number of categories is N, and that each is decoded."""
    ensure_equal("categories", representation.categories, N)
    if representation.bits <= MOST:
        decoded = np.unique(_decode_all(representation)).tolist()
        ensure_equal("decoded categories", decoded, list(range(N)))


def description(representation: Representation, N: int) -> None:
    """Check that name and description are one line each."""
    ensure_one_line(representation, "name", "description")


def round_trip(representation: Representation, N: int) -> None:
    """Check that encoded categories, canonical or random, decode to themselves."""
    wanted = np.repeat(np.arange(N), 3)
    for kind, random in (("canonical", None), ("random", np.random.default_rng(N))):
        decoded = representation.decode(representation.encode(wanted, random))
        ensure_equal(f"{kind} bit vectors decoded", decoded.tolist(), wanted.tolist())


def radius(representation: Representation, N: int) -> None:
    """Check the radius, which may be a proved one, by enumeration."""
    if representation.bits > MOST:
        return
    vectors = np.arange(2**representation.bits)
    within = _decode_all(representation)[:, None] == np.arange(N)
    flips = 0
    while not within.all():
        steps = [within[vectors ^ (1 << bit)] for bit in range(representation.bits)]
        within = np.logical_or.reduce([within, *steps])
        flips += 1
    ensure_equal("radius", representation.radius(), flips)


def search(representation: Representation, N: int) -> None:
    """Check that a compiled search decodes points as `decode` does."""
    problem = Match(3, N, seed=N)
    result = minimize(problem, algorithm="rls", representation=representation, budget=200, seed=N)
    decoded = representation.decode(result.solution.reshape(3, representation.bits)).tolist()
    ensure_equal("the point of a search", problem.space.encode(result.x).tolist(), decoded)
    ensure_equal("its value", result.fun, problem.evaluate(result.x))


CHECKS = (categories, description, round_trip, radius, search)


def _decode_all(representation: Representation) -> NDArray[np.int64]:
    """Return the categories of all bit vectors; bit i of an index is bit i of the vector."""
    n = representation.bits
    return representation.decode(np.arange(2**n)[:, None] >> np.arange(n) & 1)
