"""The SQLite file of a store, opened for reading: format, metadata, rows with checksums."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from catcube.experiments.store.checksum import metadata_checksum, text_checksum
from catcube.experiments.store.errors import (
    DamageError,
    StoreError,
    check_file,
    code_of,
    store_errors,
)
from catcube.experiments.store.schema import APPLICATION, TYPES, VERSION, definitions

_MAGIC = b"SQLite format 3\0"


class StoreFile:
    """An open file of the format of stores."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        check_file(self.path)
        with store_errors(self.path):
            self.connection = self._opened("ro")
        try:
            with store_errors(self.path):
                try:
                    self._check()
                except sqlite3.OperationalError as error:
                    if code_of(error) != sqlite3.SQLITE_READONLY_ROLLBACK:
                        raise
                    self._roll_back()
                    self._check()
        except BaseException:
            self.connection.close()
            raise

    def _opened(self, mode: str) -> sqlite3.Connection:
        address = self.path.absolute().as_uri()  # blanks and other signs escaped
        return sqlite3.connect(f"{address}?mode={mode}", uri=True, timeout=30)

    def _roll_back(self) -> None:
        """Undo the transaction of a killed process, which a reader may not do."""
        writing = self._opened("rw")
        try:
            writing.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
        finally:
            writing.close()

    def _check(self) -> None:
        """Raise a StoreError unless the file is a store of this format with intact metadata."""
        application, version = self._identity()
        if application != APPLICATION:
            raise StoreError(f"{self.path}: not a catcube store")
        if version != VERSION:
            age = "a newer" if version > VERSION else "an older"
            raise StoreError(
                f"{self.path}: expected the format {VERSION}, got {version}: the store was made "
                f"by {age} catcube"
            )
        if set(self.connection.execute("SELECT name, sql FROM sqlite_schema")) != definitions():
            raise DamageError(self.path, "unexpected tables")
        found = self.metadata
        checksum = found.pop("checksum", "")
        if checksum != str(metadata_checksum(found)):
            raise DamageError(self.path, "the record of the campaign")
        if not {"plan", "identity", "configurations"} <= set(found) or not (
            all(isinstance(value, str) for value in found.values())
            and found["configurations"].isdecimal()
        ):
            raise DamageError(self.path, "the record of the campaign")
        self.identity = text_checksum([found["identity"]])

    def _identity(self) -> tuple[int, int]:
        application, version = (
            self.connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version")
        )
        return application, version

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows of a query, unchecked."""
        with store_errors(self.path):
            return self.connection.execute(sql, values).fetchall()

    @contextmanager
    def moment(self) -> Iterator[None]:
        """Read a consistent snapshot inside the block, though a campaign may be writing."""
        if self.connection.in_transaction:
            yield
            return
        self.query("BEGIN")
        try:
            yield
        finally:
            with suppress(sqlite3.ProgrammingError):  # already closed
                self.connection.rollback()

    def checked(
        self, table: str, columns: tuple[str, ...], condition: str = "", *values: Any
    ) -> list[tuple[Any, ...]]:
        """Return all rows of a small table that satisfy a condition, checked."""
        rows = self.query(
            f"SELECT {', '.join(columns)}, checksum FROM {table} {condition}", *values
        )
        for number, (*row, checksum) in enumerate(rows, start=1):
            right = text_checksum(row, self.identity) == checksum
            if not right or not all(map(self._fits, columns, row)):
                raise DamageError(self.path, f"row {number} of the table of {table}s")
        return [row[:-1] for row in rows]

    @cached_property
    def size(self) -> int:
        """The number of configurations."""
        return int(self.metadata["configurations"])

    def _fits(self, column: str, value: object) -> bool:
        """Return whether a column of a table may hold a value; a forged store may hold anything."""
        if column == "configuration":
            return type(value) is int and 0 <= value < self.size
        return type(value) is TYPES[column]

    @property
    def metadata(self) -> dict[str, str]:
        """The metadata of the campaign, such as its `plan`, by name."""
        return dict(self.query("SELECT name, value FROM metadata"))


def create_file(path: Path) -> None:
    """Create an empty file if there is none; a file that is not a database stays unchanged."""
    try:
        if path.exists():
            check_file(path)
        with path.open("ab+") as file:
            file.seek(0)
            if file.read(len(_MAGIC)) not in (b"", _MAGIC):
                raise StoreError(f"{path}: not a catcube store")
    except StoreError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise StoreError(f"{path}: the store cannot be opened ({reason.lower()})") from error
