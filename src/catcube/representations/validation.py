"""Validation of the columns, weights and table of a representation."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.errors import BadValue
from catcube.representations.exact.words import reachable

if TYPE_CHECKING:
    from catcube.representations.representation import Representation


def integers(values: ArrayLike, what: str) -> NDArray[np.int64]:
    """Return a read-only copy of a sequence of integers.

    >>> integers([1, 2.5], "columns")
    Traceback (most recent call last):
    catcube.errors.BadValue: columns: expected a sequence of integers
    """
    array = np.asarray(values)
    if array.ndim != 1 or not (np.issubdtype(array.dtype, np.integer) or array.size == 0):
        raise BadValue(f"{what}: expected a sequence of integers")
    copy = array.astype(np.int64)
    copy.flags.writeable = False
    return copy


def check(representation: "Representation") -> None:
    """Raise a ValueError unless every bit vector decodes and every category is decoded."""
    table, modulus, N = representation.table, representation.modulus, representation.categories
    if modulus < 1:
        raise BadValue(f"expected a modulus of at least 1, got {modulus}")
    if N < 1:
        raise BadValue(f"expected at least one category, got {N}")
    xors, rest = divmod(len(table), modulus)
    if rest or xors < 1 or xors & (xors - 1):
        raise BadValue(
            f"expected 2^k · {modulus} entries of the table (2^k · modulus), got {len(table)}"
        )
    if len(representation.weights) != representation.bits:
        raise BadValue(
            f"expected as many weights as columns, got {len(representation.weights)} weights "
            f"and {representation.bits} columns"
        )
    _check_range("column", representation.columns, 0, xors)
    _check_range("weight", representation.weights, 0, modulus)
    _check_range("table entry", table, -1, N)
    decoded = table[reachable(representation.elements)]
    if (decoded < 0).any():
        raise BadValue("the table has no category (−1) for the word of some bit vector")
    present = np.unique(decoded)
    if present.size < N:  # which may be any number
        first = int(np.argmin(np.append(present == np.arange(present.size), False)))
        raise BadValue(
            f"no bit vector decodes to category {first} "
            f"({N - present.size} of {N} categories are missing)"
        )


def _check_range(what: str, values: NDArray[np.int64], low: int, end: int) -> None:
    wrong = values[(values < low) | (values >= end)]
    if wrong.size:
        raise BadValue(f"{what}: expected an integer from {low} to {end - 1}, got {wrong[0]}")
