"""The study file: what it keeps, who may open it, and what processes on it see of each other."""

import csv
import io
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from enum import Enum
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas
import pytest

import catcube
from catcube import CatcubeError, Space, Study
from catcube.problems.objective import RunsElsewhere
from catcube.search.session import Session

SPACE = Space({"base": "ATCG", "digit": range(1, 6), "flag": [True, False]})
POINTS = [
    {"base": "A", "digit": 1, "flag": True},
    {"base": "G", "digit": 5, "flag": False},
    {"base": "T", "digit": 2, "flag": True},
]
SETTINGS = {"algorithm": "rls", "seed": 1}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


def test_added_points_are_kept(path):
    study = Study(path, SPACE)
    assert study.best is None
    assert len(study) == 0
    assert not path.exists()
    assert study.add(POINTS, [3.0, 1.5, float("nan")]) == 3
    again = Study(path)
    assert again.space == SPACE
    assert again.direction == "minimize"
    assert again.best.x == POINTS[1]
    assert again.best.value == again.best.fun == 1.5
    assert again.counts() == {"value": 2, "failed": 1, "infeasible": 0, "running": 0}
    points, values = again.data()
    assert points == POINTS
    assert values[:2].tolist() == [3.0, 1.5]
    assert np.isnan(values[2])
    assert study.add(POINTS[:2], [3.0, 2.5]) == 1  # the first is known, the second a new value
    assert "best 1.5" in repr(study)


def test_larger_is_better(path):
    study = Study(path, SPACE, maximize=True)
    study.add(POINTS[:2], [3.0, 1.5])
    assert Study(path).best.value == 3.0
    with pytest.raises(CatcubeError, match="maximize"):
        Study(path, maximize=False)


def test_a_study_that_a_search_creates_has_its_direction(path):
    study = Study(path, SPACE)
    catcube.maximize(lambda point: point["digit"], SPACE, budget=20, seed=1, study=study)
    assert study.best.value == max(row.value for row in study.rows) == 5
    assert study.direction == "maximize"


def test_tables(path):
    frame = pandas.DataFrame(POINTS).assign(loss=[2, 1, None], note="before")
    study = Study(path, SPACE)
    assert study.add(frame, "loss") == 3
    found = study.to_pandas()
    assert found[list(SPACE)].to_dict("records") == POINTS
    assert found["state"].tolist() == ["value", "value", "failed"]
    text = io.StringIO()
    study.to_csv(text)
    rows = list(csv.DictReader(io.StringIO(text.getvalue())))
    assert [row["value"] for row in rows] == ["2.0", "1.0", ""]
    assert rows[1]["digit"] == "5"
    other = Study(path.with_name("copy.sqlite"), SPACE)
    assert other.add(found) == 3
    assert other.best.x == study.best.x
    with pytest.raises(CatcubeError, match="'loss'"):
        other.add(found, "loss")
    for values in ([1.0], ["many"] * 3, None):
        with pytest.raises(CatcubeError):
            other.add(POINTS, values)
    with pytest.raises(CatcubeError, match="'base'"):
        other.add([{**POINTS[0], "base": "U"}], [1.0])


def test_variables_named_as_columns_of_the_study(path):
    study = Study(path, {"value": [1, 2], "state": "ab"})
    study.add(pandas.DataFrame({"value": [1, 2], "state": ["a", "b"], "value_": [0.5, 0.25]}))
    frame = study.to_pandas()
    assert frame["value"].tolist() == [1, 2]
    assert frame["value_"].tolist() == [0.5, 0.25]


class Size(Enum):
    SMALL = 1
    LARGE = 2


class Plain:
    pass


ODD = Space({"size": Size, "pair": [(1, 2), Fraction(1, 3), float("inf"), Plain()]})


def test_labels_that_json_cannot_hold(path):
    study = Study(path, ODD)
    plain = ODD["pair"][3]
    study.add([{"size": Size.LARGE, "pair": plain}, {"size": Size.SMALL, "pair": (1, 2)}], [1, 2])
    mine = Study(path, Space({"size": Size, "pair": [(1, 2), Fraction(1, 3), float("inf"), plain]}))
    assert mine.best.x == {"size": Size.LARGE, "pair": plain}
    text = Study(path)
    assert text.best.x["size"] == repr(Size.LARGE)
    assert "Plain" in text.best.x["pair"]
    stored = sqlite3.connect(path).execute("SELECT point, categories FROM point").fetchall()
    assert json.loads(stored[1][0])["pair"] == {"index": 0, "repr": "(1, 2)"}
    assert json.loads(stored[0][1]) == [1, 3]


