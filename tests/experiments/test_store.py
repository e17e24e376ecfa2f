"""The store: exact round trips, and files that must be refused and left alone."""

import sqlite3
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube.base.database import DatabaseError
from catcube.experiments.origin import Origin
from catcube.experiments.plan_file import shipped_plan
from catcube.experiments.store import Store
from catcube.experiments.tables import VERSION
from catcube.experiments.trace import pack_trace, unpack_trace
from catcube.experiments.writer import WriteError, Writer
from catcube.search.result import Trace
from tests.studies.analysis.analysis_stores import finding as made_up

PLAN = shipped_plan("fixed-target").scaled(runs=3, instances=2)
ORIGIN = Origin("1.0", "abc", '{"cores": "2"}')
TRACE = Trace(np.array([1, 5]), np.array([4.0, 0.5]))
BEST = np.array([1, 0, 2])


def finding(number, **changes):
    numbers = {"seed": 2**63 - 1, "evaluations": 100 * number, "iterations": 2**62}
    made = {"evaluations_to_best": 5, "seconds": 1 / 3, "trace": TRACE, "categories": BEST}
    return replace(made_up(number, 0.1), **numbers | made | changes)


@given(st.lists(st.tuples(st.integers(0, 2**63 - 1), st.floats(width=64)), max_size=40))
def test_traces_come_back_bit_by_bit(pairs):
    evaluations = np.array([evaluation for evaluation, _ in pairs], np.int64)
    values = np.array([value for _, value in pairs], np.float64)
    again, same = unpack_trace(pack_trace(evaluations, values))
    assert (again.dtype, same.dtype) == (np.int64, np.float64)
    assert again.tolist() == evaluations.tolist()
    assert same.tobytes() == values.tobytes()  # NaN and -0.0 too


def test_runs_come_back_in_the_order_of_the_plan(tmp_path):
    path = tmp_path / "a b # ü ?mode=x.sqlite"
    with Writer(path, PLAN) as writer:
        session = writer.session(ORIGIN)
        writer.add(1, [finding(2), finding(1)], session)
        writer.add(0, [finding(3, value=float("inf"))], session)
        writer.add_failure(5, 1, "ValueError: no", session)
    with Store(path) as store:
        runs = list(store.runs())
        assert [(run.representation, run.run) for run in runs] == [
            ("linear", 3),
            ("direct", 1),
            ("direct", 2),
        ]
        assert runs[0].value == float("inf")
        names = ("seed", "value", "evaluations_to_best", "evaluations", "iterations", "seconds")
        for name in names:
            assert getattr(runs[1], name) == getattr(finding(1), name)
        assert runs[1].categories.tolist() == BEST.tolist()
        assert [array.tolist() for array in runs[1].trace] == [[1, 5], [4.0, 0.5]]
        assert store.configurations() == PLAN.configurations()
        assert store.metadata["plan"] == "fixed-target"
        assert [failure[-2:] for failure in store.failures()] == [(1, "ValueError: no")]
        assert list(store.runs("other")) == []
        assert (store.numbers(1), store.counts()[1], store.counts()[9]) == ({1, 2}, 2, 0)
    assert sorted(path.name for path in tmp_path.iterdir()) == [path.name, f"{path.name}-lock"]


def test_a_run_is_kept_once_and_replaces_its_failure(tmp_path):
    path = tmp_path / "a.sqlite"
    with Writer(path, PLAN) as writer:
        writer.add_failure(0, 1, "once", writer.session(ORIGIN))
        writer.add_failure(0, 1, "twice", writer.session(ORIGIN))
        writer.flush()
        assert [failure[-1] for failure in writer.failures()] == ["twice"]
        writer.add(0, [finding(1, value=1.0)], 1)
        writer.add(0, [finding(1, value=2.0)], 1)
    with Store(path) as store:
        assert [run.value for run in store.runs()] == [1.0]
        assert store.failures() == []


def test_what_was_added_can_soon_be_read_by_others(tmp_path):
    path = tmp_path / "a.sqlite"
    with Writer(path, PLAN, interval=1e9, max_waiting=3) as writer, Store(path) as store:
        session = writer.session(ORIGIN)
        writer.add(0, [finding(1), finding(2)], session)
        assert store.counts()[0] == 0
        writer.add(0, [finding(3)], session)
        assert store.counts()[0] == 3
    with Writer(path, PLAN, interval=0) as writer, Store(path) as store:
        writer.add(1, [finding(1)], session)
        assert store.counts()[1] == 1


