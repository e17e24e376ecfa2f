"""Checksums of the content of a store: SQLite does not notice a changed byte.

CRC-32 finds any damage of up to four neighbouring bytes, and misses other damage once in four
billion. The checksum of a run begins with that of its configuration, and this one with the identity
of the store: a row that belongs elsewhere, or to another store, counts as damaged too.
"""

import json
from collections.abc import Mapping, Sequence
from struct import Struct
from zlib import crc32

_NUMBERS = Struct("<qqqdqdqqqqd").pack


def text_checksum(values: Sequence[object], start: int = 0) -> int:
    """Compute the checksum of texts and numbers.

    >>> text_checksum(["rls", 1, 0.5]), text_checksum(["rls", 1, 0.25])
    (657971709, -1399288682)
    """
    # A damaged file may hold other types.
    shown = json.dumps(values, default=repr).encode()
    return _signed(crc32(shown, start & 0xFFFFFFFF))


def metadata_checksum(named: Mapping[str, str]) -> int:
    """Compute the checksum of texts by name, in any order."""
    return text_checksum(sorted(named.items(), key=str))


def run_checksum(numbers: Sequence[float], trace: bytes, start: int) -> int:
    """Compute the checksum of a row of the table of runs: all numbers in order, then the trace."""
    return _signed(crc32(trace, crc32(_NUMBERS(*numbers), start & 0xFFFFFFFF)))


def _signed(checksum: int) -> int:
    """Convert to a signed integer, which SQLite keeps in four bytes."""
    return (checksum ^ 0x80000000) - 0x80000000
