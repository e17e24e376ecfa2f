"""catcube run: raw rows that can be repeated, in a fixed order, whatever the number of threads."""

import csv
import io
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

import catcube
from catcube import algorithms
from catcube.cli import main as cli
from catcube.cli.execution import progress_bar
from catcube.cli.run import _print_summary
from catcube.experiments.export import COLUMNS
from catcube.experiments.plan import Experiment
from catcube.problems import Sudoku
from catcube.problems.sudoku import instances
from catcube.representations.registry import families

HEADER = ",".join(COLUMNS[1:])


def rows(capsys, *argv):
    """The rows of a batch as dictionaries."""
    code = cli.main(["run", *argv, "--csv"])
    out, err = capsys.readouterr()
    assert (code, err.partition("catcube: note: compiling ")[0]) == (0, "")
    assert out.splitlines()[0] == HEADER
    return list(csv.DictReader(io.StringIO(out)))


def but_seconds(table):
    return [{key: value for key, value in row.items() if key != "seconds"} for row in table]


BATCH = [
    "sudoku-easy-56",
    "small-dimension-10-?",
    *("--algorithm", "sa,rls", "--representation", "linear,direct", "--budget", "400"),
    *("--runs", "2", "--seed", "7"),
]


def test_rows_do_not_depend_on_the_number_of_threads(capsys):
    one, two, again = (rows(capsys, *BATCH, "--jobs", jobs) for jobs in "122")
    assert but_seconds(one) == but_seconds(two) == but_seconds(again)
    assert all(float(row["seconds"]) >= 0 for row in one)


def test_the_order_is_as_asked_for(capsys):
    small = [name for name in instances.names() if name.startswith("small-dimension-10-")]
    expected = [
        (instance, algorithm, representation, str(run))
        for instance in ["sudoku-easy-56", *small]
        for algorithm in ("sa", "rls")
        for representation in ("linear", "direct")
        for run in (1, 2)
    ]
    keys = ("instance", "algorithm", "representation", "run")
    assert [tuple(row[key] for key in keys) for row in rows(capsys, *BATCH)] == expected


def test_minimize_repeats_a_run(capsys):
    for row in rows(capsys, *BATCH)[::5]:
        again = catcube.minimize(
            Sudoku.instance(row["instance"]),
            algorithm=row["algorithm"],
            representation=row["representation"],
            budget=400,
            seed=int(row["seed"]),
        )
        assert row["value"] == f"{again.fun:.0f}"
        assert int(row["evaluations_to_best"]) == again.nfev_best
        assert int(row["evaluations"]) == again.nfev == 400


def test_a_row_depends_only_on_its_names(capsys):
    alone = rows(capsys, "small-dimension-10-b", *BATCH[2:4], *BATCH[6:])
    found = but_seconds(rows(capsys, *BATCH))
    for row in but_seconds(alone):
        assert row in found
    assert len({row["seed"] for row in found}) == len(found)


def test_all_algorithms_and_representations(capsys):
    found = rows(capsys, "small-dimension-2-a", "-a", "all", "-r", "all", "--budget", "20")
    assert [(row["algorithm"], row["representation"]) for row in found] == [
        (algorithm, code) for algorithm in algorithms.names() for code in families.builtin()
    ]


def test_a_file_is_named_by_its_stem(capsys, tmp_path):
    path = tmp_path / "of,mine.txt"
    path.write_text("1..4..1..1..4..1")
    found = rows(capsys, str(path), str(path), "--budget", "10")
    assert [row["instance"] for row in found] == ["of,mine"]


def test_two_boards_of_one_name_are_refused(capsys, tmp_path):
    (tmp_path / "sudoku-easy-56.txt").write_text("1..4..1..1..4..1")
    code = cli.main(["run", "sudoku-easy-56", str(tmp_path / "sudoku-easy-56.txt")])
    assert code == 2
    assert "two different instances are named 'sudoku-easy-56'" in capsys.readouterr().err


def test_parameters_and_presets_reach_the_algorithms_that_have_them(capsys):
    def found(*more):
        command = ("sudoku-easy-56", "-a", "rls,sa", "-b", "900", "--preset", "paper", *more)
        return but_seconds(rows(capsys, *command))

    plain = found()
    assert found("-p", "patience=50") == plain
    changed = found("-p", "patience=2")
    assert changed[0] != plain[0]
    assert changed[1] == plain[1]  # sa has no patience
    assert found("-p", "initial_acceptance=0.01")[1] != plain[1]


def test_the_summary_has_a_line_for_each_group(capsys):
    table = rows(capsys, *BATCH)
    cli.main(["run", *BATCH])
    title, heading, *lines = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert title == "sudoku-easy-56: optimum 0"
    assert heading.split()[:3] == ["algorithm", "representation", "runs"]
    assert len(heading) <= 80
    first = lines[0].split()
    assert first[:3] == ["sa", "linear", "2"]
    low, high = sorted(int(row["value"]) for row in table[:2])
    assert [float(cell) for cell in first[3:7]] == [low, low, (low + high) / 2, high]


def test_a_terminal_shows_nothing_of_the_bar_once_the_table_is_complete(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdout", sys.stderr)  # the same terminal
    cli.main(["run", *BATCH])
    shown = capsys.readouterr().err
    bar_line = shown.rindex("100%")
    assert shown.index("\r", bar_line) < shown.index("\n", bar_line)  # it is overwritten
    assert "compiling" not in shown.partition(" 1/40 ")[2]


def test_an_interrupted_summary_counts_the_runs_that_were_made(capsys):
    problem = Sudoku.instance("small-dimension-1-a")
    mine = Experiment("run", {"mine": problem}, ("rls",), ("linear",), 9, 3).configurations()

    def interrupted():
        for value in (4.0, 0.0):
            found = {"value": value, "evaluations_to_best": 5, "evaluations": 9, "seconds": 0.1}
            yield mine[0], SimpleNamespace(**found)
        raise KeyboardInterrupt

    with progress_bar() as shown, pytest.raises(KeyboardInterrupt):
        _print_summary(interrupted(), mine, shown)
    *_, line = capsys.readouterr().out.splitlines()
    assert line.split()[:8] == ["rls", "linear", "2", "0", "0", "2", "4", "5"]


# The first run is short; the others have budgets for hours.
UNEVEN = """
import sys
from msgspec.structs import replace
from catcube.experiments.plan import Experiment
from catcube.cli.main import main

plan = Experiment.configurations

def uneven(experiment):
    first, *others = plan(experiment)
    return [first] + [replace(one, budget=10**14) for one in others]

Experiment.configurations = uneven
raise SystemExit(main(sys.argv[1:]))
"""


def test_control_c_ends_long_runs_at_once_and_keeps_the_rows_so_far():
    argv = ["run", "small-dimension-1-*", "-a", "sa", "-b", "10", "--csv"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    command = subprocess.Popen([sys.executable, "-c", UNEVEN, *argv], **pipes)
    assert command.stdout.readline() == HEADER + "\n"
    assert command.stdout.readline().startswith("small-dimension-1-a,sa,linear,1,")
    command.send_signal(signal.SIGINT)
    out, err = command.communicate(timeout=20)
    assert (out, err.partition("catcube: note: compiling ")[0]) == ("", "")
    assert command.returncode == 130
