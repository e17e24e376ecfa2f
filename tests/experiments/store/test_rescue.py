"""Rescue: what `check` says of a store, and what `--rescue` copies."""

import random
import shutil
import sqlite3
from dataclasses import replace

import pytest

from catcube.experiments.plan import Plan
from catcube.experiments.store.rescue import rescue
from catcube.experiments.store.store import Store
from catcube.experiments.store.writer import Writer
from tests.experiments.store.damage_examples import PLAN, call, content, made
from tests.experiments.store.sealed import seal
from tests.studies.analysis.analysis_stores import experiment, write


def test_check_of_an_intact_store(whole, capsys):
    answer = f"{whole}: the store is intact; 200 of 240 runs are done, 2 failed\n"
    assert call(capsys, "check", whole) == (0, answer, "")


def test_intact_runs_are_rescued_and_the_campaign_resumes(whole, tmp_path, capsys, expected):
    path, new = tmp_path / "a.sqlite", tmp_path / "new.sqlite"
    original = whole.read_bytes()
    tables = dict(pages(whole))
    broken = tables["run"][2]  # one of the pages with runs
    path.write_bytes(original[: 4096 * broken] + b"\xee" * 4096 + original[4096 * (broken + 1) :])
    code, out, err = call(capsys, "check", path)
    assert code == 1
    assert out.startswith(f"{path}: the store is damaged; ")
    assert "catcube: damaged: mine, " in err
    assert f"catcube check {path} --rescue NEW copies the intact runs into a new store" in err
    code, out, _ = call(capsys, "check", path, "--rescue", new)
    assert code == 1
    runs = content(new)[0]
    assert out.splitlines()[-1] == f"{new}: {len(runs)} of 240 runs rescued"
    assert 100 < len(runs) < 200
    everything = {run[:5]: run for run in expected[0]}
    assert all(everything[run[:5]] == run for run in runs)
    assert content(new)[3] == expected[3]  # the sessions
    assert call(capsys, "check", new)[0] == 0
    with Writer(new, PLAN) as writer:
        assert sum(writer.counts().values()) == len(runs)
    code, _, err = call(capsys, "check", path, "--rescue", new)
    assert (code, err) == (2, f"catcube: {new}: the file exists; name a new one\n")


def test_a_flipped_bit_in_the_definitions_of_the_tables_costs_no_run(whole, tmp_path, capsys):
    """They fill most of the first page, without which SQLite reads nothing."""
    original = whole.read_bytes()
    begin = int.from_bytes(original[105:107], "big")  # where the rows of the page begin
    draw = random.Random(1)
    path, new = tmp_path / "a.sqlite", tmp_path / "new.sqlite"
    for offset in [draw.randrange(begin, 4096) for _ in range(40)]:
        path.write_bytes(original)
        flipped(path, offset, draw.randrange(8))
        code, out, err = call(capsys, "check", path, "--rescue", new)
        if code:  # else the bit is one that SQLite does not read
            assert (code, err.count("catcube: damaged: ")) == (1, 1)
            assert f"{path}: the store is damaged; 200 runs are intact" in out
            assert f"{new}: 200 of 240 runs rescued" in out
            changed = path.read_bytes()
            assert sum(a != b for a, b in zip(changed, original, strict=True)) == 1
        else:
            assert "the store is intact" in out
        new.unlink()


def flipped(path, offset, bit):
    content = bytearray(path.read_bytes())
    content[offset] ^= 1 << bit
    path.write_bytes(content)


def bodies(path, table="configuration"):
    """The bytes of the leaves of a table that hold rows: their offsets in the file."""
    content = path.read_bytes()
    for page in dict(pages(path))[table]:
        begin = int.from_bytes(content[4096 * page + 5 : 4096 * page + 7], "big") or 4096
        yield from range(4096 * page + begin, 4096 * (page + 1))


def without(configuration, runs):
    return [run for run in runs if (run.instance, *run[2:4]) != configuration]


