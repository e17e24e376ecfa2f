"""Columns such that every word is the XOR of at most R of them (parity checks of covering codes).

The known ones are data (`data/representations/covering.json`, verified word by word in the
tests); others are put together from these and from three simple constructions.
"""

import json
from functools import cache
from importlib.resources import files


@cache
def known_columns() -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the columns of the data file by (dimension, radius).

    >>> known_columns()[4, 2]
    (1, 2, 4, 8, 15)
    """
    text = (files("catcube") / "data" / "representations" / "covering.json").read_text("utf-8")
    return {
        (entry["dimension"], entry["radius"]): tuple(entry["columns"]) for entry in json.loads(text)
    }


@cache
def covering_columns(dimension: int, radius: int) -> tuple[int, ...]:
    """Return the fewest columns known here of that dimension with at most that covering radius.

    Unit columns do if R ≥ k; with the column of ones added they do if R ≥ ⌊(k+1)/2⌋, as it makes
    up for more than half of the ones at a time; all non-zero columns do always. And columns for k_1
    and R_1 beside columns for k_2 and R_2 do for k_1 + k_2 and R_1 + R_2.

    >>> covering_columns(3, 2)
    (1, 2, 4, 7)
    >>> len(covering_columns(16, 4))  # 8 and 8 bits with radius 2 each
    52
    """
    units = tuple(1 << bit for bit in range(dimension))
    if radius >= dimension:
        return units
    candidates = []
    if radius >= (dimension + 1) // 2:
        candidates.append((*units, (1 << dimension) - 1))
    candidates += [
        known_columns()[dimension, smaller]
        for smaller in range(1, radius + 1)
        if (dimension, smaller) in known_columns()
    ]
    for left in range(1, dimension) if radius > 1 else ():
        for left_radius in range(1, radius):
            right = covering_columns(dimension - left, radius - left_radius)
            shifted = tuple(column << left for column in right)
            candidates.append((*covering_columns(left, left_radius), *shifted))
    if not candidates:
        return tuple(range(1, 1 << dimension))
    return min(candidates, key=len)
