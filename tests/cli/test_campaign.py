"""catcube campaign, status and export: also killed, interrupted, twice at a time, on a cluster."""

import csv
import io
import json
import re
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, suppress

import pytest

from catcube import Space, __version__, plugins
from catcube.base.database import DatabaseError
from catcube.base.provenance import machine
from catcube.cli.execution import progress_bar, show_progress
from catcube.experiments.campaign import CampaignProgress
from catcube.experiments.store import Store
from catcube.problems import PythonProblem, kinds
from tests.cli import Terminal, call

SPACE = Space({"a": "xy"})
PLAN = """
[[experiment]]
name = "tiny"
instances = ["small-dimension-4-a", "sudoku-easy-56"]
algorithms = ["rls", "sa"]
representations = ["linear", "direct"]
budget = {budget}
runs = {runs}
seed = 5
"""


def plan_file(folder, budget=400, runs=3):
    path = folder / "a plän.toml"
    path.write_text(PLAN.format(budget=budget, runs=runs), encoding="utf-8")
    return path


def exported(capsys, store):
    """The rows without their seconds."""
    code, out, err = call(capsys, "export", store)
    assert code == 0
    assert re.fullmatch(r"(catcube: note: \d+ of \d+ runs are done\n)?", err)
    return [line.rpartition(",")[0] for line in out.splitlines()]


