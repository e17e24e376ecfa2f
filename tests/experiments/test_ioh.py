"""The export for IOHanalyzer and iohinspector: what is read back is what the store holds."""

import json
import re
import warnings
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from catcube.experiments import export, ioh
from catcube.experiments.campaign import run_campaign
from catcube.experiments.ioh import MARKER, write_ioh
from catcube.experiments.plan import Experiment, Plan
from catcube.experiments.store import Store
from catcube.experiments.trace import pack_trace
from catcube.problems import Sudoku
from catcube.problems.sudoku import Board, instances
from tests.experiments.sealed import forge

TINY = Board("1..4 ..1. .1.. 4..1")
NAMES = ("small-dimension-5-a", "small-dimension-9-b")
FIRST = Experiment(
    name="first",
    instances={name: instances.load(name) for name in NAMES},
    algorithms=("rls", "hc"),
    representations=("linear", "direct"),
    budget=150,
    runs=3,
    seed=3,
)
SECOND = replace(
    FIRST, name="int", instances={NAMES[0]: FIRST.instances[NAMES[0]], "tiny": TINY}, budget=90
)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "a.sqlite"
    run_campaign(Plan("test", (FIRST, SECOND)), path)
    return path


@pytest.fixture
def copy(path, tmp_path):
    """A store to be changed."""
    return copied(path, tmp_path / "copy.sqlite")


def copied(path, target, *statements):
    target.write_bytes(path.read_bytes())
    forge(target, *statements)
    return target


def exported(path, folder):
    with Store(path) as store:
        write_ioh(store, folder)
        return [
            SimpleNamespace(**vars(run), experiment=configuration.experiment)
            for index, configuration in enumerate(store.configurations())
            for run in store.runs_of(index)
        ]


