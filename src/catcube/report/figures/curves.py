"""ECDF curves: each algorithm with its representations, and all pairs together."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from catcube.analysis.model import Course
from catcube.report.figures.figure import (
    GREY,
    ReportFigure,
    new_figure,
    power_of_ten,
    representation_colours,
    shown,
    write_title,
)
from catcube.report.names import safe_name
from catcube.report.tables.common import counted, table_name
from catcube.statistics import Curve, Pair, log_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LINE = 0.175  # inches: from label to label of the key
_TOP, _BOTTOM = 0.35, 0.5

Dashes = str | tuple[float, Sequence[float]]


class Style(NamedTuple):
    """How a curve is drawn, and what it is called."""

    label: str
    colour: str
    dashes: Dashes


# P. Tol's muted colours, and black: they can be told apart with every kind of colour vision.
_ALGORITHMS = (
    *("#CC6677", "#332288", "#117733", "#88CCEE", "#882255", "#44AA99"),
    *("#999933", "#AA4499", "#000000", "#888888", "#E69F00"),
)
_STYLES: dict[str, Dashes] = {"linear": "-", "direct": (0, (4, 1.5))}
_OTHER_STYLES: tuple[Dashes, ...] = ((0, (1, 1)), (0, (6, 1, 1, 1)), (0, (3, 1, 1, 1, 1, 1)))


def curve_figures(section: Course) -> list[ReportFigure]:
    """All pairs in one figure, then one for each algorithm; none without curves."""
    if not section.curves:
        return []
    conditions = section.conditions
    said = (
        f"Share of the targets reached, in {counted(conditions.runs, 'run')} on each of "
        f"{counted(len(section.instances), 'instance')}. The key has the share in the end, highest "
        "first."
    )
    algorithms = list(dict.fromkeys(pair.algorithm for pair in conditions.pairs))
    figures = [
        ReportFigure(
            name=table_name(conditions, "curves"),
            title=f"{conditions.experiment}: all curves",
            caption=f"{said} Colours are algorithms; linear is solid, direct dashed.",
            draw=lambda: _draw(
                shown(conditions.experiment),
                section.curves,
                conditions.budget,
                _all_styles(section),
            ),
        )
    ]
    for name in algorithms:
        own = {pair: curve for pair, curve in section.curves.items() if pair.algorithm == name}
        if own:
            figures.append(_of_algorithm(section, name, own, said))
    return figures


def _of_algorithm(
    section: Course, name: str, curves: Mapping[Pair, Curve], said: str
) -> ReportFigure:
    conditions = section.conditions
    colours = representation_colours(conditions.pairs)
    styles = {
        pair: Style(
            pair.representation,
            colours[pair.representation],
            _dashes(pair.representation, list(colours)),
        )
        for pair in curves
    }
    return ReportFigure(
        name=table_name(conditions, "curves", safe_name(name)),
        title=f"{conditions.experiment}: curves of {name}",
        caption=said,
        draw=lambda: _draw(
            shown(f"{conditions.experiment}: {name}", 60), curves, conditions.budget, styles
        ),
    )


def _all_styles(section: Course) -> dict[Pair, Style]:
    pairs = section.conditions.pairs
    algorithms = list(dict.fromkeys(pair.algorithm for pair in pairs))
    representations = list(dict.fromkeys(pair.representation for pair in pairs))
    return {
        pair: Style(
            " ".join(pair),
            _ALGORITHMS[algorithms.index(pair.algorithm) % len(_ALGORITHMS)],
            _dashes(pair.representation, representations),
        )
        for pair in section.curves
    }


def _dashes(name: str, names: Sequence[str]) -> Dashes:
    """Representations other than linear and direct have dots."""
    if name in _STYLES:
        return _STYLES[name]
    others = [other for other in names if other not in _STYLES]
    return _OTHER_STYLES[others.index(name) % len(_OTHER_STYLES)]


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
    """To the right of the curves, in the order of their ends."""
    place = axes.get_position()
    wide, high = place.width * figure.get_figwidth(), place.height * figure.get_figheight()
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
    """The name and the last level."""
    return f"{shown(style.label, 30)} {curve.final:.3f}"


def _spread(levels: Sequence[float], distance: float) -> list[float]:
    """Ascending levels moved as little as need be to be so far apart, and below 1 if possible.

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
        _low(block, distance) + place * distance for block in blocks for place in range(len(block))
    ]


def _low(block: Sequence[float], distance: float) -> float:
    """Where the lowest of a block lies; all of the block is from 0 to 1 if there is room."""
    length = (len(block) - 1) * distance
    return max(0.0, min(1.0 - length, sum(block) / len(block) - length / 2))
