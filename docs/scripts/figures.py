"""Draw the pictures of the pages, from what the library computes exactly.

`python docs/scripts/figures.py` writes docs/figures/*.svg; `... FOLDER` writes elsewhere. Lines and
letters have the colour of the text around them where a picture stands inside a page, and a grey
that is legible on light and dark where it stands alone.
"""

import io
import json
import re
import sys
from collections.abc import Callable, Iterable
from functools import partial
from math import comb
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from catcube.representations import Representation, representation

INK = "#010203"  # stands for the colour of the text, and is replaced by it in the file
GREY = "#7f848c"
BLACK = "#010101"  # pure black is left out of the file: letters would take the colour of the page
# Okabe and Ito: they differ for every kind of colour vision, and can be seen on light and dark;
# black letters have a contrast of at least 5 on the lighter ones.
BLUE, ORANGE, VIOLET, PINK = "#3a87c8", "#e69f00", "#8168c8", "#cc79a7"
BASES = {"A": "#56b4e9", "G": "#2bb58a", "C": ORANGE, "T": "#dd94bd"}
"""The categories 0 to 3; their bits, the lowest first, are the paper's 00, 10, 01 and 11."""
SETTINGS = {
    "svg.hashsalt": "catcube",  # names inside a file do not change from one drawing to the next
    "svg.fonttype": "none",
    "font.size": 12,
    "axes.spines.top": False,
    "axes.spines.right": False,
    **{
        f"{part}.{which}": INK
        for part, which in [("axes", "edgecolor"), ("axes", "labelcolor"), ("text", "color")]
    },
    **{f"{axis}tick.color": INK for axis in "xy"},
}


def square() -> Figure:
    """Four categories on the square: the direct representation."""
    figure = Figure(figsize=(3.9, 3.9))
    axes = figure.subplots()
    draw_vertices(axes, representation("direct", 4), np.array([[0.0, 1.0], [1.0, 0.0]]))
    axes.set_title("direct: 2 bits\nfrom A, T is two flips away", fontsize=13)
    figure.subplots_adjust(0.02, 0.02, 0.98, 0.84)
    return figure


def cube() -> Figure:
    """Four categories on the cube: the linear representation."""
    figure = Figure(figsize=(4.5, 3.9))
    axes = figure.subplots()
    tilted = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.36]])
    draw_vertices(axes, representation("linear", 4), tilted)
    axes.set_title("linear: 3 bits\nevery base is one flip from every other", fontsize=13)
    figure.subplots_adjust(0.02, 0.02, 0.98, 0.84)
    return figure


def draw_vertices(
    axes: Axes, shown: Representation, directions: np.ndarray, from_vertex: int = 0
) -> None:
    """Draw a cube whose corners have the colours of their categories; some edges are thick."""
    n = shown.bits
    vertices = np.arange(1 << n)[:, None] >> np.arange(n) & 1
    positions = vertices @ directions
    letters = ["AGCT"[category] for category in shown.decode(vertices)]
    for vertex, bits in enumerate(vertices):
        for bit in np.flatnonzero(bits == 0):
            other = vertex | 1 << int(bit)
            incident = from_vertex in (vertex, other)
            ends = positions[[vertex, other]].T
            axes.plot(
                *ends, color=INK if incident else GREY, linewidth=3 if incident else 1.3, zorder=1
            )
    for position, bits, letter in zip(positions, vertices, letters, strict=True):
        axes.scatter(*position, s=900, color=BASES[letter], edgecolors=INK, zorder=2)
        axes.text(*position, letter, ha="center", va="center_baseline", color=BLACK, zorder=3,
                  fontsize=15, weight="bold")  # fmt: skip
        written = "".join(map(str, bits))
        axes.text(
            position[0] + 0.12, position[1] - 0.13, written, va="center_baseline", fontsize=11
        )
    axes.set_aspect("equal")
    axes.margins(0.2)
    axes.set_axis_off()


