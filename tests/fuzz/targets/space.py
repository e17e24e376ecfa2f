"""Spaces: names and labels of every kind."""

from catcube import Space
from tests.fuzz.draws import SIGNS, Draws
from tests.fuzz.oracle import ensure, refusing


def seeds() -> list[bytes]:
    """A few choices."""
    return [bytes([count, *range(count, 40)]) for count in range(5)]


def check(data: bytes) -> None:
    """A point that is encoded decodes to the very same labels."""
    draws = Draws(data)
    with refusing(None, TypeError):
        space = Space(
            {draws.choice(SIGNS) + draws.text(1): _labels(draws) for _ in range(draws.byte() % 5)}
        )
        for end in (0, -1):
            point = {name: labels[end] for name, labels in space.items()}
            again = space.decode(space.encode(point))
            ensure(
                all(again[name] is point[name] for name in space),
                "a label is another when it comes back",
            )
        ensure(space.size >= 1, "a space without points")


def _labels(draws: Draws) -> object:
    kind = draws.byte() % 6
    if kind == 0:
        return draws.text()
    if kind == 1:
        return range(draws.integer(-3, 300))
    if kind == 2:
        return draws.value()
    if kind == 3:
        return {draws.text(2): 1 for _ in range(draws.byte() % 4)}
    return [draws.value() for _ in range(draws.integer(0, 6))]
