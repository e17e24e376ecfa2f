"""Arguments of problems within bounds: a name in anybody's plan may ask for any number."""

import numpy as np

from catcube.base.text import described


def bounded(name: str, given: object, low: int, high: int) -> int:
    """Return the integer, if it lies in the range; a sentence otherwise.

    >>> bounded("colours", 3, 1, 10)
    3
    >>> bounded("colours", 30, 1, 10)
    Traceback (most recent call last):
    ValueError: expected colours in 1..10, got 30
    """
    if isinstance(given, bool) or not isinstance(given, int | np.integer):
        raise TypeError(f"expected an integer for {name}, got {described(given)}")
    if not low <= given <= high:
        raise ValueError(f"expected {name} in {low}..{high:,}, got {given}")
    return int(given)
