"""The targets of `python -m tests.fuzz` without a fuzzer: kept inputs, seeds, and drawn ones."""

import os
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import ROOT
from tests.fuzz.draws import Draws
from tests.fuzz.oracle import FaultError, refusing
from tests.fuzz.targets import NAMES

KEPT = sorted((ROOT / "tests" / "fuzz" / "kept").glob("*/*"))
SLOW = ("store", "ioh", "command")  # each takes a tenth of a second, or more


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


@given(st.binary(max_size=20))
def test_choices_are_made_by_bytes(data):
    first, second = Draws(data), Draws(data)
    assert [first.integer(3, 900) for _ in range(20)] == [second.integer(3, 900) for _ in range(20)]
    assert all(3 <= first.integer(3, 900) <= 900 for _ in range(5))
    assert first.left == 0
    assert Draws(data).rest() == data


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
    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.fuzz",
            "--seconds",
            "10",
            "--target",
            "trace",
            "--target",
            "board",
        ],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout
    *_, trace, board = ended.stdout.splitlines()
    for name, line in (("trace", trace), ("board", board)):
        found, executions, *_, faults = line.split()
        assert found == name
        assert int(executions.replace(",", "")) > 100
        assert faults == "0"
