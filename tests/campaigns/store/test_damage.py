"""Damaged stores: every command says so, or tells the truth; no row is ever wrong quietly."""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import replace

import pytest

from catcube.campaigns.plan import Plan
from catcube.campaigns.store.errors import DamageError, StoreError
from catcube.campaigns.store.rescue import rescue
from catcube.campaigns.store.store import Store
from catcube.campaigns.store.writer import Writer
from catcube.cli import main as cli
from tests.analysis.analysis_stores import ORIGIN, experiment, finding, write
from tests.campaigns.store.sealed import seal

EXPERIMENT = experiment(algorithms=("rls", "sa"), runs=30)
PLAN = Plan("test", (EXPERIMENT,))


def made(configuration, number):
    """All but the last five runs of each configuration, with other values."""
    level = len(configuration.instance + configuration.algorithm) * 7 + number
    return finding(number, level + 1 / 3, 20 + level) if number < 26 else None


def call(capsys, *argv):
    code = cli.main([str(argument) for argument in argv])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "a.sqlite"
    return write(path, [EXPERIMENT], made, failed=[(1, 26), (2, 30)])


def content(path):
    """All that can be read from a store."""
    with Store(path) as store:
        return (
            list(store.runs()),
            [(number, rows.tolist(), traces) for number, rows, traces in store.parts()],
            store.configurations(),
            store.sessions(),
            sorted(store.tallies()),
            store.failures(),
            store.metadata,
        )


def reaction(path, expected):
    """What becomes of a changed store: 'refused' in words, or 'right'; anything else is a fault."""
    try:
        found = content(path)
    except StoreError as error:
        sentence = str(error)
    else:
        assert found == expected
        return "right"
    assert sentence.startswith(f"{path}: ")
    assert "\n" not in sentence
    return "refused"


def commands_react(path, answers, capsys):
    """Each command gives the answer that it gave of the whole store, or a sentence and code 2."""
    refused = 0
    for name, answer in answers.items():
        code, out, err = call(capsys, *[word if word != "STORE" else path for word in name])
        if code == 0:
            assert out.replace(str(path), "STORE") == answer, name
        else:
            assert code == 2, (name, code, err)
            assert err.startswith("catcube: ")
            assert err.count("\n") == 1
            assert "Traceback" not in err
            refused += 1
    return refused


COMMANDS = (("status", "STORE"), ("status", "STORE", "--json"), ("export", "STORE"))


@pytest.fixture(scope="module")
def expected(whole):
    return content(whole)


@pytest.fixture
def answers(whole, capsys):
    found = {}
    for command in COMMANDS:
        code, out, _ = call(capsys, *[part if part != "STORE" else whole for part in command])
        assert code == 0
        found[command] = out.replace(str(whole), "STORE")
    return found


def flip(content, offset, random_):
    """A byte gets another value: one bit of it, or all, is changed."""
    change = random_.choice([1 << random_.randrange(8), random_.randrange(1, 256)])
    return content[:offset] + bytes([content[offset] ^ change]) + content[offset + 1 :]