def test_numbers_of_numpy_are_numbers(path):
    grid = np.geomspace(1e-4, 1e-1, 20)
    Study(path, {"rate": grid}).add([{"rate": grid[3]}], [1.0])
    assert Study(path).best.x["rate"] == grid[3]
    assert Study(path, {"rate": grid}).best.x["rate"] == grid[3]


@pytest.mark.parametrize(
    "other",
    [{"base": "ATCG"}, {**SPACE, "digit": range(5)}, {**SPACE, "more": "ab"}],
    ids=["fewer", "labels", "more"],
)
def test_another_space_is_refused(path, other):
    Study(path, SPACE).add(POINTS, [1, 2, 3])
    with pytest.raises(CatcubeError, match=r"digit|more|flag"):
        Study(path, other)


def test_no_file(path):
    with pytest.raises(CatcubeError, match="no such study"):
        Study(path)
    assert not path.exists()


# Foreign and damaged files.


@pytest.mark.parametrize(
    ("statement", "foreign"),
    [
        ("PRAGMA journal_mode = WAL", True),
        ("CREATE TABLE study (name, value)", True),
        ("CREATE TRIGGER t AFTER INSERT ON point BEGIN DELETE FROM point; END", False),
        ("PRAGMA user_version = 99", False),
        ("", True),  # a text
        ("", False),  # truncated
    ],
)
def test_a_foreign_or_damaged_file_stays_untouched(path, statement, foreign):
    if not foreign:
        Study(path, SPACE).add(POINTS, [1, 2, 3])
    if statement:
        connection = sqlite3.connect(path)
        connection.execute(statement)
        connection.execute("CREATE TABLE IF NOT EXISTS point (id)")
        connection.commit()
        connection.close()
    elif foreign:
        path.write_text("point,value\n1,2\n")
    else:
        os.truncate(path, path.stat().st_size // 2)
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    for attempt in (
        lambda: Study(path),
        lambda: Study(path, SPACE),
        lambda: Study(path, SPACE).add(POINTS, [1, 2, 3]),
    ):
        with pytest.raises(CatcubeError, match=r"study\.sqlite"):
            attempt()
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


@pytest.mark.parametrize(
    "damage",
    [
        "point SET categories = '[9, 0, 0]'",
        "point SET categories = '[1'",
        "point SET value = 'much'",
        "study SET value = '[1, 2]' WHERE name = 'space'",
        "run SET settings = '[1]'",
        "run SET settings = '{'",
    ],
)
def test_damaged_rows_are_named(path, damage):
    catcube.minimize(lambda point: point["digit"], SPACE, budget=5, study=path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE {damage}")
    before = path.read_bytes()
    with pytest.raises(CatcubeError, match=r"study\.sqlite: the file is damaged"):
        _ = Study(path).rows, Study(path).runs
    with pytest.raises(CatcubeError, match=r"study\.sqlite: "):
        catcube.minimize(lambda point: point["digit"], SPACE, budget=9, study=path)
    assert path.read_bytes() == before


def test_folders_and_pipes_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(CatcubeError, match="expected a file"):
            Study(path, SPACE)


def test_random_damage_is_noticed_or_harmless(path):
    study = Study(path, SPACE)
    study.add([SPACE.decode([k % 4, k % 5, k % 2]) for k in range(20)], range(20))
    study.close()
    whole, draw = path.read_bytes(), random.Random(1)
    for _ in range(150):
        damaged = bytearray(whole)
        for _ in range(draw.choice([1, 20, 400])):
            damaged[draw.randrange(len(damaged))] = draw.randrange(256)
        path.write_bytes(damaged)
        with suppress(CatcubeError):
            _ = Study(path).rows, Study(path).best, Study(path).runs
        assert path.read_bytes() == damaged


HANG = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")  # so that pages are written before the end
connection.execute("BEGIN IMMEDIATE")
for k in range(2000):
    connection.execute("UPDATE point SET message = ? WHERE id = 1", ("x" * 40 * k,))
    connection.execute("INSERT INTO point (point, categories, state, began) VALUES "
                       "('{}', '[0,0,0]', 'running', 0)")
print("written", flush=True)
time.sleep(60)
"""


@pytest.fixture
def interrupted(path):
    """A study whose last writer was killed in a transaction."""
    Study(path, SPACE).add(POINTS, [3, 1, 2])
    writer = subprocess.Popen([sys.executable, "-c", HANG, path], stdout=subprocess.PIPE)
    writer.stdout.readline()
    writer.kill()
    writer.wait()
    writer.stdout.close()
    journal = Path(f"{path}-journal")
    assert journal.stat().st_size > 0
    return path, journal


def test_a_reader_does_not_recover_a_file(interrupted):
    path, journal = interrupted
    before = path.read_bytes(), journal.read_bytes()
    assert len(Study(path)) == 3
    assert Study(path).best.value == 1
    assert (path.read_bytes(), journal.read_bytes()) == before
    assert Study(path).add(POINTS[:1], [9.0]) == 1  # a writer does
    assert len(Study(path)) == 4
    assert not journal.exists()


def test_a_journal_cannot_name_a_file_to_delete(interrupted):
    path, journal = interrupted
    victim = path.with_name("thesis.tex")
    victim.write_text("years of work")
    name = os.fsencode(victim)
    checksum = sum(name).to_bytes(4, "big")
    tail = (2**30 // 4096 + 1).to_bytes(4, "big") + name + len(name).to_bytes(4, "big")
    magic = bytes.fromhex("d9d505f920a163d7")
    journal.write_bytes(journal.read_bytes() + tail + checksum + magic)
    before = path.read_bytes()
    for attempt in (lambda: Study(path), lambda: Study(path, SPACE).add(POINTS, [1, 2, 3])):
        with pytest.raises(CatcubeError, match="journal"):
            attempt()
    assert victim.exists()
    assert path.read_bytes() == before


# Sessions: one run, several runs, several processes.


def evaluate(session, categories, value):
    assert session.begin(categories) is None
    session.end(categories, "value" if value == value else "failed", value)


def test_a_run_that_goes_another_way_takes_its_points_as_data(path):
    study = Study(path, SPACE)
    with closing(Session(study, SETTINGS)) as session:
        evaluate(session, [0, 0, 0], 4.0)
        evaluate(session, [1, 0, 0], 5.0)
    with closing(Session(study, SETTINGS)) as session:
        session.mark_replayed([0, 0, 0])
        for k in range(5):
            evaluate(session, [3, k, 1], 1.0)
        assert session.updates() == ([([1, 0, 0], 5.0)], [])


def test_an_empty_file_becomes_a_study(path):
    path.touch()
    with pytest.raises(CatcubeError, match="no such study"):
        Study(path)
    assert Study(path, SPACE).add(POINTS, [1, 2, 3]) == 3
    assert [file.name for file in path.parent.iterdir()] == [path.name]


BESIDE = """
import sys
from catcube import Study
from catcube.search.session import Session
session = Session(Study(sys.argv[1]), {"algorithm": "sa"})
assert session.begin([3, 3, 1]) is None
print(1, flush=True)
command = sys.stdin.readline()
session.end([3, 3, 1], "value", 0.5)
session.close()
"""


def _beside(path):
    process = subprocess.Popen(
        [sys.executable, "-c", BESIDE, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert int(process.stdout.readline()) > 0
    return process


@pytest.fixture
def beside(path):
    Study(path, SPACE).add(POINTS, [1, 2, 3])
    with _beside(path) as process:
        yield process
        process.kill()


def test_points_of_a_living_process_are_pending(path, beside):
    with closing(Session(Study(path), SETTINGS)) as session:
        assert session.updates()[1] == [[3, 3, 1]]
        with pytest.raises(RunsElsewhere):
            session.begin([3, 3, 1])
        beside.communicate("end\n")
        assert session.begin([3, 3, 1]) == 0.5


def test_points_of_a_dead_process_are_released(path, beside):
    beside.send_signal(signal.SIGKILL)
    beside.wait()
    assert Study(path).counts()["running"] == 1  # a reader changes nothing
    with closing(Session(Study(path), SETTINGS)) as session:
        assert session.updates()[1] == []
        assert session.begin([3, 3, 1]) is None
    assert Study(path).counts()["running"] == 0


def test_a_copy_is_a_study(path, tmp_path):
    Study(path, SPACE).add(POINTS, [1, 2, 3])
    shutil.copy(path, tmp_path / "copy.sqlite")
    (tmp_path / "link.sqlite").symlink_to(path)
    assert Study(tmp_path / "copy.sqlite").best == Study(path).best
    assert Study(tmp_path / "link.sqlite", SPACE).add(POINTS, [1, 2, 0]) == 1
    assert Study(path).best.value == 0
    assert len(Study(path)) == 4


def test_model_and_plot(path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    study = Study(path, SPACE)
    points = [SPACE.decode([k % 4, k % 5, k % 2]) for k in range(20)]
    study.add(points, [10 * point["digit"] + point["flag"] for point in points])
    importance = study.model().importance()
    assert max(importance, key=lambda name: importance[name].share) == "digit"
    assert study.model().predict(points[3])[0] == pytest.approx(40, abs=5)
    axes = study.plot()
    assert axes.get_ylabel() == "value"
    matplotlib.pyplot.close(axes.figure)
