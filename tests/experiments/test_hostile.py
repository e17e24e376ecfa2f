"""Stores of strangers: opening one writes and deletes nothing, and ends soon, in little memory.

Each test does what an attack did.
"""

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from catcube.base.database import DatabaseError
from catcube.experiments.campaign import run_campaign
from catcube.experiments.check import drop, examine
from catcube.experiments.plan import Experiment, Plan
from catcube.experiments.store import Store
from catcube.experiments.writer import Writer
from catcube.problems import Match
from tests import untrusted_examples
from tests.experiments.damage_examples import PLAN, call, content
from tests.experiments.sealed import forge
from tests.studies.analysis.analysis_stores import ORIGIN

CONVERTERS = ("status", "check", "export", "report")
PLAN_FILE = untrusted_examples.PLAN.format(runs=2)


@pytest.fixture
def store(whole, tmp_path):
    path = tmp_path / "a.sqlite"
    shutil.copy(whole, path)
    return path


def everything(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def hot_journal(path, name):
    """The journal of a transaction under way, which names another file as its super-journal."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE run SET seconds = seconds + 1")
    journal = path.with_name(f"{path.name}-journal")
    kept = {file: file.read_bytes() for file in (path, journal)}
    connection.rollback()
    connection.close()
    page = (2**30 // 4096 + 1).to_bytes(4, "big")
    encoded = os.fsencode(name)
    tail = len(encoded).to_bytes(4, "big") + sum(encoded).to_bytes(4, "big")
    magic = bytes.fromhex("d9d505f920a163d7")
    for file, bytes_ in kept.items():
        file.write_bytes(bytes_)
    with journal.open("ab") as file:
        file.write(page + encoded + tail + magic)


def test_a_journal_deletes_no_file_that_it_names(store, tmp_path, capsys):
    thesis = tmp_path / "thesis.tex"
    thesis.write_text("mine")
    hot_journal(store, thesis)
    before = everything(tmp_path)
    for command in CONVERTERS:
        code, out, err = call(capsys, command, store)
        assert (code, out, err.count("\n")) == (2, "", 1), command
        assert everything(tmp_path) == before
    with pytest.raises(DatabaseError, match="journal"):
        Writer(store, PLAN)
    assert thesis.read_text() == "mine"
    plain = sqlite3.connect(store)  # what SQLite does
    plain.execute("SELECT COUNT(*) FROM run").fetchall()
    plain.close()
    assert not thesis.exists()


def test_the_journal_of_a_lock_deletes_nothing(store, tmp_path, whole):
    thesis, lock = tmp_path / "thesis.tex", tmp_path / "a.sqlite-lock"
    thesis.write_text("mine")
    shutil.copy(whole, lock)
    hot_journal(lock, thesis)
    with Writer(store, PLAN) as writer:
        assert len(writer.numbers(0)) == 25
    assert thesis.exists()


@pytest.mark.parametrize("suffix", ["-journal", "-wal"])
@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_what_is_no_journal_is_not_opened(store, tmp_path, suffix, kind):
    beside = tmp_path / f"a.sqlite{suffix}"
    if kind == "pipe":
        os.mkfifo(beside)
    else:
        beside.symlink_to("/etc/passwd")
    for opened in (Store, lambda path: Writer(path, PLAN)):
        with pytest.raises(DatabaseError, match=f"a.sqlite{suffix}"):
            opened(store)


def shared_pages(path, table="run", levels=12):
    """A tree whose inner pages have hundreds of children that are all the same page."""
    connection = sqlite3.connect(path)
    (root,) = connection.execute(
        "SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)
    ).fetchone()
    connection.close()
    data = bytearray(path.read_bytes())
    size, first = 4096, len(data) // 4096 + 1

    def inner(child, cells=400):
        body = b"".join(child.to_bytes(4, "big") + bytes([0x81, 0]) for _ in range(cells))
        start = size - len(body)
        pointers = b"".join((start + 6 * n).to_bytes(2, "big") for n in range(cells))
        header = bytes([5, 0, 0]) + cells.to_bytes(2, "big") + start.to_bytes(2, "big") + b"\0"
        header += child.to_bytes(4, "big")
        return header + pointers + bytes(start - len(header) - len(pointers)) + body

    leaf = bytes(data[size * (root - 1) : size * root])
    while leaf[0] == 5:  # the first leaf
        child = int.from_bytes(leaf[8:12], "big")
        leaf = bytes(data[size * (child - 1) : size * child])
    for level in range(levels):
        data += inner(first + level + 1)
    data += leaf
    data[size * (root - 1) : size * root] = inner(first)
    data[28:32] = (len(data) // size).to_bytes(4, "big")
    path.write_bytes(data)


@pytest.fixture
def little():
    """At most a gigabyte more memory, and a minute."""
    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + 2**30, before[1]))
    began = time.monotonic()
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)
    assert time.monotonic() - began < 60


@pytest.mark.parametrize("table", ["run", "configuration", "metadata", "session"])
def test_pages_that_are_shared_cost_no_memory(store, capsys, little, table):
    shared_pages(store, table)
    for command in CONVERTERS:
        code, _, err = call(capsys, command, store)
        assert code == 2 or (command == "check" and code == 1), command
        assert "Traceback" not in err


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE metadata SET value = '1000000000000000000' WHERE name = 'configurations'",
        "UPDATE metadata SET value = '9999999999999999999999' WHERE name = 'configurations'",
        "UPDATE configuration SET runs = 1000000000, body = json_set(body, '$.runs', 1000000000)",
    ],
)
def test_a_store_that_claims_far_too_much(store, capsys, little, statement):
    forge(store, (statement,))
    for command in (*CONVERTERS, "check --drop"):
        code, out, err = call(capsys, *command.split(), store)
        assert (code, out, err.count("\n")) == (2, "", 1), command
        assert "damaged" in err


def test_traces_that_unpack_to_gigabytes(store, tmp_path, capsys, little):
    bomb = zlib.compress(bytes(2**26), 9)
    forge(store, ("UPDATE run SET trace = ?", bomb))
    assert len(bomb) < 70_000
    for format_ in ("parquet", "ioh"):
        out = tmp_path / format_
        code, _, err = call(capsys, "export", store, "--format", format_, "--out", out)
        assert (code, err.count("\n")) == (2, 1)
        assert not out.exists()
    found = examine(store)
    assert found.intact == 0
    assert len(found.faults) == 200


# What `check` notices, and what --drop leaves to be computed again


@pytest.mark.parametrize(
    ("statement", "fault", "lost"),
    [
        ("DELETE FROM session", "its session is missing", 200),
        ("UPDATE run SET evaluations_to_best = 7 WHERE number = 3", "implausible", 8),
        ("UPDATE run SET seed = 5 WHERE number = 2", "seed", 8),
        ("UPDATE run SET trace = x'00' WHERE number = 1", "improvements", 8),
        ("UPDATE run SET point = x'0301' WHERE number = 1", "point", 8),
    ],
)
def test_check_names_what_no_campaign_writes(store, statement, fault, lost):
    forge(store, (statement,))
    found = examine(store)
    assert found.intact == 200 - lost
    assert all(fault in sentence for sentence in found.faults)
    assert drop(store) == 200 - lost
    assert examine(store)[1:] == (200 - lost, 0, [])


def test_what_is_damaged_is_dropped_and_computed_again(tmp_path, capsys):
    plan, path = tmp_path / "plan.toml", tmp_path / "plan.sqlite"
    plan.write_text(PLAN_FILE.replace("runs = 2", "runs = 300"))
    os.chdir(tmp_path)
    assert call(capsys, "campaign", plan)[0] == 0
    before = content(path)[0]
    data = path.read_bytes()
    broken = 4096 * (len(data) // 4096 - 3)
    path.write_bytes(data[:broken] + b"\xee" * 4096 + data[broken + 4096 :])
    assert call(capsys, "status", path)[0] == 2
    code, _, err = call(capsys, "check", path)
    assert (code, "--drop" in err) == (1, True)
    assert path.read_bytes()[broken] == 0xEE
    assert call(capsys, "check", path, "--drop")[0] == 0
    kept = content(path)[0]
    assert 0 < len(kept) < 300
    assert call(capsys, "campaign", plan)[0] == 0
    assert [(run.run, run.seed, run.value) for run in content(path)[0]] == [
        (run.run, run.seed, run.value) for run in before
    ]
    assert call(capsys, "check", path) == (
        0,
        f"{path}: the store is intact; 300 of 300 runs done\n",
        "",
    )


# One writer


def test_a_link_is_the_same_store(store, tmp_path):
    link, folder = tmp_path / "link.sqlite", tmp_path / "folder"
    link.symlink_to(store)
    folder.symlink_to(tmp_path)
    with Writer(store, PLAN):
        for other in (link, folder / "a.sqlite"):
            with pytest.raises(DatabaseError, match="another process is writing"):
                Writer(other, PLAN)
            with pytest.raises(DatabaseError, match="another process is writing"):
                drop(other)
    with Writer(link, PLAN), pytest.raises(DatabaseError, match="another process is writing"):
        Writer(store, PLAN)


def test_a_store_with_two_names_is_not_written(store, tmp_path):
    os.link(store, tmp_path / "hard.sqlite")
    with pytest.raises(DatabaseError, match="hard links"):
        Writer(store, PLAN)
    Store(tmp_path / "hard.sqlite").close()


def test_sessions_of_two_connections_have_different_numbers(store):
    """Even if the lock were of no use, as on some network disks."""
    with Writer(store, PLAN) as writer:
        other = sqlite3.connect(store, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO session SELECT 2, began, version, 'x', machine, 0 FROM session")
        asked = ThreadPoolExecutor(1).submit(other.execute, "COMMIT")
        assert writer.new_session(ORIGIN, 1.0) == 3
        asked.result()
        other.close()


# Names and places


def test_control_characters_in_names_of_files_are_escaped(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for command in ("campaign", "status", "check", "export", "report", "run", "solve"):
        code, out, err = call(capsys, command, "\x1b[2Ja\u202e.sqlite")
        assert (code, err.count("\n")) == (2, 1)
        assert not {"\x1b", "\u202e"} & set(out + err)
        assert "\\x1b" in err


@pytest.mark.parametrize("command", ["campaign", "solve", "run", "list", "status", "minimize"])
def test_a_pipe_is_refused(tmp_path, capsys, command):
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    argv = ("a:b", "--space", pipe) if command == "minimize" else (pipe,)
    code, _, err = call(capsys, command, *argv)
    assert (code, err.count("\n")) == (2, 1)


def test_nothing_in_the_current_folder_is_executed(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN_FILE)
    for name in ("numpy", "catcube", "pebble", "multiprocessing", "json"):
        (tmp_path / f"{name}.py").write_text("open('executed', 'w')\n")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "catcube", "campaign", "plan.toml", "--timeout", "20"],
        cwd=tmp_path,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "executed").exists()


def test_a_plan_of_many_problems_takes_little_memory(little, tmp_path):
    boards = {f"match:30,9,seed={number}": None for number in range(3000)}
    plan = Plan("many", (Experiment("many", boards, ("rls",), ("linear",), 10, 1),))
    assert len(plan.configurations()) == 3000
    with Writer(tmp_path / "many.sqlite", plan) as writer:  # a new file, which grows
        assert len(writer.configurations()) == 3000


def test_a_run_knows_its_best_point(tmp_path):
    path = tmp_path / "a.sqlite"
    run_campaign(
        Plan("mine", (Experiment("mine", {"match:9,4": None}, ("rls",), ("linear",), 50, 2),)), path
    )

    with Store(path) as found:
        for run in found.runs():
            assert Match(9, 4).evaluate(run.categories) == run.value
