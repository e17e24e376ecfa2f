"""`make demo`: its commands, one after the other, with a smaller reproduction."""

import re
import shlex

import pytest

from catcube.cli import main as cli
from catcube.experiments.plan_file import Scale
from catcube.studies import scales
from tests import ROOT

MAKEFILE = ROOT / "Makefile"


@pytest.mark.compiled  # the Sudoku takes some hundred thousand evaluations
def test_every_command_of_the_demo_succeeds(tmp_path, monkeypatch, capsys):
    text = MAKEFILE.read_text(encoding="utf-8")
    (recipe,) = re.findall(r"^demo:.*\n((?:\t.*\n)+)", text, re.MULTILINE)
    commands = re.findall(r"^\trun \$\(BIN\)/catcube ([^;\n]*)", recipe, re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["show", "solve", "reproduce"]
    tiny = Scale("smoke", dict.fromkeys(scales.PAPER["full"].sizes, (1, 50, 1)))
    monkeypatch.setitem(scales.PAPER, "smoke", tiny)
    monkeypatch.chdir(tmp_path)
    for command in commands:
        assert cli.main(shlex.split(command)) == 0
    out = capsys.readouterr().out
    assert "linear" in out
    assert "\nsolved: value 0, " in out
    assert out.endswith("open results/demo/report.html\n")
    assert (tmp_path / "results" / "demo" / "report.html").stat().st_size > 0
