"""Figures of a study: what is drawn, and that files are whole, safe and always the same."""

import builtins
import re
import struct
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from catcube.statistics import Curve, Friedman, Interval, Pair
from catcube.studies.analysis.model import Mean, Study
from catcube.studies.paper.statements import ALGORITHMS
from catcube.studies.report.figures import report_figures as report_figures_module
from catcube.studies.report.figures.figure import ReportFigure, drawing, images, shown
from catcube.studies.report.figures.report_figures import report_figures, write_figures
from catcube.studies.report.names import safe_name
from tests.studies.report.study_examples import (
    FEW,
    NASTY_EXPERIMENT,
    NASTY_INSTANCES,
    PAIRS,
    example_study,
    unfinished_study,
)

BUDGET, COURSE, TARGET, OWN = range(4)


def figures(study=None):
    return {figure.name: figure for figure in report_figures(study or example_study())}


def drawn(name, study=None):
    with drawing():
        return figures(study)[name].draw()


def texts(figure):
    """All texts of a figure that are not empty, from top to bottom."""
    from matplotlib.text import Text

    found = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
    figure.draw_without_rendering()
    found.sort(key=lambda text: -text.get_window_extent().y0)
    return found


def assert_nothing_is_clipped_or_covered(figure):
    with drawing():
        found = [text.get_window_extent() for text in texts(figure)]
    page = figure.bbox
    for box in found:
        assert page.x0 <= box.x0 <= box.x1 <= page.x1
        assert page.y0 <= box.y0 <= box.y1 <= page.y1
    for number, box in enumerate(found):
        # Boxes have room above and below their letters.
        others = [other.padded(-2) for other in found[number + 1 :]]
        assert not any(box.padded(-2).overlaps(other) for other in others)


def test_every_section_has_its_figures():
    names = list(figures())
    assert names[:4] == [
        "fixed-budget-critical-difference",
        "fixed-budget-means-sudoku-easy-56",
        "fixed-budget-means-sudoku-expert-55",
        "fixed-budget-means-sudoku-17hint-64",
    ]
    assert names[4:16] == ["ecdf-curves", *(f"ecdf-curves-{name}" for name in ALGORITHMS)]
    assert names[16:19] == [
        "fixed-target-critical-difference",
        "fixed-target-success-by-erased-cells",
        "fixed-target-runtimes-by-erased-cells",
    ]
    assert len(names) == len(set(names)) == 19 + 1 + len(NASTY_INSTANCES)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)


def test_no_figure_of_nothing():
    names = [figure.name for figure in report_figures(unfinished_study())]
    assert len(names) == 3
    assert all(name.startswith("fixed-budget-") for name in names)
    assert report_figures(Study(())) == []


@pytest.mark.parametrize(
    "name",
    [
        "fixed-budget-critical-difference",
        "fixed-budget-means-sudoku-easy-56",
        "ecdf-curves",
        "ecdf-curves-sa",
        "fixed-target-critical-difference",
        "fixed-target-runtimes-by-erased-cells",
        "fixed-target-success-by-erased-cells",
        f"{safe_name(NASTY_EXPERIMENT)}-critical-difference",
        f"{safe_name(NASTY_EXPERIMENT)}-means-script-alert-1-script",
    ],
)
def test_texts_are_on_the_page_and_do_not_cover_each_other(name):
    assert_nothing_is_clipped_or_covered(drawn(name))


def test_bars_are_as_long_as_the_means_best_algorithm_first():
    section = example_study().sections[BUDGET]
    means = section.means["sudoku-easy-56"]
    [axes] = drawn("fixed-budget-means-sudoku-easy-56").axes
    assert sorted(bar.get_width() for bar in axes.patches) == sorted(
        mean.mean for mean in means.values()
    )
    names = [label.get_text() for label in axes.get_yticklabels()]
    best = [
        min(means[Pair(name, representation)].mean for representation in ("linear", "direct"))
        for name in names
    ]
    assert best == sorted(best)
    assert axes.yaxis_inverted()
    intervals = sorted(tuple(line.get_xdata()) for line in axes.lines)
    assert intervals == sorted(tuple(mean.interval) for mean in means.values())


def test_bars_of_missing_pairs_and_of_values_below_zero():
    section = example_study().sections[BUDGET]
    few = {
        Pair("sa", "linear"): Mean(-5.0, Interval(-6.0, -4.0), 3),
        Pair("ga", "gray"): Mean(2.0, Interval(2.0, 2.0), 3),
    }
    figure = drawn(
        "fixed-budget-means-x",
        Study(
            (
                replace(
                    section,
                    conditions=replace(section.conditions, pairs=tuple(few)),
                    friedman=None,
                    means={"x": few},
                ),
            )
        ),
    )
    assert_nothing_is_clipped_or_covered(figure)
    [axes] = figure.axes
    assert axes.get_xlim()[0] == -6
    assert {"linear", "gray", "−5", "2"} <= {text.get_text() for text in texts(figure)}


