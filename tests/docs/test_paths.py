"""Every file and folder that a page names is there."""

import re

import pytest

from tests import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PATH = re.compile(r"`((?:src|tests|docs|benchmarks|examples)/[\w/.-]+)`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_paths_lead_somewhere(page):
    named = PATH.findall(page.read_text(encoding="utf-8"))
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_paths_are_found():
    assert any(PATH.search(page.read_text(encoding="utf-8")) for page in PAGES)
