"""The values of points that need not be evaluated again."""


class Remembered:
    """The values of points by their keys: those known for good, and the most recent ones.

    At least the `capacity` points put or found last are remembered, and at most twice as many.

    >>> values = Remembered(capacity=2)
    >>> for value, key in enumerate([b"a", b"b", b"c", b"d", b"e"]):
    ...     values.put(key, float(value))
    >>> [values.get(key) for key in (b"a", b"d", b"e")]
    [None, 3.0, 4.0]
    """

    def __init__(self, capacity: int = 0) -> None:
        self.capacity = capacity
        self.known: dict[bytes, float] = {}
        # Two dicts in turn: when the young one is full, what only the old one had is forgotten.
        self._young: dict[bytes, float] = {}
        self._old: dict[bytes, float] = {}

    def get(self, key: bytes) -> float | None:
        """Return the value of a point; None if it is not remembered."""
        value = self.known.get(key)
        if value is None:
            value = self._young.get(key)
        if value is None:
            value = self._old.get(key)
            if value is not None:
                self.put(key, value)
        return value

    def put(self, key: bytes, value: float) -> None:
        """Remember the value of a point, if anything is to be remembered."""
        if self.capacity == 0:
            return
        if len(self._young) >= self.capacity and key not in self._young:
            self._old, self._young = self._young, {}
        self._young[key] = value
