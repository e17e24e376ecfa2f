"""Labels and values of points as JSON, where JSON gives back the very same ones."""

import json
import math
from itertools import chain
from typing import Any

import numpy as np

from catcube.space import Space


def label_to_json(label: Any) -> Any:
    """Return the label as JSON holds it: a scalar of numpy as that of Python."""
    return label.item() if isinstance(label, np.generic) else label


def is_exact(label: Any) -> bool:
    """Return whether JSON gives back the very same label.

    >>> is_exact("red"), is_exact(3), is_exact((1, 2))
    (True, True, False)
    """
    if type(label) is str:  # of two surrogates JSON makes one character
        return label.isascii() or json.loads(json.dumps(label)) == label
    if type(label) is int:
        return label.bit_length() < 4096  # Python refuses to write more than 4300 digits
    return label is None or type(label) is bool or (type(label) is float and math.isfinite(label))


def labels_to_json(space: Space) -> dict[str, list[Any]] | None:
    """Return the labels of a space by name, if JSON gives back the very same; else None."""
    distinct = {id(labels): labels for labels in space.labels}  # thousands of cells share theirs
    if all(map(is_exact, chain(space.names, chain.from_iterable(distinct.values())))):
        return {name: list(labels) for name, labels in space.items()}
    return None


def space_from_json(saved: Any, given: Space | None) -> Space:
    """Return the space that is given, else the one whose labels were saved."""
    if given is not None:
        return given if isinstance(given, Space) else Space(given)
    if saved is None:
        raise ValueError(
            "the labels of the space are not in the file, because JSON cannot hold them: give the "
            "space as well, space=..."
        )
    return Space(saved)


def value_to_json(value: float | None) -> float | str | None:
    """Return the value; infinite ones and NaN, which JSON has not, as words."""
    return value if value is None or math.isfinite(value) else repr(value)


def value_from_json(saved: float | str | None) -> float | None:
    """Return what `value_to_json` was given."""
    return None if saved is None else float(saved)
