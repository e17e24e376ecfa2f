"""Reading a store whose first page is damaged: SQLite's header and the definitions of the tables.

That page is the same in all stores, but for counters in the header, so that of a new store takes
its place in a copy. What is then read has checksums, which tell whether it is right.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from catcube.experiments.store.errors import DamageError, StoreError
from catcube.experiments.store.schema import SCHEMA
from catcube.experiments.store.store import Store

PAGE = 4096  # bytes
PAGES = slice(28, 32)  # of the header: the number of pages of the file


@contextmanager
def opened_for_rescue(path: str | os.PathLike[str]) -> Iterator[tuple[Store, list[str]]]:
    """Yield a store and what had to be repaired to open it; the file itself is not changed."""
    try:
        store = Store(path)
    except DamageError as error:
        with TemporaryDirectory() as folder:
            try:
                store = Store(_repaired(Path(path), Path(folder)))
            except StoreError:
                raise error from None
            store.path = Path(path)
            with store:
                yield store, [error.what]
    else:
        with store:
            yield store, []


def _repaired(path: Path, folder: Path) -> Path:
    """Copy a store, but for its first page."""
    copy = folder / "copy.sqlite"
    shutil.copyfile(path, copy)
    size = copy.stat().st_size
    if size >= PAGE:
        page = bytearray(_first_page(folder / "new.sqlite"))
        page[PAGES] = (size // PAGE).to_bytes(4, "big")
        with copy.open("r+b") as file:
            file.write(page)
    return copy


def _first_page(path: Path) -> bytes:
    """Return the first page of a store, made at this path."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE}")
        connection.executescript(SCHEMA)
    return path.read_bytes()[:PAGE]
