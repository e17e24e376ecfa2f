"""`catcube minimize`: one's own function from the command line."""

import pytest

from catcube import Space, Study
from catcube.cli import FAILED, REFUSED
from catcube.cli.main import main
from catcube.cli.minimize import read_space

MODULE = """
def loss(point):
    return abs(point["k"] - 7) + (point["model"] != "knn")

def odd(point):
    return point["k"] % 2 == 1

def never(point):
    return 3.5

def broken(point):
    return 1 / (point["k"] - point["k"])

number = 3
"""
SPACE = """
model = ["svm", "knn"]
k = {low = 1, high = 12}
rate = {low = 0.001, high = 10, log = true, count = 5, only_if = {model = "svm"}}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_function.py").write_text(MODULE)
    (tmp_path / "space.toml").write_text(SPACE)
    return tmp_path


def run(*arguments):
    return main(["minimize", *arguments, "--space", "space.toml", "--seed", "1"])


def test_the_best_point_is_printed_and_kept(folder, capsys):
    assert run("own_function:loss", "--budget", "30", "--study", "s.sqlite") == 0
    text = capsys.readouterr().out
    assert "0.0" in text
    assert [line.split() for line in text.splitlines()[1:]] == [["model", "knn"], ["k", "7"]]
    study = Study("s.sqlite")
    assert study.best.x == {"model": "knn", "k": 7}
    count = len(study)
    missed = "--target", "-1"  # a target that is not reached
    assert run("own_function:loss", "--budget", "30", "--study", "s.sqlite") == 0
    assert run("own_function:loss", "--budget", "30", *missed) == 0
    assert len(study) == count


def test_maximize_with_a_constraint(folder, capsys):
    arguments = ("--maximize", "--constraint", "own_function:odd", "--budget", "25")
    assert run("own_function:loss", *arguments, "--study", "s.sqlite") == 0
    study = Study("s.sqlite")
    assert study.direction == "maximize"
    assert study.best.x["k"] % 2 == 1
    assert study.best.value == max(row.value for row in study.rows if row.state == "value") == 7


def test_no_feasible_point(folder, capsys):
    assert run("own_function:loss", "--constraint", "own_function:never") == FAILED


def test_an_exception_of_the_function(folder, capsys):
    assert run("own_function:broken", "--budget", "5") == FAILED
    shown = capsys.readouterr().err
    assert "ZeroDivisionError" in shown
    assert "own_function.py" in shown
    assert run("own_function:broken", "--budget", "5", "--catch") == FAILED
    assert "no value after 5 evaluations" in capsys.readouterr().out


@pytest.mark.parametrize(
    "name", ["own_function", "own_function:", "no_such_module:f", "own_function:f", "math:pi"]
)
def test_functions_that_do_not_exist(folder, capsys, name):
    assert run(name) == REFUSED
    assert name.partition(":")[0] in capsys.readouterr().err


def test_spaces(tmp_path):
    path = tmp_path / "space.toml"

    def read(text):
        path.write_text(text)
        return read_space(path)

    assert read(SPACE) == Space(
        {"model": ["svm", "knn"], "k": range(1, 13), "rate": [0.001, 0.01, 0.1, 1.0, 10.0]},
        only_if={"rate": {"model": "svm"}},
    )
    assert read("a = {labels = ['x', 'y']}")["a"] == ("x", "y")
    assert read("b = {low = 0, high = 1.5, step = 0.5}")["b"] == (0.0, 0.5, 1.0, 1.5)
    assert read("n = {low = 1, high = 1000, log = true, count = 4}")["n"] == (1, 10, 100, 1000)
    assert read("a = [1, 2]\nb = [3, 4]\n[only_if]\nb = {a = 2}").only_if == {"b": {"a": [2]}}
    for wrong in (
        "a = ",
        "a = 3",
        "a = {low = 1}",
        "a = {low = 5, high = 1}",
        "a = {low = 0, high = 1, log = true}",
        "a = {low = 0, high = 1, steps = 3}",
        "a = {low = 0, high = 1e300, step = 1e-300}",
        "a = {labels = 3}",
        "a = [1, 2]\nb = {labels = [1], only_if = {c = 1}}",
        "",
    ):
        with pytest.raises(ValueError, match=r"space\.toml|variable|expected"):
            read(wrong)
