"""The files that an instance was read from: all that is needed to build it again."""

import json
from hashlib import sha256
from typing import Self

from catcube.errors import BadValue
from catcube.problems.scanner import TextFile

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
            pairs = json.loads(text)
        except RecursionError:
            pairs = None
        if isinstance(pairs, list) and all(
            isinstance(pair, list)
            and len(pair) == 2
            and all(isinstance(part, str) for part in pair)
            for pair in pairs
        ):
            return cls(TextFile(*pair) for pair in pairs)
        raise BadValue("expected the names and contents of files, got other JSON")


def content_hash(text: str) -> str:
    """Return the SHA-256 hash of a content.

    >>> content_hash("")[:12]
    'e3b0c44298fc'
    """
    return sha256(text.encode()).hexdigest()
