"""Labels of a categorical variable: any hashable objects in an order."""

from collections.abc import Hashable, Iterable, Mapping
from itertools import islice
from typing import Any

from catcube.base.text import described, quoted
from catcube.errors import BadType, BadValue

MOST_LABELS = 2**20  # of a variable: an endless iterable is refused, not read


def read_labels(name: str, iterable: Iterable[Hashable]) -> tuple[tuple[Any, ...], dict[Any, int]]:
    """Return the labels of a variable as a tuple, and the category of each label.

    >>> read_labels("base", "ATCG")
    (('A', 'T', 'C', 'G'), {'A': 0, 'T': 1, 'C': 2, 'G': 3})
    """
    if isinstance(iterable, set | frozenset):
        raise BadValue(
            f"expected an ordered iterable of labels of variable {quoted(name)}, got a set; "
            "pass a list, e.g. sorted(...)"
        )
    if isinstance(iterable, Mapping):
        raise BadValue(
            f"expected a list of labels of variable {quoted(name)}, got a mapping; pass its keys "
            "or its values as a list"
        )
    try:
        iterator = iter(iterable)
    except TypeError:
        raise BadType(
            f"expected an iterable of labels of variable {quoted(name)}, got {described(iterable)}"
        ) from None
    labels = tuple(islice(iterator, MOST_LABELS + 1))
    if not labels:
        raise BadValue(f"variable {quoted(name)} has no labels")
    if len(labels) > MOST_LABELS:
        raise BadValue(f"expected at most {MOST_LABELS:,} labels of variable {quoted(name)}")
    index: dict[Any, int] = {}
    for category, label in enumerate(labels):
        if not is_hashable(label):
            raise BadType(
                f"expected hashable labels of variable {quoted(name)}, got {quoted(label)}"
            )
        first = index.setdefault(label, category)
        if first != category:
            text, other = quoted(label), quoted(labels[first])
            same = f" (equal to {other})" if text != other else ""
            raise BadValue(f"variable {quoted(name)} has label {text} twice{same}")
    return labels, index


def is_hashable(label: object) -> bool:
    """Return whether an object can be a key of a dict."""
    try:
        hash(label)
    except Exception:  # TypeError; a label's own __hash__ may raise anything
        return False
    return True
