"""The files that an instance was read from, kept whole: they are all that is needed to make it."""

import json
from hashlib import sha256
from typing import Self

from catcube.problems.reading import TextFile

_SIGN = "["  # what the text of files begins with, and that of no board does


class InstanceFiles(tuple[TextFile, ...]):
    """Files with their names as they were given and their content.

    As text they are JSON, so that they can be kept in a store and sent to other processes:

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
        """Return whether a text is one of files, and not a board."""
        return text.startswith(_SIGN)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `str` has written; a ValueError if it cannot have."""
        try:
            pairs = json.loads(text)
        except RecursionError:
            pairs = None
        if isinstance(pairs, list) and all(
            isinstance(pair, list) and len(pair) == 2 and all(isinstance(own, str) for own in pair)
            for pair in pairs
        ):
            return cls(TextFile(*pair) for pair in pairs)
        raise ValueError("expected the names and contents of files, got other JSON")


def content_hash(text: str) -> str:
    """Return what a content is known by.

    >>> content_hash("")[:12]
    'e3b0c44298fc'
    """
    return sha256(text.encode()).hexdigest()
