"""Codes with few bits and a label for every word, such that one flip reaches every label.

The known codes are data (`data/representations/compact.json`); larger ones come from doubling.
"""

import json
from collections import Counter
from functools import cache
from heapq import heapify, heapreplace
from importlib.resources import files
from typing import NamedTuple


class Code(NamedTuple):
    """Columns, and the label of every word."""

    columns: tuple[int, ...]
    labels: tuple[int, ...]

    @property
    def categories(self) -> int:
        """The number of labels."""
        return max(self.labels) + 1


@cache
def known_codes() -> tuple[Code, ...]:
    """Return the codes of the data file.

    >>> [(code.categories, len(code.columns)) for code in known_codes()]
    [(3, 3), (5, 6), (6, 7), (7, 7), (9, 11), (10, 11)]
    """
    text = (files("catcube") / "data" / "representations" / "compact.json").read_text("utf-8")
    return tuple(
        Code(tuple(entry["columns"]), tuple(int(label) for label in entry["labels"]))
        for entry in json.loads(text)
    )


def doubled(code: Code) -> Code:
    """Double the labels with 2n + 1 bits; if one flip reached every label, it still does.

    The new top bit t of the word tells the label 2f(u) from 2f(u) + 1. From (u, t), the new column
    2^k alone changes t, and for every other label f(u + c) the columns c and c + 2^k keep or
    change t at will.

    >>> larger = doubled(known_codes()[-1])
    >>> larger.categories, len(larger.columns)
    (20, 23)
    """
    top = len(code.labels)
    columns = tuple(column + part for column in code.columns for part in (0, top))
    labels = tuple(2 * label + part for part in (0, 1) for label in code.labels)
    return Code((*columns, top), labels)


def merged(code: Code, N: int) -> Code:
    """Give each word of the labels from N on to the label with the fewest words.

    Every label below N keeps its words, so one flip still reaches all of them.

    >>> merged(Code((1, 2, 3), (0, 1, 2, 3)), 3).labels
    (0, 1, 2, 0)
    """
    sizes = Counter(label for label in code.labels if label < N)
    smallest = [(size, label) for label, size in sizes.items()]
    heapify(smallest)
    labels = list(code.labels)
    for word, label in enumerate(labels):
        if label >= N:
            size, labels[word] = smallest[0]
            heapreplace(smallest, (size + 1, labels[word]))
    return Code(code.columns, tuple(labels))


def compact_code(N: int) -> Code | None:
    """Return the smallest code known for N labels, or None if `balanced` has as few bits.

    >>> code = compact_code(17)
    >>> len(code.columns), code.categories
    (23, 17)
    >>> compact_code(16) is None
    True
    """
    plans = []  # bits, labels, number of doublings, and the known code to start from
    for code in known_codes():
        doublings = max(0, -(-N // code.categories) - 1).bit_length()
        bits = ((len(code.columns) + 1) << doublings) - 1
        plans.append((bits, code.categories << doublings, doublings, code))
    bits, categories, doublings, code = min(plans)
    all_columns = (1 << (N - 1).bit_length()) - 1
    is_known = categories == N and doublings == 0
    if bits >= all_columns and not is_known:
        return None
    for _ in range(doublings):
        code = doubled(code)
    return merged(code, N)
