"""The program that puts faults into the sources: which ones, and who is asked to notice them."""

import json
import re
import subprocess
import sys

import pytest

from tests import ROOT
from tests.mutation.survivors import known_survivors

pytest.importorskip("cosmic_ray", reason="needs the extra reliability")

from tests.mutation import candidates, outcome
from tests.mutation.candidates import TESTS, sources
from tests.mutation.mutants import mutants_of, sampled
from tests.mutation.page import survivors_table
from tests.mutation.reach import Reach

SOURCE = '''"""Text with 1 + 1 is no code."""
LIMIT = 3

def part(function):
    return function

@part
def smaller(a: int | None, b: "int" = 7) -> int | None:
    """A function."""
    if (
        a
        < b
    ):
        return a
    return b + 1
'''


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "own.py").write_text(SOURCE)
    return tmp_path


def test_faults_are_where_code_is_run(tree):
    found = mutants_of(tree, "own.py")
    assert {mutant.line for mutant in found} == {2, 8, 10, 12, 15}
    assert {mutant.change[2:] for mutant in found if mutant.line == 2} == {
        ("LIMIT = 3", "LIMIT = 4"),
        ("LIMIT = 3", "LIMIT = 2"),
    }
    defaults = {mutant.change[3] for mutant in found if mutant.line == 8}
    assert defaults == {
        f'def smaller(a: int | None, b: "int" = {other}) -> int | None:' for other in (6, 8)
    }
    assert {mutant.change[3] for mutant in found if mutant.line == 12} >= {
        "a <= b",
        "a >= b",
        "a == b",
    }
    for mutant in found:
        compile(mutant.code, "own.py", "exec")
        assert mutant.code != SOURCE


def test_a_fault_knows_the_lines_of_its_statement(tree):
    lines = {mutant.line: (mutant.lines, mutant.function) for mutant in mutants_of(tree, "own.py")}
    assert lines == {
        2: (None, ""),
        8: (None, "smaller"),
        10: ((10, 11, 12, 13), "smaller"),
        12: ((10, 11, 12, 13), "smaller"),
        15: ((15,), "smaller"),
    }


def test_a_sample_has_a_place_once_and_follows_from_its_seed(tree):
    every = {"own.py": mutants_of(tree, "own.py")}
    whole = sampled(every, 0, seed=1)
    places = [(mutant.line, mutant.column) for mutant in whole]
    assert places == sorted(set(places))
    assert {mutant.line for mutant in whole} == {2, 8, 10, 12, 15}
    assert sampled(every, 3, seed=1) == sampled(every, 3, seed=1)
    assert len(sampled(every, 3, seed=1)) == 3
    assert len({tuple(m.key for m in sampled(every, 0, seed)) for seed in range(20)}) > 10


def test_tests_that_reach_a_line_come_by_turns():
    reached = Reach()
    reached.add(
        {
            "seconds": {"t::a[1]": 1.0, "t::a[2]": 0.1, "t::b": 5.0, "t::c": 0.5},
            "lines": {
                "t::a[1]": {"own.py": [1, 2]},
                "t::a[2]": {"own.py": [2]},
                "t::b": {"own.py": [2]},
                "t::c": {"own.py": [3]},
            },
        }
    )
    assert list(reached.tests_for("own.py", (2,), 100)) == ["t::a[2]", "t::b", "t::a[1]"]
    assert list(reached.tests_for("own.py", (2,), 2)) == ["t::a[2]", "t::a[1]"]
    assert list(reached.tests_for("own.py", (1, 3), 100)) == ["t::c", "t::a[1]"]
    assert list(reached.tests_for("own.py", None, 100)) == ["t::a[2]", "t::c", "t::b", "t::a[1]"]
    assert list(reached.tests_for("own.py", (2,), 0)) == ["t::a[2]"]
    assert reached.tests_for("own.py", (9,), 100) == {}
    assert reached.tests_for("other.py", None, 100) == {}


def test_sources_and_their_tests():
    found = sources(ROOT, ["engine", "algorithms/rls.py"])
    assert found[0] == "src/catcube/engine/bernoulli.py"
    assert found[-1] == "src/catcube/algorithms/rls.py"
    assert candidates.tests(ROOT, ["src/catcube/statistics/effect.py"])[-1].endswith("effect.py")
    assert "tests/engine/test_rng.py" in candidates.tests(ROOT, found)
    with pytest.raises(SystemExit, match="there is no 'report' to put faults into; packages: engi"):
        sources(ROOT, ["report"])
    for patterns in TESTS.values():
        for pattern in patterns:
            assert list((ROOT / "tests").glob(pattern)), f"no file of tests is called {pattern}"


