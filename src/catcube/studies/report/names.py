"""Names of files from untrusted names."""

import re
import unicodedata

_LONGEST = 60


def safe_name(text: str) -> str:
    """Reduce a name to small letters, digits and hyphens; "unnamed" if it has none.

    Names of experiments and instances are not trusted; the files named after them must stay in
    their folder, on every file system.

    >>> safe_name("sudoku-easy-56"), safe_name("../Ünder_way?"), safe_name("..")
    ('sudoku-easy-56', 'under-way', 'unnamed')
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    words = re.sub(r"[^a-z0-9]+", "-", plain.lower())
    return words.strip("-")[:_LONGEST].strip("-") or "unnamed"


def file_name(experiment: str, *parts: str) -> str:
    """Return the stem of the files of a table or figure of an experiment.

    >>> file_name("My study", "ranks", "all")
    'my-study-ranks-all'
    """
    return "-".join([safe_name(experiment), *parts])


class UniqueNames:
    """Makes names unique: the second time, a number is added.

    >>> unique = UniqueNames()
    >>> [unique(name) for name in ("ranks", "levels", "ranks", "ranks")]
    ['ranks', 'levels', 'ranks-2', 'ranks-3']
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def __call__(self, name: str) -> str:
        """Return the name, or the first numbered one that is free."""
        number, free = 1, name
        while free in self._taken:
            number += 1
            free = f"{name}-{number}"
        self._taken.add(free)
        return free
