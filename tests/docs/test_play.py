"""The pages to play with, in a real browser, also of the width of a phone."""

import json
import re

import pytest

from catcube.problems.sudoku import Board
from catcube.representations import families, representation
from tests import ROOT
from tests.browser import opened

ASSETS = ROOT / "docs" / "assets"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><style>{style}</style>
<div id="{name}" class="{name}"></div><script>{data}</script><script>{script}</script></html>"""


def written(folder, name, data):
    """A page with all of it inside, as the site shows it without its theme."""
    style, script, values = (
        (ASSETS / file).read_text(encoding="utf-8") for file in ("style.css", f"{name}.js", data)
    )
    path = folder / f"{name}.html"
    page = PAGE.format(name=name, style=style, data=values, script=script)
    path.write_text(page, encoding="utf-8")
    return path


def stored(file):
    """The data of a script that defines one constant."""
    return json.loads((ASSETS / file).read_text(encoding="utf-8").partition(" = ")[2].rstrip(";\n"))


@pytest.mark.parametrize("width", [390, 1280])
def test_bits_are_flipped_by_clicking(browser, tmp_path, width):
    with opened(browser, written(tmp_path, "play", "representations.js"), width=width) as view:
        page = view.page
        assert page.locator(".bit").count() == 3
        assert "3 of the 3 other" in page.inner_text("#play-said")
        page.click("#play-bit-0")
        page.click("#play-bit-1")  # 01 xor 10
        assert page.inner_text("#play-now") == "category T"
        assert page.get_attribute("#play-bit-0", "aria-pressed") == "true"
        page.select_option("#play-family", "direct")
        assert page.locator(".bit").count() == 2
        assert "2 of the 3 other" in page.inner_text("#play-said")
        page.fill("#play-n", "9")
        page.select_option("#play-family", "linear")
        cells = page.locator("#play-bars tbody tr td:nth-child(3)").all_inner_texts()
        assert cells == [str(count) for count in representation("linear", 9).redundancy()]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert view.troubles == []


def test_the_representations_are_those_of_the_library():
    found = stored("representations.js")
    assert list(found) == families.builtin()
    for name, sizes in found.items():
        for N, data in sizes.items():
            code = representation(name, int(N))
            assert data["columns"] == code.columns.tolist()
            assert data["weights"] == code.weights.tolist()
            assert (data["modulus"], data["table"]) == (code.modulus, code.table.tolist())
            assert data["redundancy"] == list(code.redundancy())


@pytest.mark.parametrize("width", [390, 1280])
def test_the_recorded_search_is_played(browser, tmp_path, width):
    with opened(browser, written(tmp_path, "race", "sudoku-race.js"), width=width) as view:
        page = view.page
        page.wait_for_timeout(300)
        assert int(page.input_value("#race-step")) > 0  # it began by itself
        page.click("#race-play")
        page.fill("#race-step", "400")
        for name, frames in stored("sudoku-race.js")["runs"].items():
            assert page.inner_text(f"#race-{name}-said") == f"{name}: value {frames[-1][1]}"
            shown = page.locator(f"#race-{name} td").all_inner_texts()
            assert "".join(shown) == frames[-1][2]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert view.troubles == []


def test_the_recorded_boards_have_the_recorded_values():
    race = stored("sudoku-race.js")
    for frames in race["runs"].values():
        values = [value for _, value, _ in frames]
        assert values == sorted(set(values), reverse=True)
        for _, value, cells in frames:
            assert Board(cells).value() == value
            assert re.fullmatch(race["givens"].replace("0", "."), cells)