def check_flips(whole, expected, answers, folder, capsys, count, seed):
    random_ = random.Random(seed)
    path = folder / "flipped.sqlite"
    original = whole.read_bytes()
    outcomes = {"refused": 0, "right": 0}
    for number in range(count):
        # The header and the beginnings of pages are few bytes, and matter most.
        offset = random_.choice(
            [
                random_.randrange(len(original)),
                random_.randrange(100),
                4096 * random_.randrange(len(original) // 4096) + random_.randrange(64),
            ]
        )
        path.write_bytes(flip(original, offset, random_))
        outcomes[reaction(path, expected)] += 1
        if number % 10 == 0:
            commands_react(path, answers, capsys)
    return outcomes


def test_a_flipped_byte_is_told_or_does_not_matter(whole, expected, answers, tmp_path, capsys):
    outcomes = check_flips(whole, expected, answers, tmp_path, capsys, count=300, seed=1)
    assert outcomes["refused"] > 80
    assert outcomes["right"] > 50  # bytes that are not used


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_flipped_bytes(whole, expected, answers, tmp_path, capsys, seed):
    outcomes = check_flips(whole, expected, answers, tmp_path, capsys, count=4000, seed=seed)
    assert outcomes["refused"] > 1000


def test_every_byte_of_a_row_matters(whole, tmp_path, expected):
    path = tmp_path / "a.sqlite"
    original = whole.read_bytes()
    trace = expected[0][77].packed_trace
    found = []
    begin = original.find(trace)
    while begin >= 0:  # SQLite leaves old copies in space that is free again
        outcomes = set()
        # Before the trace are 29 bytes of numbers, but for the run's own number, which is read from
        # the index; behind it is the checksum.
        for offset in range(begin - 29, begin + len(trace) + 4):
            change = bytes([original[offset] ^ 4])
            path.write_bytes(original[:offset] + change + original[offset + 1 :])
            outcomes.add(reaction(path, expected))
        found.append(outcomes)
        begin = original.find(trace, begin + 1)
    assert {"refused"} in found


def damaged(original, kind, random_):
    """A copy of the bytes of a store, changed in a way that disks and people change files."""
    size, page = len(original), 4096
    if kind == "truncated":
        return original[: random_.randrange(size)]
    if kind == "truncated at a page":
        return original[: page * random_.randrange(size // page)]
    first, second = (page * random_.randrange(size // page) for _ in range(2))
    if kind == "zeroed sector":
        sector = 512 * random_.randrange(size // 512)
        return original[:sector] + bytes(512) + original[sector + 512 :]
    if kind == "page written twice":
        return original[:first] + original[second : second + page] + original[first + page :]
    assert kind == "noise"
    return original[:first] + random_.randbytes(page) + original[first + page :]


KINDS = ("truncated", "truncated at a page", "zeroed sector", "page written twice", "noise")


def check_damages(whole, expected, answers, folder, capsys, kind, count):
    random_ = random.Random(kind)
    path = folder / "damaged.sqlite"
    original = whole.read_bytes()
    refused = 0
    for number in range(count):
        path.write_bytes(damaged(original, kind, random_))
        refused += reaction(path, expected) == "refused"
        if number % 10 == 0:
            commands_react(path, answers, capsys)
    return refused


@pytest.mark.parametrize("kind", KINDS)
def test_larger_damage_is_told(whole, expected, answers, tmp_path, capsys, kind):
    assert check_damages(whole, expected, answers, tmp_path, capsys, kind, count=30) > 10


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_much_larger_damage_is_told(whole, expected, answers, tmp_path, capsys, kind):
    assert check_damages(whole, expected, answers, tmp_path, capsys, kind, count=1000) > 300


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE run SET value = value - 1 WHERE number = 3", "run 3: its checksum is wrong"),
        ("UPDATE run SET trace = x'00' WHERE configuration = 5", "its checksum is wrong"),
        ("UPDATE run SET configuration = configuration + 100", "expected 25 runs, got 0"),
        ("DELETE FROM run WHERE number = 2", "expected 25 runs, got 24"),
        ("DELETE FROM tally WHERE configuration = 1", "expected 0 runs, got 25"),
        ("UPDATE tally SET runs = runs + 1", "row 1 of the table of tallys"),
        ("UPDATE configuration SET runs = 99", "row 1 of the table of configurations"),
        ("UPDATE configuration SET body = '{}' WHERE id = 2", "row 3 of the table of conf"),
        ("DELETE FROM configuration WHERE id = 7", "a configuration is missing"),
        ("UPDATE session SET sources = 'x'", "row 1 of the table of sessions"),
        ("UPDATE failure SET message = 'x'", "row 1 of the table of failures"),
        ("UPDATE metadata SET value = 'x' WHERE name = 'plan'", "the record of the campaign"),
        ("DELETE FROM metadata", "the record of the campaign"),
        ("CREATE TABLE more (x)", "unexpected tables"),
        ("DROP TABLE failure", "unexpected tables"),
    ],
)
def test_rows_that_were_changed_by_hand(whole, tmp_path, statement, sentence):
    path = tmp_path / "a.sqlite"
    shutil.copy(whole, path)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement)
    connection.close()
    with pytest.raises(DamageError, match=sentence):
        content(path)


def test_a_row_of_another_store_is_refused(whole, tmp_path):
    """The same plan, other runs: a row that is whole there is not whole here."""
    other = write(
        tmp_path / "b.sqlite",
        [EXPERIMENT],
        lambda configuration, number: finding(number, 7.0, 30) if number < 26 else None,
    )
    path = tmp_path / "a.sqlite"
    shutil.copy(whole, path)
    connection = sqlite3.connect(path)
    connection.execute("ATTACH ? AS other", (str(other),))
    with connection:
        connection.execute("DELETE FROM run WHERE number = 4")
        connection.execute("INSERT INTO run SELECT * FROM other.run WHERE number = 4")
    connection.close()
    with pytest.raises(DamageError, match="run 4: its checksum is wrong"):
        content(path)


def test_damage_is_told_before_more_runs_are_made(whole, tmp_path):
    path = tmp_path / "a.sqlite"
    shutil.copy(whole, path)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("UPDATE run SET evaluations = 999 WHERE configuration = 3")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(DamageError, match=r"catcube check .*a\.sqlite shows what is intact"):
        Writer(path, PLAN)
    assert path.read_bytes() == before


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


def test_a_lost_configuration_is_told_and_the_others_are_rescued(tmp_path, capsys):
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


# Places


@pytest.mark.parametrize(
    "name",
    [
        "a b.sqlite",
        "ünï ∞.sqlite",
        "a?mode=memory#x%20y&z.sqlite",
        "'; DROP TABLE run; --",
        ":memory:",
        "x" * 200 + ".sqlite",
        "%2e%2e%2f.sqlite",
        "file:a.sqlite",
        "-wal",
    ],
)
def test_any_name_of_a_file_will_do(whole, tmp_path, capsys, name, expected):
    folder = tmp_path / "a folder # with ? and %41" / ("y" * 100)
    folder.mkdir(parents=True)
    path = folder / name
    with Writer(path, PLAN) as writer:
        assert writer.counts() == {}
    assert sorted(path.name for path in folder.iterdir()) == sorted([name, f"{name}-lock"])
    shutil.copy(whole, path)
    assert content(path) == expected
    assert call(capsys, "status", path)[0] == 0
    assert call(capsys, "check", path)[0] == 0


def test_a_name_that_is_too_long(tmp_path, capsys):
    plan = tmp_path / "plan.toml"
    plan.write_text(
        '[[experiment]]\ninstances = ["small-dimension-1-a"]\nalgorithms = ["rls"]\n'
        'representations = ["linear"]\nbudget = 10\nruns = 1\n'
    )
    path = tmp_path / ("x" * 300)
    for argv in (
        ["status", path],
        ["export", path],
        ["check", path],
        ["campaign", plan, "--out", path],
    ):
        code, out, err = call(capsys, *argv)
        assert (code, out) == (2, "")
        assert "file name too long" in err
        assert err.count("\n") == 1


def test_a_link_to_a_store_is_the_store(whole, tmp_path, expected):
    path, link = tmp_path / "a.sqlite", tmp_path / "link.sqlite"
    shutil.copy(whole, path)
    link.symlink_to(path)
    assert content(link) == expected
    with Writer(link, PLAN) as writer:
        writer.add(0, [finding(26, 1.0)], 1)
    assert len(content(path)[0]) == 201
    assert link.is_symlink()


def test_what_is_no_file(tmp_path, capsys):
    pipe, folder, missing = tmp_path / "pipe", tmp_path / "folder", tmp_path / "missing"
    os.mkfifo(pipe)
    folder.mkdir()
    lost = tmp_path / "lost"
    lost.symlink_to(lost)
    empty = tmp_path / "empty"
    empty.touch()
    sentences = {
        pipe: "not a store: not a regular file",
        folder: "not a store: a folder",
        missing: "no such file",
        lost: "the store cannot be opened (too many levels of symbolic links)",
        empty: "not a catcube store",
        "/dev/null": "not a store: not a regular file",
    }
    for path, sentence in sentences.items():
        for name in ("status", "export", "check"):
            assert call(capsys, name, path)[::2] == (2, f"catcube: {path}: {sentence}\n"), name
        if path not in (missing, empty):
            with pytest.raises(StoreError, match=sentence.partition("(")[0]):
                Writer(path, PLAN)
    assert empty.read_bytes() == b""


AS_ANYBODY = """
import os, sys
from catcube.cli.main import main
from catcube.cli import campaign, check, export, status
from catcube.campaigns.plan_file import read_plan
for command in sys.argv[1:]:
    if command.startswith("campaign"):
        read_plan(command.split("|")[1])  # all that is imported on the way
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
print([main(command.split("|")) for command in sys.argv[1:]])
"""


def as_anybody(*commands):
    """The exit codes and the errors of commands by a user who may not do everything."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    call = [sys.executable, "-c", AS_ANYBODY, *commands]
    process = subprocess.run(call, capture_output=True, text=True, env=environment)
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout.splitlines()[-1]), process.stderr


@pytest.fixture
def open_folder(tmp_path):
    """A folder that everybody can look into."""
    folder = tmp_path
    while folder != folder.parent:
        if not folder.stat().st_mode & 0o005 and folder.stat().st_uid == os.getuid():
            folder.chmod(folder.stat().st_mode | 0o055)
        folder = folder.parent
    return tmp_path


def test_a_store_that_may_only_be_read(whole, open_folder):
    folder = open_folder / "read-only"
    folder.mkdir()
    path = folder / "a.sqlite"
    shutil.copy(whole, path)
    path.chmod(0o444)
    shutil.copy(whole, folder / "hidden.sqlite")
    (folder / "hidden.sqlite").chmod(0o000)
    folder.chmod(0o555)
    plan = open_folder / "plan.toml"
    plan.write_text(
        '[[experiment]]\ninstances = ["small-dimension-1-a"]\nalgorithms = ["rls"]\n'
        'representations = ["linear"]\nbudget = 10\nruns = 1\n'
    )
    plan.chmod(0o444)
    new, hidden = folder / "new.sqlite", folder / "hidden.sqlite"
    commands = (
        *(f"{command}|{path}" for command in ("status", "export", "check")),
        *(f"campaign|{plan}|--out|{file}" for file in (path, new)),
        f"status|{hidden}",
    )
    try:
        codes, err = as_anybody(*commands)
        assert codes == [0, 0, 0, 2, 2, 2]
        refused = "the store cannot be opened (permission denied)"
        assert err.splitlines()[:3] == [
            "catcube: note: 200 of 240 runs are done",
            *(f"catcube: {file}: {refused}" for file in (path, new)),
        ]
        assert f"{hidden}: the store cannot be read (" in err
    finally:
        folder.chmod(0o755)


# Journals


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


def test_a_store_whose_journal_is_there_or_lost(tmp_path):
    path = killed(tmp_path / "a.sqlite")
    wal = tmp_path / "a.sqlite-wal"
    assert wal.stat().st_size > 0
    assert len(content(path)[0]) == 5
    shutil.copy(path, tmp_path / "b.sqlite")  # as people copy stores: without it
    with pytest.raises(StoreError, match="not a catcube store"):
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
    except StoreError:
        pass
    else:
        assert found in (expected, content(other))
    with pytest.raises(StoreError), Writer(path, PLAN.scaled(runs=7)):
        pytest.fail("taken for a store of this plan")
    assert path.read_bytes() == before
    os.remove(f"{path}-wal")
    assert content(path) == expected


def test_status_tells_of_failed_and_missing_runs(whole, capsys):
    found = json.loads(call(capsys, "status", whole, "--json")[1])
    assert (found["runs"], found["done"], found["failed"], found["missing"]) == (240, 200, 2, 38)
    assert found["under_way"] is False
    assert "200 of 240 runs done, 2 failed, 38 missing" in call(capsys, "status", whole)[1]
