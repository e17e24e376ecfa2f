"""The page of a study, as text and in a browser."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest

from catcube.analysis.model import Study
from catcube.analysis.reference import VERDICTS
from catcube.report.page.charts import ecdf_curves, success
from catcube.report.page.page import encoded, page
from catcube.report.tables.report_tables import report_tables
from catcube.report.tables.table import Column, ReportTable, TableKey
from catcube.statistics import log_grid
from tests import browser as browser_tests
from tests.report.study_examples import (
    NASTY_EXPERIMENT,
    NASTY_INSTANCES,
    example_study,
    unfinished_study,
)

VOID = {"meta", "link"}


@pytest.fixture(scope="module")
def whole():
    return page(example_study(), report_tables(example_study()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, study in {"whole": example_study(), "unfinished": unfinished_study()}.items():
        (folder / f"{name}.html").write_bytes(encoded(page(study, report_tables(study))))
    return folder


@pytest.fixture(scope="module")
def browser():
    with browser_tests.launched() as started:
        yield started


@pytest.fixture(scope="module")
def desk(browser, folder):
    """The whole study on a wide screen; tests leave it as they found it."""
    with browser_tests.opened(browser, folder / "whole.html") as view:
        yield view
        assert view.troubles == []


class Outline(HTMLParser):
    """Elements that are open, all headings, identities and what refers to them."""

    def __init__(self, text):
        super().__init__()
        self.open, self.levels, self.identities, self.labels = [], [], [], []
        self.tags, self.attributes = set(), set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        values = dict(attributes)
        self.attributes |= values.keys()
        if "id" in values:
            self.identities.append(values["id"])
        if tag == "label" and "for" in values:
            self.labels.append(values["for"])
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def charts_of(text):
    return json.loads(re.search(r'id="charts">(.*?)</script>', text)[1])["charts"]


def test_elements_are_closed_and_identities_differ(whole):
    outline = Outline(whole)
    assert outline.open == []
    assert len(set(outline.identities)) == len(outline.identities)
    assert set(outline.labels) <= set(outline.identities)
    assert outline.levels[0] == 1
    assert outline.levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(outline.levels))


def test_only_the_script_and_style_of_the_page_are_allowed(whole):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', whole)[1]
    assert policy.startswith("default-src &#39;none&#39;;")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        [content] = re.findall(f"<{tag}>(.*?)</{tag}>", whole, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"sha256-{digest}" in policy
    outline = Outline(whole)
    assert not {
        attribute
        for attribute in outline.attributes
        if attribute.startswith("on") or attribute == "style"
    }
    assert not outline.tags & {"b", "iframe", "img", "object"}
    assert re.findall(r'(?:src|href)="(?!#|data:,)', whole) == []


def test_names_from_files_stay_text(whole):
    assert NASTY_INSTANCES[0] not in whole
    assert NASTY_EXPERIMENT not in whole
    names = {name for chart in charts_of(whole) for name in chart.get("names", {}).values()}
    assert set(NASTY_INSTANCES) <= names


def test_a_name_that_is_no_text_is_written(tmp_path):
    section = example_study().sections[1]
    odd = replace(section, conditions=replace(section.conditions, experiment="odd\udcff"))
    (tmp_path / "odd.html").write_bytes(encoded(page(Study((odd,)), {})))
    written = (tmp_path / "odd.html").read_text(encoding="utf-8")
    assert "<title>Results: odd\\udcff</title>" in written
    assert "Course of the search (ECDF): odd\\udcff" in written


def test_every_table_is_on_the_page_once(whole):
    shown = re.findall(r'data-table="([^"]*)"', whole)
    elsewhere = ("statements", "statement-parts")  # shown statement by statement
    wanted = [
        table.name
        for table in report_tables(example_study()).values()
        if table.name not in elsewhere
    ]
    assert sorted(set(wanted) & set(shown)) == sorted(wanted)
    assert len(shown) == len(set(shown))


def test_a_table_nobody_knows_is_shown_all_the_same():
    table = ReportTable("fixed-budget-new", "New", "Said.", (Column("x", "number"),), [[7.25]])
    text = page(example_study(), {TableKey(0, "new"): table})
    assert "Further tables" in text
    assert "<td>7.25</td>" in text


def test_curves_are_thinned_but_exact_where_they_are_given(whole):
    [section] = [section for section in example_study().sections if hasattr(section, "curves")]
    chart = json.loads(json.dumps(ecdf_curves(section, "choice")))
    assert chart["packed"] == next(one for one in charts_of(whole) if "packed" in one)["packed"]
    grid = np.cumsum(chart["grid"])
    assert grid.tolist() == log_grid(section.conditions.budget).tolist()
    for pair, curve in zip(section.conditions.pairs, chart["packed"]["all"], strict=True):
        levels = np.cumsum(curve["steps"]) / curve["total"]
        assert np.allclose(levels, section.curves[pair].at(grid), atol=1e-12)


def test_success_on_other_boards_is_by_instance():
    section = example_study().sections[2]
    lines = section.runtimes["small-dimension-6-b"]
    chart = success(replace(section, runtimes={"mine": lines, "<yours>": lines[:1]}))
    assert chart["labels"] == ["on mine", "on <yours>"]
    assert chart["xs"] == [1, 2]
    percents = dict(zip(section.conditions.pairs, chart["sets"]["all"], strict=True))
    assert percents[lines[0].pair] == [lines[0].success_percent] * 2
    assert percents[lines[-1].pair] == [lines[-1].success_percent, None]
    assert chart["low"] <= min(line.success_percent for line in lines)


def test_an_empty_study_has_a_page():
    outline = Outline(page(Study(()), {}))
    assert outline.open == []
    assert "summary" in outline.identities


def test_parts_are_counted_by_verdict(whole):
    found = [
        part.verdict
        for statement in example_study().reference.statements
        for part in statement.parts
    ]
    for verdict in VERDICTS:
        style = verdict.replace(" ", "-")
        [count] = re.findall(rf'<li class="{style}"><strong>(\d+)</strong>', whole)
        assert int(count) == found.count(verdict) > 0
    assert f"Of {len(found)} parts of 4 statements" in whole


def test_a_statement_opens_to_its_parts_figures_and_test(whole):
    [item] = re.findall(r'<li id="B3">.*?</li>', whole, re.DOTALL)
    assert "Linear &amp; direct differ." in item
    assert "The paper’s table disagrees." in item
    assert "Tested by Wilcoxon." in item
    parts = example_study().reference.statements[2].parts
    assert item.count("<tr") == len(parts) + 1
    assert item.count('<tr class="marked">') == sum(p.verdict == "contradicted" for p in parts)
    assert "A margin is one target of fifty." in whole


def test_published_differences_are_marked_and_explained(whole):
    [table] = re.findall(r'data-table="fixed-budget-published-ranks".*?</figure>', whole, re.DOTALL)
    rows = example_study().reference.tables["fixed-budget"][0].rows
    differ = sum(bool(row.different) for row in rows)
    assert table.count('<tr class="marked">') == differ > 0
    assert f"fixed-budget-ranks ({differ} of {len(rows)} differ)" in whole
    assert "How the tables were compared." in whole
    assert "Something is systematic in fixed-budget-ranks." in whole


def test_what_the_reference_says_of_the_scale_is_shown(whole):
    assert "Something to be noticed." in whole
    assert "The paper: 10 instances." in whole
    assert "The experiments &lt;repeated&gt;" in whole


def test_what_is_missing_is_said():
    text = page(unfinished_study(), report_tables(unfinished_study()))
    missing = sum(
        missing.runs
        for section in unfinished_study().sections
        for missing in section.conditions.missing
    )
    assert f"Not complete: {missing:,} runs of fixed-budget, ecdf, fixed-target are missing" in text
    assert "Nothing to show yet: curves need a pair with all its runs done." in text
    assert "2 failed" in text
    assert charts_of(text)[0]["values"]["1"][-1] is None


@pytest.mark.parametrize("name", ["whole", "unfinished"])
@pytest.mark.parametrize(("width", "dark"), [(1280, True), (360, False)])
def test_page_fits_its_window_without_troubles(browser, folder, name, width, dark):
    with browser_tests.opened(browser, folder / f"{name}.html", width=width, dark=dark) as view:
        size = view.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        assert size == [width, width]
        paper = view.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(255, 255, 255)") == (not dark)
        view.page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)")
        assert view.page.evaluate("document.documentElement.scrollWidth") == width
        assert view.troubles == []


def test_appearance_is_chosen_and_kept(browser, folder):
    with browser_tests.opened(browser, folder / "unfinished.html") as view:
        view.page.select_option("#appearance", "dark")
        dark = view.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert dark != "rgb(255, 255, 255)"
        view.page.reload()
        assert view.page.evaluate("getComputedStyle(document.body).backgroundColor") == dark
        view.page.emulate_media(media="print")
        printed = view.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert printed == "rgb(255, 255, 255)"
        assert view.troubles == []


def column(table, number):
    return table.locator(f"tbody td:nth-child({number})").all_inner_texts()


def test_tables_are_sorted_by_click_and_by_keyboard(desk):
    table = desk.page.locator('[data-table="fixed-budget-ranks"] table')
    median = table.locator("th", has_text="median")
    median.locator("button").click()
    numbers = [float(cell) for cell in column(table, 6)]
    assert numbers == sorted(numbers)
    assert median.get_attribute("aria-sort") == "ascending"
    median.locator("button").press("Enter")
    assert [float(cell) for cell in column(table, 6)] == sorted(numbers, reverse=True)
    assert median.get_attribute("aria-sort") == "descending"
    table.locator("th button").first.press("Enter")
    assert [int(cell) for cell in column(table, 1)] == sorted(
        int(cell) for cell in column(table, 1)
    )
    assert table.locator('th[aria-sort="none"]').count() == table.locator("th").count() - 1


def test_infinite_and_tiny_numbers_are_sorted_as_numbers(desk):
    ert = desk.page.evaluate(
        """() => ["9", "∞", "1,000", "", "−3"].map((text) => {
             const cell = document.createElement("td");
             cell.textContent = text;
             return sortKey(cell);
           }).sort((one, other) => compareKeys(one, other, 1)).map(String)"""
    )
    assert ert == ["-3", "9", "1000", "Infinity", "null"]


def test_another_instance_changes_figure_and_table(desk):
    section = desk.page.locator("#section-0")
    values = section.locator('[data-view="bars"] .value')
    before = values.all_text_contents()
    assert len(before) == 22
    assert section.locator('[data-table="fixed-budget-values-sudoku-easy-56"]').is_visible()
    desk.page.select_option("#section-0-instance", label="sudoku-17hint-64")
    assert values.all_text_contents() != before
    assert section.locator('[data-table="fixed-budget-values-sudoku-17hint-64"]').is_visible()
    assert not section.locator('[data-table="fixed-budget-values-sudoku-easy-56"]').is_visible()
    desk.page.select_option("#section-0-instance", index=0)
    assert values.all_text_contents() == before


def test_bars_tell_their_values_to_pointer_and_keyboard(desk):
    mean = example_study().sections[0].means["sudoku-easy-56"][("rls", "linear")]
    marks = desk.page.locator('#section-0 [data-view="bars"] .mark')
    tooltip = desk.page.locator(".tooltip")
    marks.first.hover()
    assert "rls-linear" in tooltip.inner_text()
    assert f"mean {mean.mean:g}" in tooltip.inner_text()
    assert "95 % interval" in tooltip.inner_text()
    marks.first.focus()
    marks.first.press("ArrowDown")
    assert "rls-direct" in tooltip.inner_text()
    assert marks.nth(1).get_attribute("tabindex") == "0"
    marks.nth(1).press("Escape")
    assert not tooltip.is_visible()


def test_a_key_hides_and_shows_its_curve(desk):
    figure = desk.page.locator('#section-1 [data-view="overall"]')
    lines = figure.locator(".stage path.line")
    assert lines.count() == 22
    key = figure.locator(".key button").first
    key.click()
    assert lines.count() == 21
    assert key.get_attribute("aria-pressed") == "false"
    key.press("Enter")
    assert lines.count() == 22
    figure.get_by_role("button", name="only linear").click()
    assert lines.count() == 11
    figure.get_by_role("button", name="all pairs").click()
    assert lines.count() == 22


def test_curves_are_read_where_the_pointer_is(desk):
    section = example_study().sections[1]
    figure = desk.page.locator('#section-1 [data-view="overall"]')
    stage, where = figure.locator(".stage"), figure.locator(".where")
    reading = figure.locator(".key button", has_text="sa-linear").locator(".reading")
    final = section.curves[("sa", "linear")].final
    assert where.inner_text() == "at 10,000,000 evaluations (the end)"
    assert reading.inner_text() == f"{final:.3f}"
    stage.hover()
    evaluations = int(where.inner_text().removeprefix("at ").split()[0].replace(",", ""))
    assert 1_000 < evaluations < 10_000
    level = section.curves[("sa", "linear")].at([evaluations])[0]
    assert float(reading.inner_text()) == pytest.approx(level, abs=5.1e-4)
    desk.page.mouse.move(0, 0)
    stage.press("Home")
    assert where.inner_text() == "at 1 evaluations"
    stage.press("Escape")
    assert where.inner_text() == "at 10,000,000 evaluations (the end)"


def test_curves_of_one_instance(desk):
    section = example_study().sections[1]
    desk.page.select_option("#section-1-instance", label="sudoku-expert-55")
    small = desk.page.locator('#section-1 [data-view="each"] .small').nth(2)
    assert small.locator("h4").inner_text() == "sa"
    reading = small.locator("button", has_text="linear").locator(".reading")
    final = section.by_instance["sudoku-expert-55"][("sa", "linear")].final
    assert reading.inner_text() == f"{final:.3f}"
    desk.page.select_option("#section-1-instance", value="all")


def test_success_is_read_by_erased_cells(desk):
    figure = desk.page.locator('#section-2 [data-view="overall"]')
    reading = figure.locator(".key button", has_text="mimic-direct").locator(".reading")
    lines = example_study().sections[2].runtimes
    percents = [
        next(line.success_percent for line in lines[name] if line.pair == ("mimic", "direct"))
        for name in ("small-dimension-6-a", "small-dimension-6-b")
    ]
    assert figure.locator(".where").inner_text() == "with 6 erased cells"
    assert reading.inner_text() == f"{sum(percents) / 2:g} %"
    figure.locator(".stage").press("Home")
    assert figure.locator(".where").inner_text() == "with 1 erased cell"
    figure.locator(".stage").press("Escape")


def test_mean_ranks_are_drawn_with_their_groups(desk):
    test = example_study().sections[0].friedman
    figure = desk.page.locator('#section-0 [data-view="ranks"]')
    assert figure.locator(".mark .name").all_text_contents() == [
        "-".join(pair) for pair in test.mean_ranks
    ]
    assert figure.locator("line.group").count() == len(test.groups)


def test_nasty_names_are_shown_as_they_are(desk):
    desk.page.select_option("#section-3-instance", index=0)
    assert desk.page.locator("#section-3 h2").text_content() == f"Fixed budget: {NASTY_EXPERIMENT}"
    options = desk.page.locator("#section-3-instance option").all_text_contents()
    assert options == [*NASTY_INSTANCES[:-1], "(no name)"]
    assert desk.page.locator("section b, section script").count() == 0


def test_everything_that_is_used_has_a_name(desk):
    unnamed = desk.page.evaluate(
        """() => [...document.querySelectorAll(
               "button, select, progress, [tabindex], [role=group], [role=region], table")]
             .filter((node) => !(node.getAttribute("aria-label") || node.textContent.trim()
                                || node.labels?.length))
             .map((node) => node.outerHTML.slice(0, 80))"""
    )
    assert unnamed == []
    unlabelled = "select:not(#appearance)"
    assert desk.page.evaluate(
        f"[...document.querySelectorAll('{unlabelled}')].every((node) => node.labels.length === 1)"
    )
    assert desk.page.evaluate("document.documentElement.lang") == "en"
    assert desk.page.locator("main section > h2, main section > h1").count() == 7
