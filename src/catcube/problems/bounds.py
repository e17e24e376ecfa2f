"""Bounds of the arguments of problems: a plan from elsewhere may ask for any number."""

import numpy as np

from catcube.base.text import described
from catcube.errors import BadType, BadValue


def bounded(name: str, value: object, low: int, high: int) -> int:
    """Return an integer if it lies in the range, else raise an error.

    >>> bounded("colours", 3, 1, 10)
    3
    >>> bounded("colours", 30, 1, 10)
    Traceback (most recent call last):
    catcube.errors.BadValue: expected colours in 1..10, got 30
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise BadType(f"expected an integer for {name}, got {described(value)}")
    if not low <= value <= high:
        raise BadValue(f"expected {name} in {low}..{high:,}, got {value}")
    return int(value)
