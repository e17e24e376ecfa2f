"""Bars of the mean values of all pairs on an instance."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from catcube.statistics import Pair
from catcube.studies.analysis.model import FixedBudget, Mean
from catcube.studies.report.figures.figure import (
    INK,
    ReportFigure,
    key,
    new_figure,
    representation_colours,
    shown,
    write_title,
)
from catcube.studies.report.names import file_name, safe_name
from catcube.studies.report.tables.cells import cell_text
from catcube.studies.report.text import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LONGEST = 30  # characters of the name of an algorithm
_GROUP = 0.8  # the height of the bars of an algorithm, of the 1 that it has for itself


def mean_figures(section: FixedBudget, instances: int | None = None) -> list[ReportFigure]:
    """List one figure for each of the first `instances` that have results."""
    known = [(instance, means) for instance, means in section.means.items() if means]
    return [_mean_figure(section, instance, means) for instance, means in known[:instances]]


def _mean_figure(section: FixedBudget, instance: str, means: Mapping[Pair, Mean]) -> ReportFigure:
    conditions = section.conditions
    runs = counted(max(mean.runs for mean in means.values()), "run")
    return ReportFigure(
        name=file_name(conditions.experiment, "means", safe_name(instance)),
        title=f"{conditions.experiment}: mean values on {instance}",
        caption=(
            f"Mean of the values found with {conditions.budget:,} evaluations in {runs}, and its "
            "95 % bootstrap interval; lower is better. The best algorithm comes first."
        ),
        draw=lambda: _draw(
            f"{shown(instance)}, {conditions.budget:,} evaluations",
            means,
            representation_colours(conditions.representations),
        ),
    )


def _draw(title: str, means: Mapping[Pair, Mean], colours: dict[str, str]) -> "Figure":
    present = {pair.representation for pair in means}
    colours = {name: colour for name, colour in colours.items() if name in present}
    best: dict[str, float] = {}
    for pair, mean in means.items():
        best[pair.algorithm] = min(mean.mean, best.get(pair.algorithm, mean.mean))
    algorithms = sorted(best, key=lambda name: best[name])
    low = min(0.0, *(mean.interval.low for mean in means.values()))
    high = max(0.0, *(mean.interval.high for mean in means.values())) or 1.0
    thickness = _GROUP / len(colours)
    figure, axes = new_figure(
        1.2 + 0.19 * len(colours) * len(algorithms), left=_margin(algorithms), top=0.65, bottom=0.5
    )
    for pair, mean in means.items():
        shift = list(colours).index(pair.representation) - (len(colours) - 1) / 2
        height = algorithms.index(pair.algorithm) + shift * thickness
        axes.barh(height, mean.mean, thickness * 0.94, color=colours[pair.representation])
        axes.plot(mean.interval, [height, height], color=INK, linewidth=1.1)
        axes.text(
            max(0.0, mean.interval.high) + 0.012 * (high - low),
            height,
            cell_text(mean.mean, "number"),
            va="center_baseline",
            fontsize=8,
        )
    axes.set_yticks(range(len(algorithms)), [shown(name, _LONGEST) for name in algorithms])
    axes.set_ylim(len(algorithms) - 0.5, -0.5)
    axes.set_xlim(low, high + 0.1 * (high - low))  # room for the numbers
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    axes.set_xlabel("mean value (lower is better) and its 95 % interval")
    write_title(figure, axes, title, 0.36)
    key(axes, colours, loc="lower left", bbox_to_anchor=(0, 1.01), ncols=len(colours))
    return figure


def _margin(names: list[str]) -> float:
    """Return the inches for the names to the left of the axes."""
    return 0.2 + 0.085 * max(len(shown(name, _LONGEST)) for name in names)
