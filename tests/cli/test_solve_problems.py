"""catcube solve, run and list on problems other than Sudoku, by generator and from files."""

import json
from functools import partial

import pytest

from catcube.engine.compiled.jit import JIT
from catcube.problems import Colouring, kinds, make
from catcube.problems.graphs import queen
from tests.cli import call as call_command


@pytest.fixture
def call(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return partial(call_command, capsys)


TRIANGLE = "p edge 3 3\ne 1 2\ne 1 3\ne 2 3\n"


def test_a_file_is_solved_and_the_solution_written(call, tmp_path):
    (tmp_path / "triangle.col").write_text(TRIANGLE)
    options = ("--budget", "300", "--out", "best", "--algorithm", "sa")
    instance = "colouring:triangle.col,2"
    code, out, err = call("solve", instance, *options, "--representation", "linear")
    assert (code, err) == (1, "")  # no optimum is known
    assert "colouring:triangle.col,2: 3 variables, seed" in out
    assert "the budget is used up: value 1, optimum unknown\n300 evaluations" in out
    assert "algorithm sa, representation linear" in out
    written = (tmp_path / "best").read_text()
    assert written in out
    assert "conflicts: " in written


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("colouring:queen,5,colours=5", r"1: "),
        ("latin:holes,5,10", None),
        ("qap:random,3", "3 "),
        ("words:4,3,3", None),
        ("onemax:5,3", "x0 "),
        ("leadingones:5,3", "x0 "),
        ("nk:6,1,3", "x0 "),
        ("potts:grid,3,3,3,planted=true", None),
        ("factors:asia", "asia "),
        ("ehrlich:6,4,1,3", None),
        ("pest", None),
        ("sudoku4x4-10", None),
    ],
)
def test_every_problem_prints_its_solution(call, tmp_path, text, form):
    budget = "1000" if JIT else "100"
    code, out, err = call("solve", text, "--seed", "1", "--budget", budget, "--out", "best.txt")
    assert "catcube:" not in err
    written = (tmp_path / "best.txt").read_text()
    if not text.startswith("sudoku"):
        problem = make(text)
        assert written in out
        if form is not None:
            assert written.startswith(form)
        assert code == (0 if "\nsolved: value" in out else 1)
        assert ("optimum unknown" in out) == (problem.optimum is None)
    assert set(kinds) >= {text.partition(":")[0].partition("4")[0]}


@pytest.mark.compiled
def test_the_exit_code_says_whether_the_optimum_was_reached(call):
    assert call("solve", "colouring:mycielski,4,4", "--seed", "1", "--budget", "20000")[0] == 0
    assert call("solve", "qap:nug12", "--seed", "1", "--budget", "300")[0] == 1
    assert call("solve", "qap:nug12", "--seed", "1", "--budget", "1000000")[0] == 0


def test_long_solutions_are_shortened(call, tmp_path):
    code, out, _ = call("solve", "onemax:200,4", "--budget", "50", "--seed", "1", "--out", "best")
    assert code == 1
    assert "… 150 more lines (--out FILE writes all)" in out
    assert len((tmp_path / "best").read_text().splitlines()) == 200


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (("solve", "colouring:none.col,3"), "none.col: no such file or directory"),
        (("run", "colouring:none.col,3"), "none.col: no such file or directory"),
        (("solve", "colouring:bad.col,3"), "bad.col: line 2, column 5: expected a vertex (an in"),
        (("solve", "colouring:queen,5"), "argument: 'colours'"),
        (("solve", "onemax:5,3", "--out", "no/best"), "'no'"),
        (("solve", "colouring:bad.col"), "'colours' (colouring:queen,rows"),
    ],
)
def test_refused(call, tmp_path, argv, sentence):
    (tmp_path / "bad.col").write_text("p edge 3 1\ne 1 9\n")
    code, out, err = call(*argv)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_a_search_that_does_not_fit_into_memory_is_refused(call, tmp_path):
    (tmp_path / "empty.col").write_text("p edge 200000 0\n")
    code, _, err = call("solve", "colouring:empty.col,3", "--algorithm", "ltga")
    assert code == 2
    assert "memory" in err
    assert err.count("\n") == 1


def test_runs_on_a_file(call, tmp_path):
    graph = queen(5, 5)
    lines = [f"e {u + 1} {v + 1}" for u, v in graph.edges]
    (tmp_path / "queen5_5.col").write_text("\n".join(["p edge 25 160", *lines]))
    code, out, err = call("run", "colouring:queen5_5.col,5", "-b", "400", "-n", "2", "--csv")
    assert (code, err) == (0, "")
    rows = out.splitlines()
    assert len(rows) == 3
    assert rows[1].startswith('"colouring:queen5_5.col,5",surrogate,native,1,')
    assert Colouring.read("queen5_5.col", 5).optimum == 0


def test_listing(call, tmp_path):
    (tmp_path / "triangle.col").write_text(TRIANGLE)
    code, out, _ = call("list", "colouring")
    assert code == 0
    assert "as an instance: colouring:queen,rows,columns=None,colours" in out
    assert "or colouring:FILE,colours" in out
    assert "colouring:queen,8,colours=9" in out
    found = json.loads(call("list", "colouring:triangle.col,3", "--json")[1])
    assert (found["variables"], found["categories"], found["optimum"]) == (3, [3], None)
    instances = json.loads(call("list", "instances", "--json")[1])["instances"]
    assert {"qap:nug12", "factors:asia", "pest:25", "nk:20,2,3", "sudoku16x16-100"} <= set(
        instances
    )
