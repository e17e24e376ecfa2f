"""Points as short byte strings: the categories of all variables, as narrow as they fit."""

from collections.abc import Sequence
from operator import getitem
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.space import Space


class Keys:
    """Conversion of the points of a space to keys of a dict and back.

    >>> keys = Keys(Space({"base": "ATCG", "flag": [True, False]}))
    >>> keys.key(np.array([2, 1]))
    b'\\x02\\x01'
    >>> keys.point(b"\\x02\\x01")
    {'base': 'C', 'flag': False}
    """

    def __init__(self, space: Space) -> None:
        self._space = space
        self._type = np.min_scalar_type(int(space.cardinalities.max()) - 1)

    def key(self, categories: NDArray[np.int64]) -> bytes:
        """Return the key of a point."""
        return categories.astype(self._type).tobytes()

    def rows(self, keys: Sequence[bytes]) -> NDArray[np.int64]:
        """Return the categories of points, one per row."""
        flat = np.frombuffer(b"".join(keys), self._type)
        return flat.reshape(len(keys), len(self._space)).astype(np.int64)

    def point(self, key: bytes) -> dict[str, Any]:
        """Return a point as labels by name."""
        space = self._space
        categories = np.frombuffer(key, self._type).tolist()
        return dict(zip(space.names, map(getitem, space.labels, categories), strict=True))
