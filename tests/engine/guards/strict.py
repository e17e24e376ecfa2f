"""Interpreted: arrays that refuse negative indices, which numpy and numba take from the end.

Slices must lie within the array too, where both would cut them off. What loads and stores 64 bits
at once must stay in the row it is given.
"""

import numpy as np

from catcube.engine import decode, distributions, linkage
from catcube.engine.compiled import packed


class Strict(np.ndarray):
    """An array whose indices are what they say."""

    def __getitem__(self, key):
        self._check(key)
        return super().__getitem__(key)

    def __setitem__(self, key, value):
        self._check(key)
        super().__setitem__(key, value)

    def _check(self, key):
        indices = key if isinstance(key, tuple) else (key,)
        for index, size in zip(indices, self.shape, strict=False):
            if isinstance(index, slice):
                ends = [end for end in (index.start, index.stop) if end is not None]
                if any(not 0 <= end <= size for end in ends):
                    raise IndexError(f"{index} is beyond 0 to {size}")
            elif isinstance(index, np.ndarray):
                if index.size and not 0 <= index.min() <= index.max() < size:
                    raise IndexError(f"indices {index} are not in 0 to {size - 1}")
            elif not 0 <= index < size:
                raise IndexError(f"index {index} is not in 0 to {size - 1}")


def new_strict():
    return lambda array: array.view(Strict)


def check_word(bits, start):
    """Whether the row of which these items are the beginning has 64 of them from `start` on."""
    owner = bits
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    row = owner.strides[0] if owner.ndim == 2 else owner.nbytes
    before = (bits.ctypes.data - owner.ctypes.data) % row if row else 0
    if start < 0 or before + bits.itemsize * (start + 64) > row:
        raise IndexError(f"64 items from {start} on are beyond a row of {row - before} bytes")


def load_word(bits, start):
    check_word(bits, start)
    return packed.load_word(np.asarray(bits), start)


def store_word(bits, start, word):
    check_word(bits, start)
    packed.store_word(np.asarray(bits), start, word)


def checked(function):
    """A function of 64 items of two arrays from an offset on."""

    def call(first, second, start, *others):
        check_word(first, start)
        check_word(second, start)
        return function(np.asarray(first), np.asarray(second), start, *others)

    return call


def row_minimum(numbers, veil, words, leasts):
    check_word(numbers, 64 * (words - 1))
    check_word(veil, 64 * (words - 1))
    if 8 * words > leasts.size:
        raise IndexError(f"the leasts of {words} words do not fit into {leasts.size} numbers")
    return packed.row_minimum(np.asarray(numbers), np.asarray(veil), words, np.asarray(leasts))


def install(monkeypatch):
    """Have the words of the interpreted engine checked."""
    monkeypatch.setattr(decode, "load_word", load_word)
    monkeypatch.setattr(decode, "store_word", store_word)
    for module, name in [
        (distributions, "less_word"),
        (distributions, "same_word"),
        (linkage, "equal_word"),
        (linkage, "average_word"),
    ]:
        monkeypatch.setattr(module, name, checked(getattr(module, name)))
    monkeypatch.setattr(linkage, "row_minimum", row_minimum)
