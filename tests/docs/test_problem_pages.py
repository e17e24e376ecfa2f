"""Every problem has a page in the documentation, which says how it is written."""

from catcube.problems import kinds
from tests import ROOT


def test_every_problem_has_a_page():
    navigation = (ROOT / "mkdocs.yml").read_text()
    index = (ROOT / "docs" / "problems" / "index.md").read_text()
    for name in kinds.shipped():
        assert f"`{name}`" in index
        if name != "match":
            page = (ROOT / "docs" / "problems" / f"{name}.md").read_text()
            assert f"({name})" in page.splitlines()[0]
            assert f"problems/{name}.md" in navigation
            assert "## Source" in page
