"""The page of the study beyond the paper: parts made of its stores, figures that are there."""

import re

import beyond

from tests import ROOT

DOCS = ROOT / "docs"
PAGE = DOCS / "beyond.md"


def test_a_part_of_the_page_is_made_of_its_store(tmp_path):
    """One small store stands for all: reading the others takes long."""
    measured = beyond.study(tmp_path, ["beyond-size"])
    part = beyond.sections(measured)["size"]
    assert part in PAGE.read_text(encoding="utf-8")
    assert beyond.written(PAGE.read_text(encoding="utf-8"), {"size": part}) == PAGE.read_text(
        "utf-8"
    )


def test_every_part_is_filled_and_every_figure_is_drawn():
    page = PAGE.read_text(encoding="utf-8")
    parts = re.findall(r"<!-- generated: ([\w-]+) -->(.*?)<!-- end: \1 -->", page, re.DOTALL)
    assert len(parts) >= 12
    assert all(len(text.strip()) > 100 for _, text in parts)
    figures = re.findall(r"\]\((beyond/figures/[\w-]+\.svg)\)", page)
    assert len(figures) >= 7
    assert sorted(figures) == sorted(
        str(path.relative_to(DOCS)) for path in (DOCS / "beyond" / "figures").iterdir()
    )
