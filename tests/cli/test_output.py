"""Output that cannot be written: one sentence and an exit code, whatever the command."""

import sys
from pathlib import Path

import pytest

from catcube.cli import REFUSED
from catcube.cli.main import main
from tests.untrusted_examples import PLAN

FULL = Path("/dev/full")
COMMANDS = [
    "list",
    "list --json",
    "show 4",
    "status done.sqlite",
    "check done.sqlite",
    "export done.sqlite",
    "solve 12..34122143432. --budget 20 --seed 1",
    "run match:3,2 --budget 10",
    "run match:3,2 --budget 10 --csv",
    "campaign plan.toml --out new.sqlite",
    "--help",
    "run --help",
    "--version",
]

pytestmark = pytest.mark.skipif(not FULL.exists(), reason="the system has no /dev/full")


@pytest.fixture
def folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(PLAN.format(runs=2), encoding="utf-8")
    assert main(["campaign", "plan.toml", "--out", "done.sqlite"]) == 0
    capsys.readouterr()
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_device_for_the_output(command, folder, monkeypatch, capsys):
    with FULL.open("w", encoding="utf-8") as full, monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", full)
        assert main(command.split()) == REFUSED
        full.flush()  # nothing is left that would fail when the interpreter ends
    error = capsys.readouterr().err
    assert error.startswith("catcube: ")
    assert error.endswith("no space left on device\n")
    assert error.count("\n") == 1


@pytest.mark.parametrize("command", ["campaign plan.toml --out new.sqlite", "run match:3,2 -b 9"])
def test_a_full_device_for_the_notes_does_not_stop_the_work(command, folder, monkeypatch, capsys):
    with FULL.open("w", encoding="utf-8") as full, monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", full)
        assert main(command.split()) == 0
    assert capsys.readouterr().out
