"""catcube reproduce and report: whole, killed, interrupted, failing, unfinished, anybody's."""

import hashlib
import io
import json
import os
import sys
from collections import Counter
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path

import pytest

from catcube.cli import reproduce as command
from catcube.experiments.campaign import run_campaign
from catcube.experiments.export import write_csv
from catcube.experiments.plan import Experiment, Plan, build_problem
from catcube.experiments.plan_file import Scale, shipped_plan
from catcube.experiments.store import Store
from catcube.experiments.writer import Writer
from catcube.problems.sudoku import instances
from catcube.studies.analysis.sections import Study
from catcube.studies.report.write import write_report
from catcube.studies.scales import PAPER as SCALES
from tests.cli import call

# P3 makes a linkage tree of some 800 bits for each solution: minutes, if it is interpreted.
needs_speed = pytest.mark.compiled

EXPERIMENTS = tuple(SCALES["full"].sizes)
TINY = Scale("tiny", dict.fromkeys(EXPERIMENTS, (1, 60, 2)))


def rows(folder):
    """The exported rows of all stores of a folder, without their seconds."""
    found = []
    for name in EXPERIMENTS:
        text = io.StringIO()
        with Store(folder / f"{name}.sqlite") as store:
            write_csv(store, text)
        found += [line.rpartition(",")[0] for line in text.getvalue().splitlines()]
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a reproduction, and what was printed."""
    folder = tmp_path_factory.mktemp("whole") / "results" / "tiny"
    with redirect_stdout(io.StringIO()) as out:
        assert command.reproduce(TINY, EXPERIMENTS, folder) == 0
    return folder, out.getvalue()


@needs_speed
def test_the_folder_holds_what_is_named(whole):
    folder, out = whole
    lines = out.splitlines()
    assert [line.split(":")[0] for line in lines[:3]] == [
        str(folder / f"{name}.sqlite") for name in EXPERIMENTS
    ]
    assert all("44 of 44 runs done" in line for line in lines[:3])
    assert lines[-2].startswith("Not judged, because not at the paper’s scale: fixed-budget (")
    found = [line for line in lines if "ranks first" in line]
    assert [line.split(":")[0] for line in found] == ["fixed-budget", "fixed-target"]
    assert not (folder / "tables" / "statement-parts.csv").exists()
    assert "Not judged" in (folder / "report.html").read_text("utf-8")
    assert lines[-1] == f"open {folder / 'report.html'}"
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    listed = json.loads((folder / "report-files.json").read_bytes())
    present = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.*")
        if ".sqlite" not in path.name and path.name != "report-files.json"
    }
    assert set(listed) == present
    kinds = {name.rpartition(".")[2] for name in listed}
    assert kinds == {"html", "csv"}
    assert all((folder / name).stat().st_size for name in listed)


@needs_speed
def test_a_second_time_only_the_report_is_made(whole, capsys):
    folder, _ = whole
    before = rows(folder)
    moments = [path.stat().st_mtime_ns for path in sorted(folder.glob("tables/*"))]
    assert command.reproduce(TINY, ["ecdf"], folder) == 0
    out, err = capsys.readouterr()
    assert "ecdf.sqlite: 44 of 44 runs done, 0 evaluations" in out
    assert err == ""
    assert "fixed-budget.sqlite" not in out
    assert rows(folder) == before
    assert [path.stat().st_mtime_ns for path in sorted(folder.glob("tables/*"))] > moments


def test_each_plan_is_read_once_each_store_opened_twice_and_each_instance_built_once(tmp_path):
    opened = Counter()
    watching = True

    def watch(event, arguments):
        if watching and event in ("open", "sqlite3.connect"):
            name = Path(str(arguments[0]).removeprefix("file:").partition("?")[0]).name
            if event == "sqlite3.connect" or name.endswith(".toml"):
                opened[name] += 1

    sys.addaudithook(watch)
    build_problem.cache_clear()
    shipped_plan.cache_clear()
    try:
        assert command.reproduce(TINY, EXPERIMENTS, tmp_path) == 0
    finally:
        watching = False
    for name in EXPERIMENTS:
        assert opened[f"{name}.toml"] == 1
        assert opened[f"{name}.sqlite"] <= 2
    plans = map(shipped_plan, EXPERIMENTS)
    boards = {name for plan in plans for name in plan.experiments[0].instances}
    assert build_problem.cache_info().misses <= len(boards)


def test_another_scale_is_refused_and_nothing_is_touched(tmp_path, capsys):
    Writer(tmp_path / "ecdf.sqlite", SCALES["smoke"].plan("ecdf")).close()
    before = (tmp_path / "ecdf.sqlite").read_bytes()
    code, out, err = call(capsys, "reproduce", "fixed-budget", "--out", tmp_path)
    assert (code, out) == (2, "")
    assert f"{tmp_path / 'ecdf.sqlite'} is not of the scale 'small'; change --out" in err
    assert (tmp_path / "ecdf.sqlite").read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"ecdf.sqlite", "ecdf.sqlite-lock"}


def test_every_scale_has_all_pairs_and_the_boards_that_statements_are_about():
    totals = []
    for scale in SCALES.values():
        plans = {name: scale.plan(name) for name in EXPERIMENTS}
        planned = {name: plan.configurations() for name, plan in plans.items()}
        for configurations in planned.values():
            assert len({configuration.pair for configuration in configurations}) == 22
        shown = {configuration.instance for configuration in planned["fixed-budget"]}
        assert "sudoku-easy-56" in shown
        totals.append(sum(plan.total_runs for plan in plans.values()))
    assert totals == sorted(totals)


def test_ctrl_c_says_how_to_resume(tmp_path, capsys, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "run_and_print", interrupted)
    code, out, err = call(capsys, "reproduce", "--scale", "smoke", "--out", tmp_path)
    assert (code, out) == (130, "")
    assert f"resume {tmp_path}; catcube report {tmp_path} shows" in err.splitlines()[-1]


def test_a_missing_extra_is_reported_before_any_run(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for argv in (["reproduce", "--out", tmp_path / "new"], ["report", tmp_path]):
        code, out, err = call(capsys, *argv)
        assert (code, out) == (2, "")
        assert "this needs matplotlib: pip install" in err
    assert not (tmp_path / "new").exists()


BOARDS = {name: instances.load(name) for name in ("small-dimension-2-a", "small-dimension-3-a")}
MINE = Experiment("mine", BOARDS, ("rls", "sa"), ("linear", "gray"), budget=100, runs=3)
OTHER = replace(MINE, name="other", target=0.0)


def test_a_report_of_an_unfinished_campaign_of_another_plan(tmp_path, capsys):
    store = tmp_path / "pilot.sqlite"
    run_campaign(Plan("pilot", (MINE, OTHER)), store, only="mine")
    code, out, err = call(capsys, "report", store)
    assert (code, err) == (0, "")
    assert "missing: 24 of 24 runs of other, of 4 of 4 pairs\n" in out
    assert "statements" not in out
    assert out.endswith(f"open {tmp_path / 'pilot-report' / 'report.html'}\n")
    assert "gray" in (tmp_path / "pilot-report" / "report.html").read_text(encoding="utf-8")
    code, out, _ = call(capsys, "report", tmp_path, "--out", tmp_path / "\x1b[2J")
    assert (code, "\x1b" in out) == (0, False)
    assert (tmp_path / "\x1b[2J" / "report.html").exists()


def test_formats_targets_and_budgets_of_a_report(tmp_path, capsys):
    run_campaign(Plan("pilot", (MINE,)), tmp_path / "a.sqlite")
    options = ("--format", "csv", "tex", "--targets", "4", "--budgets", "10", "50")
    code, _, err = call(
        capsys, "report", tmp_path / "a.sqlite", "--out", tmp_path / "out", *options
    )
    assert (code, err) == (0, "")
    names = {path.name for path in (tmp_path / "out" / "tables").iterdir()}
    assert {"mine-ranks.tex", "mine-target-4-ranks-all.csv", "mine-budget-50-ranks.csv"} <= names
    assert not (tmp_path / "out" / "figures").exists()


def test_what_a_report_refuses(tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for name in ("a", "b"):
        Writer(tmp_path / f"{name}.sqlite", Plan(name, (MINE,))).close()
    cases = {
        "expected a folder with a store (*.sqlite)": [tmp_path / "empty"],
        "none.sqlite: no such file": [tmp_path / "none.sqlite"],
        "expected --out FOLDER for a report": [tmp_path / "a.sqlite", tmp_path / "b.sqlite"],
        "the experiment 'mine' is in": [tmp_path],
        "folder for the report, not a file": [tmp_path / "a.sqlite", "--out", tmp_path / "file"],
    }
    for sentence, argv in cases.items():
        code, out, err = call(capsys, "report", *argv)
        assert (code, out) == (2, "")
        assert sentence in err
        assert err.count("\n") == 1


def test_files_of_an_earlier_report_go_and_all_others_stay(tmp_path):
    folder = tmp_path / "report"
    (folder / "tables").mkdir(parents=True)
    names = ["old.csv", "changed.csv", "mine.csv", "thesis.docx"]
    for name in names:
        (folder / "tables" / name).write_text(name, encoding="utf-8")
    (folder / "mine.sqlite").write_text("store", encoding="utf-8")
    (tmp_path / "outside.csv").write_text("x", encoding="utf-8")
    (folder / "tables" / "link.csv").symlink_to(tmp_path / "outside.csv")
    digests = {
        "tables/old.csv": "old.csv",
        "tables/changed.csv": "as it was",
        "tables/thesis.docx": "thesis.docx",
        "tables/../mine.sqlite": "store",
        "mine.sqlite": "store",
        "tables/link.csv": "x",
        "../outside.csv": "x",
        "tables/../../outside.csv": "x",
        "tables/gone.csv": "",
    }
    listed = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in digests.items()}
    (folder / "report-files.json").write_text(json.dumps(listed), encoding="utf-8")
    write_report(Study(()), folder)
    left = {path.name for path in (folder / "tables").iterdir()}
    assert left == {"changed.csv", "mine.csv", "thesis.docx", "link.csv"}
    assert (folder / "mine.sqlite").exists()
    assert (tmp_path / "outside.csv").read_text(encoding="utf-8") == "x"
    assert list(json.loads((folder / "report-files.json").read_bytes())) == ["report.html"]


def test_a_list_that_is_none_removes_nothing(tmp_path):
    for content in (b"tables/mine.csv", b"[1]", b"\xff", b"[" * 10**6):
        (tmp_path / "report-files.json").write_bytes(content)
        assert write_report(Study(()), tmp_path).page.exists()


def test_a_pipe_in_place_of_a_list_is_refused(tmp_path):
    os.mkfifo(tmp_path / "report-files.json")
    with pytest.raises(ValueError, match="a pipe"):
        write_report(Study(()), tmp_path)


@pytest.mark.parametrize("name", ["tables", "figures", "report.html", "report-files.json"])
def test_a_report_follows_no_link(tmp_path, name):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match="link"):
        write_report(Study(()), tmp_path / "report")
    assert not any((tmp_path / "elsewhere").iterdir())


def test_a_format_that_is_unknown(tmp_path):
    with pytest.raises(ValueError, match="docx"):
        write_report(Study(()), tmp_path, ["csv", "docx"])
    assert not any(tmp_path.iterdir())
