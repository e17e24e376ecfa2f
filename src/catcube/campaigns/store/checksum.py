"""Checksums of what a store holds: SQLite would hand out a changed byte as if it had been written.

CRC-32 finds any damage of up to four neighbouring bytes, and misses other damage once in four
billion. The checksum of a run begins with that of its configuration, and this one with the identity
of the store: a row that has come into the wrong place, or from another store, is damaged too.
"""

import json
from collections.abc import Mapping, Sequence
from struct import Struct
from zlib import crc32

_NUMBERS = Struct("<qqqdqdqqqqd").pack


def text_checksum(values: Sequence[object], start: int = 0) -> int:
    """Of a few texts and numbers.

    >>> text_checksum(["rls", 1, 0.5]), text_checksum(["rls", 1, 0.25])
    (657971709, -1399288682)
    """
    # What a damaged file has in the place of texts and numbers is shown somehow.
    shown = json.dumps(values, default=repr).encode()
    return _signed(crc32(shown, start & 0xFFFFFFFF))


def metadata_checksum(named: Mapping[str, str]) -> int:
    """Of texts by name, in any order."""
    return text_checksum(sorted(named.items(), key=str))


def run_checksum(numbers: Sequence[float], trace: bytes, start: int) -> int:
    """Of a row of the table of runs: all its numbers in their order, then the trace."""
    return _signed(crc32(trace, crc32(_NUMBERS(*numbers), start & 0xFFFFFFFF)))


def _signed(checksum: int) -> int:
    """As SQLite keeps it in four bytes."""
    return (checksum ^ 0x80000000) - 0x80000000
