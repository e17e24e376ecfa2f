"""The report of a study of many kinds of problems, representations and algorithms."""

from itertools import product

import pytest

from catcube.statistics import (
    Pair,
    compare_representations,
    fixed_budget_ranks,
    fixed_target_ranks,
    join_curves,
)
from catcube.studies import analyse
from catcube.studies.report.figures import BEST, CROWDED, figure_style, report_figures
from catcube.studies.report.page import render_page
from catcube.studies.report.table import TableKey
from catcube.studies.report.tables import report_tables
from tests.browser import opened
from tests.studies.analysis.analysis_stores import experiment, finding, write

KINDS = ("match", "nk", "potts")
REPRESENTATIONS = ("gray", "linear", "direct", "balanced", "compact", "unary", "vt")
ALGORITHMS = ("rls", "hc", "sa", "ea-1p1", "ga", "pbil")
INSTANCES = [f"{kind}:{size}" for kind in KINDS for size in (4, 9)]
BUDGET, ECDF, TARGET = range(3)


def made(configuration, number):
    """Better with earlier representations, so that there is something to be found."""
    seed = configuration.run_seed(number)
    base = REPRESENTATIONS.index(configuration.representation)
    return finding(number, float(base + seed % 5), 2 + seed % 97)


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    changes = {"representations": REPRESENTATIONS, "runs": 6}
    beyond = experiment("beyond", INSTANCES, ALGORITHMS, **changes)
    target = experiment("reach", INSTANCES, ALGORITHMS, target=3.0, **changes)
    return analyse([write(tmp_path_factory.mktemp("many") / "a.sqlite", [beyond, target], made)])


def test_ranks_are_over_all_instances_and_over_each_kind(study):
    for section, ranks in ((BUDGET, fixed_budget_ranks), (TARGET, fixed_target_ranks)):
        analysed = study.sections[section]
        assert list(analysed.ranks) == ["all", *KINDS]
        for kind in KINDS:
            of_kind = {name: analysed.samples[name] for name in INSTANCES if name.startswith(kind)}
            assert analysed.ranks[kind] == ranks(of_kind)
            table = report_tables(study)[TableKey(section, "ranks", kind)]
            assert f"{kind} instances" in table.title


def test_curves_and_areas_are_over_all_instances_and_over_each_kind(study):
    section = study.sections[ECDF]
    pair = Pair("sa", "balanced")
    for kind in KINDS:
        curve = join_curves([section.by_instance[name][pair] for name in INSTANCES if kind in name])
        assert section.by_group[kind][pair].reached.tolist() == curve.reached.tolist()
    table = report_tables(study)[TableKey(ECDF, "areas")]
    [row] = [row for row in table.rows if row[:2] == pair]
    assert list(table.titles)[2:] == ["all instances", *(f"on {kind}" for kind in KINDS)]
    curves = [section.by_group[name][pair] for name in ("all", *KINDS)]
    assert [*row[2:]] == [curve.area(section.conditions.budget) for curve in curves]


def test_every_representation_is_compared_with_the_first(study):
    section = study.sections[BUDGET]
    others = REPRESENTATIONS[1:]
    assert section.comparisons == compare_representations(
        section.samples, representations=REPRESENTATIONS
    )
    assert [
        (one.instance, one.algorithm, one.first, one.second) for one in section.comparisons
    ] == [
        (instance, algorithm, "gray", other)
        for instance, algorithm, other in product(INSTANCES, ALGORITHMS, others)
    ]
    assert set(study.sections[ECDF].leads) == {Pair(*pair) for pair in product(ALGORITHMS, others)}
    counts = report_tables(study)[TableKey(BUDGET, "comparisons", "by algorithm")]
    assert counts.title == "beyond: gray against the other representations, by algorithm"
    assert list(counts.titles) == [
        *("algorithm", "against", "instances", "gray better", "the other better"),
        *("no difference shown", "mean A12", *(f"on {kind}" for kind in KINDS)),
    ]
    assert [row[:2] for row in counts.rows] == list(product(ALGORITHMS, others))
    for row in counts.rows:
        assert row[2] == sum(row[3:6]) == len(INSTANCES)
        effects = [one.a12 for one in section.comparisons if (one.algorithm, one.second) == row[:2]]
        assert row[6] == pytest.approx(sum(effects) / len(effects))


def test_effect_sizes_are_averaged_over_each_kind(study):
    comparisons = study.sections[TARGET].comparisons
    table = report_tables(study)[TableKey(TARGET, "comparisons", "by algorithm")]
    for row in table.rows:
        for mean, kind in zip(row[6:], ("", *KINDS), strict=True):
            effects = [
                one.a12
                for one in comparisons
                if (one.algorithm, one.second) == row[:2] and kind in one.instance
            ]
            assert mean == pytest.approx(sum(effects) / len(effects))


def test_only_the_best_curves_are_in_one_figure(study):
    figures = {figure.name: figure for figure in report_figures(study)}
    assert len(ALGORITHMS) * len(REPRESENTATIONS) > CROWDED
    assert figures["beyond-curves"].title == f"beyond: the best {BEST} curves"
    with figure_style():
        [axes] = figures["beyond-curves"].draw().axes
        assert sum(len(line.get_xdata()) > 2 for line in axes.lines) == BEST
        [axes] = figures["beyond-curves-sa"].draw().axes
        lines = [line for line in axes.lines if len(line.get_xdata()) > 2]
    assert len({line.get_color() for line in lines}) == len(REPRESENTATIONS)


def test_no_name_of_a_representation_is_special(study):
    text = render_page(study, report_tables(study))
    assert "Gray against the other representations" in text
    assert "Linear" not in text
    assert "dashes representations; gray is solid" in text


@pytest.mark.parametrize("width", [1280, 360])
def test_the_page_fits_its_window_and_shows_the_best_curves_first(browser, study, tmp_path, width):
    (tmp_path / "many.html").write_bytes(
        render_page(study, report_tables(study)).encode("utf-8", "backslashreplace")
    )
    with opened(browser, tmp_path / "many.html", width=width) as view:
        lines = view.page.locator(
            '#course-of-the-search-ecdf-beyond [data-view="overall"] .stage path.line'
        )
        last = lines.nth(len(ALGORITHMS) * len(REPRESENTATIONS) - 1)
        assert lines.count() == 12
        view.page.get_by_role("button", name="all pairs").first.click()
        last.wait_for(state="attached")  # a chart is drawn anew after the click
        assert lines.count() == len(ALGORITHMS) * len(REPRESENTATIONS)
        view.page.select_option("#course-of-the-search-ecdf-beyond-instance", label="nk instances")
        last.wait_for(state="attached")  # a chart is drawn anew after the click
        assert lines.count() == len(ALGORITHMS) * len(REPRESENTATIONS)
        assert view.page.evaluate("document.documentElement.scrollWidth") == width
        assert view.troubles == []
