"""Comparison of the representations of N categories, and drawings of small cubes."""

from contextlib import suppress
from math import log10
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from catcube.base.optional import import_optional
from catcube.base.text import count, expect, format_columns
from catcube.representations import Representation, families, representation
from catcube.representations.registry import NATIVE, NATIVE_DESCRIPTION

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LARGEST_DRAWING = 4  # bits: the tesseract can still be read

# The displacement of a vertex by bit i.
_DIRECTIONS = np.array([[1.0, 0.0], [0.0, 1.0], [0.48, 0.36], [2.1, -0.35]])


def row(shown: Representation) -> dict[str, Any]:
    """Return the properties of a representation, as a row of the table.

    Parameters
    ----------
    shown
        The representation.

    Returns
    -------
    dict
        The properties by name. `reach_min` and `reach_max` are the least and the greatest rate at
        which one flip leads from a category to another, relative to the even rate 1/(N−1); they are
        None for a single category, or if they would take too long.

    Examples
    --------
    >>> linear = row(representation("linear", 9))
    >>> linear["bits"], round(linear["reach_min"], 2), round(linear["reach_max"], 2)
    (15, 0.53, 1.07)
    """
    redundancy = shown.redundancy()
    relative = np.zeros(0)
    if shown.categories > 1:
        with suppress(ValueError):  # too many words
            others = ~np.eye(shown.categories, dtype=bool)
            relative = shown.reach()[others] * (shown.categories - 1)
    return {
        "representation": shown.name,
        "bits": shown.bits,
        "redundancy_min": min(redundancy),
        "redundancy_max": max(redundancy),
        "reach_min": float(relative.min()) if relative.size else None,
        "reach_max": float(relative.max()) if relative.size else None,
        "radius": shown.radius(),
        "locally_bijective": shown.is_locally_bijective(),
        "isotropic": shown.is_isotropic(),
        "description": shown.description,
    }


def table(N: int) -> list[dict[str, Any]]:
    """Return a `row` for each family with default parameters, and one for the native search.

    Parameters
    ----------
    N
        The number of categories.

    Returns
    -------
    list of dict
        The rows.

    Examples
    --------
    >>> [(line["representation"], line["bits"]) for line in table(9)][:3]
    [('direct', 4), ('gray', 4), ('linear', 15)]
    >>> table(9)[-1]["representation"], table(9)[-1]["bits"]
    ('native', None)
    """
    rows = [row(representation(name, N)) for name in families]
    native = {"representation": NATIVE, "description": NATIVE_DESCRIPTION, "radius": min(N - 1, 1)}
    native |= dict.fromkeys(("locally_bijective", "isotropic"), True)
    native |= dict.fromkeys(("reach_min", "reach_max"), 1.0 if N > 1 else None)  # all equally
    return [*rows, dict.fromkeys(rows[0]) | native]  # without bits, hence without redundancy


def data(N: int) -> dict[str, Any]:
    """Return the table as an object for JSON, with redundancies as exact integers.

    Parameters
    ----------
    N
        The number of categories.

    Returns
    -------
    dict
        The number of `categories`, the `even_rate` 1/(N−1), which is None for a single category,
        and the rows of the `table` as `representations`.

    Examples
    --------
    >>> data(4)["even_rate"]
    0.3333333333333333
    """
    return {
        "categories": N,
        "even_rate": 1 / (N - 1) if N > 1 else None,
        "representations": table(N),
    }


_EXPLANATION = """\
redundancy  number of bit vectors of a category, from the rarest to the most
            frequent one
reach       how often one flip leads from one category to another, over all
            pairs: 1 is the even rate 1/(N−1), 0 means never
radius      number of flips within which every bit vector reaches every category
native      has no bits: a move gives a variable any other category"""


