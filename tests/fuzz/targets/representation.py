"""Representations: by name, and made by users."""

import numpy as np

from catcube.representations import Representation, families, representation
from tests.fuzz.draws import Draws
from tests.fuzz.oracle import ensure, refusing

LARGEST = 12  # bits whose whole cube is looked at


def seeds() -> list[bytes]:
    """Names with numbers, columns and tables."""
    return [*(bytes([0, kind, 5]) for kind in range(9)), b"\1\3\1\2\3"]


def check(data: bytes) -> None:
    """What can be made decodes what it encodes."""
    draws = Draws(data)
    kind = draws.byte() % 2
    made = None
    with refusing(None, TypeError):
        if kind == 0:
            text = draws.choice([*sorted(families), "none"])
            if draws.byte() % 2:
                text += ":" + draws.choice(["", "1", "2", "3+1", "2+2", "99", "-1", draws.text()])
            made = representation(text, draws.integer(0, 40))
        else:
            made = _drawn(draws)
    if isinstance(made, Representation) and made.bits <= LARGEST:
        cube = (np.arange(2**made.bits)[:, None] >> np.arange(made.bits)) & 1
        decoded = made.decode(cube)
        ensure(set(decoded.tolist()) == set(range(made.categories)), "a category is missing")
        every = np.arange(made.categories)
        ensure((made.decode(made.encode(every)) == every).all(), "a code decodes to another one")
        ensure(sum(made.redundancy()) == 2**made.bits, "the redundancies do not add up")


def _drawn(draws: Draws) -> Representation:
    bits = draws.integer(0, 6)
    size = draws.choice([1, 2, 4, 8, 16, 3, 0])
    modulus = draws.choice([1, 1, 1, 2, 3, 5, 0, -1, 2**62])
    entries = [
        draws.choice([0, 1, 2, 3, -1, 2**62, 2**70]) for _ in range(size * max(1, min(modulus, 5)))
    ]
    return Representation(
        [draws.integer(0, 17) for _ in range(bits)],
        entries,
        [draws.integer(0, 6) for _ in range(bits)] if draws.byte() % 2 else None,
        modulus,
        categories=draws.choice([None, 1, 2, 3, 4, 0, -1, 2**40]),
    )
