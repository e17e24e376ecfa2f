"""The notebook in examples/ runs from its first cell to its last."""

import json
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[1] / "examples" / "timetable.ipynb"


def test_every_cell_runs():
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib.pyplot").switch_backend("agg")
    names = {"__name__": "notebook"}
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    for source in code:
        exec(compile(source, str(NOTEBOOK), "exec"), names)
    assert len(code) == 6
    assert names["result"].choice
    assert names["clashes"](names["result"].x) == names["result"].fun
    assert "<table>" in names["result"]._repr_html_()
    assert names["safe"].failed > 0


def test_no_output_is_kept():
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        assert not cell.get("outputs")