def spread() -> Figure:
    """Where one to three flips lead from a category, direct and linear, 16 categories."""
    shown = [representation("direct", 16), representation("linear", 16)]
    flips = (1, 2, 3)
    figure = Figure(figsize=(8.4, 4.6))
    grid = figure.subplots(len(flips), 2, sharex=True, sharey=True)
    for column, code in enumerate(shown):
        for line, r in enumerate(flips):
            axes = grid[line, column]
            ways = code.spread(r)[0]
            shares = ways / comb(code.bits, r)
            colours = [GREY] + [(ORANGE, BLUE)[column]] * 15
            axes.bar(range(16), shares, 0.8, color=colours)
            counts = sorted({round(count) for count in ways[1:]})
            others = str(counts[0]) if len(counts) == 1 else f"{counts[0]} or {counts[-1]}"
            label = f"{comb(code.bits, r):,} ways: {round(ways[0])} stay, {others} to each other"
            axes.text(0.99, 0.93, label, ha="right", va="top", transform=axes.transAxes,
                      fontsize=11)  # fmt: skip
            axes.set_yticks([0, 1 / 15, 1 / 4], ["0", "1⁄15", "¼"])
            axes.set_ylim(0, 0.34)
            axes.set_xticks(range(16))
            axes.tick_params(axis="x", length=0, labelsize=10)
            if column == 0:
                named = f"{r} flip{'s' if r > 1 else ''}"
                axes.set_ylabel(named, rotation=0, ha="right", va="center")
        grid[0, column].set_title(f"{code.name}, {code.bits} bits", fontsize=13)
        grid[-1, column].set_xlabel("category reached from category 0")
    figure.subplots_adjust(0.13, 0.12, 0.99, 0.92, 0.06, 0.16)
    return figure


def redundancy() -> Figure:
    """Draw, for nine categories and three decodings, the bit vectors of each and their reach."""
    titles = {"linear": "linear (modulo 9)", "balanced": "balanced", "compact": "compact"}
    figure = Figure(figsize=(8.4, 5.4))
    grid = figure.subplots(2, 3, height_ratios=[1, 1.5])
    for column, (name, title) in enumerate(titles.items()):
        code = representation(name, 9)
        counts = code.redundancy()
        top, bottom = grid[:, column]
        top.bar(range(1, 10), np.array(counts) * 9 / 2**code.bits, 0.8, color=BLUE)
        top.axhline(1, color=INK, linewidth=1, linestyle=(0, (4, 3)))
        top.set_ylim(0, 1.35)
        top.set_title(f"{title}, {code.bits} bits\n{min(counts)} to {max(counts)} vectors each",
                      fontsize=13)  # fmt: skip
        top.set_xticks(range(1, 10))
        top.tick_params(axis="x", length=0)
        relative = code.reach() * 8
        draw_reach(bottom, relative)
        off = relative[~np.eye(9, dtype=bool)]
        bottom.set_xlabel(f"to: {off.min():.2f} to {off.max():.2f}")
        top.set_yticks([0, 0.5, 1], ["0", "½", "1"] if column == 0 else [])
    grid[0, 0].set_ylabel("bit vectors,\nrelative to uniform")
    grid[1, 0].set_ylabel("flip from")
    figure.subplots_adjust(0.09, 0.09, 0.99, 0.9, 0.1, 0.16)
    return figure


