"""The tables of a store: their columns and checksums.

SQLite does not notice a changed byte. CRC-32 detects any damage of up to four adjacent bytes, and
misses other damage once in four billion. The checksum of a run starts from that of its
configuration, which starts from the identity of the store, so a misplaced row, or one of another
store, counts as damaged too.
"""

import json
import struct
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any, NamedTuple, TypeAlias
from zlib import crc32

import numpy as np

VERSION = 4  # of the format
APPLICATION = 0x43617443  # "CatC": marks a store among other SQLite files
ENDINGS = ("budget", "target", "converged", "enumerated")  # in the order of their numbers
CONTENT = "sha256:"
"""The prefix of the hash of the files of an instance."""

SCHEMA = files("catcube.experiments").joinpath("store.sql").read_text(encoding="utf-8")
MARKS = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"


# The small tables. Checksums are of the fields in this order, and are the last column.


class ConfigurationRow(NamedTuple):
    """A row of the table `configuration`; `body` is the configuration as JSON."""

    id: int
    experiment: str
    instance: str
    algorithm: str
    representation: str
    runs: int
    digest: str
    body: str


class Session(NamedTuple):
    """A row of the table `session`; `machine` is a JSON object."""

    id: int
    began: float
    version: str
    sources: str
    machine: str


class Tally(NamedTuple):
    """A row of the table `tally`."""

    configuration: int
    session: int
    runs: int = 0
    evaluations: int = 0
    seconds: float = 0.0
    finished: float = 0.0
    checksums: int = 0


class Failure(NamedTuple):
    """A row of the table `failure`."""

    configuration: int
    number: int
    message: str
    session: int
    finished: float


Row: TypeAlias = ConfigurationRow | Session | Tally | Failure

TABLES: dict[type, str] = {
    ConfigurationRow: "configuration",
    Session: "session",
    Tally: "tally",
    Failure: "failure",
}

RUN = {
    **dict.fromkeys(("configuration", "number", "session"), np.int64),
    "finished": np.float64,
    "seed": np.int64,
    "value": np.float64,
    **dict.fromkeys(("evaluations_to_best", "evaluations", "iterations", "ending"), np.int64),
    "seconds": np.float64,
}
"""The numeric columns of a run, which precede its trace, its best point and its checksum."""

NUMBERS = np.dtype(list(RUN.items()))
"""The type of an array of these columns, 88 bytes per run."""

SELECT_RUN = f"SELECT {', '.join(RUN)}, trace, point, checksum FROM run WHERE configuration = ?"
_NUMBERS = struct.Struct("<qqqdqdqqqqd").pack


def text_checksum(values: Sequence[object], start: int = 0) -> int:
    """Compute the checksum of texts and numbers.

    >>> text_checksum(["rls", 1, 0.5]), text_checksum(["rls", 1, 0.25])
    (657971709, -1399288682)
    """
    text = json.dumps(values, default=repr)  # a damaged file may hold other types
    return _signed(crc32(text.encode(), start & 0xFFFFFFFF))


def metadata_checksum(named: Mapping[str, str]) -> int:
    """Compute the checksum of texts by name, in any order."""
    return text_checksum(sorted(named.items(), key=str))


def run_checksum(row: Sequence[Any], start: int) -> int:
    """Compute the checksum of a row of the table of runs: numbers, then trace and point."""
    checksum = crc32(_NUMBERS(*row[: len(RUN)]), start & 0xFFFFFFFF)
    return _signed(crc32(row[-1], crc32(row[-2], checksum)))


def _signed(checksum: int) -> int:
    """Convert to a signed integer, which SQLite stores in four bytes."""
    return (checksum ^ 0x80000000) - 0x80000000
