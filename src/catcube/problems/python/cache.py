"""A cache of the values of points."""


class ValueCache:
    """The values of points by their keys: permanent ones, and the most recent ones.

    It holds at least the `capacity` points put or found last, and at most twice as many.

    >>> values = ValueCache(capacity=2)
    >>> for value, key in enumerate([b"a", b"b", b"c", b"d", b"e"]):
    ...     values.put(key, float(value))
    >>> [values.get(key) for key in (b"a", b"d", b"e")]
    [None, 3.0, 4.0]
    """

    def __init__(self, capacity: int = 0) -> None:
        self.capacity = capacity
        self.known: dict[bytes, float] = {}
        # Two dicts in turn: when the young one is full, it replaces the old one.
        self._young: dict[bytes, float] = {}
        self._old: dict[bytes, float] = {}

    def get(self, key: bytes) -> float | None:
        """Return the value of a point; None if it is not cached."""
        value = self.known.get(key)
        if value is None:
            value = self._young.get(key)
        if value is None:
            value = self._old.get(key)
            if value is not None:
                self.put(key, value)
        return value

    def put(self, key: bytes, value: float) -> None:
        """Cache the value of a point, if the capacity is not 0."""
        if self.capacity == 0:
            return
        if len(self._young) >= self.capacity and key not in self._young:
            self._old, self._young = self._young, {}
        self._young[key] = value
