"""Runtimes and success against the size of instances, for each algorithm."""

import math
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import TYPE_CHECKING

from catcube.statistics import Line, Pair
from catcube.studies.analysis.model import FixedTarget
from catcube.studies.report.figures.figure import (
    WIDTH,
    ReportFigure,
    key,
    power_of_ten,
    representation_colours,
    shown,
)
from catcube.studies.report.names import file_name, safe_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS = 4
_PANEL = 1.45  # inches from panel to panel

Dots = dict[Pair, list[tuple[int, float]]]  # the size of an instance, and what was measured there


def size_figures(section: FixedTarget) -> list[ReportFigure]:
    """List figures of success and runtimes by the sizes of instances, if these are different."""
    lines = [
        (section.sizes[instance], line)
        for instance, table in section.runtimes.items()
        if instance in section.sizes
        for line in table
    ]
    if len({size for size, _ in lines}) < 2:
        return []
    conditions = section.conditions
    runtimes = _dots(conditions.pairs, lines, _runtime)
    success = _dots(conditions.pairs, lines, _success)
    by_size = f"by-{safe_name(section.size)}"
    dots_and_lines = "a dot for each instance, and a line through the medians of the dots."
    figures = [
        ReportFigure(
            name=file_name(conditions.experiment, f"success-{by_size}"),
            title=f"{conditions.experiment}: success by {section.size}",
            caption=f"Runs that reach the target, in percent: {dots_and_lines}",
            draw=lambda: _draw("successful runs (%)", section.size, success, logarithmic=False),
        )
    ]
    if any(runtimes.values()):  # not if no run succeeds
        figures.append(
            ReportFigure(
                name=file_name(conditions.experiment, f"runtimes-{by_size}"),
                title=f"{conditions.experiment}: runtimes by {section.size}",
                caption=f"Median runtimes of the successful runs: {dots_and_lines}",
                draw=lambda: _draw(
                    "median evaluations to the target", section.size, runtimes, logarithmic=True
                ),
            )
        )
    return figures


def _runtime(line: Line) -> float:
    return line.summary.median


def _success(line: Line) -> float:
    return math.inf if line.success_percent is None else line.success_percent


def _dots(
    pairs: Iterable[Pair], lines: Sequence[tuple[int, Line]], measure: Callable[[Line], float]
) -> Dots:
    """Measure the lines of each pair, where that is finite: without success is no runtime."""
    return {
        pair: [
            (size, measure(line))
            for size, line in lines
            if line.pair == pair and math.isfinite(measure(line))
        ]
        for pair in pairs
    }


def _draw(label: str, size: str, dots: Dots, *, logarithmic: bool) -> "Figure":
    """Draw a panel for each algorithm, all with the same axes; the key comes after them."""
    from matplotlib.figure import Figure

    algorithms = list(dict.fromkeys(pair.algorithm for pair in dots))
    colours = representation_colours(dict.fromkeys(pair.representation for pair in dots))
    columns = min(_COLUMNS, len(algorithms) + 1)
    rows = math.ceil((len(algorithms) + 1) / columns)
    height = 0.8 + _PANEL * rows
    figure = Figure(figsize=(WIDTH, height))
    panels = figure.subplots(
        rows,
        columns,
        squeeze=False,
        gridspec_kw={
            "left": 0.65 / WIDTH,
            "right": 1 - 0.1 / WIDTH,
            "bottom": 0.5 / height,
            "top": 1 - 0.3 / height,
            "hspace": 0.32,
            "wspace": 0.1,
        },
    )
    for index, axes in enumerate(panels.ravel()):
        if index >= len(algorithms):
            axes.set_axis_off()
            continue
        for number, (representation, colour) in enumerate(colours.items()):
            pair_dots = dots.get(Pair(algorithms[index], representation), [])
            _draw_dots(axes, pair_dots, colour, (number - (len(colours) - 1) / 2) * 0.25)
        _set_axes(axes, dots, logarithmic)
        axes.set_title(shown(algorithms[index], 18), fontsize=9.5, pad=3)
        axes.tick_params(
            labelleft=index % columns == 0, labelbottom=index + columns >= len(algorithms)
        )
    key(
        panels.ravel()[len(algorithms)],
        colours,
        loc="center",
        title="dots: instances\nlines: medians",
    )
    figure.supxlabel(size, fontsize=10, y=0.08 / height)
    figure.supylabel(label, fontsize=10, x=0.08 / WIDTH)
    return figure


def _draw_dots(axes: "Axes", dots: Sequence[tuple[int, float]], colour: str, shift: float) -> None:
    """Draw the dots, beside those of other representations, and the line."""
    numbers = sorted({size for size, _ in dots})
    middles = [median(value for size, value in dots if size == number) for number in numbers]
    axes.plot(
        [size + shift for size, _ in dots],
        [value for _, value in dots],
        marker="o",
        markersize=2.2,
        linestyle="",
        color=colour,
        alpha=0.6,
        markeredgewidth=0,
    )
    axes.plot(numbers, middles, color=colour, linewidth=1.4)


def _set_axes(axes: "Axes", dots: Dots, logarithmic: bool) -> None:
    sizes = [number for pair_dots in dots.values() for number, _ in pair_dots]
    values = [value for pair_dots in dots.values() for _, value in pair_dots]
    axes.set_xlim(min(sizes) - 0.6, max(sizes) + 0.6)
    between = math.ceil((max(sizes) - min(sizes) + 1) / 6)
    axes.set_xticks(range(min(sizes), max(sizes) + 1, between))
    if logarithmic:
        axes.set_yscale("log")
        axes.set_ylim(min(values) / 1.6, max(values) * 1.6)
        axes.yaxis.set_major_formatter(power_of_ten)
        axes.minorticks_off()
    else:
        lowest = min(75, int(min(values)) // 25 * 25)
        axes.set_ylim(lowest - 0.03 * (100 - lowest), 100 + 0.04 * (100 - lowest))
        axes.set_yticks(range(lowest, 101, 25))
    axes.grid()
    axes.tick_params(labelsize=8.5)