def draw_reach(axes: Axes, relative: np.ndarray) -> None:
    """Draw a square for each pair of categories, the larger the more often a flip leads there."""
    size = len(relative)
    for a in range(size):
        for b in range(size):
            side = 0.8 * np.sqrt(relative[a, b])
            colour = GREY if a == b else BLUE if relative[a, b] >= 0.75 else ORANGE
            axes.add_patch(
                matplotlib.patches.Rectangle(
                    (b + 1 - side / 2, a + 1 - side / 2), side, side, color=colour, linewidth=0
                )
            )
    axes.set_xlim(0.4, size + 0.6)
    axes.set_ylim(size + 0.6, 0.4)
    axes.set_aspect("equal")
    axes.set_xticks(range(1, size + 1))
    axes.set_yticks(range(1, size + 1))
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def bits() -> Figure:
    """Draw how many bits a variable takes, by the number of its categories."""
    sizes = range(2, 33)
    lines = {
        "linear: one flip to any": ("linear", BLUE, "-"),
        "compact: one flip to any": ("compact", VIOLET, "-"),
        "covering:2: two flips": ("covering:2", PINK, "--"),
        "direct": ("direct", ORANGE, "-"),
    }
    figure = Figure(figsize=(6, 3.4))
    axes = figure.add_subplot()
    for label, (name, colour, style) in lines.items():
        counts = [representation(name, size).bits for size in sizes]
        axes.step(sizes, counts, where="mid", color=colour, linestyle=style, linewidth=2.2,
                  label=label)  # fmt: skip
    axes.set_xlabel("categories")
    axes.set_ylabel("bits per variable")
    axes.set_xticks([2, 4, 8, 9, 10, 16, 20, 32])
    axes.set_xlim(1.5, 32.5)
    axes.set_ylim(0)
    axes.legend(frameon=False, loc="upper left", labelcolor=INK)
    figure.subplots_adjust(0.1, 0.16, 0.99, 0.98)
    return figure


def benchmark(budget: int, fact: str = "targets_reached", calls: str = "calls") -> Figure:
    """Draw the fraction of targets that each search reaches, from docs/facts.json."""
    facts = json.loads((Path(__file__).parents[1] / "facts.json").read_text(encoding="utf-8"))
    shares = facts[fact][str(budget)]
    names = sorted(shares, key=lambda name: shares[name])
    labels = {"catcube auto": "catcube (default)", "plain SA": "plain annealing"}
    height = 0.7 + 0.29 * len(names)
    figure = Figure(figsize=(4.8, height))
    axes = figure.subplots()
    colours = [BLUE if "catcube" in name.lower() else GREY for name in names]
    axes.barh(names, [shares[name] for name in names], 0.7, color=colours)
    for place, name in enumerate(names):
        axes.text(shares[name] + 0.02, place, f"{shares[name]:.0%}", va="center", fontsize=11)
    axes.set_yticks(range(len(names)), [labels.get(name, name) for name in names])
    axes.set_title(f"{budget:,} {calls}: targets reached", fontsize=13)
    axes.set_xlim(0, 1.08)
    axes.set_xticks([])
    axes.tick_params(axis="y", length=0)
    axes.spines["bottom"].set_visible(False)
    figure.subplots_adjust(0.36, 0.03, 0.99, 1 - 0.34 / height)
    return figure


def example() -> Figure:
    """Draw the course of the search that the first page shows."""
    import random

    import catcube

    draw = random.Random(1)
    talks = [f"talk {number}" for number in range(1, 13)]
    visitors = [draw.sample(talks, 4) for _ in range(40)]
    space = catcube.Space({talk: range(8) for talk in talks})

    def missed(programme: dict[str, int]) -> int:
        return sum(4 - len({programme[talk] for talk in chosen}) for chosen in visitors)

    figure = Figure(figsize=(6, 3))
    axes = figure.subplots()
    catcube.minimize(missed, space, budget=200, seed=1).plot(axes)
    axes.lines[0].set(color=BLUE, linewidth=2.2)
    axes.set(
        title="",
        xscale="linear",
        xlim=(0, 200),
        ylim=(0, None),
        xlabel="calls",
        ylabel="missed talks",
    )
    figure.subplots_adjust(0.1, 0.17, 0.96, 0.97)
    return figure


