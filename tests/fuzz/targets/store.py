"""Stores: damaged, and forged with fitting checksums."""

import io
import json
import sqlite3
from contextlib import closing, suppress
from functools import cache

from catcube.cli.status import text
from catcube.experiments.campaign import run_campaign
from catcube.experiments.export import write_csv
from catcube.experiments.ioh import write_ioh
from catcube.experiments.plan import Experiment, Plan
from catcube.experiments.store import Store
from catcube.problems.sudoku import Board
from catcube.studies import analyse
from tests.experiments.sealed import seal
from tests.fuzz.draws import Draws
from tests.fuzz.oracle import folder, refusing

_HOSTILE = (
    "CREATE VIEW extra AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
    "SELECT i FROM n",
    "CREATE TRIGGER extra AFTER INSERT ON run BEGIN DELETE FROM run; END",
    "ALTER TABLE run RENAME TO hidden",
    "CREATE TABLE extra (a INTEGER, b AS (a + 1))",
    "DROP TABLE failure",
    "DELETE FROM metadata",
    "DELETE FROM configuration",
    "DELETE FROM session",
    "DELETE FROM run",
    "DELETE FROM run WHERE number = 1",
    "UPDATE run SET number = number + 7",
    "UPDATE configuration SET id = id + 1 WHERE id = 5",
    "INSERT INTO metadata VALUES ('extra', 'x')",
    "PRAGMA user_version = 99",
    "PRAGMA application_id = 1",
    "PRAGMA encoding = 'UTF-16'",
)


@cache
def store() -> bytes:
    """The store of two experiments of a tiny campaign, as bytes."""
    boards = {"tiny": Board("12.. 3412 2143 432."), "match:3,2": None}
    experiments = (
        Experiment("budget", boards, ("rls", "sa"), ("linear", "direct"), budget=20, runs=2),
        Experiment("target", boards, ("rls",), ("linear",), budget=20, runs=2, target=0.0),
    )
    with folder() as directory:
        run_campaign(Plan("tiny", experiments), directory / "tiny.sqlite", jobs=1)
        return (directory / "tiny.sqlite").read_bytes()


def seeds() -> list[bytes]:
    """The whole store, and choices of what is changed in it."""
    return [
        b"\0" + store(),
        *(bytes([1, number]) for number in range(len(_HOSTILE))),
        *(
            bytes([2, table, column, row, kind])
            for table in range(6)
            for column in range(12)
            for row, kind in ((0, 1), (1, 22), (2, 33))
        ),
        *(bytes([3, row, key, kind]) for row in (0, 5) for key in range(11) for kind in (0, 9, 25)),
    ]


def check(data: bytes) -> None:
    """Everything that reads a store reads it, or refuses it with its name."""
    draws = Draws(data)
    kind = draws.byte() % 4
    with folder() as directory:
        path = directory / "mine.sqlite"
        if kind == 0:
            path.write_bytes(draws.rest())
        else:
            path.write_bytes(store())
            {1: _hostile, 2: _other_value, 3: _other_body}[kind](path, draws)
        with refusing(path), Store(path) as found:
            text(found.overview())
            list(found.runs())
        with refusing(path), Store(path) as found:
            write_csv(found, io.StringIO())
        with refusing(path), Store(path) as found:
            write_ioh(found, directory / "ioh")
        with refusing(path):
            analyse([path])


def _hostile(path, draws):
    _change(path, draws.choice(_HOSTILE))


def _other_value(path, draws):
    """Replace a value by any other."""
    tables = [name for (name,) in _rows(path, "SELECT name FROM sqlite_master WHERE type='table'")]
    table = draws.choice(tables)
    column = draws.choice(_rows(path, f"PRAGMA table_info({table})"))[1]
    value = draws.value()
    if isinstance(value, list | dict):
        value = json.dumps(value)
    where = "" if table != "run" or draws.byte() % 2 else "WHERE number = 1"
    _change(path, f"UPDATE OR IGNORE {table} SET {column} = ? {where}", value)


def _other_body(path, draws):
    """Another value in the JSON of a configuration."""
    number = draws.integer(0, 9)
    [(found,)] = _rows(path, f"SELECT body FROM configuration WHERE id = {number}")
    body = json.loads(found)
    key = draws.choice(sorted(body))
    value = draws.value()
    if draws.byte() % 8 == 7:
        del body[key]
    else:
        body[key] = value
    written = draws.choice([json.dumps(body, default=str), json.dumps(value, default=str), "", "["])
    if draws.byte() % 2 == 0:
        written = json.dumps(body, default=str)
    _change(path, "UPDATE configuration SET body = ? WHERE id = ?", written, number)


def _rows(path, query):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def _change(path, statement, *values):
    """Change the store by hand and make its checksums fit, if that can be done."""
    with (
        suppress(sqlite3.Error, ValueError, OverflowError, TypeError),
        closing(sqlite3.connect(path)) as connection,
    ):
        connection.execute(statement, values)
        connection.commit()
    with suppress(Exception):  # what cannot even be summed up stays without fitting checksums
        seal(path)
