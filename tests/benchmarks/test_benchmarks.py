"""The benchmarks run, print every section with numbers, and bring a page up to date."""

import math
import re
import subprocess
import sys

import pytest

from tests import ROOT

TITLES = {
    "evaluation": "Cost of an evaluation",
    "other": "Other costs",
    "problems": "Problems",
    "growth": "Growth",
    "memory": "Memory",
    "start": "Start",
    "campaign": "Campaigns",
}


@pytest.fixture
def page(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks import page

    return page


def rows(text):
    """The cells of all tables in a Markdown text, without heads."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    rules = [k for k, cells in enumerate(lines) if set(cells) <= {"---", "---:"}]
    heads = {k - 1 for k in rules}
    return [cells for k, cells in enumerate(lines) if k not in heads and k not in rules]


def numbers(cells):
    return [float(found.replace(",", "")) for found in re.findall(r"\d[\d,.]*", " ".join(cells))]


# The others start many processes, compile afresh or take longer.
QUICK = ["growth"]


@pytest.mark.compiled
@pytest.mark.parametrize("sections", [QUICK, pytest.param([*TITLES], marks=pytest.mark.long)])
def test_every_section_is_printed_and_written(tmp_path, page, sections):
    path = tmp_path / "page.md"
    markers = [page.marked(name, "nothing yet") for name in sections]
    path.write_text("\n".join(["By hand.", *markers, "Also by hand."]), encoding="utf-8")
    command = [sys.executable, "-m", "benchmarks", "--quick", "--write", str(path), "--only"]
    command += sections
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    printed = re.split(r"^## ", run.stdout, flags=re.MULTILINE)[1:]
    assert [part.splitlines()[0] for part in printed] == [TITLES[name] for name in sections]
    for part in printed:
        assert re.search(r"cores.*catcube \d.*Python 3.*numpy \d.*numba \d.*seed 1; \d{4}-", part)
        table = rows(part)
        assert table
        for _, *cells in table:
            figures = numbers(cells)
            assert figures
            assert all(math.isfinite(figure) and figure > 0 for figure in figures), cells
    written = path.read_text(encoding="utf-8")
    assert written.startswith("By hand.")
    assert written.endswith("Also by hand.")
    assert "nothing yet" not in written
    for part in printed:
        assert part.partition("\n")[2].strip() in written
    assert (tmp_path / "figures" / "growth.svg").stat().st_size > 0


def test_the_page_has_markers_for_every_section(page):
    text = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    for name in TITLES:
        assert "New." in page.replaced(text, name, "New.")


def test_a_page_without_the_section_is_refused(page):
    with pytest.raises(ValueError, match="0 sections <!-- generated: start -->"):
        page.replaced("A page.", "start", "New.")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.012345, "0.0123"), (1.5, "1.50"), (12.34, "12.3"), (999.6, "1,000"), (12345.6, "12,346")],
)
def test_numbers_show_three_digits(monkeypatch, value, shown):
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks.page import number

    assert number(value) == shown


def test_every_pair_of_the_paper_has_a_figure_of_the_framework(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks.evaluation import about_machines, framework_speed
    from catcube.studies.paper.published import ALGORITHMS

    speed = framework_speed()
    assert sorted(speed) == sorted(ALGORITHMS)
    for releases in speed.values():
        assert sorted(releases) == ["0.17", "0.26"]
        for release in releases.values():
            assert release["linear"] > release["direct"] > 0
    assert "same kind" in about_machines("AMD EPYC (x86_64)")
    assert "another kind" in about_machines("Apple M1 (arm64)")