def test_a_flipped_bit_in_a_configuration_costs_no_run_at_all(whole, tmp_path, expected):
    """With the plan all runs are rescued, without it those of the other configurations at least."""
    draw = random.Random(5)
    alone = []
    for offset in draw.sample(list(bodies(whole)), 60):
        path, new = tmp_path / f"{offset}.sqlite", tmp_path / f"{offset}-new.sqlite"
        shutil.copy(whole, path)
        flipped(path, offset, draw.randrange(8))
        with Store(path) as store:
            assert rescue(store, new, PLAN.configurations()) == len(expected[0])
            alone.append(rescue(store, tmp_path / f"{offset}-alone.sqlite"))
        assert content(new)[0] == expected[0]
        assert content(new)[2] == expected[2]
    # Put together from the others, too: eight configurations are all combinations of their parts.
    assert alone.count(len(expected[0])) >= 0.9 * len(alone)
    assert min(alone) >= len(expected[0]) * 7 // 8


def test_a_lost_configuration_is_reported_and_the_others_are_rescued(tmp_path, capsys):
    path, new = tmp_path / "a.sqlite", tmp_path / "new.sqlite"
    experiments = [
        experiment("one", ("a",), ("rls",), representations=("linear",), runs=3),
        experiment("two", ("a", "b"), ("sa",), representations=("linear",), runs=3),
    ]
    write(path, experiments, made)
    connection = sqlite3.connect(path)
    with connection:  # the only configuration of its experiment
        connection.execute("UPDATE configuration SET body = replace(body, 'rls', 'rlt') WHERE id=0")
    connection.close()
    code, out, err = call(capsys, "check", path, "--rescue", new)
    assert code == 1
    assert out.splitlines()[-1] == f"{new}: 6 of 6 runs rescued"
    assert "damaged: row 1 of the table of configurations" in err
    assert "1 of 3 configurations are lost, and their runs with them; --plan PLAN recovers" in err
    assert [configuration.experiment for configuration in content(new)[2]] == ["two", "two"]
    assert {run[0] for run in content(new)[0]} == {"two"}
    with Store(path) as store:
        plan = Plan("test", tuple(experiments)).configurations()
        assert rescue(store, tmp_path / "all.sqlite", plan) == 9
        # Not the plan of this store.
        other = [replace(configuration, seed=7) for configuration in plan]
        assert rescue(store, tmp_path / "some.sqlite", other) == 6


def pages(path):
    """Tables and the numbers of their leaves, from 0."""
    connection = sqlite3.connect(path)
    try:
        found = {}
        try:
            rows = connection.execute(
                "SELECT name, pageno - 1 FROM dbstat WHERE pagetype = 'leaf' ORDER BY pageno"
            ).fetchall()
        except sqlite3.OperationalError:
            pytest.skip("this SQLite does not tell of its pages")
        for name, page in rows:
            found.setdefault(name, []).append(page)
        return found.items()
    finally:
        connection.close()


def test_a_run_whose_session_is_lost_is_rescued_all_the_same(whole, tmp_path, capsys, expected):
    path, new = tmp_path / "a.sqlite", tmp_path / "new.sqlite"
    shutil.copy(whole, path)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("UPDATE session SET machine = 'x'")
    connection.close()
    assert call(capsys, "check", path, "--rescue", new)[0] == 1
    assert content(new)[0] == expected[0]
    code, out, _ = call(capsys, "status", new)
    assert code == 0
    assert "catcube unknown, sources unknown, 200 runs" in out


def test_a_changed_row_with_a_right_checksum_is_what_nobody_can_tell(whole, tmp_path):
    """The limit of all this: whoever can compute checksums can write what they like."""
    path = tmp_path / "a.sqlite"
    shutil.copy(whole, path)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("UPDATE run SET value = 5 WHERE configuration = 0 AND number = 1")
    connection.close()
    seal(path)
    assert content(path)[0][0].value == 5