POINT = [
    ("minimize", "check the arguments, once", "search"),
    ("choice", "algorithm and representation for budget and space", "search"),
    ("layout", "columns, weights and tables of all variables", "representations"),
    ("kernel", "propose a move: a bit, or a variable's new category", "algorithms"),
    ("decode", "compute the category of a variable from its bits", "engine"),
    ("problem", "compute the change of the value, by address", "problems"),
    ("recorder", "budget, target, best point, trace, stop flag", "engine"),
    ("Result", "the point in your labels, its value, the history", "search"),
]
PLAN = [
    ("plan", "instances × algorithms × representations × runs", "experiments"),
    ("keys", "one per run, except those in the store", "experiments"),
    ("kernels", "compile those not in the cache, in parallel", "experiments"),
    ("workers", "threads or a cluster; a run depends on its key alone", "experiments"),
    ("store", "one SQLite file, one writer, a checksum per row", "experiments"),
    ("statistics", "summaries, ranks, curves, tests, effect sizes", "statistics"),
    ("studies", "tables and verdicts, of the paper or of any plan", "studies"),
    ("report", "one self-contained page, and CSV", "studies"),
]


def walk(steps: list[tuple[str, str, str]]) -> Figure:
    """Draw steps from top to bottom: a box, what happens there, and the package it is in."""
    figure = Figure(figsize=(6, 0.62 * len(steps) + 0.2))
    axes = figure.subplots()
    for place, (name, what, package) in enumerate(steps):
        y = -place
        axes.text(0, y, name, va="center", ha="center",
                  bbox={"boxstyle": "round,pad=0.4", "fc": "none", "ec": BLUE})  # fmt: skip
        axes.text(0.8, y + 0.13, what, va="center")
        axes.text(0.8, y - 0.22, package, va="center", fontsize=10, color=GREY)
        if place:
            axes.annotate("", (0, y + 0.3), (0, y + 0.68),
                          arrowprops={"arrowstyle": "->", "color": INK})  # fmt: skip
    axes.set_xlim(-0.75, 6)
    axes.set_ylim(-len(steps) + 0.4, 0.6)
    axes.set_axis_off()
    figure.subplots_adjust(0, 0, 1, 1)
    return figure


FIGURES: dict[str, Callable[[], Figure]] = {
    "benchmark-200": partial(benchmark, 200),
    "benchmark-1000": partial(benchmark, 1_000),
    "optuna-100": partial(benchmark, 100, "targets_reached_in_optuna", "trials"),
    "example": example,
    "square": square,
    "cube": cube,
    "spread": spread,
    "redundancy": redundancy,
    "bits": bits,
    "walk-point": partial(walk, POINT),
    "walk-plan": partial(walk, PLAN),
}


def written(draw: Callable[[], Figure]) -> str:
    """Return a picture as the text of an SVG file."""
    file = io.StringIO()
    with matplotlib.rc_context(SETTINGS):
        draw().savefig(file, format="svg", transparent=True, metadata={"Date": None})
    text = file.getvalue().replace(INK, "currentColor")
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    named = set(re.findall(r"#(\w+)", text))  # all other names would clash on a page
    text = re.sub(r' id="([^"]+)"', lambda item: item[0] if item[1] in named else "", text)
    text = re.sub(r" ?\n(?=[A-Zz\d])", " ", text)  # a path on one line
    # A browser has better fonts than the one whose widths were used to place the letters.
    text = text.replace("'DejaVu Sans', 'Bitstream Vera Sans'", "system-ui, 'DejaVu Sans'")
    head, mark, rest = text.partition("<svg ")
    return f'{head}{mark}color="{GREY}" {rest}'


def main(folder: Path, names: Iterable[str] = FIGURES) -> None:
    """Write the pictures into a folder."""
    for name in names:
        path = folder / f"{name}.svg"
        path.write_text(written(FIGURES[name]), encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main(Path(*sys.argv[1:]) if sys.argv[1:] else Path(__file__).parents[1] / "figures")
