"""Figures on several pages come from docs/facts.json, and that from the code and the data."""

import pytest

from tests import ROOT


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "scripts"))
    import facts

    return facts


def test_the_facts_are_those_of_the_code_and_the_data(script):
    kept = script.FILE.read_text(encoding="utf-8")
    assert kept == script.as_text(script.facts()), "run python docs/scripts/facts.py"


def test_the_pages_have_the_facts(script):
    known = script.facts()
    named = 0
    for path in script.pages():
        text = path.read_text(encoding="utf-8")
        assert script.updated(text, known) == text, f"{path}: run python docs/scripts/facts.py"
        named += len(script.MARK.findall(text))
    assert named >= 10
