"""Saved and loaded optimizers go on as if nothing had happened."""

import enum
import json
import math
import os
import signal
import subprocess
import sys

import pytest

from catcube import Optimizer, Space, representation
from catcube.algorithms import names
from tests import ROOT
from tests.problems.python.slow_functions import cost
from tests.search.asked import SPACE, drive, same, seen_by_minimize

ARGUMENTS = {
    "ga": {"mu": 6},
    "umda": {"population": 6, "selection": 2},
    "mimic": {"population": 6, "selection": 2},
    "pbil": {"population": 6, "selection": 2},
    "ltga": {"population": 6},
}


@pytest.mark.parametrize(
    ("name", "cache"), [*((name, False) for name in names()), ("ga", True), ("rls", True)]
)
def test_saved_and_loaded_at_any_moment(name, cache, tmp_path):
    arguments = {"algorithm": name, "budget": 24, "seed": 9, **ARGUMENTS.get(name, {})}
    points, result = seen_by_minimize(**arguments)
    path = tmp_path / "search.json"

    def again(optimizer):
        optimizer.save(path)
        return Optimizer.load(path)

    optimizer = again(Optimizer(SPACE, cache=cache, **arguments))
    seen = []
    while not optimizer.done:
        lost = optimizer.ask(2)
        optimizer = again(optimizer)
        asked = optimizer.ask()
        assert asked[: len(lost)] == lost  # asked for, not told: asked for again
        seen += asked
        half = asked[::2]
        optimizer.tell(half, map(cost, half))
        best = optimizer.best
        optimizer = again(optimizer)
        assert optimizer.best == best
        if len(asked) > 1:
            rest = optimizer.ask()
            assert sorted(map(str, rest)) == sorted(map(str, asked[1::2]))
            optimizer.tell(rest[::-1], map(cost, rest[::-1]))
            optimizer = again(optimizer)
    assert same(optimizer.result, result)
    if not cache:
        assert seen == points
    assert same(again(optimizer).result, result)


@pytest.mark.parametrize("budget", [30, 100])
def test_the_reason_of_the_choice_is_kept(budget, tmp_path):
    optimizer = Optimizer(SPACE, budget=budget, seed=1)
    optimizer.tell(optimizer.ask(1), [3])
    optimizer.save(tmp_path / "search.json")
    again = Optimizer.load(tmp_path / "search.json")
    for one in (optimizer, again):
        drive(one)
    assert again.result.choice == optimizer.result.choice != ""


def test_all_arguments_are_kept(tmp_path):
    by_variable = {"base": "gray", "digit": representation("vt", 9), "flag": "direct"}
    arguments = {
        "algorithm": "ea-10p1",
        "representation": by_variable,
        "budget": 80,
        "target": 0.0,
        "preset": "paper",
        "restart": 30,
        "seed": 10**30,
        "mu": 4,
    }
    points, _ = seen_by_minimize(**arguments)
    first = Optimizer(SPACE, cache=7, **arguments)
    first.tell([{"base": "G", "digit": 7, "flag": False}], [-math.inf])
    first.save(tmp_path / "a")
    second = Optimizer.load(tmp_path / "a")
    assert (second.best.fun, second.seed, second._cache.capacity) == (-math.inf, 10**30, 7)
    second.ask()
    second.save(tmp_path / "b")
    third = Optimizer.load(tmp_path / "b")
    assert drive(third)[0] == points[0]
    assert third.result.parameters == {"mu": 4, "offspring": 1, "replace_first": True}
    assert third.result.representation == "by variable"


LABELS = ["", "é\ud800", None, True, -0.0, 0.1, 10**40, "True"]


