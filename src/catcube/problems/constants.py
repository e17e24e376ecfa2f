"""Constants of a problem that its compiled functions read by name.

The constants of a problem are one array. It begins with its scalars and with the start of each of
its parts, so that a function reads `integers[SIZE]`, and `integers[integers[UNITS] + k]` for
element k of a part. A problem names these positions once: `SIZE, UNITS = range(2)`.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray


def joined(scalars: Sequence[int], parts: Sequence[ArrayLike]) -> NDArray[np.int64]:
    """Join scalars and parts to one array that holds the start of each part.

    >>> constants = joined([9], [[7, 8], [5]])
    >>> constants.tolist()
    [9, 3, 5, 7, 8, 5]
    >>> SIZE, FIRST, SECOND = range(3)
    >>> constants[constants[FIRST] + 1], constants[constants[SECOND]]
    (np.int64(8), np.int64(5))
    """
    flat = [np.asarray(part, np.int64).ravel() for part in parts]
    head = len(scalars) + len(flat)
    starts = head + np.cumsum([0, *(part.size for part in flat)])[:-1]
    return np.concatenate([np.array([*scalars, *starts], np.int64), *flat])
