"""The tables of a store, and the order of their columns in checksums."""

import sqlite3
from functools import cache

import numpy as np

VERSION = 3  # of the schema
APPLICATION = 0x43617443  # "CatC": marks a store among other SQLite files
CONTENT = "sha256:"
"""The prefix of the hash of the files of an instance."""

ENDINGS = ("budget", "target", "converged")  # of a run, as they are numbered in the table

SCHEMA = f"""
CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE configuration (  -- in the order of the plan
    id INTEGER PRIMARY KEY, experiment TEXT NOT NULL, instance TEXT NOT NULL,
    algorithm TEXT NOT NULL, representation TEXT NOT NULL, runs INTEGER NOT NULL,
    digest TEXT NOT NULL,  -- of all that determines a run, its number aside
    body TEXT NOT NULL,    -- the whole configuration with its board, as JSON
    checksum INTEGER NOT NULL
);
CREATE TABLE session (  -- which code has made a run, and where
    id INTEGER PRIMARY KEY, began REAL NOT NULL, version TEXT NOT NULL, sources TEXT NOT NULL,
    machine TEXT NOT NULL,  -- a JSON object: python, numpy, numba, system, processor, cores
    checksum INTEGER NOT NULL
);
CREATE TABLE run (
    configuration INTEGER NOT NULL REFERENCES configuration, number INTEGER NOT NULL,
    session INTEGER NOT NULL REFERENCES session, finished REAL NOT NULL,
    seed INTEGER NOT NULL, value REAL NOT NULL, evaluations_to_best INTEGER NOT NULL,
    evaluations INTEGER NOT NULL, iterations INTEGER NOT NULL,
    ending INTEGER NOT NULL,  -- 0: budget, 1: target, 2: converged
    seconds REAL NOT NULL, trace BLOB NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (configuration, number)
);
CREATE TABLE tally (  -- of the runs of a configuration that a session has made
    configuration INTEGER NOT NULL REFERENCES configuration,
    session INTEGER NOT NULL REFERENCES session,
    runs INTEGER NOT NULL, evaluations INTEGER NOT NULL, seconds REAL NOT NULL,
    finished REAL NOT NULL,      -- the last one
    checksums INTEGER NOT NULL,  -- of the runs, joined by XOR
    checksum INTEGER NOT NULL,
    PRIMARY KEY (configuration, session)
) WITHOUT ROWID;
CREATE TABLE failure (
    configuration INTEGER NOT NULL REFERENCES configuration, number INTEGER NOT NULL,
    message TEXT NOT NULL, session INTEGER NOT NULL REFERENCES session, finished REAL NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (configuration, number)
);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""

# In the order of the checksum. The columns of runs before the trace are numbers.
CONFIGURATION = ("id", "experiment", "instance", "algorithm", "representation", "runs", "digest")
SESSION = ("id", "began", "version", "sources", "machine")
TALLY = ("configuration", "session", "runs", "evaluations", "seconds", "finished", "checksums")
FAILURE = ("configuration", "number", "message", "session", "finished")
RUN = {
    "configuration": np.int64,
    "number": np.int64,
    "session": np.int64,
    "finished": np.float64,
    "seed": np.int64,
    "value": np.float64,
    "evaluations_to_best": np.int64,
    "evaluations": np.int64,
    "iterations": np.int64,
    "ending": np.int64,
    "seconds": np.float64,
}
NUMBERS = len(RUN)

# SQLite has types of values, not of columns.
TYPES: dict[str, type] = {
    **dict.fromkeys(("experiment", "instance", "algorithm", "representation", "digest"), str),
    **dict.fromkeys(("body", "version", "sources", "machine", "message"), str),
    **dict.fromkeys(("id", "runs", "session", "number", "evaluations", "checksums"), int),
    **dict.fromkeys(("began", "seconds", "finished"), float),
}


@cache
def definitions() -> frozenset[tuple[str, str]]:
    """Return names and definitions of all tables and indices."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA)
    rows = frozenset(connection.execute("SELECT name, sql FROM sqlite_schema"))
    connection.close()
    return rows
