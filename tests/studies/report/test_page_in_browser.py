"""The page of a report in a real browser: windows, sorting, pointers, keyboard."""

import pytest

from catcube.studies.report.page import render_page
from catcube.studies.report.tables import report_tables
from tests.browser import opened
from tests.studies.report.study_examples import (
    NASTY_EXPERIMENT,
    NASTY_INSTANCES,
    example_study,
    unfinished_study,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, study in {"whole": example_study(), "unfinished": unfinished_study()}.items():
        (folder / f"{name}.html").write_bytes(
            render_page(study, report_tables(study)).encode("utf-8", "backslashreplace")
        )
    return folder


@pytest.fixture(scope="module")
def desk(browser, folder):
    """The whole study on a wide screen; tests leave it as they found it."""
    with opened(browser, folder / "whole.html") as view:
        yield view
        assert view.troubles == []


@pytest.mark.parametrize("name", ["whole", "unfinished"])
@pytest.mark.parametrize(("width", "dark"), [(1280, True), (360, False)])
def test_page_fits_its_window_without_troubles(browser, folder, name, width, dark):
    with opened(browser, folder / f"{name}.html", width=width, dark=dark) as view:
        size = view.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        assert size == [width, width]
        paper = view.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(255, 255, 255)") == (not dark)
        view.page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)")
        assert view.page.evaluate("document.documentElement.scrollWidth") == width
        assert view.troubles == []


def test_appearance_is_chosen_and_kept(browser, folder):
    with opened(browser, folder / "unfinished.html") as view:
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
    section = desk.page.locator("#fixed-budget")
    values = section.locator('[data-view="bars"] .value')
    before = values.all_text_contents()
    assert len(before) == 22
    assert section.locator('[data-table="fixed-budget-values-sudoku-easy-56"]').is_visible()
    desk.page.select_option("#fixed-budget-instance", label="sudoku-17hint-64")
    assert values.all_text_contents() != before
    assert section.locator('[data-table="fixed-budget-values-sudoku-17hint-64"]').is_visible()
    assert not section.locator('[data-table="fixed-budget-values-sudoku-easy-56"]').is_visible()
    desk.page.select_option("#fixed-budget-instance", index=0)
    assert values.all_text_contents() == before


def test_bars_tell_their_values_to_pointer_and_keyboard(desk):
    mean = example_study().sections[0].means["sudoku-easy-56"][("rls", "linear")]
    marks = desk.page.locator('#fixed-budget [data-view="bars"] .mark')
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
    figure = desk.page.locator('#course-of-the-search-ecdf [data-view="overall"]')
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
    figure = desk.page.locator('#course-of-the-search-ecdf [data-view="overall"]')
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
    desk.page.select_option("#course-of-the-search-ecdf-instance", label="sudoku-expert-55")
    small = desk.page.locator('#course-of-the-search-ecdf [data-view="each"] .small').nth(2)
    assert small.locator("h4").inner_text() == "sa"
    reading = small.locator("button", has_text="linear").locator(".reading")
    final = section.by_instance["sudoku-expert-55"][("sa", "linear")].final
    assert reading.inner_text() == f"{final:.3f}"
    desk.page.select_option("#course-of-the-search-ecdf-instance", value="all")


def test_success_is_told_of_each_pair_and_instance(desk):
    figure = desk.page.locator('#fixed-target [data-view="heat"]')
    section = example_study().sections[2]
    assert figure.locator(".cell").count() == len(section.tables) * 22
    label = figure.locator(".mark").nth(0).get_attribute("aria-label")
    pair = section.conditions.pairs[0]
    [line] = [one for one in section.tables["small-dimension-1-a"] if one.pair == pair]
    assert label == f"{'-'.join(pair)}, small-dimension-1-a, success {line.success_percent} %"


def test_mean_ranks_are_drawn_with_their_groups(desk):
    test = example_study().sections[0].blocks["algorithm"]
    figure = desk.page.locator('#fixed-budget [data-view="ranks"]').nth(1)
    assert figure.locator(".mark .name").all_text_contents() == list(test.mean_ranks)
    assert figure.locator("line.group").count() == len(test.groups)


def test_the_current_section_is_marked(desk):
    desk.page.locator("#fixed-target h2").scroll_into_view_if_needed()
    desk.page.evaluate("document.querySelector('#fixed-target').scrollIntoView()")
    desk.page.locator('nav a[aria-current][href="#fixed-target"]').wait_for(state="attached")
    assert desk.page.locator("nav a[aria-current]").count() == 1


def test_hovering_names_the_curve(desk):
    stage = desk.page.locator('#course-of-the-search-ecdf [data-view="overall"] .stage')
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    tip = desk.page.locator(".tooltip")
    for share in range(1, 20):
        desk.page.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + box["height"] * share / 20)
        if tip.is_visible():
            break
    name = tip.locator("strong").inner_text()
    assert name in {"-".join(pair) for pair in example_study().sections[1].curves}


def test_nasty_names_are_shown_as_they_are(desk):
    [identity] = desk.page.evaluate(
        "[...document.querySelectorAll('main > section')].map((one) => one.id)"
        ".filter((id) => id.startsWith('fixed-budget-'))"
    )
    desk.page.select_option(f"#{identity}-instance", index=0)
    title = desk.page.locator(f"#{identity} h2").text_content()
    assert title == f"Fixed budget: {NASTY_EXPERIMENT}"
    options = desk.page.locator(f"#{identity}-instance option").all_text_contents()
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
