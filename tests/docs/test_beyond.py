"""The page of the study beyond the paper: parts made of its stores, figures that are there."""

import re
import sys

import pytest

from tests import ROOT

DOCS = ROOT / "docs"
PAGE = DOCS / "beyond.md"


@pytest.fixture(scope="module")
def script():
    sys.path.insert(0, str(DOCS / "scripts"))
    try:
        import beyond
    finally:
        sys.path.pop(0)
    return beyond


def test_the_page_is_made_of_its_data(script):
    page = PAGE.read_text(encoding="utf-8")
    assert script.written(page, script.sections(script.study())) == page


def test_every_figure_is_drawn_and_answers_come_first():
    page = PAGE.read_text(encoding="utf-8")
    figures = re.findall(r"\]\((beyond/figures/[\w-]+\.svg)\)", page)
    drawn = {str(path.relative_to(DOCS)) for path in (DOCS / "beyond" / "figures").iterdir()}
    assert set(figures) == drawn
    assert (
        page.index("generated: answers") < page.index("ranks.svg") < page.index("## What was run")
    )