def test_labels_that_json_holds(tmp_path):
    space = Space({"thing": LABELS, "other name": range(3)})
    optimizer = Optimizer(space, algorithm="rls", seed=1)
    optimizer.ask()
    optimizer.save(tmp_path / "a")
    loaded = Optimizer.load(tmp_path / "a").space
    assert loaded == space
    assert [repr(label) for label in loaded["thing"]] == [repr(label) for label in LABELS]
    json.loads((tmp_path / "a").read_text(), parse_constant=pytest.fail)  # strictly JSON


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@pytest.mark.parametrize(
    "labels", [Colour, [(1, 2), (3, 4)], [object(), object()], [math.inf, 1.0], [len, max]]
)
def test_labels_that_json_does_not_hold(labels, tmp_path):
    space = Space({"thing": labels, "digit": range(5)})
    optimizer = Optimizer(space, algorithm="rls", seed=1)
    points = optimizer.ask()
    optimizer.save(tmp_path / "a")
    with pytest.raises(ValueError, match=r"use Optimizer.load\(path, space="):
        Optimizer.load(tmp_path / "a")
    loaded = Optimizer.load(tmp_path / "a", space=space)
    assert loaded.ask() == points
    for other in ({**space, "digit": range(4)}, {**space, "thing": "ab"}):
        with pytest.raises(ValueError, match="saved with another space"):
            Optimizer.load(tmp_path / "a", space=Space(other))


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '"x"', "\x00"])
def test_files_that_are_no_saved_optimizer(text, tmp_path):
    (tmp_path / "a").write_text(text)
    with pytest.raises(ValueError, match="is not a saved optimizer"):
        Optimizer.load(tmp_path / "a")
    with pytest.raises(FileNotFoundError):
        Optimizer.load(tmp_path / "b")


def changed(path, **entries):
    path.write_text(json.dumps({**json.loads(path.read_text()), **entries}))


def test_files_of_other_versions(tmp_path):
    path = tmp_path / "a"
    optimizer = Optimizer(SPACE, algorithm="rls", seed=1)
    optimizer.tell(optimizer.ask(), [1])
    optimizer.save(path)
    changed(path, seed=2, catcube="0.0")
    with pytest.raises(
        ValueError, match=r"saved by catcube 0\.0, whose search evaluates other poi"
    ):
        Optimizer.load(path)
    changed(path, format=99)
    with pytest.raises(ValueError, match="expected the format 1, got 99"):
        Optimizer.load(path)


def test_the_last_file_stays_if_the_next_cannot_be_written(tmp_path, monkeypatch):
    optimizer = Optimizer(SPACE, algorithm="rls", seed=1)
    optimizer.save(tmp_path / "a")
    before = (tmp_path / "a").read_text()
    optimizer.ask()

    def full(*arguments):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="full"):
        optimizer.save(tmp_path / "a")
    assert (tmp_path / "a").read_text() == before
    assert os.listdir(tmp_path) == ["a"]


KILLED = """
import os, signal, sys
from tests.search.asked import SPACE
from tests.problems.python.slow_functions import cost
from catcube import Optimizer

optimizer = Optimizer(SPACE, algorithm="ga", mu=6, budget=40, seed=4)
for generation in range(3):
    points = optimizer.ask()
    answered = points if generation < 2 else points[1::2]
    optimizer.tell(answered, map(cost, answered))
    optimizer.save(sys.argv[1])
print("saved", flush=True)
os.kill(os.getpid(), signal.SIGKILL)  # between ask and tell
"""


def test_a_killed_process_is_continued(tmp_path):
    path = tmp_path / "search.json"
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, path], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (killed.returncode, killed.stdout) == (-signal.SIGKILL, "saved\n"), killed.stderr
    points, result = seen_by_minimize(algorithm="ga", mu=6, budget=40, seed=4)
    optimizer = Optimizer.load(path)
    rest = optimizer.ask()
    assert sorted(map(str, rest)) == sorted(map(str, points[12:18:2]))  # equal points, in any order
    optimizer.tell(rest, map(cost, rest))
    assert drive(optimizer) == points[18:]
    assert same(optimizer.result, result)
