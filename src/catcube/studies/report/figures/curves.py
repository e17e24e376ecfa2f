"""ECDF curves: each algorithm with its representations, and all pairs together."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, NamedTuple

from catcube.statistics import Curve, Pair, log_grid
from catcube.studies.analysis.model import Ecdf
from catcube.studies.report.figures.figure import (
    GREY,
    ReportFigure,
    new_figure,
    power_of_ten,
    representation_colours,
    shown,
    write_title,
)
from catcube.studies.report.names import file_name, safe_name
from catcube.studies.report.text import counted, line_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CROWDED, BEST = 40, 20
"""Of more curves than that, only the best are in one figure; each algorithm has another one."""

_LINE = 0.175  # inches: from label to label of the key
_TOP, _BOTTOM = 0.35, 0.5

Dashes = str | tuple[float, Sequence[float]]


class Style(NamedTuple):
    """How a curve is drawn, and its label."""

    label: str
    colour: str
    dashes: Dashes


# P. Tol's muted colours, and black: they can be told apart with every kind of colour vision.
_ALGORITHMS = (
    *("#CC6677", "#332288", "#117733", "#88CCEE", "#882255", "#44AA99"),
    *("#999933", "#AA4499", "#000000", "#888888", "#E69F00"),
)
_DASHES: tuple[Dashes, ...] = (
    *("-", (0, (4, 1.5)), (0, (1, 1)), (0, (6, 1, 1, 1)), (0, (3, 1, 1, 1, 1, 1))),
    *((0, (8, 2)), (0, (1, 3)), (0, (8, 1, 3, 1)), (0, (2, 2)), (0, (5, 4))),
)


def curve_figures(section: Ecdf) -> list[ReportFigure]:
    """List a figure of all pairs, then one for each algorithm; none without curves."""
    if not section.curves:
        return []
    conditions = section.conditions
    caption = (
        f"Share of the targets reached, in {counted(conditions.runs, 'run')} on each of "
        f"{counted(len(section.instances), 'instance')}. The key has the share in the end, highest "
        "first."
    )
    best = list(section.curves)[-(BEST if len(section.curves) > CROWDED else CROWDED) :]
    chosen = {pair: section.curves[pair] for pair in best}
    left_out = len(section.curves) - len(chosen)
    title = f"the best {len(chosen)} curves" if left_out else "all curves"
    figures = [
        ReportFigure(
            name=file_name(conditions.experiment, "curves"),
            title=f"{conditions.experiment}: {title}",
            caption=f"{caption} {line_styles(conditions.representations)}",
            draw=lambda: _draw(
                shown(conditions.experiment), chosen, conditions.budget, _all_styles(section)
            ),
        )
    ]
    for name in conditions.algorithms:
        curves = {pair: curve for pair, curve in section.curves.items() if pair.algorithm == name}
        if curves:
            figures.append(_of_algorithm(section, name, curves, caption))
    return figures


def _of_algorithm(
    section: Ecdf, name: str, curves: Mapping[Pair, Curve], caption: str
) -> ReportFigure:
    conditions = section.conditions
    colours = representation_colours(conditions.representations)
    dashes = _dashes(conditions.representations)
    styles = {
        pair: Style(pair.representation, colours[pair.representation], dashes[pair.representation])
        for pair in curves
    }
    return ReportFigure(
        name=file_name(conditions.experiment, "curves", safe_name(name)),
        title=f"{conditions.experiment}: curves of {name}",
        caption=caption,
        draw=lambda: _draw(
            shown(f"{conditions.experiment}: {name}", 60), curves, conditions.budget, styles
        ),
    )


def _all_styles(section: Ecdf) -> dict[Pair, Style]:
    conditions = section.conditions
    colours = dict(zip(conditions.algorithms, cycle(_ALGORITHMS), strict=False))
    dashes = _dashes(conditions.representations)
    return {
        pair: Style(" ".join(pair), colours[pair.algorithm], dashes[pair.representation])
        for pair in section.curves
    }


def _dashes(representations: Sequence[str]) -> dict[str, Dashes]:
    return dict(zip(representations, cycle(_DASHES), strict=False))


def _draw(
    title: str, curves: Mapping[Pair, Curve], budget: int, styles: Mapping[Pair, Style]
) -> "Figure":
    many = len(curves) > 6
    height = 3.3 if not many else max(4.2, 0.9 + 0.2 * len(curves))
    bend = 0.3 if many else 0.15  # inches between the curves and the key
    right = (
        bend
        + 0.55
        + 0.066 * max(len(_label(styles[pair], curve)) for pair, curve in curves.items())
    )
    figure, axes = new_figure(height, left=0.6, right=right, top=_TOP, bottom=_BOTTOM)
    grid = log_grid(max(budget, 10), per_decade=60)
    for pair, curve in curves.items():
        axes.plot(
            grid,
            curve.at(grid),
            drawstyle="steps-post",
            color=styles[pair].colour,
            linestyle=styles[pair].dashes,
            linewidth=1.3 if many else 1.8,
        )
    axes.set_xscale("log")
    axes.set_xlim(1, grid[-1])
    axes.set_ylim(0, 1)
    axes.xaxis.set_major_formatter(power_of_ten)
    axes.minorticks_off()
    axes.grid()
    axes.set_xlabel("evaluations")
    axes.set_ylabel("share of targets reached")
    write_title(figure, axes, title, 0.1)
    _draw_key(figure, axes, curves, styles, bend)
    return figure


def _draw_key(
    figure: "Figure",
    axes: "Axes",
    curves: Mapping[Pair, Curve],
    styles: Mapping[Pair, Style],
    bend: float,
) -> None:
    """Draw the key to the right of the curves, in the order of their ends."""
    box = axes.get_position()
    wide, high = box.width * figure.get_figwidth(), box.height * figure.get_figheight()
    order = sorted(curves, key=lambda pair: curves[pair].final)
    levels = _spread([curves[pair].final for pair in order], _LINE / high)
    beside = axes.get_yaxis_transform()
    for pair, level in zip(order, levels, strict=True):
        ends = [1 + inches / wide for inches in (0.03, bend, bend + 0.03, bend + 0.38)]
        axes.plot(
            ends[:2],
            [curves[pair].final, level],
            color=GREY,
            linewidth=0.5,
            transform=beside,
            clip_on=False,
        )
        axes.plot(
            ends[2:],
            [level, level],
            color=styles[pair].colour,
            linestyle=styles[pair].dashes,
            linewidth=1.6,
            transform=beside,
            clip_on=False,
        )
        axes.text(
            1 + (bend + 0.46) / wide,
            level,
            _label(styles[pair], curves[pair]),
            fontsize=8.5,
            va="center_baseline",
            transform=beside,
        )


def _label(style: Style, curve: Curve) -> str:
    """Join the name and the last level."""
    return f"{shown(style.label, 30)} {curve.final:.3f}"


def _spread(levels: Sequence[float], distance: float) -> list[float]:
    """Move ascending levels as little as needed to be so far apart, and below 1 if possible.

    >>> [round(level, 2) for level in _spread([0.5, 0.5, 0.9], 0.1)]
    [0.45, 0.55, 0.9]
    """
    # Neighbours that are too close form a block, which lies around the mean of its levels.
    blocks: list[list[float]] = []
    for level in levels:
        blocks.append([level])
        while len(blocks) > 1 and _low(blocks[-1], distance) < (
            _low(blocks[-2], distance) + len(blocks[-2]) * distance
        ):
            last = blocks.pop()
            blocks[-1] += last
    return [
        _low(block, distance) + index * distance for block in blocks for index in range(len(block))
    ]


def _low(block: Sequence[float], distance: float) -> float:
    """Return the lowest level of a block; all of the block is from 0 to 1 if there is room."""
    length = (len(block) - 1) * distance
    return max(0.0, min(1.0 - length, sum(block) / len(block) - length / 2))
