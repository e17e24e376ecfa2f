"""The figures of the page "Beyond the paper", as SVG, in the colours of the reports."""

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from beyond_data import ByPair, Measured
from beyond_study import Row, effects, mean_ranks
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from catcube.statistics import Pair
from catcube.studies.report.figures import INK, draw_key, figure_style, line_dashes, new_panels
from catcube.studies.report.palette import representation_colours

WIDTH = 7.2
SIGNS = {"better": "+", "worse": "−", "equivalent": "=", "open": ""}


def save(figure: Figure, path: Path) -> None:
    """Write a figure; the same data give the same bytes."""
    svg = io.BytesIO()
    figure.savefig(svg, format="svg", metadata={"Date": None})
    path.write_bytes(svg.getvalue())


def heat(
    panel: Axes, numbers: np.ndarray, rows: Sequence[str], columns: Sequence[str], **colours: object
) -> None:
    """Draw a map with its numbers; cells that are not known are empty."""
    shown = panel.imshow(np.ma.masked_invalid(numbers), aspect="auto", **colours)
    for (row, column), number in np.ndenumerate(numbers):
        if np.isfinite(number):
            red, green, blue, _ = shown.cmap(shown.norm(number))
            dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.55
            whole = round(float(number), 1) or 0.0  # not −0.0
            text = f"{whole:.1f}" if whole > 1 or not whole else f"{whole:+.1f}".replace("-", "−")
            ink = "#fefefe" if dark else "#111111"  # not the colours of paper and text
            panel.text(column, row, text, ha="center", va="center", fontsize=7.5, color=ink)
    panel.set_xticks(range(len(columns)), columns, fontsize=8)
    panel.set_yticks(range(len(rows)), rows, fontsize=8.5)
    panel.tick_params(length=0, labeltop=True, labelbottom=False)
    panel.grid(visible=False)
    for side in panel.spines.values():
        side.set_visible(False)


def rank_map(measured: Measured) -> Figure:
    """Draw the mean ranks of representations by algorithm: light is good."""
    names, columns = measured.algorithms, measured.representations
    ranks = [
        [*mean_ranks(measured.values, [Pair(name, column) for column in columns]).values()]
        for name in names
    ]
    figure = Figure(figsize=(WIDTH, 0.3 * len(names) + 0.7), layout="constrained")
    heat(figure.subplots(), np.array(ranks), names, columns, cmap="Blues", vmin=1, vmax=10)
    return figure


def family_map(rows: Mapping[str, Sequence[Row]]) -> Figure:
    """Draw effects by family and algorithm, a map for each comparison."""
    figure = Figure(figsize=(WIDTH, 4.0 * len(rows)), layout="constrained")
    for panel, (title, found) in zip(
        np.ravel(figure.subplots(len(rows), 1)), rows.items(), strict=True
    ):
        families = list(found[0].families)
        numbers = [[row.families[name].mean for row in found] for name in families]
        algorithms = [row.algorithm for row in found]
        heat(panel, np.array(numbers), families, algorithms, cmap="PuOr", vmin=-1, vmax=1)
        panel.set_title(title, fontsize=10, pad=4)
    return figure


def forest(rows: Mapping[str, Sequence[Row]]) -> Figure:
    """Draw effects by algorithm with their intervals; dots are families."""
    names = [row.algorithm for row in next(iter(rows.values()))]
    figure = Figure(figsize=(WIDTH, 0.3 * len(names) + 0.9), layout="constrained")
    axes = figure.subplots(1, len(rows), sharey=True, squeeze=False)[0]
    colour = representation_colours(["linear"])["linear"]
    for panel, (title, found) in zip(axes, rows.items(), strict=True):
        for place, row in enumerate(found):
            dots = [effect.mean for effect in row.families.values()]
            panel.plot(dots, [place] * len(dots), "o", color=INK, ms=2.5, alpha=0.6, mew=0)
            panel.plot([row.effect.low, row.effect.high], [place, place], color=colour, lw=2)
            panel.plot(row.effect.mean, place, "o", color=colour, ms=5)
            panel.text(1.12, place, SIGNS[row.verdict], va="center", ha="center", fontsize=9)
        panel.axvline(0, color=INK, lw=0.8)
        panel.axvspan(-0.147, 0.147, color=INK, alpha=0.12, lw=0)
        panel.set_xlim(-1.05, 1.05)
        panel.set_title(title, fontsize=9)
        panel.set_yticks(range(len(names)), names, fontsize=9)
        panel.grid(visible=False, axis="y")
    axes[0].invert_yaxis()
    return figure


Groups = Mapping[int, tuple[ByPair, Callable[[str], bool]]]
"""By size: the samples, and whether an instance has it."""


def growth(groups: Groups, algorithms: Sequence[str], label: str) -> Figure:
    """Draw effects of linear and of direct against native, by size and algorithm."""
    figure = Figure(figsize=(WIDTH, 2 * (0.27 * len(algorithms) + 0.7)), layout="constrained")
    for panel, first in zip(figure.subplots(2, 1), ("linear", "direct"), strict=True):
        numbers = np.full((len(algorithms), len(groups)), np.nan)
        for column, (samples, chosen) in enumerate(groups.values()):
            for row in effects(samples, first, "native", chosen):
                numbers[algorithms.index(row.algorithm), column] = row.effect.mean
        heat(
            panel,
            numbers,
            algorithms,
            [f"{size:,}" for size in groups],
            cmap="PuOr",
            vmin=-1,
            vmax=1,
        )
        panel.set_title(f"{first} against native, by the number of {label}", fontsize=9.5, pad=4)
    return figure


def sweep(
    losses: Mapping[float, Mapping[Pair, float]], algorithms: Sequence[str], label: str
) -> Figure:
    """Draw mean losses by a setting, a panel for each algorithm."""
    figure, axes = new_panels(algorithms, 1.8)
    names = ["linear", "direct", "native"]
    colours, dashes = representation_colours(names), line_dashes(names)
    for panel, algorithm in zip(axes, algorithms, strict=True):
        for name in names:
            lost = [100 * found[Pair(algorithm, name)] for found in losses.values()]
            panel.plot(list(losses), lost, color=colours[name], linestyle=dashes[name], lw=1.4)
            panel.plot(list(losses), lost, "o", color=colours[name], ms=3)
        panel.set_xscale("log", base=2)
        panel.set_xticks(list(losses), [f"{size:g}" for size in losses], fontsize=7)
        panel.minorticks_off()
    figure.supxlabel(label, fontsize=9)
    figure.supylabel("loss, % of the range", fontsize=9)
    draw_key(figure, colours, dashes)
    return figure


__all__ = ["family_map", "figure_style", "forest", "growth", "rank_map", "save", "sweep"]
