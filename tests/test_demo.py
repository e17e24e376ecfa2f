"""The demo, smaller still: it names the files it writes, and its page needs nothing else."""

import csv
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from catcube.batch import Row

VOID = {"meta", "img", "source"}


class Page(HTMLParser):
    """Checks that every element is closed in its turn, and collects the text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.text = [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture
def demo(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parent.parent / "examples"))
    import demo

    return demo


@pytest.fixture
def page(demo):
    import demo_page

    return demo_page


def test_the_demo_writes_what_it_names(demo, tmp_path, capsys):
    folder = tmp_path / "results" / "demo"
    demo.main(folder, "small-dimension-3-a", ["rls", "sa"], budget=200, runs=3)
    printed = capsys.readouterr().out

    named = re.findall("^wrote (.+)$", printed, re.MULTILINE)
    assert sorted(named) == sorted(str(path) for path in folder.iterdir())
    assert printed.endswith(f"open {folder / 'index.html'}\n")
    assert all(Path(path).stat().st_size > 0 for path in named)

    with (folder / "comparison.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(Row._fields)
    assert len(rows) == 2 * 2 * 3
    assert "solved" in (folder / "solved.txt").read_text(encoding="utf-8")

    text = (folder / "index.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == []
    assert not re.search(r"https?://|\bsrc=\"(?!data:)|url\(", text)
    tags = [tag for tag, _ in page.seen]
    assert tags.count("img") == tags.count("source") == 2
    kinds = [own["class"].split()[0] for tag, own in page.seen if tag == "td" and own]
    assert (kinds.count("given"), kinds.count("found")) == (78, 3)
    assert "catcube run small-dimension-3-a --algorithm rls,sa" in page.text


def test_the_rows_are_those_of_the_command(demo, tmp_path, capsys):
    from catcube.cli import main as command

    demo.main(tmp_path, "small-dimension-3-a", ["rls"], budget=50, runs=2, seed=7)
    shown = Page((tmp_path / "index.html").read_text(encoding="utf-8")).text
    (line,) = re.findall("^catcube (run .+)$", shown, re.MULTILINE)
    capsys.readouterr()
    assert command(line.split()) == 0

    def without_seconds(text):
        return [row.rpartition(",")[0] for row in text.splitlines()]

    written = (tmp_path / "comparison.csv").read_text(encoding="utf-8")
    assert without_seconds(written) == without_seconds(capsys.readouterr().out)


def test_text_is_escaped(page):
    nasty = '<b>"&'
    assert Page(page.paragraphs(nasty)).text == nasty
    assert Page(page.rows([[nasty, nasty, nasty]])).text == 3 * nasty
    assert Page(page.definitions({nasty: nasty})).text == 2 * nasty


def test_a_search_that_failed_is_told_as_such(demo):
    from catcube.problems import Sudoku
    from catcube.restarts import search

    found = search(Sudoku.instance("sudoku-easy-56"), seed=1, budget=10)
    assert demo.outcome(found).startswith("not solved, value ")
