"""Critical-difference diagrams.

J. Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7 (2006).
"""

import math
from typing import TYPE_CHECKING

from catcube.statistics import Friedman, Pair
from catcube.studies.analysis.model import Conditions
from catcube.studies.report.figures.figure import (
    GREY,
    INK,
    ReportFigure,
    key,
    new_figure,
    representation_colours,
    shown,
    write_title,
)
from catcube.studies.report.names import file_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LINE = 0.2  # inches: from label to label
_BAR = 0.09  # and from bar to bar
_ABOVE = 1.3  # what is above the axis


def rank_figures(conditions: Conditions, test: Friedman | None) -> list[ReportFigure]:
    """List the diagram, if there was a test."""
    if test is None:
        return []
    return [
        ReportFigure(
            name=file_name(conditions.experiment, "critical-difference"),
            title=f"{conditions.experiment}: mean ranks",
            caption=(
                "Mean ranks of the pairs over the instances, best to the left. Pairs joined by a "
                "thick bar do not differ significantly (Nemenyi, 5 %): their mean ranks differ by "
                f"less than the critical difference (CD) {test.critical_difference:.2f}."
            ),
            draw=lambda: _draw(conditions, test),
        )
    ]


def _draw(conditions: Conditions, test: Friedman) -> "Figure":
    ranks = list(test.mean_ranks.items())
    half = (len(ranks) + 1) // 2
    colours = representation_colours(conditions.representations)
    # Heights are inches below the axis.
    first_label = 0.2 + _BAR * len(test.groups) + 0.1
    depth = first_label + _LINE * (half - 0.5)
    margin = 0.4 + 0.066 * max(len(_label(pair, rank)) for pair, rank in ranks)
    figure, axes = new_figure(
        depth + _ABOVE + 0.1, left=margin, right=margin, top=_ABOVE, bottom=0.1
    )
    axes.set_ylim(depth, 0)
    axes.set_xlim(1, len(ranks))
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.spines["top"].set_visible(True)
    axes.xaxis.tick_top()
    axes.set_yticks([])
    step = max(1, math.ceil(len(ranks) / 12))
    axes.set_xticks([1, *range(1 + step, len(ranks) - step + 1, step), len(ranks)])
    for number, group in enumerate(test.groups):
        ranks_of_group = [test.mean_ranks[pair] for pair in group]
        axes.plot(
            [min(ranks_of_group) - 0.05, max(ranks_of_group) + 0.05],
            [0.16 + _BAR * number] * 2,
            color=INK,
            linewidth=3,
            solid_capstyle="butt",
            zorder=3,
        )
    beside = axes.get_yaxis_transform()
    inches = 1 / (figure.get_figwidth() - 2 * margin)  # as a share of the axis
    for number, (pair, rank) in enumerate(ranks):
        left = number < half
        line = number if left else len(ranks) - 1 - number
        height = first_label + _LINE * line
        position = (rank - 1) / max(1, len(ranks) - 1)
        edge = -0.1 * inches if left else 1 + 0.1 * inches
        outward = -1 if left else 1
        axes.plot(
            [position, position, edge],
            [0, height, height],
            color=GREY,
            linewidth=0.8,
            transform=beside,
            clip_on=False,
        )
        axes.plot(
            edge + 0.05 * outward * inches,
            height,
            marker="o",
            markersize=5,
            color=colours[pair.representation],
            transform=beside,
            clip_on=False,
        )
        axes.text(
            edge + 0.13 * outward * inches,
            height,
            _label(pair, rank),
            ha="right" if left else "left",
            va="center_baseline",
            fontsize=8.5,
            transform=beside,
        )
    _draw_difference(axes, test.critical_difference, len(ranks))
    write_title(figure, axes, f"{shown(conditions.experiment)}: mean ranks", 1.0)
    where = ((0.1 - margin) * inches, 1 + 0.88 / depth)
    key(axes, colours, loc="upper left", bbox_to_anchor=where)
    return figure


def _draw_difference(axes: "Axes", difference: float, pairs: int) -> None:
    """Draw the length of the critical difference, above the axis."""
    text = f"CD = {difference:.2f}"
    if difference > pairs - 1:
        axes.text(1, -0.42, f"{text}: longer than the axis", fontsize=9)
        return
    axes.plot(
        [1, 1 + difference],
        [-0.42, -0.42],
        color=INK,
        linewidth=1.2,
        marker="|",
        markersize=7,
        clip_on=False,
    )
    axes.text(1 + difference / 2, -0.47, text, ha="center", fontsize=9)


def _label(pair: Pair, rank: float) -> str:
    return f"{shown(' '.join(pair), 24)} {rank:.2f}"