def text(N: int) -> str:
    """Return the table as text, with an explanation of its columns.

    Parameters
    ----------
    N
        The number of categories.

    Returns
    -------
    str
        The lines of the table and of the explanation.

    Examples
    --------
    >>> for line in text(9).splitlines()[2:6]:
    ...     print(line[:52].rstrip())
    direct             4  1–2         0.00–4.00       4
    gray               4  1–2         0.00–2.00       4
    linear            15  2048–4096   0.53–1.07       1
    balanced          15  3640–3641   0.87–1.03       1
    """
    lines = [("representation", "bits", "redundancy", "reach", "radius")]
    lines += [
        (
            line["representation"],
            _number(line["bits"]),
            _span(line["redundancy_min"], line["redundancy_max"]),
            _span(line["reach_min"], line["reach_max"]),
            _number(line["radius"]),
        )
        for line in table(N)
    ]
    aligned = format_columns(lines, right=(1,))
    return "\n".join([count(N, "category"), aligned, "", _EXPLANATION])


def _number(number: float | None) -> str:
    """Format a number: with all digits if it is small, else as a power of two or ten."""
    if number is None:
        return "–"
    if isinstance(number, float):
        return f"{number:.2f}"
    if number < 10**7:
        return str(number)
    if number & (number - 1) == 0:
        return f"2^{number.bit_length() - 1}"
    exponent = int(log10(number))
    return f"{number / 10**exponent:.3f}e{exponent}"


def _span(low: float | None, high: float | None) -> str:
    """Format a range."""
    return "–".join(dict.fromkeys([_number(low), _number(high)]))


def figure(N: int, path: str | PathLike[str], name: str = "linear") -> None:
    """Draw the cube of a representation with at most four bits, and save it.

    Each vertex shows its bits (bit 0 first), and its category as a colour. With the linear
    representation of four categories, every vertex has one neighbour of each other colour.

    Parameters
    ----------
    N
        The number of categories.
    path
        The file (PNG, SVG or PDF).
    name
        The name of the representation.
    """
    shown = representation(name, N)
    is_small = 1 <= shown.bits <= _LARGEST_DRAWING
    expect(is_small, f"1 to {_LARGEST_DRAWING} bits for a drawing", shown)
    Figure = import_optional("matplotlib.figure").Figure

    picture = Figure(figsize=(7.2, 5.4) if shown.bits == _LARGEST_DRAWING else (5.6, 4.6))
    draw(picture.add_subplot(), shown)
    picture.savefig(path, dpi=200, bbox_inches="tight")


def draw(axes: "Axes", shown: Representation) -> None:
    """Draw the cube of a representation on axes of matplotlib.

    Parameters
    ----------
    axes
        The axes.
    shown
        The representation, of one to four bits.
    """
    from matplotlib import colormaps

    n = shown.bits
    vertices = np.arange(1 << n)[:, None] >> np.arange(n) & 1
    positions = vertices @ _DIRECTIONS[:n]
    categories = shown.decode(vertices)
    listed: Any = colormaps["tab10" if shown.categories <= 10 else "tab20"]  # a ListedColormap
    colours = listed.colors
    for vertex, bits in enumerate(vertices):
        for bit in np.flatnonzero(bits == 0):
            ends = positions[[vertex, vertex | 1 << int(bit)]]
            axes.plot(*ends.T, color="0.55", linewidth=1.4, zorder=1)
    for category in range(shown.categories):
        members = categories == category
        axes.scatter(
            positions[members, 0],
            positions[members, 1],
            s=1150 if n < _LARGEST_DRAWING else 900,
            color=[colours[category]],
            edgecolors="0.2",
            linewidths=1.0,
            label=str(category),
            zorder=2,
        )
    for (x, y), bits, category in zip(positions, vertices, categories, strict=True):
        label = "".join(str(bit) for bit in bits)
        brightness = np.dot(colours[category], (0.299, 0.587, 0.114))
        ink = "black" if brightness > 0.6 else "white"
        axes.text(x, y, label, ha="center", va="center", color=ink, weight="bold", zorder=3)
    axes.set_title(f"{shown.name}, {shown.categories} categories in {n} bits")
    axes.legend(
        title="category",
        loc="center left",
        bbox_to_anchor=(1.0, 0.5),
        frameon=False,
        markerscale=0.35,
        labelspacing=0.8,
        ncols=1 if shown.categories <= 8 else 2,
    )
    axes.set_aspect("equal")
    axes.margins(0.16)
    axes.set_axis_off()
