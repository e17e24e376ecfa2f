"""The targets of `python -m tests.fuzz` without a fuzzer: kept inputs, seeds, and drawn ones."""

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import ROOT
from tests.fuzz.oracle import FaultError, refusing
from tests.fuzz.targets import NAMES

KEPT = sorted((ROOT / "tests" / "fuzz" / "kept").glob("*/*"))
SLOW = ("store", "command")  # each takes a tenth of a second, or more


def target(name):
    return import_module(f"tests.fuzz.targets.{name}")


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_once_found_a_fault(path):
    target(path.parent.name).check(path.read_bytes())


def test_kept_inputs_are_of_targets_that_exist():
    assert {path.parent.name for path in KEPT} <= set(NAMES)
    assert len(KEPT) > 40


@pytest.mark.parametrize("name", NAMES)
def test_seeds(name):
    seeds = target(name).seeds()
    assert len(seeds) >= 5
    few = 6 if name in SLOW else 30
    for seed in seeds[:: -(-len(seeds) // few)]:
        target(name).check(seed)


@pytest.mark.parametrize("name", NAMES)
def test_drawn_inputs(name):
    @settings(max_examples=5 if name in SLOW else 40)
    @given(st.binary(max_size=60))
    def drawn(data):
        target(name).check(data)

    drawn()


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (ValueError("mine.txt: one sentence"), None),
        (ValueError("one sentence"), "does not name the file"),
        (ValueError("mine.txt: two\nlines"), "several lines"),
        (ValueError("mine.txt" + "x" * 9999), "10007 characters"),
        (ValueError(""), "says nothing"),
    ],
)
def test_what_a_refusal_must_be(error, fault):
    def refuse():
        with refusing(Path("mine.txt")):
            raise error

    if fault is None:
        refuse()
    else:
        with pytest.raises(FaultError, match=fault):
            refuse()
    with pytest.raises(KeyError), refusing():
        raise KeyError


@pytest.mark.long
def test_the_program_fuzzes_and_reports():
    if find_spec("atheris") is None:
        pytest.skip("needs atheris: pip install '.[reliability]'")
    command = [sys.executable, "-m", "tests.fuzz", "trace", "board", "-max_total_time=10"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert [line for line in ended.stdout.splitlines() if line.endswith(": no fault")] == [
        "trace: no fault",
        "board: no fault",
    ]
