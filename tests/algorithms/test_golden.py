"""The same seed gives the same run as ever: trajectories written down in tests/golden."""

import json

import pytest

from catcube.engine.compiled.jit import JIT
from tests.golden import make
from tests.naive.search import ALGORITHMS

# Interpreted, one run of each kernel is enough: test_twins.py compares them move by move.
SHORT = [("sudoku-box-2", "linear", "paper"), ("sudoku-box-2", "native", "default")]
CASES = [case for case in [*make.CASES, *make.NATIVE_CASES] if JIT or case in SHORT]


@pytest.mark.parametrize("case", CASES, ids=lambda case: make.key(*case))
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_run_is_what_it_was(algorithm, case):
    path = make.file_of(algorithm, case[1])
    regenerate = f"python -m tests.golden.make {algorithm}"
    assert path.exists(), f"no trajectories of {algorithm} are written down: {regenerate}"
    written = json.loads(path.read_text())
    name = make.key(*case)
    assert name in written, f"no trajectory is written down for this case: {regenerate}"
    assert make.trajectory(algorithm, *case) == written[name], (
        f"another run than ever; if that is meant: {regenerate}"
    )


def test_every_file_is_an_algorithm():
    assert {path.stem for path in make.FOLDER.glob("*.json")} <= set(ALGORITHMS)
    assert {path.stem for path in (make.FOLDER / "native").glob("*.json")} == set(ALGORITHMS)
