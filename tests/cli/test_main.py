"""The command: help that starts at once, one sentence for bad input, list and show."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from catcube import algorithms, problems
from catcube.cli import main as cli
from catcube.cli.parser import COMMANDS
from catcube.problems.sudoku import instances
from catcube.representations import families
from tests.cli import call

# What a fresh interpreter uses until it has shown the help, and what it has loaded by then.
HELP = """
import json, os, sys
from catcube.cli.main import main
code = main(sys.argv[1:])
used = os.times()
print(json.dumps({"code": code, "cpu": used.user + used.system, "modules": list(sys.modules)}))
"""


def test_help_starts_without_numba_and_numpy():
    reports = []
    for _ in range(3):
        run = subprocess.run(
            [sys.executable, "-c", HELP, "--help"], capture_output=True, text=True, check=True
        )
        *text, report = run.stdout.splitlines()
        assert all(any(line.strip().startswith(name) for line in text) for name in COMMANDS)
        reports.append(json.loads(report))
    assert reports[0]["code"] == 0
    assert not {"numba", "numpy", "llvmlite"} & set(reports[0]["modules"])
    assert min(report["cpu"] for report in reports) < 0.3


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(capsys, command):
    code, out, err = call(capsys, command, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"usage: catcube {command}")


def test_python_dash_m_and_a_broken_pipe():
    command = subprocess.Popen(
        [sys.executable, "-m", "catcube", "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    command.stdout.close()  # nobody reads
    _, err = command.communicate(timeout=60)
    assert err == b""
    assert command.returncode == cli.BROKEN_PIPE


PUZZLE = "sudoku-easy-56"

REFUSED = {
    "unknown command": (["slove"], "did you mean 'solve'?"),
    "option for a command": (["--csv", PUZZLE], "unknown command '--csv'"),
    "unknown option": (["solve", PUZZLE, "--bugdet", "3"], "--bugdet"),
    "abbreviated option": (["solve", PUZZLE, "--bud", "3"], "--bud"),
    "no instance": (["solve"], "INSTANCE"),
    "no such file": (["solve", "no/such/file"], "no such file: 'no/such/file'"),
    "no such text file": (["solve", "mine.txt"], "no such file: 'mine.txt'"),
    "a folder": (["solve", os.curdir + os.sep], "is a directory"),
    "unknown instance": (["solve", "sudoku-esy-56"], "did you mean 'sudoku-easy-56'?"),
    "bad character": (["solve", "12.4\n34x1\n....\n...."], "column 3: expected a digit 1-4, '.'"),
    "too few cells": (["solve", "53..7"], "expected 81 cells of a 9×9 board, got 5"),
    "negative budget": (["solve", PUZZLE, "--budget", "-5"], "--budget: expected an integer >= 1"),
    "broken budget": (["solve", PUZZLE, "--budget", "1.5"], "got '1.5'"),
    "endless budget": (["solve", PUZZLE, "--budget", "inf"], "got 'inf'"),
    "no time": (["solve", PUZZLE, "--time-limit", "0"], "seconds > 0"),
    "negative seed": (["solve", PUZZLE, "--seed", "-1"], "an integer >= 0"),
    "output to a folder": (["solve", PUZZLE, "--out", "."], "a new name, got a folder"),
    "unknown algorithm": (["solve", PUZZLE, "-a", "rsl"], "did you mean 'rls'?"),
    "unknown representation": (["solve", PUZZLE, "-r", "linaer"], "did you mean 'linear'?"),
    "unknown parameter": (["solve", PUZZLE, "-p", "patience=3"], "sa has no parameter 'patience'"),
    "parameter without value": (["solve", PUZZLE, "-p", "trials"], "NAME=VALUE"),
    "parameter twice": (["solve", PUZZLE, "-p", "trials=3", "-p", "trials=4"], "once"),
    "run: no instance": (["run"], "INSTANCE"),
    "run: unknown instance": (["run", "sudoku-easy-65"], "did you mean 'sudoku-easy-56'?"),
    "run: empty name": (["run", ""], "got no cells"),
    "run: no number": (["run", "match:20,x"], "got 'x'"),
    "run: pattern of nothing": (["run", PUZZLE, "huge-*"], "the pattern 'huge-*'"),
    "run: complete board": (["run", "1234 3412 2143 4321"], "expected a board with unknown cells"),
    "run: unknown algorithm": (["run", PUZZLE, "-a", "sa,rsl"], "did you mean 'rls'?"),
    "run: all and more": (["run", PUZZLE, "-a", "sa,all"], "unknown algorithm 'all'"),
    "run: missing name": (["run", PUZZLE, "-r", "linear,"], "separated by commas"),
    "run: no runs": (["run", PUZZLE, "--runs", "0"], "--runs: expected an integer >= 1"),
    "run: no jobs": (["run", PUZZLE, "--jobs", "0"], "--jobs: expected an integer from 1"),
    "run: target": (["run", PUZZLE, "--target", "nan"], "--target: expected a number"),
    "run: preset": (["run", PUZZLE, "--preset", "papr"], "did you mean 'paper'?"),
    "run: parameter": (["run", PUZZLE, "-a", "sa,rls", "-p", "trails=1"], "did you mean 'trials'?"),
    "run: out of range": (["run", PUZZLE, "-a", "rls", "-p", "patience=0"], "a value >= 1"),
    "list: unknown": (["list", "lniear"], "did you mean 'linear'?"),
    "list: parameters": (["list", "gray:2"], "expected no parameters"),
    "show: nothing": (["show"], "N"),
    "show: no categories": (["show", "0"], "expected an integer >= 1"),
    "show: folder": (["show", "4", "--figure", "no/such/cube.png"], "no such file or directory"),
    "show: format": (["show", "4", "--figure", "cube.xyz"], "'xyz' is not supported"),
    "show: too many bits": (["show", "9", "--figure", "nine.png"], "expected 1 to 4 bits for a "),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_one_sentence_and_nothing_else(capsys, monkeypatch, tmp_path, case):
    monkeypatch.chdir(tmp_path)
    argv, expected = REFUSED[case]
    code, out, err = call(capsys, *argv)
    assert code == 2
    assert out == ""
    assert err.startswith("catcube: ")
    assert err.count("\n") == 1
    assert expected in err
    assert list(tmp_path.iterdir()) == []


def test_a_malformed_file_is_named_with_line_and_column(capsys, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("1234\n3412\n21?3\n4321\n")
    for command in ("solve", "run"):
        code, out, err = call(capsys, command, str(path))
        assert (code, out) == (2, "")
        assert f"{path}: line 3, column 3: expected a digit 1-4, '.' or '0', got '?'" in err


def test_developers_see_the_traceback():
    argv = [sys.executable, "-X", "dev", "-W", "ignore", "-m", "catcube", "list", "nothing"]
    run = subprocess.run(argv, capture_output=True, text=True)
    assert run.returncode == 2
    assert run.stderr.startswith("Traceback")
    assert "\ncatcube: unknown name 'nothing'" in run.stderr


def test_without_arguments_the_help_is_printed(capsys):
    assert call(capsys) == call(capsys, "--help")


def test_list_names_everything(capsys):
    code, out, _ = call(capsys, "list")
    assert code == 0
    first_words = [line.split()[0] for line in out.splitlines() if line]
    assert {*algorithms.names(), *families, "sudoku", "match"} <= set(first_words)
    assert "small-dimension-1-a … small-dimension-10-d (40)" in " ".join(out.split())
    assert "sudoku-easy-56" in out


def test_list_as_json(capsys):
    _, out, _ = call(capsys, "list", "--json")
    found = json.loads(out)
    assert list(found) == ["algorithms", "representations", "problems", "instances"]
    assert list(found["algorithms"]) == [*algorithms.names(), *algorithms.FURTHER, "auto"]
    assert {*instances.names(), "match:20,9", "match:100,4"} <= set(found["instances"])
    assert call(capsys, "list", "--format", "json")[1] == out


def test_list_of_a_suite(capsys):
    suite = problems.suite("catcube-2026")
    _, out, _ = call(capsys, "list", "--suite")
    assert out.startswith("catcube-2026 (suite): 195 instances")
    assert all(f"\n  {family} " in out for family in suite.families)
    found = json.loads(call(capsys, "list", "catcube-2026", "--suite", "--json")[1])
    assert {name: list(members) for name, members in suite.families.items()} == found["families"]
    assert call(capsys, "list", "mine", "--suite")[0] == 2


@pytest.mark.parametrize("name", algorithms.names())
def test_list_shows_each_algorithm_with_all_its_parameters(capsys, name):
    method = algorithms.algorithm(name)
    _, out, _ = call(capsys, "list", name)
    words = " ".join(out.split())
    for text in (method.title, method.reference, "preset paper"):
        assert text in words
    for parameter in method.describe():
        line = next(line for line in out.splitlines() if line.startswith(f"{parameter.name} "))
        assert str(parameter.default) in line
        assert parameter.info.range in line
    _, out, _ = call(capsys, "list", name, "--json")
    found = json.loads(out)
    assert [(one["name"], one["meaning"]) for one in found["parameters"]] == [
        (parameter.name, parameter.info.text) for parameter in method.describe()
    ]
    assert found["presets"]["paper"] == dict(method.presets["paper"])


TABLES = "list, list --suite, list sa, list ga, list sudoku, list factors, show 9, show 100"


@pytest.mark.parametrize("argv", TABLES.split(", "))
def test_tables_fit_eighty_columns(capsys, argv):
    _, out, _ = call(capsys, *argv.split())
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_eighty_columns(capsys, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = call(capsys, *command.split(), "--help")
    assert max(map(len, out.splitlines())) <= 80


COMPLETED = {
    "catcube so": "solve",
    "catcube solve -a su": "surrogate",
    "catcube solve --alg": "--algorithm",
    "catcube solve sudoku-ea": "sudoku-easy-54 sudoku-easy-56",
    "catcube reproduce --scale sm": "smoke small",
}


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_names_are_completed_in_bash(capsys, tmp_path):
    pytest.importorskip("shtab")
    script = tmp_path / "complete.bash"
    script.write_text(call(capsys, "completion", "bash")[1])
    lines = [f"source {script}"]
    for line in COMPLETED:
        lines += [f"COMP_WORDS=({line}); COMP_CWORD={len(line.split()) - 1}"]
        lines += ['_shtab_catcube catcube; echo "${COMPREPLY[@]}"']
    run = subprocess.run(["bash", "-c", "\n".join(lines)], capture_output=True, text=True)
    assert run.stdout.splitlines() == list(COMPLETED.values())


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("linear", "9=15"),
        ("covering:3", "26="),
        ("sudoku", "catcube.problems.Sudoku(board"),
        ("match", "as an instance: match:variables,categories,seed=1"),
        ("small-dimension-1-a", "variables: 1 categories: 9 optimum: 0"),
        ("match:20,9", "variables: 20 categories: 9 optimum: 0"),
        ("match:3,2,5", "variables: 3 categories: 2 optimum: 0"),
    ],
)
def test_list_describes_the_rest(capsys, name, expected):
    code, out, _ = call(capsys, "list", name)
    assert code == 0
    assert out.startswith(f"{name} (")
    assert expected in " ".join(out.split())
    assert ">>>" not in out
    assert call(capsys, "list", name, "--json")[0] == 0


def test_show(capsys, tmp_path):
    code, out, _ = call(capsys, "show", "4")
    assert code == 0
    assert all(name in out for name in families if name not in ("product", "covering"))
    figure = tmp_path / "cube.png"
    code, out, _ = call(capsys, "show", "4", "--json", "--figure", str(figure))
    assert code == 0
    assert json.loads(out)["categories"] == 4
    assert figure.read_bytes().startswith(b"\x89PNG")
