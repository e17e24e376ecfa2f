"""Labels and values of points as JSON, if JSON restores the same objects."""

import json
import math
from itertools import chain
from typing import Any

import numpy as np

from catcube.errors import BadValue
from catcube.space import Space


def label_to_json(label: Any) -> Any:
    """Convert a label for JSON: a scalar of numpy to one of Python."""
    return label.item() if isinstance(label, np.generic) else label


def is_exact(label: Any) -> bool:
    """Return whether JSON restores the same label.

    >>> is_exact("red"), is_exact(3), is_exact((1, 2))
    (True, True, False)
    """
    if type(label) is str:  # JSON joins two surrogates to one character
        return label.isascii() or json.loads(json.dumps(label)) == label
    if type(label) is int:
        return label.bit_length() < 4096  # Python refuses to write more than 4300 digits
    return label is None or type(label) is bool or (type(label) is float and math.isfinite(label))


def labels_to_json(space: Space) -> dict[str, list[Any]] | None:
    """Return the labels of a space by name, if JSON restores the same; else None."""
    distinct = {id(labels): labels for labels in space.labels}  # variables may share labels
    if all(map(is_exact, chain(space.names, chain.from_iterable(distinct.values())))):
        return {name: list(labels) for name, labels in space.items()}
    return None


def space_from_json(saved: Any, space: Space | None) -> Space:
    """Return the argument `space`, else the space of the saved labels."""
    if space is not None:
        return space if isinstance(space, Space) else Space(space)
    if saved is None:
        raise BadValue(
            "the labels of the space are not in the file, because JSON cannot hold them: use "
            "space=..."
        )
    return Space(saved)


def value_to_json(value: float | None) -> float | str | None:
    """Convert a value for JSON: infinity and NaN to strings."""
    return value if value is None or math.isfinite(value) else repr(value)


def value_from_json(saved: float | str | None) -> float | None:
    """Restore the argument of `value_to_json`."""
    return None if saved is None else float(saved)