def read(folder):
    """All that iohinspector finds in a folder; its doubts about a file are failures."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what importing pandas and seaborn says
        import iohinspector
    manager = iohinspector.DataManager()
    manager.add_folder(str(folder))
    return manager


def loaded(manager):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # polars finds map_elements slow
        return manager.load(monotonic=False, include_meta_data=True)


def files(folder):
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_every_run_comes_back(path, tmp_path):
    runs = exported(path, tmp_path / "out")
    overview = read(tmp_path / "out").overview
    columns = ("suite", "function_name", "algorithm_name", "run_id", "evals", "best_y")
    found = {tuple(row[name] for name in columns) for row in overview.rows(named=True)}
    assert found == {
        (
            *(run.experiment, run.instance, f"{run.algorithm} {run.representation}"),
            *(run.run, run.evaluations, run.value),
        )
        for run in runs
    }
    assert len(found) == overview.height == 48
    sizes = {
        (row["function_id"], row["function_name"], row["representation"], row["dimension"])
        for row in overview.rows(named=True)
    }
    assert {(2, NAMES[1], "linear", 9), (4, "tiny", "direct", 10)} <= sizes
    assert set(overview["bits"]) >= {9 * 15, 9 * 4, 10 * 3}
    assert set(overview["budget"]) == {150, 90}


def test_every_improvement_comes_back(path, tmp_path):
    runs = exported(path, tmp_path / "out")
    data = loaded(read(tmp_path / "out"))
    checked = 0
    for run in runs:
        rows = data.filter(
            (data["suite"] == run.experiment)
            & (data["function_name"] == run.instance)
            & (data["algorithm_name"] == f"{run.algorithm} {run.representation}")
            & (data["run_id"] == run.run)
        )
        evaluations, values = (part.tolist() for part in run.trace)
        if run.evaluations > evaluations[-1]:
            evaluations, values = [*evaluations, run.evaluations], [*values, run.value]
        assert rows["evaluations"].to_list() == evaluations
        assert rows["raw_y"].to_list() == values
        checked += rows.height
    assert checked == data.height


def test_any_float_comes_back_exactly(copy, tmp_path):
    values = np.array([1.7e308, 12345678901234567.0, 0.30000000000000004, 5e-324, -0.1, -1e300])
    evaluations = np.array([1, 2, 3, 10**9, 10**15, 2**53 - 1])
    update = "UPDATE run SET trace = ?, value = ?, evaluations_to_best = ?, evaluations = ?"
    trace = pack_trace(evaluations, values)
    forge(copy, (update, trace, values[-1], 2**53 - 1, 2**53 - 1))
    exported(copy, tmp_path / "out")
    data = loaded(read(tmp_path / "out"))
    for _, rows in data.group_by("data_id"):
        assert rows["raw_y"].to_list() == values.tolist()
        assert rows["evaluations"].to_list() == evaluations.tolist()
    assert data.height == 48 * 6


def test_the_files_are_those_of_the_format(path, tmp_path):
    exported(path, tmp_path / "out")
    assert len(files(tmp_path / "out")) == 1 + 4 * 4 * 2
    folder = tmp_path / "out" / "rls-linear"
    content = json.loads((folder / "IOHprofiler_f4_tiny.json").read_text())
    assert (content["suite"], content["function_name"], content["function_id"]) == (
        "int",
        "tiny",
        4,
    )
    assert {"representation": "'linear'"} in content["experiment_attributes"]
    assert "patience=" in content["algorithm"]["info"]
    (scenario,) = content["scenarios"]
    best = scenario["runs"][0]["best"]
    assert Sudoku(TINY).evaluate(np.array(best["x"])) == best["y"]
    text = (folder / scenario["path"]).read_text()
    assert re.fullmatch(r"(evaluations raw_y\n1 \d+\.0\n(\d+ \d+\.0\n)*){3}", text)
    assert "4: int, tiny" in (tmp_path / "out" / MARKER).read_text()


def test_names_cannot_leave_the_folder_or_be_run(path, tmp_path):
    evil = "__import__('pathlib').Path('evil').touch()"
    outside = "../../up/" + "x" * 300
    store = copied(path, tmp_path / "evil.sqlite", ("DELETE FROM run WHERE configuration > 3",))
    for row in range(4):
        instance, algorithm = [(outside, "../hc"), ("CON: *?\n", "..\\hc")][row // 2]
        forge(
            store,
            (
                "UPDATE configuration SET instance = ?1, experiment = ?2, algorithm = ?3, "
                "body = json_set(body, '$.instance', ?1, '$.experiment', ?2, '$.algorithm', ?3) "
                "WHERE id = ?4",
                *(instance, evil, algorithm, row),
            ),
        )
    before = {p.name for p in tmp_path.iterdir()}
    runs = exported(store, tmp_path / "out")
    assert {p.name for p in tmp_path.iterdir()} == before | {"out"}
    names = [part for name in files(tmp_path / "out") for part in name.split("/")]
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]{1,120}", name) for name in names)
    folders = [p.name for p in (tmp_path / "out").iterdir() if p.is_dir()]
    assert len({name.casefold() for name in folders}) == 4
    overview = read(tmp_path / "out").overview
    assert set(overview["suite"]) == {evil}
    assert set(overview["function_name"]) == {outside, "CON: *?\n"}
    assert overview.height == len(runs) == 12


def test_attributes_are_literals_whatever_a_representation_is_called(monkeypatch, copy, tmp_path):
    """iohinspector evaluates them: a name must come back as text, not as what it names."""
    for row, name in enumerate(["list", "quit()", 'it\'s "1"\\']):
        forge(
            copy,
            (
                "UPDATE configuration SET representation = ?, body = json_set(body, "
                "'$.representation', ?) WHERE id = ?",
                *(name, name, row),
            ),
        )
    monkeypatch.setattr(ioh, "dimensions_of", lambda _: export.Dimensions(n=9, N=9, bits=36))
    exported(copy, tmp_path / "out")
    found = set(read(tmp_path / "out").overview["representation"])
    assert found == {"list", "quit()", 'it\'s "1"\\', "linear", "direct"}


def test_an_earlier_export_is_replaced_and_nothing_else(path, copy, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    exported(path, out)
    forge(copy, ("DELETE FROM run WHERE configuration > 0",))
    exported(copy, out)
    assert len(files(out)) == 3
    (out / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match=r"out: .*other files"):
        exported(path, out)
    (out / "notes.txt").unlink()
    (out / MARKER).unlink()
    with pytest.raises(ValueError, match=r"out: .*other files"):
        exported(path, out)
    assert len(files(out)) == 2
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="file: expected a new or empty folder"):
        exported(path, tmp_path / "file")
    with pytest.raises(ValueError, match="none"):
        exported(path, tmp_path / "none" / "out")


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE run SET trace = x'00' WHERE configuration = 5", "rls, direct, run 1"),
        ("UPDATE run SET evaluations = 0 WHERE configuration = 5", "is damaged"),
        ("UPDATE run SET value = -1 WHERE configuration = 5", "is damaged"),
        ("DELETE FROM run", "copy.sqlite: .* finished runs"),
    ],
)
def test_a_whole_export_or_none(path, copy, tmp_path, statement, sentence):
    exported(path, tmp_path / "older")
    before = sorted(tmp_path.rglob("*"))
    forge(copy, (statement,))
    for folder in ("new", "older"):
        with pytest.raises(ValueError, match=sentence):
            exported(copy, tmp_path / folder)
    assert sorted(tmp_path.rglob("*")) == before


def test_problems_without_a_board(tmp_path):
    small = replace(FIRST, instances={"match:7,3,seed=2": None}, algorithms=("rls",), budget=20)
    large = replace(small, name="large", instances={"match:65536,2": None})
    run_campaign(Plan("test", (small,)), tmp_path / "a.sqlite")
    exported(tmp_path / "a.sqlite", tmp_path / "out")
    assert "rls-linear/IOHprofiler_f1_match_7_3_seed_2.json" in files(tmp_path / "out")
    (row,) = {row[4:7] for row in read(tmp_path / "out").overview.rows()}
    assert row == ("match:7,3,seed=2", 1, 7)
    run_campaign(Plan("test", (small, large)).scaled(runs=1), tmp_path / "b.sqlite")
    with pytest.raises(ValueError, match=r"match:65536,2: .* 65536"):
        exported(tmp_path / "b.sqlite", tmp_path / "out2")