def test_zero_everywhere_is_drawn():
    zero = {Pair("sa", "linear"): Mean(0.0, Interval(0.0, 0.0), 3)}
    section = replace(example_study().sections[BUDGET], friedman=None, means={"x": zero})
    assert_nothing_is_clipped_or_covered(drawn("fixed-budget-means-x", Study((section,))))


def test_the_key_of_the_curves_is_in_the_order_of_their_ends():
    section = example_study().sections[COURSE]
    found = [text.get_text() for text in texts(drawn("ecdf-curves"))]
    keys = [text for text in found if re.search(r" 0\.\d{3}$", text)]
    levels = [float(text.split()[-1]) for text in keys]
    assert levels == sorted(levels, reverse=True)
    assert sorted(keys) == sorted(
        f"{' '.join(pair)} {curve.final:.3f}" for pair, curve in section.curves.items()
    )


def test_curves_are_solid_and_dashed_and_an_algorithm_has_one_colour():
    [axes] = drawn("ecdf-curves").axes
    curves = [line for line in axes.lines if len(line.get_xdata()) > 2]
    assert len(curves) == len(PAIRS)
    assert len({line.get_color() for line in curves}) == len(ALGORITHMS)
    assert [line.get_linestyle() for line in curves].count("-") == len(ALGORITHMS)
    [axes] = drawn("ecdf-curves-sa").axes
    colours = {line.get_color() for line in axes.lines if len(line.get_xdata()) > 2}
    assert colours == {"#0072B2", "#E69F00"}


def test_a_single_pair_is_named_in_full():
    section = example_study().sections[COURSE]
    study = Study((replace(section, curves={PAIRS[0]: section.curves[PAIRS[0]]}),))
    assert list(figures(study)) == ["ecdf-curves", "ecdf-curves-rls"]
    found = " / ".join(text.get_text() for text in texts(drawn("ecdf-curves", study)))
    assert "rls linear 0." in found


def test_curves_of_other_representations_and_many_equal_ends():
    import numpy as np

    section = example_study().sections[COURSE]
    pairs = [Pair(f"algorithm-{index}", f"r{index % 5}") for index in range(30)]
    curve = Curve(np.array([1]), np.array([1]), 20)
    study = Study(
        (
            replace(
                section,
                conditions=replace(section.conditions, pairs=tuple(pairs), budget=100),
                curves=dict.fromkeys(pairs, curve),
            ),
        )
    )
    assert len(figures(study)) == 31
    assert_nothing_is_clipped_or_covered(drawn("ecdf-curves", study))


def test_long_names_are_shortened():
    long = tuple(Pair(f"{index}-{'long' * 30}", "linear") for index in range(4))
    study = example_study()
    budget, course, target = (study.sections[number] for number in (BUDGET, COURSE, TARGET))
    names = dict(zip((Pair("sa", "linear"), *PAIRS[:3]), long, strict=True))

    def renamed(section, **changes):
        return replace(section, conditions=replace(section.conditions, pairs=long), **changes)

    curve = course.curves[PAIRS[0]]
    sections = (
        renamed(
            budget,
            friedman=Friedman(1.0, 0.5, dict(zip(long, (1, 2, 3, 4.0), strict=True)), 2.0, [long]),
            means={"x" * 200: dict.fromkeys(long, Mean(1.0, Interval(0.5, 1.5), 3))},
        ),
        renamed(course, curves=dict.fromkeys(long, curve)),
        renamed(
            target,
            friedman=None,
            runtimes={
                instance: [
                    line._replace(algorithm=names[line.pair].algorithm, representation="linear")
                    for line in lines
                    if line.pair in names
                ]
                for instance, lines in target.runtimes.items()
            },
        ),
    )
    found = figures(Study(sections))
    assert len(found) == 1 + 1 + 1 + 4 + 2
    with drawing():
        for figure in found.values():
            assert_nothing_is_clipped_or_covered(figure.draw())


def test_the_diagram_joins_groups_and_names_all_pairs():
    test = example_study().sections[TARGET].friedman
    figure = drawn("fixed-target-critical-difference")
    [axes] = figure.axes
    bars = [line.get_xdata() for line in axes.lines if line.get_linewidth() == 3]
    assert len(bars) == len(test.groups) > 0
    for (left, right), group in zip(bars, test.groups, strict=True):
        ranks = [test.mean_ranks[pair] for pair in group]
        assert left <= min(ranks) < max(ranks) <= right
    found = {text.get_text() for text in texts(figure)}
    assert found >= {f"{' '.join(pair)} {rank:.2f}" for pair, rank in test.mean_ranks.items()}
    assert f"CD = {test.critical_difference:.2f}" in found


