"""The notebooks in examples/ run, and print what is stored in them."""

import json
import re

import pytest

from tests import ROOT

EXAMPLES = ROOT / "examples"
NEEDED = {"timetable": ["pandas"], "study": ["pandas"], "pipeline": ["sklearn", "optuna"]}
SLOW = [pytest.param("pipeline", marks=pytest.mark.long), "study", "timetable"]


@pytest.fixture
def script(monkeypatch):
    pytest.importorskip("matplotlib").use("agg")
    pytest.importorskip("matplotlib.pyplot").close("all")  # what other tests have drawn
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "scripts"))
    import notebooks

    return notebooks


def texts(notebook):
    """What the cells print and return, without seconds."""
    found = [
        "".join(output.get("text") or output["data"].get("text/plain", "a figure"))
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
    ]
    return [re.sub(r"\d+\.\d+ s\b|seconds.*", "", text) for text in found]


@pytest.mark.parametrize("name", SLOW)
def test_a_notebook_prints_what_is_stored(name, script):
    for package in NEEDED[name]:
        pytest.importorskip(package)
    path = EXAMPLES / f"{name}.ipynb"
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert len(texts(stored)) >= 3
    assert texts(script.run(path)) == texts(stored), "run python docs/scripts/notebooks.py"


def test_every_notebook_is_tested_and_on_a_page():
    assert {path.stem for path in EXAMPLES.glob("*.ipynb")} == set(NEEDED)
    for name in NEEDED:
        page = (ROOT / "docs" / "examples" / f"{name}.md").read_text(encoding="utf-8")
        assert f"<!-- notebook: {name} -->" in page
