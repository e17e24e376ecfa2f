"""Damaged stores: every command says so, or tells the truth; no row is ever wrong quietly."""

import random
import shutil
import sqlite3

import pytest

from catcube.experiments.store import DamageError
from catcube.experiments.trace import pack_trace
from catcube.experiments.writer import Writer
from tests.experiments.damage_examples import EXPERIMENT, PLAN, commands_react, content, reaction
from tests.experiments.sealed import change
from tests.studies.analysis.analysis_stores import finding, write


def damaged(original, kind, random_):
    """A copy of the bytes of a store, changed in a way that disks and people change files."""
    size, page = len(original), 4096
    first, second = (page * random_.randrange(size // page) for _ in range(2))
    if kind == "flip":
        # The header and the beginnings of pages are few bytes, and matter most.
        places = (random_.randrange(size), random_.randrange(100), first + random_.randrange(64))
        offset = random_.choice(places)
        change = random_.choice([1 << random_.randrange(8), random_.randrange(1, 256)])
        return original[:offset] + bytes([original[offset] ^ change]) + original[offset + 1 :]
    if kind == "truncated":
        return original[: random_.randrange(size)]
    if kind == "truncated at a page":
        return original[:first]
    if kind == "zeroed sector":
        sector = 512 * random_.randrange(size // 512)
        return original[:sector] + bytes(512) + original[sector + 512 :]
    if kind == "page written twice":
        return original[:first] + original[second : second + page] + original[first + page :]
    assert kind == "noise"
    return original[:first] + random_.randbytes(page) + original[first + page :]


KINDS = ("truncated", "truncated at a page", "zeroed sector", "page written twice", "noise")


@pytest.mark.parametrize(
    ("kind", "count", "least"),
    [
        ("flip", 300, 80),
        *((kind, 30, 10) for kind in KINDS),
        pytest.param("flip", 16_000, 4000, marks=pytest.mark.long),
        *(pytest.param(kind, 1000, 300, marks=pytest.mark.long) for kind in KINDS),
    ],
)
def test_damage_is_reported_or_does_not_matter(
    whole, expected, answers, tmp_path, capsys, kind, count, least
):
    random_ = random.Random(kind)
    path = tmp_path / "damaged.sqlite"
    original = whole.read_bytes()
    refused = 0
    for number in range(count):
        path.write_bytes(damaged(original, kind, random_))
        refused += reaction(path, expected) == "refused"
        if number % 10 == 0:
            commands_react(path, answers, capsys)
    assert refused > least


def test_every_byte_of_a_row_matters(whole, tmp_path, expected):
    path = tmp_path / "a.sqlite"
    original = whole.read_bytes()
    trace = pack_trace(*expected[0][77].trace)
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


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE run SET value = value - 1 WHERE number = 3", "run 3: its checksum is wrong"),
        ("UPDATE run SET trace = x'00' WHERE configuration = 5", "its checksum is wrong"),
        ("UPDATE run SET configuration = configuration + 100", "expected 25 runs, got 0"),
        ("DELETE FROM run WHERE number = 2", "expected 25 runs, got 24"),
        ("DELETE FROM tally WHERE configuration = 1", "expected 0 runs, got 25"),
        ("UPDATE tally SET runs = runs + 1", "row 1 of the table tally"),
        ("UPDATE configuration SET runs = 99", "row 1 of the table configuration"),
        ("UPDATE configuration SET body = '{}' WHERE id = 2", "row 3 of the table configuration"),
        ("DELETE FROM configuration WHERE id = 7", "a configuration is missing"),
        ("UPDATE session SET sources = 'x'", "row 1 of the table session"),
        ("UPDATE failure SET message = 'x'", "row 1 of the table failure"),
        ("UPDATE metadata SET value = 'x' WHERE name = 'plan'", "the record of the campaign"),
        ("DELETE FROM metadata", "the record of the campaign"),
        ("CREATE TABLE more (x)", "unexpected tables"),
        ("DROP TABLE failure", "unexpected tables"),
    ],
)
def test_rows_that_were_changed_by_hand(whole, tmp_path, statement, sentence):
    path = shutil.copy(whole, tmp_path / "a.sqlite")
    change(path, (statement,))
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


def test_damage_is_reported_before_more_runs_are_made(whole, tmp_path):
    path = shutil.copy(whole, tmp_path / "a.sqlite")
    change(path, ("UPDATE run SET evaluations = 999 WHERE configuration = 3",))
    before = path.read_bytes()
    with pytest.raises(DamageError, match=r"catcube check .*a\.sqlite' shows what is intact"):
        Writer(path, PLAN)
    assert path.read_bytes() == before
