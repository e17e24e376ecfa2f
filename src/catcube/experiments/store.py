"""What a campaign has found, in one SQLite file that is never worse than half a second old.

A `Store` is read by anyone at any time, also while a campaign writes; `catcube.experiments.writer`
writes one.
"""

import os
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

from numpy import float64, int64
from numpy.typing import NDArray

from catcube.experiments.configuration import Configuration
from catcube.experiments.trace import unpacked_trace

VERSION = 2  # of the schema
APPLICATION = 0x43617443  # "CatC": what tells a store from other SQLite files

SCHEMA = f"""
CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE configuration (  -- in the order of the plan
    id INTEGER PRIMARY KEY, experiment TEXT NOT NULL, instance TEXT NOT NULL,
    algorithm TEXT NOT NULL, representation TEXT NOT NULL, runs INTEGER NOT NULL,
    digest TEXT NOT NULL,  -- of all that determines a run, its number aside
    body TEXT NOT NULL     -- the whole configuration with its board, as JSON
);
CREATE TABLE session (  -- which code has made a run, and where
    id INTEGER PRIMARY KEY, began REAL NOT NULL, version TEXT NOT NULL, sources TEXT NOT NULL,
    machine TEXT NOT NULL  -- a JSON object: python, numpy, numba, system, processor, cores
);
CREATE TABLE run (
    configuration INTEGER NOT NULL REFERENCES configuration, number INTEGER NOT NULL,
    seed INTEGER NOT NULL, value REAL NOT NULL, evaluations_to_best INTEGER NOT NULL,
    evaluations INTEGER NOT NULL, iterations INTEGER NOT NULL, ending TEXT NOT NULL,
    seconds REAL NOT NULL, trace BLOB NOT NULL,
    session INTEGER NOT NULL REFERENCES session, finished REAL NOT NULL,
    PRIMARY KEY (configuration, number)
);
CREATE TABLE failure (
    configuration INTEGER NOT NULL REFERENCES configuration, number INTEGER NOT NULL,
    message TEXT NOT NULL, session INTEGER NOT NULL REFERENCES session, finished REAL NOT NULL,
    PRIMARY KEY (configuration, number)
);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""

_COLUMNS = (
    "number, seed, value, evaluations_to_best, evaluations, iterations, ending, seconds, trace"
)


class StoreError(ValueError):
    """A file that cannot be used as a store; the message is one sentence that says why."""


class StoredRun(NamedTuple):
    """One run of a store."""

    experiment: str
    instance: str
    algorithm: str
    representation: str
    run: int
    seed: int
    value: float
    evaluations_to_best: int
    evaluations: int
    iterations: int
    ending: str
    seconds: float
    packed_trace: bytes

    @property
    def trace(self) -> tuple[NDArray[int64], NDArray[float64]]:
        """Evaluations and values of all improvements."""
        return unpacked_trace(self.packed_trace)


class Store:
    """A store opened for reading: `with Store("mine.sqlite") as store: ...`."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise StoreError(f"{self.path}: there is no such file")
        with told(self.path):
            self.connection = self._opened()
        try:
            with told(self.path):
                self._check()
        except BaseException:
            self.connection.close()
            raise

    def _opened(self) -> sqlite3.Connection:
        address = self.path.absolute().as_uri()  # blanks and other signs escaped
        return sqlite3.connect(f"{address}?mode=ro", uri=True, timeout=30)

    def _check(self) -> None:
        """Refuse what is no store, or one of another format."""
        application, version = (
            self.connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version")
        )
        if application != APPLICATION:
            raise StoreError(f"{self.path}: this is no store of catcube")
        if version != VERSION:
            age = "a newer" if version > VERSION else "an older"
            raise StoreError(
                f"{self.path}: the store was made by {age} catcube (its format is {version}, "
                f"this one knows {VERSION})"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """All rows that a question has for an answer."""
        with told(self.path):
            return self.connection.execute(sql, values).fetchall()

    @property
    def metadata(self) -> dict[str, str]:
        """What is noted of the whole campaign, such as its `plan`, by name."""
        return dict(self.query("SELECT name, value FROM metadata"))

    def configurations(self) -> list[Configuration]:
        """In the order of the plan."""
        rows = self.query("SELECT body FROM configuration ORDER BY id")
        return [Configuration.from_json(body) for (body,) in rows]

    def numbers(self, configuration: int) -> set[int]:
        """The numbers of the runs that are done, of the configuration at this place."""
        rows = self.query("SELECT number FROM run WHERE configuration = ?", configuration)
        return {number for (number,) in rows}

    def counts(self) -> dict[int, int]:
        """How many runs are done, by place of the configuration."""
        rows = self.query("SELECT configuration, COUNT(*) FROM run GROUP BY configuration")
        return defaultdict(int, rows)

    def runs(self, experiment: str | None = None) -> Iterator[StoredRun]:
        """The runs that are done, of all experiments or of one, in the order of the plan."""
        places = self.query(
            "SELECT id, experiment, instance, algorithm, representation FROM configuration "
            "ORDER BY id"
        )
        for place, *names in places:
            if experiment in (None, names[0]):
                sql = f"SELECT {_COLUMNS} FROM run WHERE configuration = ? ORDER BY number"
                for row in self.query(sql, place):
                    yield StoredRun(*names, *row)

    def failures(self) -> list[tuple[Any, ...]]:
        """Experiment, instance, algorithm, representation, number, message of failed runs."""
        return self.query(
            "SELECT experiment, instance, algorithm, representation, number, message FROM failure "
            "JOIN configuration ON configuration.id = failure.configuration "
            "ORDER BY failure.configuration, number"
        )


@contextmanager
def told(path: Path) -> Iterator[None]:
    """What SQLite finds wrong with a file inside is told as a StoreError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest are details
        if code == sqlite3.SQLITE_NOTADB:
            raise StoreError(f"{path}: this is no store of catcube") from error
        if code == sqlite3.SQLITE_CORRUPT:
            raise StoreError(f"{path}: the store is damaged ({error})") from error
        raise StoreError(f"{path}: {error}") from error
