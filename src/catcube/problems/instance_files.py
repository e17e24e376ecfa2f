"""The files that an instance was read from: all that is needed to build it again."""

import json
from hashlib import sha256
from typing import Self

import msgspec

from catcube.errors import BadValue
from catcube.problems.scanner import TextFile

_JSON = msgspec.json.Decoder(list[tuple[str, str]])
_SIGN = "["  # first character of the text of files, and never of a board


class InstanceFiles(tuple[TextFile, ...]):
    """Files with their names and contents.

    Their text is JSON, for stores and other processes:

    >>> files = InstanceFiles([TextFile("mine.col", "p edge 2 1\\ne 1 2")])
    >>> str(files)
    '[["mine.col", "p edge 2 1\\\\ne 1 2"]]'
    >>> InstanceFiles.parse(str(files)) == files
    True
    """

    __slots__ = ()

    def __str__(self) -> str:
        return json.dumps([list(file) for file in self], ensure_ascii=False)

    @staticmethod
    def is_text_of(text: str) -> bool:
        """Return whether a text holds files rather than a board."""
        return text.startswith(_SIGN)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse the output of `str`; raise a ValueError for anything else."""
        try:
            return cls(TextFile(*pair) for pair in _JSON.decode(text))
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadValue(f"expected the names and contents of files, got {error}") from None


def content_hash(text: str) -> str:
    """Return the SHA-256 hash of a content.

    >>> content_hash("")[:12]
    'e3b0c44298fc'
    """
    return sha256(text.encode()).hexdigest()
