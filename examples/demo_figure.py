"""The figure of the comparison."""

from collections.abc import Sequence
from os import PathLike
from statistics import mean

import numpy as np
from demo_comparison import REPRESENTATIONS, Comparison
from matplotlib.figure import Figure

# Blue and orange of Okabe and Ito: they differ for every kind of colour vision, and in brightness.
COLOURS = {"linear": "#0072B2", "direct": "#E69F00"}
THICKNESS = 0.38  # of a bar; the pair of an algorithm has the height 1 for itself


def draw(comparison: Comparison, path: str | PathLike[str]) -> None:
    """A pair of bars for each algorithm, as long as the mean final value; a dot for each run."""
    settings, ranked = comparison.settings, comparison.ranked()
    figure = Figure(figsize=(6.2, 1.5 + 0.4 * len(ranked)), layout="constrained")
    axes = figure.add_subplot()
    for side, representation in zip((-0.5, 0.5), REPRESENTATIONS, strict=True):
        heights = np.arange(len(ranked)) + side * THICKNESS
        values = [comparison.values(algorithm, representation) for algorithm in ranked]
        axes.barh(
            heights,
            [mean(own) for own in values],
            THICKNESS,
            color=COLOURS[representation],
            zorder=2,
        )
        axes.annotate(  # instead of a legend: beside the shortest bars there is room
            f"{representation} representation",
            (max(values[0]), heights[0]),
            (8, 0),
            textcoords="offset points",
            va="center_baseline",
            fontsize=11,
        )
        for height, own in zip(heights, values, strict=True):
            dots = height + _offsets(own)
            axes.scatter(own, dots, 14, "white", edgecolors="#222222", linewidths=0.8, zorder=3)
    axes.set_yticks(range(len(ranked)), ranked, fontsize=12)
    axes.set_ylim(len(ranked) - 0.45, -0.55)
    axes.set_xlim(left=0)
    axes.set_xlabel("final value: lower is better, 0 is solved", fontsize=12)
    axes.tick_params(axis="x", labelsize=11)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", alpha=0.3, zorder=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_title(
        f"{settings.instance}, {settings.budget:,} evaluations:\n"
        f"mean (bar) of {settings.runs} runs (dots)",
        fontsize=13,
        loc="left",
    )
    figure.savefig(path, dpi=200)


def _offsets(values: Sequence[float]) -> np.ndarray:
    """Heights that keep the dots of equal values apart."""
    offsets = np.zeros(len(values))
    for value in set(values):
        equal = np.flatnonzero(np.equal(values, value))
        offsets[equal] = np.linspace(-1, 1, len(equal) + 2)[1:-1] * THICKNESS / 2
    return offsets
