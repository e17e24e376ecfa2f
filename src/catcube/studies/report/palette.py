"""Colours of representations and algorithms: the same in every figure and on every page.

A representation has its colour by its name. The first are of Okabe and Ito: they differ for every
kind of colour vision, and in brightness. All of them can be seen on white and on black.
"""

from collections.abc import Iterable, Sequence
from itertools import cycle

from catcube.studies.report.text import LINE_STYLES

KNOWN = ("linear", "direct", "native", "gray", "balanced", "compact", "unary", "vt", "padded")
"""The representations that have a colour of their own; others take what is left."""

COLOURS = (
    *("#0072B2", "#E69F00", "#009E73", "#B0578D", "#C2410C", "#5B3FA8", "#6B7A1F", "#7A4A1E"),
    *("#6B6F75", "#17879E"),
)
ALGORITHM_COLOURS = (
    *("#6A5ACD", "#CC6677", "#0077BB", "#117733", "#B8860B", "#A8326F"),
    *("#33A0A0", "#8A8F2A", "#777777", "#D55E00", "#AA4499"),
)
Dashes = str | tuple[float, Sequence[float]]
DASHES: tuple[Dashes, ...] = (
    *("-", (0, (4, 1.5)), (0, (1, 1)), (0, (6, 1, 1, 1)), (0, (3, 1, 1, 1, 1, 1))),
    *((0, (8, 2)), (0, (1, 3)), (0, (8, 1, 3, 1)), (0, (2, 2)), (0, (5, 4))),
)
assert len(LINE_STYLES) <= len(DASHES)


def representation_numbers(representations: Iterable[str]) -> dict[str, int]:
    """Number representations by their colour: known ones by name, others with what is free.

    >>> representation_numbers(["mine", "direct", "linear"])
    {'mine': 2, 'direct': 1, 'linear': 0}
    """
    names = list(dict.fromkeys(representations))
    found = {name: KNOWN.index(name) for name in names if name in KNOWN}
    free = cycle([n for n in range(len(COLOURS)) if n not in found.values()] or range(len(COLOURS)))
    return {name: found[name] if name in found else next(free) for name in names}


def representation_colours(representations: Iterable[str]) -> dict[str, str]:
    """Return the colours of representations.

    >>> representation_colours(["direct", "linear"])
    {'direct': '#E69F00', 'linear': '#0072B2'}
    """
    numbers = representation_numbers(representations)
    return {name: COLOURS[number] for name, number in numbers.items()}
