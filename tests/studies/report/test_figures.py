"""Figures as files: what they hold, that they can be read anywhere, and that they are the same."""

import re
import struct
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from catcube.statistics import Pair
from catcube.studies.analysis.sections import Study
from catcube.studies.paper.published import ALGORITHMS
from catcube.studies.report.figures import (
    ReportFigure,
    figure_files,
    figure_style,
    render_figure,
    report_figures,
    shorten,
)
from catcube.studies.report.palette import COLOURS, KNOWN, representation_colours
from catcube.studies.report.text import safe_name
from tests.studies.report.study_examples import (
    NASTY_EXPERIMENT,
    NASTY_INSTANCES,
    example_study,
    unfinished_study,
)

BUDGET, COURSE, TARGET, OWN = range(4)
NASTY = safe_name(NASTY_EXPERIMENT)


def drawn(name, study=None):
    with figure_style():
        found = {figure.name: figure for figure in report_figures(study or example_study())}
        return found[name].draw()


def test_every_section_has_its_figures():
    names = [figure.name for figure in report_figures(example_study())]
    assert names[:17] == [
        *(f"fixed-budget-means-sudoku-{name}" for name in ("easy-56", "expert-55", "17hint-64")),
        *("ecdf-curves", "ecdf-differences", *(f"ecdf-curves-{name}" for name in ALGORITHMS)),
        "fixed-target-runtimes-by-erased-cells",
    ]
    assert len(names) == len(set(names)) == 17 + len(NASTY_INSTANCES)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)


def test_no_figure_of_nothing():
    names = [figure.name for figure in report_figures(unfinished_study())]
    assert len(names) == 2
    assert all(name.startswith("fixed-budget-") for name in names)
    assert figure_files(example_study(), ["csv"]) == {}


@pytest.mark.parametrize(
    "name",
    [
        *("fixed-budget-means-sudoku-easy-56", "ecdf-curves", "ecdf-curves-sa", "ecdf-differences"),
        "fixed-target-runtimes-by-erased-cells",
        f"{NASTY}-means-script-alert-1-script",
    ],
)
def test_keys_are_inside_and_the_background_is_transparent(name):
    figure = drawn(name)
    with figure_style():
        figure.draw_without_rendering()
        for key in figure.legends:
            box = key.get_window_extent()
            assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1
            assert figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1
        assert figure.get_facecolor()[3] == 0
        assert all(axes.get_facecolor()[3] == 0 for axes in figure.axes)


def test_bars_are_as_long_as_the_means_best_algorithm_first():
    means = example_study().sections[BUDGET].means["sudoku-easy-56"]
    [axes] = drawn("fixed-budget-means-sudoku-easy-56").axes
    widths = sorted(bar.get_width() for bar in axes.patches)
    assert widths == sorted(mean.mean for mean in means.values())
    names = [label.get_text() for label in axes.get_yticklabels()]
    best = [
        min(means[Pair(name, representation)].mean for representation in ("linear", "direct"))
        for name in names
    ]
    assert best == sorted(best)
    assert axes.yaxis_inverted()


def test_bars_of_missing_pairs_and_of_values_below_zero():
    few = {Pair("sa", "linear"): np.array([-6.0, -4.0]), Pair("ga", "gray"): np.array([2.0, 2.0])}
    section = replace(example_study().sections[BUDGET], samples={"x": few})
    [axes] = drawn("fixed-budget-means-x", Study((section,))).axes
    assert sorted(bar.get_width() for bar in axes.patches) == [-5.0, 2.0]
    low, high = axes.get_xlim()
    assert low <= -6
    assert high >= 2


def test_curves_are_those_of_the_study_with_bands():
    section = example_study().sections[COURSE]
    [axes] = drawn("ecdf-curves-sa").axes
    labels = [line.get_label() for line in axes.lines]
    for name in ("linear", "direct"):
        assert f"{name} {section.curves[Pair('sa', name)].final:.3f}" in labels
    assert len(axes.collections) == 2  # a band for each
    [whole] = drawn("ecdf-curves").axes
    assert len(whole.lines) == len(section.curves)
    styles = {(line.get_color(), line.get_linestyle()) for line in whole.lines}
    assert len(styles) == len(section.curves)


def test_differences_are_of_the_first_representation_to_the_other():
    section = example_study().sections[COURSE]
    axes = drawn("ecdf-differences").axes
    assert len([one for one in axes if one.get_visible()]) == len(ALGORITHMS)
    line = next(one for one in axes if one.get_title() == "sa" or one.get_title(loc="left") == "sa")
    ys = line.lines[0].get_ydata()
    linear, direct = (section.curves[Pair("sa", name)].final for name in ("linear", "direct"))
    assert ys[-1] == pytest.approx(linear - direct)


def test_runtimes_without_success_are_not_drawn():
    section = example_study().sections[TARGET]
    never = {
        name: {pair: np.full(3, np.inf) for pair in pairs}
        for name, pairs in section.samples.items()
    }
    study = Study((replace(section, samples=never),))
    figure = drawn("fixed-target-runtimes-by-erased-cells", study)
    assert not any(len(line.get_xdata()) for axes in figure.axes for line in axes.lines)


def test_the_same_study_gives_the_same_files():
    section = example_study().sections[OWN]
    few = {name: section.samples[name] for name in NASTY_INSTANCES[:2]}
    study = Study((replace(section, samples=few),))
    found = figure_files(study, ["svg", "png", "pdf"])
    assert len(found) == 6
    assert figure_files(study, ["svg", "png", "pdf"]) == found
    for name, content in found.items():
        if name.endswith(".svg"):
            root = ElementTree.fromstring(content)
            assert root.get("role") == "img"
            assert root.get("aria-label")
            assert b"<script" not in content
            assert b"dc:date" not in content
        elif name.endswith(".png"):
            assert struct.unpack(">I", content[16:20])[0] == 1280


def test_a_name_is_never_read_as_mathematics_or_drawn_with_line_breaks():
    from matplotlib.figure import Figure

    def draw():
        figure = Figure()
        figure.text(0, 0, shorten("$x_1$\n数 \0"))
        return figure

    with figure_style():
        svg = render_figure(ReportFigure("x", '<&>"', "", draw), "svg")
    ElementTree.fromstring(svg)
    assert shorten("a\n b\0") == "a b�"


def test_a_representation_has_one_colour():
    assert len(set(COLOURS)) == len(COLOURS) > len(KNOWN)
    alone = representation_colours(["linear"]) | representation_colours(["native"])
    together = representation_colours(["gray", "native", "mine", "linear"])
    assert together["linear"] == alone["linear"]
    assert together["native"] == alone["native"]
    assert len(set(together.values())) == 4
    many = representation_colours(f"own {number}" for number in range(30))
    assert len(set(many.values())) == len(COLOURS)


def test_tables_and_figures_are_imported_without_matplotlib():
    code = (
        "import sys, catcube.studies.report.figures, catcube.studies.report.write;"
        "assert 'matplotlib' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