def test_a_critical_difference_longer_than_the_axis_is_said():
    section = example_study().sections[OWN]
    ranks = dict(zip(FEW, (1.0, 2.0, 3.0, 4.0), strict=True))
    test = Friedman(1.0, 0.5, ranks, 5.5, [FEW])
    figure = drawn(
        "fixed-budget-critical-difference",
        Study(
            (
                replace(
                    section,
                    conditions=replace(section.conditions, experiment="fixed-budget"),
                    friedman=test,
                ),
            )
        ),
    )
    assert "CD = 5.50: longer than the axis" in {text.get_text() for text in texts(figure)}
    assert_nothing_is_clipped_or_covered(figure)


def test_runtimes_have_a_dot_for_each_board_with_success():
    section = example_study().sections[TARGET]
    figure = drawn("fixed-target-runtimes-by-erased-cells")
    panels = {axes.get_title(loc="left"): axes for axes in figure.axes}
    [linear, _, direct, _] = panels["mimic"].lines
    assert len(linear.get_xdata()) == 6
    assert len(direct.get_xdata()) == 5  # without the board that is never solved
    lines = {
        instance: {line.pair: line for line in table}
        for instance, table in section.runtimes.items()
    }
    assert sorted(linear.get_ydata()) == sorted(
        by_pair[Pair("mimic", "linear")].summary.median for by_pair in lines.values()
    )


def test_no_runtimes_by_erased_cells_if_sizes_are_not_known():
    section = example_study().sections[TARGET]
    others = {f"mine-{index}": table for index, table in enumerate(section.runtimes.values())}
    study = Study((replace(section, runtimes=others),))
    assert list(figures(study)) == ["fixed-target-critical-difference"]


def test_pairs_that_never_succeed_are_drawn_as_nothing():
    section = example_study().sections[TARGET]
    never = {
        instance: [
            line._replace(summary=line.summary._make([float("inf")] * 5), success_percent=0)
            for line in table
        ]
        for instance, table in section.runtimes.items()
    }
    study = Study((replace(section, friedman=None, runtimes=never),))
    assert list(figures(study)) == ["fixed-target-success-by-erased-cells"]


def test_files_are_whole_safe_and_the_same_every_time(tmp_path):
    from matplotlib import rc_context

    section = example_study().sections[OWN]
    few = {name: section.means[name] for name in NASTY_INSTANCES[:2]}
    study = Study((replace(section, means=few),))
    first = write_figures(study, tmp_path / "first")
    with rc_context({"font.size": 30, "svg.hashsalt": None, "text.usetex": True}):  # a user's
        second = write_figures(study, tmp_path / "second")
    assert [path.name for path in first] == [path.name for path in second]
    assert sorted(path.name for path in (tmp_path / "first").iterdir()) == sorted(
        f"{name}.{ending}" for name in figures(study) for ending in ("png", "svg")
    )
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes()
        if one.suffix == ".svg":
            text = one.read_text(encoding="utf-8")
            ElementTree.fromstring(text)
            assert "<script" not in text
            assert "dc:date" not in text
        else:
            header = one.read_bytes()[:24]
            assert header.startswith(b"\x89PNG")
            assert struct.unpack(">I", header[16:20])[0] == 1280


def test_several_processes_write_the_files_that_one_writes(tmp_path, monkeypatch):
    monkeypatch.setattr(report_figures_module, "SHARE", 1)
    section = example_study().sections[OWN]
    few = {name: section.means[name] for name in NASTY_INSTANCES[:2]}
    study = Study((replace(section, means=few),))
    alone = write_figures(study, tmp_path / "alone")
    together = write_figures(study, tmp_path / "together", processes=2)
    assert len(together) > 2
    assert [path.name for path in together] == [path.name for path in alone]
    assert [path.read_bytes() for path in together] == [path.read_bytes() for path in alone]


def test_a_name_is_never_read_as_mathematics_or_drawn_with_line_breaks():
    from matplotlib.figure import Figure

    def draw():
        figure = Figure()
        figure.text(0, 0, shown("$x_1$\n数 \0"))
        return figure

    with drawing():
        svg = images(ReportFigure("x", "<&>", "", draw))["svg"].decode()
    assert "&lt;&amp;&gt;" in svg
    ElementTree.fromstring(svg)
    assert shown("a\n b\0") == "a b�"


def test_without_matplotlib_it_says_what_to_install(tmp_path, monkeypatch):
    original = builtins.__import__

    def no_matplotlib(name, *rest):
        if name.split(".")[0] == "matplotlib":
            raise ImportError(name)
        return original(name, *rest)

    monkeypatch.setattr(builtins, "__import__", no_matplotlib)
    with pytest.raises(ValueError, match=r"pip install 'catcube\[report\]'"):
        write_figures(example_study(), tmp_path)


def test_tables_and_figures_are_imported_without_matplotlib():
    code = (
        "import sys, catcube.studies.report.figures.report_figures;"
        "import catcube.studies.report.tables.formats;"
        "import catcube.studies.report.tables.report_tables;"
        "sys.exit(any(name.split('.')[0] == 'matplotlib' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
