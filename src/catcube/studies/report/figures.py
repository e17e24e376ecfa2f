"""The figures of a study as files: drawn with matplotlib, on request.

Their background is transparent and their ink grey, so that they can be read on white and on black;
lines differ in dashes as well as in colour.
"""

import io
import math
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import as_file, files
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from catcube.base.optional import import_optional
from catcube.base.text import count
from catcube.experiments.export import UniqueNames
from catcube.statistics import Pair, band, by_pair, log_grid, mean_band
from catcube.studies.analysis.sections import Ecdf, FixedBudget, FixedTarget, Mean, Section, Study
from catcube.studies.report.charts import INSTANCES, choose_evenly
from catcube.studies.report.palette import (
    ALGORITHM_COLOURS,
    DASHES,
    Dashes,
    representation_colours,
    representation_numbers,
)
from catcube.studies.report.table import caption_of
from catcube.studies.report.text import (
    cell_text,
    describe_line_styles,
    format_power_of_ten,
    safe_name,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FIGURE_FORMATS = ("svg", "png", "pdf")

CROWDED, BEST = 40, 20
"""Of more curves than that, only the best are in one figure; each algorithm has another one."""

WIDTH = 6.4  # inches
INK = "#757575"
_COLUMNS = 4


@dataclass(frozen=True)
class ReportFigure:
    """A figure to be drawn. `name` is the stem of its files."""

    name: str  # such as ecdf-curves-sa
    title: str  # one line
    caption: str  # one or two sentences: what is drawn
    draw: "Callable[[], Figure]"


@contextmanager
def figure_style() -> Iterator[None]:
    """Set our style while figures are drawn and saved, independent of the user's settings."""
    style, ours = (
        import_optional("matplotlib.style"),
        files("catcube.studies.report") / "catcube.mplstyle",
    )
    with as_file(ours) as path, style.context(["default", path]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # in a name
        yield


def render_figure(figure: ReportFigure, ending: str) -> bytes:
    """Draw a figure in a format; inside `figure_style` only."""
    stream = io.BytesIO()
    dates = {"svg": {"Date": None}, "png": {"Software": None}, "pdf": {"CreationDate": None}}
    metadata = {"Title": shorten(figure.title)} | dates[ending]
    if ending != "pdf":
        metadata["Description"] = figure.caption
    figure.draw().savefig(stream, format=ending, dpi=200, metadata=metadata)
    if ending != "svg":
        return stream.getvalue()
    label = figure.title.replace("&", "").replace('"', "").replace("<", "")
    labelled = f'<svg role="img" aria-label="{shorten(label, 200)}" '.encode()
    return stream.getvalue().replace(b"<svg ", labelled, 1)


def report_figures(study: Study, instances: int | None = INSTANCES) -> list[ReportFigure]:
    """List the figures of each section, not drawn yet; sections without data get no figure.

    At most `instances` instances of an experiment have single figures, or all if that is None.

    >>> report_figures(Study(()))
    []
    """
    unique = UniqueNames()
    return [
        replace(figure, name=unique(figure.name))
        for section in study.sections
        for figure in _section_figures(section, instances)
    ]


def _section_figures(section: Section, instances: int | None) -> Iterator[ReportFigure]:
    if isinstance(section, FixedBudget):
        return _mean_figures(section, instances)
    return _target_figures(section) if isinstance(section, FixedTarget) else _curve_figures(section)


def figure_files(
    study: Study, formats: Iterable[str], instances: int | None = INSTANCES
) -> dict[str, bytes]:
    """Draw the figures in these formats, by name of file.

    The same study gives the same files. Without matplotlib, a ValueError is raised.
    """
    endings = [name for name in formats if name in FIGURE_FORMATS]
    if not endings:
        return {}
    with figure_style():
        return {
            f"{figure.name}.{ending}": render_figure(figure, ending)
            for figure in report_figures(study, instances)
            for ending in endings
        }


def shorten(name: str, longest: int = 44) -> str:
    """Put a name in one line, shortened if it is long, without characters that cannot be drawn.

    >>> shorten("two\\nlines"), len(shorten("long " * 100))
    ('two lines', 44)
    """
    line = re.sub(r"\s+", " ", name).strip()
    line = "".join(character if character.isprintable() else "�" for character in line)
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def new_panels(names: Sequence[str], high: float = 1.5) -> "tuple[Figure, list[Axes]]":
    """Make small multiples with shared axes, four in a row, each with its name."""
    rows, columns = -(-len(names) // _COLUMNS), min(_COLUMNS, len(names))
    figure = _figure(rows * high + 0.7)
    axes = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for panel in axes[len(names) :]:
        panel.set_visible(False)
    for name, panel in zip(names, axes, strict=False):
        panel.set_title(shorten(name, 18), fontsize=9.5, pad=3)
        panel.tick_params(labelsize=8.5)
    return figure, list(axes[: len(names)])


def _figure(high: float) -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=(WIDTH, high), layout="constrained")


def evaluations_axis(axes: "Axes", last: float) -> None:
    """Make the axis of evaluations logarithmic, with powers of ten as labels."""
    axes.set_xscale("log")
    axes.set_xlim(1, last)
    axes.xaxis.set_major_formatter(format_power_of_ten)
    axes.minorticks_off()


def draw_key(
    figure: "Figure", colours: Mapping[str, str], dashes: Mapping[str, Any] | None = None
) -> None:
    """Draw the key of the representations above the figure: of their bars, or of their lines."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    figure.legend(
        [
            Line2D([], [], color=colour, linestyle=dashes[name]) if dashes else Patch(color=colour)
            for name, colour in colours.items()
        ],
        [shorten(name, 24) for name in colours],
        loc="outside upper center",
        ncols=min(5, len(colours)),
        fontsize=9,
        handlelength=2.6 if dashes else 1,
        handleheight=1,
    )


def line_dashes(representations: Sequence[str]) -> dict[str, Dashes]:
    """Return the dashes of the lines of representations.

    >>> line_dashes(["linear"])
    {'linear': '-'}
    """
    return dict(zip(representations, cycle(DASHES), strict=False))


# Curves


def _curve_figures(section: Ecdf) -> Iterator[ReportFigure]:
    """Yield a figure of all pairs, the differences, and one for each algorithm."""
    if not section.curves:
        return
    conditions = section.conditions
    instances = count(len(section.instances), "instance")
    best = list(section.curves)[-(BEST if len(section.curves) > CROWDED else CROWDED) :]
    which = "all curves" if len(best) == len(section.curves) else f"the best {len(best)} curves"
    words = {"which": which, "styles": describe_line_styles(conditions.representations)}
    named = caption_of("curves-figure", conditions, "curves", instances=instances, **words)
    yield ReportFigure(*named, partial(_draw_curves, section, best, few=False))
    if section.leads:
        named = caption_of("differences-figure", conditions, "differences", instances=instances)
        yield ReportFigure(*named, partial(_draw_differences, section))
    for algorithm in conditions.algorithms:
        pairs = [pair for pair in section.curves if pair.algorithm == algorithm]
        parts, words = ("curves", safe_name(algorithm)), {"algorithm": algorithm}
        named = caption_of("algorithm-figure", conditions, *parts, instances=instances, **words)
        yield ReportFigure(*named, partial(_draw_curves, section, pairs, few=True))


def _draw_curves(section: Ecdf, pairs: Sequence[Pair], few: bool) -> "Figure":
    """Draw curves, coloured by representation if they are few, by algorithm otherwise."""
    conditions = section.conditions
    figure = _figure(3.3 if few else 4.6)
    axes = figure.subplots()
    grid = log_grid(max(conditions.budget, 10), per_decade=60)
    algorithms = dict(zip(conditions.algorithms, cycle(ALGORITHM_COLOURS), strict=False))
    colours = representation_colours(conditions.representations)
    dashes = line_dashes(conditions.representations)
    for pair in sorted(pairs, key=lambda one: -section.curves[one].final):
        curve = section.curves[pair]
        style = colours[pair.representation] if few else algorithms[pair.algorithm]
        label = shorten(pair.representation if few else " ".join(pair), 30)
        axes.plot(
            grid,
            curve.at(grid),
            drawstyle="steps-post",
            color=style,
            linestyle=dashes[pair.representation],
            linewidth=1.8 if few else 1.3,
            label=f"{label} {curve.final:.3f}",
        )
        if few and len(section.instances) > 1:
            ends = band([section.by_instance[name][pair] for name in section.instances], grid)
            axes.fill_between(grid, *ends, color=style, alpha=0.15, linewidth=0)
    evaluations_axis(axes, grid[-1])
    axes.set(xlabel="evaluations", ylabel="share of targets reached", ylim=(0, 1))
    name = conditions.experiment
    axes.set_title(shorten(f"{name}: {pairs[0].algorithm}" if few else name), fontsize=11)
    figure.legend(loc="outside right upper", fontsize=9 if few else 7.5, handlelength=2.6)
    return figure


def _draw_differences(section: Ecdf) -> "Figure":
    """Draw, for each algorithm, how far the first representation is above the others."""
    first, *others = section.conditions.representations
    algorithms = list(dict.fromkeys(pair.algorithm for pair in section.leads))
    figure, axes = new_panels(algorithms)
    grid = log_grid(max(section.conditions.budget, 10), per_decade=40)
    colours, dashes = representation_colours(others), line_dashes(others)
    for pair in section.leads:
        panel, other = axes[algorithms.index(pair.algorithm)], pair.representation
        instances = [section.by_instance[name] for name in section.instances]
        gaps = [
            curves[Pair(pair.algorithm, first)].at(grid) - curves[pair].at(grid)
            for curves in instances
        ]
        mean, colour = np.mean(gaps, axis=0), colours[other]
        panel.plot(grid, mean, color=colour, linestyle=dashes[other], linewidth=1.4)
        if len(gaps) > 1:
            panel.fill_between(grid, *mean_band(gaps), color=colour, alpha=0.2, linewidth=0)
    for panel in axes:
        panel.axhline(0, color=INK, linewidth=0.8)
        evaluations_axis(panel, grid[-1])
    figure.supxlabel("evaluations", fontsize=10)
    other = "other" if others[1:] else shorten(others[0], 20)
    figure.supylabel(f"{shorten(first, 20)} − {other}", fontsize=10)
    if others[1:]:
        draw_key(figure, colours, dashes)
    return figure


# Values and runtimes


def _mean_figures(section: FixedBudget, instances: int | None) -> Iterator[ReportFigure]:
    """Yield the mean values on some instances."""
    conditions = section.conditions
    known = [name for name, means in section.means.items() if means]
    for instance in choose_evenly(known, instances):
        parts = ("means", safe_name(instance))
        named = caption_of("means-figure", conditions, *parts, instance=instance)
        title = f"{shorten(instance)}, {conditions.budget:,} evaluations"
        yield ReportFigure(*named, partial(_draw_means, title, section.means[instance]))


def _draw_means(title: str, means: Mapping[Pair, Mean]) -> "Figure":
    numbers = representation_numbers(pair.representation for pair in means)
    colours = representation_colours(sorted(numbers, key=lambda name: numbers[name]))
    best: dict[str, float] = {}
    for pair, mean in means.items():
        best[pair.algorithm] = min(mean.mean, best.get(pair.algorithm, mean.mean))
    algorithms = sorted(best, key=lambda name: best[name])
    thickness = 0.8 / len(colours)
    figure = _figure(1.2 + 0.19 * len(colours) * len(algorithms))
    axes = figure.subplots()
    high = max(0.0, *(mean.interval.high for mean in means.values())) or 1.0
    for pair, mean in means.items():
        shift = list(colours).index(pair.representation) - (len(colours) - 1) / 2
        place = algorithms.index(pair.algorithm) + shift * thickness
        axes.barh(place, mean.mean, thickness * 0.94, color=colours[pair.representation])
        axes.plot(mean.interval, [place, place], color=INK, linewidth=1.1)
        end = max(0.0, mean.interval.high) + 0.012 * high
        text = cell_text(mean.mean, "number")
        axes.text(end, place, text, va="center_baseline", fontsize=8)
    axes.set_yticks(range(len(algorithms)), [shorten(name, 30) for name in algorithms])
    axes.set_ylim(len(algorithms) - 0.5, -0.5)
    axes.margins(x=0.1)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("mean value (lower is better) and its 95 % interval")
    axes.set_title(title, fontsize=11)
    draw_key(figure, colours)
    return figure


def _target_figures(section: FixedTarget) -> Iterator[ReportFigure]:
    """Yield the runtimes by the sizes of instances, if these are different."""
    size, sizes = section.outline.size, section.outline.sizes
    if len({sizes[one] for one in section.tables if one in sizes}) > 1:
        name = f"runtimes-by-{safe_name(size)}"
        named = caption_of("runtimes-figure", section.conditions, name, size=size)
        yield ReportFigure(*named, partial(_draw_runtimes, section))


def _draw_runtimes(section: FixedTarget) -> "Figure":
    """Draw a panel for each algorithm: median runtimes against the size of instances."""
    conditions, sizes = section.conditions, section.outline.sizes
    colours = representation_colours(conditions.representations)
    dashes = line_dashes(conditions.representations)
    figure, axes = new_panels(conditions.algorithms)
    tables = {name: by_pair(table) for name, table in section.tables.items() if name in sizes}
    for panel, algorithm in zip(axes, conditions.algorithms, strict=True):
        for number, (name, colour) in enumerate(colours.items()):
            pair = Pair(algorithm, name)
            dots = [
                (sizes[instance], lines[pair].summary.median)
                for instance, lines in tables.items()
                if pair in lines and math.isfinite(lines[pair].summary.median)
            ]
            if not dots:
                continue
            xs, ys = map(np.array, zip(*dots, strict=True))
            beside = xs + (number - (len(colours) - 1) / 2) * 0.25
            small: Any = {"markersize": 2.2, "markeredgewidth": 0, "alpha": 0.6}
            panel.plot(beside, ys, "o", color=colour, **small)
            middles = [float(np.median(ys[xs == size])) for size in np.unique(xs)]
            panel.plot(np.unique(xs), middles, color=colour, linewidth=1.4, linestyle=dashes[name])
            panel.set_yscale("log")
            panel.yaxis.set_major_formatter(format_power_of_ten)
            panel.minorticks_off()
    figure.supxlabel(section.outline.size, fontsize=10)
    figure.supylabel("median evaluations to the target", fontsize=10)
    draw_key(figure, colours, dashes)
    return figure
