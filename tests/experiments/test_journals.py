"""Journals of SQLite beside a store: present, lost, or of another store."""

import os
import shutil

import pytest

from catcube.base.database import DatabaseError
from catcube.experiments.writer import Writer
from tests.experiments.damage_examples import PLAN, call, content
from tests.studies.analysis.analysis_stores import ORIGIN, finding


def killed(path, plan=PLAN):
    """A store as a killed process leaves it: with a journal that holds its runs."""
    writer = Writer(path, plan)
    session = writer.session(ORIGIN)
    writer.add(0, [finding(number, 3.0) for number in range(1, 6)], session)
    writer.flush()
    journal = path.with_name(f"{path.name}-wal")
    kept = {file: file.read_bytes() for file in (path, journal)}
    writer.close()
    for file, bytes_ in kept.items():
        file.write_bytes(bytes_)
    return path


def test_readers_leave_a_killed_campaign_as_it_is(tmp_path, capsys):
    path = killed(tmp_path / "a.sqlite")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    for command in ("status", "export"):
        code, out, _ = call(capsys, command, path)
        assert code == 0
        assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    assert out.count("\n") == 6


def test_a_store_whose_journal_is_there_or_lost(tmp_path):
    path = killed(tmp_path / "a.sqlite")
    wal = tmp_path / "a.sqlite-wal"
    assert wal.stat().st_size > 0
    assert len(content(path)[0]) == 5
    shutil.copy(path, tmp_path / "b.sqlite")  # as people copy stores: without it
    with pytest.raises(DatabaseError, match="not a catcube store"):
        content(tmp_path / "b.sqlite")
    with Writer(path, PLAN) as writer:
        assert writer.numbers(0) == {1, 2, 3, 4, 5}
    assert not wal.exists()
    assert len(content(path)[0]) == 5


@pytest.mark.parametrize("plan", [PLAN, PLAN.scaled(runs=5), PLAN.scaled(budget=9)])
def test_the_journal_of_another_store_gets_into_none(whole, tmp_path, plan, expected):
    """Somebody copies a store over one that was being written: its journal is still there."""
    other = killed(tmp_path / "b.sqlite", plan)
    path = tmp_path / "a.sqlite"
    shutil.copy(whole, path)
    shutil.copy(f"{other}-wal", f"{path}-wal")
    before = path.read_bytes()
    # SQLite takes the journal for the newer pages of this store: what is read is the other store,
    # as a whole, or refused.
    try:
        found = content(path)
    except DatabaseError:
        pass
    else:
        assert found in (expected, content(other))
    with pytest.raises(DatabaseError), Writer(path, PLAN.scaled(runs=7)):
        pytest.fail("taken for a store of this plan")
    assert path.read_bytes() == before
    os.remove(f"{path}-wal")
    assert content(path) == expected
