"""What makes columns, weights and a table a representation, with one sentence for what does not."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.representations.exact.words import reachable

if TYPE_CHECKING:
    from catcube.representations.representation import Representation


def integers(values: ArrayLike, what: str) -> NDArray[np.int64]:
    """A read-only copy of a sequence of integers.

    >>> integers([1, 2.5], "columns")
    Traceback (most recent call last):
    ValueError: the columns must be a sequence of integers
    """
    array = np.asarray(values)
    if array.ndim != 1 or not (np.issubdtype(array.dtype, np.integer) or array.size == 0):
        raise ValueError(f"the {what} must be a sequence of integers")
    copy = array.astype(np.int64)
    copy.flags.writeable = False
    return copy


def check(representation: "Representation") -> None:
    """Refuse data that do not decode every bit vector, or do not decode to every category."""
    table, modulus, N = representation.table, representation.modulus, representation.categories
    if modulus < 1:
        raise ValueError(f"the modulus must be at least 1, not {modulus}")
    if N < 1:
        raise ValueError(f"a variable has at least one category, not {N}")
    xors, rest = divmod(len(table), modulus)
    if rest or xors < 1 or xors & (xors - 1):
        raise ValueError(
            f"the table must have 2^k · {modulus} entries (2^k · modulus), not {len(table)}"
        )
    if len(representation.weights) != representation.bits:
        raise ValueError(
            f"every bit has a column and a weight, but there are {representation.bits} columns "
            f"and {len(representation.weights)} weights"
        )
    _check_range("column", representation.columns, 0, xors)
    _check_range("weight", representation.weights, 0, modulus)
    _check_range("table entry", table, -1, N)
    decoded = table[reachable(representation.elements)]
    if (decoded < 0).any():
        raise ValueError("the table has no category (−1) for a word that some bit vector has")
    present = np.unique(decoded)
    if present.size < N:  # which may be any number
        first = int(np.argmin(np.append(present == np.arange(present.size), False)))
        raise ValueError(
            f"no bit vector decodes to category {first} "
            f"({N - present.size} of {N} categories are missing)"
        )


def _check_range(what: str, values: NDArray[np.int64], low: int, end: int) -> None:
    wrong = values[(values < low) | (values >= end)]
    if wrong.size:
        raise ValueError(f"a {what} must be from {low} to {end - 1}, and {wrong[0]} is not")