def test_a_reader_cannot_write(tmp_path):
    Writer(tmp_path / "a.sqlite", PLAN).close()
    with Store(tmp_path / "a.sqlite") as store, pytest.raises(sqlite3.OperationalError):
        store.connection.execute("DELETE FROM configuration")


def test_a_full_disk_loses_only_what_waits(tmp_path):
    path = tmp_path / "a.sqlite"
    writer = Writer(path, PLAN)
    session = writer.session(ORIGIN)
    writer.add(0, [finding(1)], session)
    writer.flush()
    (pages,) = writer.query("PRAGMA page_count")[0]
    writer.query(f"PRAGMA max_page_count = {pages}")
    writer.add(0, [finding(number, categories=np.arange(9999)) for number in (2, 3)], session)
    with pytest.raises(WriteError, match=r"a\.sqlite: the store cannot be written \(.*full\)"):
        writer.close()
    with Writer(path, PLAN) as again:
        assert again.numbers(0) == {1}


HOLDER = """
import sys
from pathlib import Path
from catcube.base.database import Lock
lock = Lock(Path(sys.argv[1]))
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_lock_dies_with_its_process(tmp_path):
    path = tmp_path / "a.sqlite"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout.readline() == b"locked\n"
        with pytest.raises(DatabaseError, match="another process is writing this store"):
            Writer(path, PLAN)
        holder.kill()
        holder.wait()
        Writer(path, PLAN).close()


def refused(path, sentence):
    """Neither reading nor writing is possible, and the file stays as it is."""
    before = path.read_bytes()
    with pytest.raises(DatabaseError, match=sentence):
        Store(path)
    with pytest.raises(DatabaseError, match=sentence):
        Writer(path, PLAN)
    assert path.read_bytes() == before


def test_files_that_are_no_stores(tmp_path):
    path = tmp_path / "a.sqlite"
    path.write_bytes(b"instance,algorithm\n" * 100)
    refused(path, "not a file of catcube")
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    refused(path, "not a catcube store")
    with pytest.raises(DatabaseError, match="no such file"):
        Store(tmp_path / "none.sqlite")
    with pytest.raises(DatabaseError, match="a folder"):
        Writer(tmp_path, PLAN)
    with pytest.raises(DatabaseError, match=r"cannot be opened \(no such file or directory\)"):
        Writer(tmp_path / "no" / "folder.sqlite", PLAN)


@pytest.mark.parametrize(("version", "age"), [(VERSION + 1, "a newer"), (VERSION - 1, "an older")])
def test_a_store_of_another_format(tmp_path, version, age):
    path = tmp_path / "a.sqlite"
    Writer(path, PLAN).close()
    other = sqlite3.connect(path)
    other.execute(f"PRAGMA user_version = {version}")
    other.close()
    refused(
        path, f"expected the format {VERSION}, got {version}: the store was made by {age} catcube"
    )


def test_a_session_for_each_origin(tmp_path):
    other = ORIGIN._replace(machine='{"cores": "64"}')
    with Writer(tmp_path / "a.sqlite", PLAN) as writer:
        numbers = [writer.session(origin) for origin in (ORIGIN, other, ORIGIN)]
    assert numbers == [1, 2, 1]
    with Store(tmp_path / "a.sqlite") as store:
        rows = store.query("SELECT version, sources, machine FROM session ORDER BY id")
    assert rows == [ORIGIN, other]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"runs": 2}, "runs: 3 stored, 2 planned"),
        ({"budget": 7}, "budget: 1000000 stored, 7 planned"),
        ({"instances": 1}, "44 configurations stored, 22 planned"),
    ],
)
def test_another_plan_is_refused(tmp_path, changes, sentence):
    path = tmp_path / "a.sqlite"
    Writer(path, PLAN).close()
    before = path.read_bytes()
    with pytest.raises(DatabaseError, match=f"the store holds another plan .*{sentence}"):
        Writer(path, PLAN.scaled(**changes))
    assert path.read_bytes() == before


def test_a_store_that_was_only_begun_is_made_whole(tmp_path):
    path = tmp_path / "a.sqlite"
    path.touch()
    begun = sqlite3.connect(path)
    begun.execute("PRAGMA journal_mode = WAL")  # what a process killed early leaves
    begun.close()
    Writer(path, PLAN).close()
    with Store(path) as store:
        assert len(store.configurations()) == len(PLAN.configurations())
