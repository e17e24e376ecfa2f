"""The figures of the page "Beyond the paper", as SVG."""

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from beyond_study import Effect, Measured, effects, mean_ranks, only
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from catcube.problems.suites import family_of
from catcube.statistics import Pair, joined, log_grid
from catcube.studies.report.figures import INK as GREY
from catcube.studies.report.figures import drawing, power_of_ten
from catcube.studies.report.palette import representation_colours

SHOWN = ("native", "linear", "direct", "unary", "compact", "vt")
COLOURS = representation_colours(SHOWN)
Groups = Sequence[tuple[int, Measured, Sequence[str]]]
"""Instances of an experiment that have one size, by that size."""
WIDTH = 8.0
TICKS = (2, 4, 8, 16, 32, 64, 10, 30, 100, 300, 1000)


def save(figure: Figure, path: Path) -> None:
    """Write a figure; the same data give the same bytes."""
    svg = io.BytesIO()
    figure.savefig(svg, format="svg", metadata={"Date": None})
    path.write_bytes(svg.getvalue())


def panels(names: Sequence[str], high: float = 1.75) -> tuple[Figure, list[Axes]]:
    """Make small multiples, four in a row, and name each."""
    rows = -(-len(names) // 4)
    figure = Figure(figsize=(WIDTH, rows * high + 0.5), layout="constrained")
    axes = figure.subplots(rows, 4, sharex=True, sharey=True, squeeze=False).ravel()
    for panel in axes[len(names) :]:
        panel.set_visible(False)
    for name, panel in zip(names, axes, strict=False):
        panel.set_title(name, fontsize=9)
        panel.grid(axis="y")
        panel.tick_params(labelsize=8)
    return figure, list(axes[: len(names)])


def forest(measured: Measured, couples: Sequence[tuple[str, str]]) -> Figure:
    """Draw effects by algorithm with their intervals; dots are families of problems."""
    names = measured.algorithms
    figure = Figure(figsize=(WIDTH, 0.3 * len(names) + 1.0), layout="constrained")
    axes = figure.subplots(1, len(couples), sharey=True, squeeze=False)[0]
    families: dict[str, list[str]] = {}
    for instance in measured.values:
        families.setdefault(family_of(instance), []).append(instance)
    for panel, (first, second) in zip(axes, couples, strict=True):
        for instances in families.values():
            for effect in effects(only(measured.values, instances), first, second):
                panel.plot(
                    effect.delta, names.index(effect.algorithm), "o", color=GREY, ms=3, alpha=0.6
                )
        for effect in effects(measured.values, first, second):
            row = names.index(effect.algorithm)
            panel.plot([*effect.interval], [row, row], color="#0072B2", lw=2)
            panel.plot(effect.delta, row, "o", color="#0072B2", ms=6)
        panel.axvline(0, color=GREY, lw=0.8)
        panel.set_xlim(-1.05, 1.05)
        panel.set_xlabel(
            f"worse ← {first} than {second} → better", fontsize=9 if len(couples) < 3 else 7.5
        )
        panel.set_yticks(range(len(names)), names, fontsize=9)
        panel.grid(axis="x")
    axes[0].invert_yaxis()
    return figure


def growth(
    groups: Groups,
    algorithms: Sequence[str],
    others: Sequence[str],
    label: str,
) -> Figure:
    """Draw the effect of representations against native by size, one panel per algorithm."""
    figure, axes = panels(algorithms)
    computed: dict[tuple[str, str], dict[int, Effect]] = {}
    for size, measured, instances in groups:
        for name in others:
            for effect in effects(only(measured.values, instances), name, "native"):
                computed.setdefault((effect.algorithm, name), {})[size] = effect
    for panel, algorithm in zip(axes, algorithms, strict=True):
        for name in others:
            found = computed.get((algorithm, name), {})
            sizes = list(found)
            panel.fill_between(
                sizes,
                [effect.interval.low for effect in found.values()],
                [effect.interval.high for effect in found.values()],
                color=COLOURS[name],
                alpha=0.15,
                lw=0,
            )
            deltas = [effect.delta for effect in found.values()]
            panel.plot(sizes, deltas, "o-", color=COLOURS[name], ms=3, lw=1.2, label=name)
        panel.axhline(0, color=GREY, lw=0.8)
        panel.set_ylim(-1.08, 1.08)
    return _by_size(figure, axes, groups, label, "effect against native (above 0: better)")


def losses(
    groups: Groups,
    algorithms: Sequence[str],
    names: Sequence[str],
    label: str,
) -> Figure:
    """Draw the mean loss by size, one panel per algorithm."""
    figure, axes = panels(algorithms)
    lost_in = {id(measured): measured.losses() for _, measured, _ in groups}
    for panel, algorithm in zip(axes, algorithms, strict=True):
        for name in names:
            points = []
            for size, measured, instances in groups:
                lost = lost_in[id(measured)]
                found = [lost[one].get(Pair(algorithm, name)) for one in instances]
                means = [sample.mean() for sample in found if sample is not None]
                if means:
                    points.append((size, 100 * float(np.mean(means))))
            if points:
                panel.plot(
                    *zip(*points, strict=True), "o-", color=COLOURS[name], ms=3, lw=1.2, label=name
                )
    return _by_size(figure, axes, groups, label, "loss, % of the range of values")


def _by_size(
    figure: Figure, axes: Sequence[Axes], groups: Groups, label: str, measure: str
) -> Figure:
    """Give all panels a logarithmic axis of sizes, and the figure its labels and its key."""
    ticks = sorted({size for size, *_ in groups if size in TICKS})
    for panel in axes:
        panel.set_xscale("log")
        panel.set_xticks(ticks, [f"{size:,}" for size in ticks], fontsize=7)
        panel.minorticks_off()
    figure.supxlabel(label, fontsize=9)
    figure.supylabel(measure, fontsize=9)
    _key(figure, axes[0])
    return figure


def curves(measured: Measured, names: Sequence[str]) -> Figure:
    """Draw the share of targets reached, one panel per algorithm."""
    figure, axes = panels(measured.algorithms)
    grid = log_grid(measured.budget, 20)
    for panel, algorithm in zip(axes, measured.algorithms, strict=True):
        for name in names:
            found = [
                pairs[pair]
                for pairs in measured.curves.values()
                if (pair := Pair(algorithm, name)) in pairs
            ]
            if found:
                panel.plot(grid, joined(found).at(grid), color=COLOURS[name], lw=1.4, label=name)
        panel.set_xscale("log")
        panel.set_ylim(0, 1)
        ticks = [10**exponent for exponent in range(len(str(measured.budget)))]
        panel.set_xticks(ticks, [power_of_ten(tick) for tick in ticks], fontsize=8)
        panel.minorticks_off()
    figure.supxlabel("evaluations", fontsize=9)
    figure.supylabel("share of the targets reached", fontsize=9)
    _key(figure, axes[0])
    return figure


def rank_map(measured: Measured) -> Figure:
    """Draw the mean ranks of representations by algorithm: light is good."""
    names, columns = measured.algorithms, measured.representations
    ranks = np.array([[*mean_ranks(measured.values, name, columns).values()] for name in names])
    figure = Figure(figsize=(WIDTH, 0.32 * len(names) + 0.9), layout="constrained")
    axes = figure.subplots()
    axes.imshow(ranks, cmap="Blues", aspect="auto", vmin=1, vmax=len(columns))
    for row, means in enumerate(ranks):
        for column, rank in enumerate(means):
            best = rank == means.min()
            axes.text(
                column,
                row,
                f"{rank:.1f}",
                ha="center",
                va="center",
                fontsize=9,
                weight="bold" if best else "normal",
                color="white" if rank > 0.6 * len(columns) else "black",
            )
    axes.set_xticks(range(len(columns)), columns, fontsize=9)
    axes.set_yticks(range(len(names)), names, fontsize=9)
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    for side in axes.spines.values():
        side.set_visible(False)
    return figure


def _key(figure: Figure, axes: Axes) -> None:
    lines, labels = axes.get_legend_handles_labels()
    figure.legend(
        lines, labels, loc="outside upper center", ncols=len(labels), frameon=False, fontsize=9
    )


__all__ = ["curves", "drawing", "forest", "growth", "losses", "rank_map", "save"]