# The mutants of a package of three lines, and a test that sees but one of its branches.
WHOLE = """
import os, sys
from pathlib import Path
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
from tests.mutation import reach, trial
from tests.mutation.mutants import mutants_of
tree = Path(sys.argv[1])
reached = reach.measured(tree, ["tests/test_own.py"], tree / "reach")
for mutant in mutants_of(tree, "src/own.py"):
    if mutant.change[3] not in ("while a >= 5:", "a -= 0", "return a / 1", "return a * 2"):
        continue
    wanted = reached.tests_for(mutant.path, mutant.lines, 9)
    result, noticed = trial.tried(tree, mutant, wanted) if wanted else ("unreached", "")
    print(mutant.change[3], "/", result, "/", noticed)
"""


def test_from_fault_to_verdict(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "tests").mkdir()
    source = "def own(a):\n    while a > 5:\n        a -= 1\n    return a * 1\n"
    (tmp_path / "src" / "own.py").write_text(source)
    (tmp_path / "tests" / "test_own.py").write_text(
        "from own import own\n\ndef test_own():\n    assert own(7) == 5\n\n"
        "def test_that_fails():\n    assert own(7) == 6\n"
    )
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    asked = [sys.executable, "-c", WHOLE, str(tmp_path)]
    answer = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    noticed = "tests/test_own.py::test_own"
    assert "left out, since they fail without any fault: tests/test_own.py::test_that" in answer
    assert f"while a >= 5: / killed / {noticed}" in answer
    assert f"a -= 0 / timed out / {noticed}" in answer
    assert "return a / 1 / survived / \n" in answer
    assert f"return a * 2 / killed / {noticed}" in answer
    assert (tmp_path / "src" / "own.py").read_text() == source


def test_what_was_tried_is_written_and_read(tree, tmp_path):
    every = {"own.py": mutants_of(tree, "own.py")}
    first, second, *_ = every["own.py"]
    tried = [
        outcome.Tried(first, "survived", "", 3),
        outcome.Tried(second, "killed", "t::a", 4),
    ]
    folder = tmp_path / "out"
    outcome.write(folder, tried, every, 5, merge=False)
    assert outcome.survivors(folder) == {first.key}
    lines = outcome.table(tried, every, {first.change: "speed"}).splitlines()
    assert lines[-1].split() == ["all", str(len(every["own.py"])), "2", "1", "0", "1", "0", "1"]
    outcome.write(folder, [tried[0]._replace(result="killed")], every, 5, merge=True)
    assert outcome.survivors(folder) == set()
    [path] = folder.glob("*.json")
    assert len(json.loads(path.read_text())["mutants"]) == 2


def test_known_survivors_are_of_lines_that_are_there():
    for path, function, before, _ in known_survivors():
        source = (ROOT / path).read_text()
        assert before in [line.strip() for line in source.splitlines()], f"{path} has no {before}"
        assert not function or f"def {function}(" in source


@pytest.mark.long
def test_known_survivors_are_mutants_of_the_sources_as_they_are():
    known = known_survivors()
    paths = {path for path, *_ in known}
    changes = {}
    for path in paths:
        lines = {before for own, _, before, _ in known if own == path}
        source = (ROOT / path).read_text().splitlines()
        numbers = {n for n, line in enumerate(source, start=1) if line.strip() in lines}
        numbers |= {n + 1 for n in numbers}  # an operator that begins a line is joined to the last
        changes[path] = {m.change for m in mutants_of(ROOT, path) if m.line in numbers}
    gone = [change for change in known if change not in changes[change[0]]]
    assert not gone, f"these are no mutants any more: {gone}"


def test_the_page_lists_them():
    page = (ROOT / "docs" / "mutants.md").read_text()
    shown = re.search(r"<!-- survivors -->\n(.*)\n<!-- end -->", page, re.DOTALL)[1]
    assert shown.strip() == survivors_table().strip(), "run: python -m tests.mutation.page"
