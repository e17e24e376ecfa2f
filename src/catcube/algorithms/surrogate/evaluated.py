"""The points that have values."""

import numpy as np
from numpy.typing import NDArray


class Evaluated:
    """Points and values, in the order in which they came.

    >>> evaluated = Evaluated(variables=2)
    >>> for point in ([0, 0], [0, 1], [2, 2]):
    ...     index = evaluated.append(np.array(point, np.int32), float(sum(point)))
    >>> evaluated.values.tolist(), evaluated.best, index
    ([0.0, 1.0, 4.0], 0, 2)
    >>> evaluated.distances(0).tolist(), evaluated.nearest(2, 2)
    ([0, 1, 2], [2, 1])
    """

    def __init__(self, variables: int) -> None:
        self._points = np.zeros((16, variables), np.int32)
        self._values = np.zeros(16)
        self._indices: dict[bytes, int] = {}
        self.count = 0

    @property
    def points(self) -> NDArray[np.int32]:
        """All points, one per row."""
        return self._points[: self.count]

    @property
    def values(self) -> NDArray[np.float64]:
        """Their values."""
        return self._values[: self.count]

    @property
    def best(self) -> int:
        """Index of the best point, the last among equal ones."""
        return self.count - 1 - int(self.values[::-1].argmin())

    def append(self, point: NDArray[np.int32], value: float) -> int:
        """Add a point, and return its index."""
        if self.count == len(self._values):
            self._points = np.concatenate([self._points, np.zeros_like(self._points)])
            self._values = np.concatenate([self._values, np.zeros_like(self._values)])
        self._points[self.count] = point
        self._values[self.count] = value
        self._indices[self._points[self.count].tobytes()] = self.count
        self.count += 1
        return self.count - 1

    def index(self, point: NDArray[np.int32]) -> int | None:
        """Return the index of a point, the last of several; None if it has no value."""
        return self._indices.get(point.tobytes())

    def distances(self, centre: int) -> NDArray[np.int64]:
        """Return in how many variables each point differs from one of them."""
        found: NDArray[np.int64] = (self.points != self.points[centre]).sum(axis=1)
        return found

    def nearest(self, centre: int, limit: int) -> list[int]:
        """Return the points nearest to one of them, and the latest of equally near ones, first."""
        order = np.lexsort((-np.arange(self.count), self.distances(centre)))
        nearest: list[int] = order[:limit].tolist()
        return nearest
