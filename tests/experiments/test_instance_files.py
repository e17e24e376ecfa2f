"""Instances from files: configurations and stores keep them whole, so that workers need none."""

import sqlite3

import pytest

from catcube.base.database import DatabaseError
from catcube.cli import main as cli
from catcube.experiments.check import drop
from catcube.experiments.origin import origin, origin_of
from catcube.experiments.plan_file import read_plan
from catcube.experiments.store import DamageError, Store
from catcube.experiments.worker import Task, run_task
from catcube.experiments.writer import Writer
from catcube.problems.instances import InstanceFiles, build_problem, content_hash
from catcube.problems.scanner import TextFile

TRIANGLE = "p edge 3 3\ne 1 2\ne 1 3\ne 2 3\n"
PLAN = """
[[experiment]]
instances = ["colouring:graphs/triangle.col,2", "onemax:5,3", "board.txt"]
algorithms = ["rls", "sa"]
representations = ["linear", "direct"]
budget = 50
runs = 2
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A plan and its files, in a folder that is not the working one."""
    (tmp_path / "plans" / "graphs").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "plans" / "graphs" / "triangle.col").write_text(TRIANGLE)
    (tmp_path / "plans" / "board.txt").write_text("12..34122143432.")
    (tmp_path / "plans" / "mine.toml").write_text(PLAN)
    monkeypatch.chdir(tmp_path / "elsewhere")
    return tmp_path / "plans"


def test_files_are_relative_to_the_plan_and_kept_in_configurations(folder):
    configurations = read_plan(folder / "mine.toml").configurations()
    configuration = configurations[0]
    assert configuration.instance == "colouring:graphs/triangle.col,2"
    assert InstanceFiles.parse(configuration.content) == (
        TextFile("graphs/triangle.col", TRIANGLE),
    )
    assert origin_of(configuration) == origin()
    digest = configuration.digest
    (folder / "graphs" / "triangle.col").write_text("p edge 3 1\ne 1 2")
    assert read_plan(folder / "mine.toml").configurations()[0].digest != digest


def test_a_task_needs_no_file(folder):
    configuration = read_plan(folder / "mine.toml").configurations()[0]
    (folder / "graphs" / "triangle.col").unlink()
    runs = run_task(Task(0, configuration, (1, 2))).runs
    assert [run.value for run in runs] == [1.0, 1.0]


def test_a_store_keeps_each_content_once(folder, tmp_path):
    plan = read_plan(folder / "mine.toml")
    with Writer(tmp_path / "mine.sqlite", plan):
        pass
    with Store(tmp_path / "mine.sqlite") as store:
        assert store.configurations() == plan.configurations()
        kept = [digest for name, digest in store.metadata.items() if name.startswith("sha256:")]
        assert kept == [plan.configurations()[0].content]
        assert "sha256:" + content_hash(kept[0]) in store.metadata
        assert store.query("SELECT COUNT(*) FROM configuration WHERE body LIKE '%e 1 2%'") == [(0,)]
    assert drop(tmp_path / "mine.sqlite") == 0
    with Store(tmp_path / "mine.sqlite") as store:
        assert store.configurations() == plan.configurations()


def test_a_missing_file_is_named(folder, capsys):
    (folder / "graphs" / "triangle.col").unlink()
    assert cli.main(["campaign", str(folder / "mine.toml")]) == 2
    assert "triangle.col': no such file or directory" in capsys.readouterr().err
    assert not list(folder.parent.rglob("*.sqlite"))


def test_a_file_that_has_changed_is_another_plan(folder, tmp_path):
    with Writer(tmp_path / "mine.sqlite", read_plan(folder / "mine.toml")):
        pass
    (folder / "graphs" / "triangle.col").write_text("p edge 3 1\ne 1 2")
    with pytest.raises(DatabaseError, match=r"holds another plan .*content: of other"):
        Writer(tmp_path / "mine.sqlite", read_plan(folder / "mine.toml"))


def test_damaged_content_is_refused(folder, tmp_path):
    path = tmp_path / "mine.sqlite"
    with Writer(path, read_plan(folder / "mine.toml")):
        pass
    connection = sqlite3.connect(path)
    connection.execute("UPDATE metadata SET value = value || ' ' WHERE name LIKE 'sha256:%'")
    connection.commit()
    connection.close()
    with pytest.raises(DamageError, match="the record of the campaign"):
        Store(path)


def test_a_stored_name_reads_no_file_from_disk(folder):
    with pytest.raises(ValueError, match="expected the file 'graphs/triangle"):
        build_problem("", "colouring:graphs/triangle.col,2")