def started(plan, store, *more):
    """Run the command in a separate process."""
    return subprocess.Popen(
        [sys.executable, "-m", "catcube", "campaign", str(plan), "--out", str(store), *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_runs(process, store, count):
    """Until a campaign in another process has written so many runs."""
    end = time.monotonic() + 100  # compiling included
    while time.monotonic() < end and process.poll() is None:
        with suppress(DatabaseError), Store(store) as reader:  # there may be none yet
            if sum(reader.counts().values()) >= count:
                return
        time.sleep(0.02)
    process.kill()
    raise AssertionError(f"no {count} runs: {process.communicate()}")


def test_study_status_and_export(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, "campaign", plan_file(tmp_path))
    assert code == 0
    assert re.fullmatch(r"(catcube: note: compiling \d kernels?\n)?", err)  # the first time
    pattern = r"a plän\.sqlite: 24 of 24 runs done, [\d,]+ evaluations in \d+\.\d s\n"
    assert re.fullmatch(pattern, out)
    code, out, err = call(capsys, "status", "a plän.sqlite")
    assert (code, err) == (0, "")
    assert out.startswith("a plän: 24 of 24 runs done\nlast activity: 20")
    words = " ".join(out.split())
    assert re.search(r"session 1: .+, \d+ cores, .+; Python 3.+, numpy \d.+, numba \d", words)
    assert max(map(len, out.splitlines())) <= 80
    assert re.search(r"^tiny +sa +direct +6 +6 +\d+$", out, re.M)
    found = json.loads(call(capsys, "status", "a plän.sqlite", "--json")[1])
    assert (found["done"], found["runs"], found["failures"]) == (24, 24, [])
    assert [pair["done"] for pair in found["pairs"]] == [6, 6, 6, 6]
    assert [session["version"] for session in found["sessions"]] == [__version__]
    assert [session["machine"] for session in found["sessions"]] == [machine()]
    assert sum(pair["evaluations"] for pair in found["pairs"]) > 24


def test_the_rows_are_those_of_catcube_run(capsys, tmp_path):
    call(capsys, "campaign", plan_file(tmp_path), "--out", tmp_path / "a.sqlite")
    _, out, _ = call(capsys, "export", tmp_path / "a.sqlite", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    argv = ["run", "small-dimension-4-a", "sudoku-easy-56", "-a", "rls,sa", "-r", "linear,direct"]
    _, out, _ = call(capsys, *argv, "-b", 400, "-n", 3, "-s", 5, "--csv")
    wanted = list(csv.DictReader(io.StringIO(out)))
    columns = list(wanted[0])
    assert list(rows[0]) == ["experiment", *columns]
    for row, other in zip(rows, wanted, strict=True):
        assert {name: row[name] for name in columns[:-1]} == {
            name: other[name] for name in columns[:-1]
        }


def test_parquet_holds_the_same_and_the_improvements(capsys, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    store, output = tmp_path / "a.sqlite", tmp_path / "a.parquet"
    call(capsys, "campaign", plan_file(tmp_path), "--out", store)
    assert call(capsys, "export", store, "--format", "parquet", "--out", output)[0] == 0
    assert call(capsys, "export", store, "--out", tmp_path / "a.csv") == (0, "", "")
    with open(tmp_path / "a.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = parquet.read_table(output).to_pylist()
    for row, found_row in zip(rows, found, strict=True):
        for name in ("instance", "algorithm", "representation", "ending", "experiment"):
            assert row[name] == found_row[name]
        for name in ("run", "seed", "value", "evaluations_to_best", "evaluations", "iterations"):
            assert int(row[name]) == found_row[name]
        assert found_row["improvement_values"][-1] == found_row["value"]
        assert found_row["improvement_evaluations"][-1] == found_row["evaluations_to_best"]
    assert not list(tmp_path.glob("*.part"))


def test_what_is_refused(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plan, store = plan_file(tmp_path), tmp_path / "a.sqlite"
    call(capsys, "campaign", plan, "--out", store)
    before = store.read_bytes()
    (tmp_path / "text.sqlite").write_text("no store")
    cases = {
        "unknown plan 'fixed-targte', did you mean 'fixed-target'?": ["campaign", "fixed-targte"],
        "none.toml: no such file": ["campaign", "none.toml"],
        "unknown experiment 'tinny', did you mean 'tiny'?": ["campaign", plan, "--only", "tinny"],
        "text.sqlite: not a file of catcube": ["campaign", plan, "--out", "text.sqlite"],
        "holds another plan": ["campaign", "fixed-target", "--out", store],
        "none.sqlite: no such file": ["status", "none.sqlite"],
        "not a file of catcube\n": ["export", "text.sqlite"],
        "expected --out PATH for parquet": ["export", store, "--format", "parquet"],
        "than the store itself": ["export", store, "--out", store],
        "an address such as tcp://": ["campaign", plan, "--cluster", "nonsense://"],
        "such as tcp://10.0.0.1:8786, got 'x:y'": ["campaign", plan, "--cluster", "x:y"],
        "invalid choice: 'xls'": ["export", store, "--format", "xls"],
    }
    for sentence, argv in cases.items():
        code, out, err = call(capsys, *argv)
        assert (code, out) == (2, "")
        assert sentence in err
        assert err.count("\n") == 1
    assert store.read_bytes() == before
    assert not (tmp_path / "a plän.sqlite").exists()


def test_missing_extras_are_named(capsys, tmp_path, monkeypatch):
    plan, store = plan_file(tmp_path), tmp_path / "a.sqlite"
    call(capsys, "campaign", plan, "--out", store)
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    code, _, err = call(capsys, "campaign", plan, "--out", store, "--cluster", "tcp://127.0.0.1:1")
    assert (code, err) == (2, "catcube: this needs distributed: pip install '.[cluster]'\n")
    parquet = ["--format", "parquet", "--out", tmp_path / "a"]
    code, _, err = call(capsys, "export", store, *parquet)
    assert (code, err) == (2, "catcube: this needs pyarrow: pip install '.[formats]'\n")


@pytest.fixture
def broken():
    """A problem whose evaluation fails."""
    plugins.problem("broken", "fails")(lambda: PythonProblem(lambda _: 1 // 0, SPACE))
    yield "broken:"
    kinds.remove("broken")


def test_failures_are_reported_and_the_exit_code_is_1(capsys, tmp_path, broken):
    plan, store = plan_file(tmp_path, runs=1), tmp_path / "a.sqlite"
    plan.write_text(plan.read_text("utf-8").replace("small-dimension-4-a", broken), "utf-8")
    code, out, err = call(capsys, "campaign", plan, "--out", store)
    assert code == 1
    assert "4 of 8 runs done" in out
    assert "tiny, broken:, rls, linear, run 1: ZeroDivisionError: " in err
    assert f"4 runs failed (see catcube status {store})" in err
    assert call(capsys, "status", store)[1].count("ZeroDivisionError") == 4


def test_progress_is_a_bar_on_a_terminal_only():
    terminal, plain = Terminal(), io.StringIO()
    for stream in (terminal, plain):
        with redirect_stderr(stream), progress_bar("mine") as shown:
            show_progress(shown, "mine", later=20_000_000)(
                CampaignProgress(1, 10, 0, 5_000_000, 1.0, 61.0)
            )
            shown.refresh()
    assert "mine:  10%" in terminal.getvalue()
    assert "1/10" in terminal.getvalue()
    assert "about 01:05 left]" in terminal.getvalue()
    assert plain.getvalue() == ""


@pytest.mark.compiled
def test_a_second_process_is_refused_and_ctrl_c_ends_the_first(capsys, tmp_path):
    plan, store = plan_file(tmp_path, budget=200_000_000, runs=2), tmp_path / "a.sqlite"
    long = plan.read_text(encoding="utf-8")
    short = long.replace('"tiny"', '"short"').replace("200000000", "1000")
    plan.write_text(short + long, encoding="utf-8")
    process = started(plan, store)
    wait_for_runs(process, store, 1)
    code, out, err = call(capsys, "campaign", plan, "--out", store)
    assert (code, out) == (2, "")
    assert err == f"catcube: {store}: another process is writing this store\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert f"interrupted; run the same command again to resume {store}" in err.splitlines()[-1]
    assert "Traceback" not in err
    assert len(exported(capsys, store)) > 1
    code, out, _ = call(capsys, "campaign", plan, "--out", store, "--only", "short")
    assert code == 0
    assert "16 of 16 runs done" in out


@pytest.fixture
def dask(tmp_path):
    """Start a scheduler or a worker as a process, and end all in the end."""
    pytest.importorskip("distributed")
    processes = []

    def start(kind, *argv):
        command = [sys.executable, "-W", "ignore", "-m", f"distributed.cli.dask_{kind}", *argv]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        processes.append(subprocess.Popen([*command, "--no-dashboard"], cwd=tmp_path, **quiet))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.wait()


@pytest.fixture
def scheduler(dask, tmp_path):
    contact = tmp_path / "scheduler.json"
    where = ("--host", "tcp://127.0.0.1", "--port", "0", "--scheduler-file", str(contact))
    dask("scheduler", *where)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with suppress(OSError, ValueError):
            return json.loads(contact.read_text())["address"]
        time.sleep(0.1)
    raise AssertionError("no scheduler")


def test_a_cluster_without_workers_is_reported_soon(capsys, tmp_path, scheduler):
    plan, began = plan_file(tmp_path), time.monotonic()
    code, out, err = call(capsys, "campaign", plan, "--cluster", scheduler)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"{scheduler} has no workers" in err
    assert time.monotonic() - began < 10


@pytest.mark.long
def test_a_cluster_that_loses_a_worker_gives_the_same_rows(capsys, tmp_path, dask, scheduler):
    plan, store = plan_file(tmp_path, budget=150_000, runs=40), tmp_path / "a.sqlite"
    workers = [dask("worker", scheduler, "--nthreads", "1", "--no-nanny") for _ in range(2)]
    process = started(plan, store, "--cluster", scheduler, "--jobs", "2")
    try:
        wait_for_runs(process, store, 15)
        assert process.poll() is None  # in the middle
        workers[0].kill()
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, err
    assert "320 of 320 runs done" in out
    call(capsys, "campaign", plan, "--out", tmp_path / "whole.sqlite")
    assert exported(capsys, store) == exported(capsys, tmp_path / "whole.sqlite")
