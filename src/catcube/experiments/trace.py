"""Lossless compression of the improvements of a run, and of its best point.

Evaluations are stored as differences and values as the XOR of the bits of neighbours: most bytes
are then zero. Bytes of equal significance are adjacent, which helps zlib.

Stores may be untrusted, and a few bytes can unpack to gigabytes: unpacking stops at a limit.
"""

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import expect
from catcube.errors import BadValue
from catcube.search.result import Trace

LONGEST = 2**22
"""The most improvements of a run: unpacked, they take 64 megabytes."""

MOST = 2**24
"""The most improvements that are unpacked together: 256 megabytes."""

_SIZE = 16  # bytes of an improvement, unpacked


class TraceError(BadValue):
    """Improvements of a run that cannot be unpacked."""


def pack_trace(evaluations: NDArray[np.int64], values: NDArray[np.float64]) -> bytes:
    """Compress a trace; level 1 of zlib takes 20 µs, and more would save little.

    >>> packed = pack_trace(np.array([1, 2, 9]), np.array([40.0, 38.0, 0.5]))
    >>> unpack_trace(packed)
    Trace(evaluations=array([1, 2, 9]), values=array([40. , 38. ,  0.5]))
    """
    expect(evaluations.size <= LONGEST, f"at most {LONGEST:,} improvements", evaluations.size)
    words = np.empty((2, evaluations.size), "<u8")
    words[0] = evaluations.view(np.uint64)
    words[1] = values.view(np.uint64)
    changes = words.copy()
    changes[0, 1:] -= words[0, :-1]
    changes[1, 1:] ^= words[1, :-1]
    return zlib.compress(changes.view(np.uint8).reshape(2, -1, 8).swapaxes(1, 2).tobytes(), 1)


def unpack_trace(packed: bytes, most: int = LONGEST) -> Trace:
    """Return evaluations and values of improvements; raise a ValueError if they are damaged.

    There are at most `most` of them: a run improves at most once in an evaluation.
    """
    evaluations, values, _ = unpack_traces([packed], most)
    return Trace(evaluations, values)


def unpack_traces(
    packed: Sequence[bytes], most: int = LONGEST
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Return evaluations and values of many traces, joined, and the start of each one.

    Traces of the same length are unpacked together: this takes a third of the time, if there are
    many.

    >>> first = pack_trace(np.array([1, 2, 9]), np.array([40.0, 38.0, 0.5]))
    >>> second = pack_trace(np.array([1]), np.array([7.0]))
    >>> unpack_traces([first, second])
    (array([1, 2, 9, 1]), array([40. , 38. ,  0.5,  7. ]), array([0, 3]))
    """
    plain = []
    left = MOST
    for trace in packed:
        plain.append(_decompress(trace, min(left, most, LONGEST)))
        left -= len(plain[-1]) // _SIZE
    lengths = np.array([len(trace) // _SIZE for trace in plain], np.int64)
    begins = np.cumsum(lengths) - lengths
    evaluations = np.empty(int(lengths.sum()), np.int64)
    values = np.empty(evaluations.size, np.float64)
    for length in np.unique(lengths[lengths > 0]):
        same = np.flatnonzero(lengths == length)
        joined = np.frombuffer(b"".join(plain[index] for index in same), np.uint8)
        planes = joined.reshape(same.size, 2, 8, length).swapaxes(2, 3)
        steps, changes = np.ascontiguousarray(planes).view("<u8")[..., 0].swapaxes(0, 1)
        there = begins[same, None] + np.arange(length)
        evaluations[there] = np.cumsum(steps.view("<i8"), axis=1)
        words = np.bitwise_xor.accumulate(changes, axis=1)
        values[there] = words.view("<f8")
    return evaluations, values, begins


def _decompress(packed: bytes, most: int) -> bytes:
    """Decompress the improvements of a run, at most this number of them."""
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(packed, _SIZE * most + 1)
    except (zlib.error, TypeError) as error:
        raise TraceError(f"the improvements of a run are damaged ({error})") from error
    if not stream.eof or len(plain) % _SIZE or len(plain) > _SIZE * most:
        raise TraceError("the improvements of a run are damaged, or too many")
    return plain


def is_whole(trace: Trace, value: float, to_best: int, evaluations: int) -> bool:
    """Return whether improvements are those of a run with this best value, reached when it was.

    >>> is_whole(Trace(np.array([1, 5]), np.array([4.0, 0.5])), 0.5, 5, evaluations=9)
    True
    """
    steps, values = trace
    if not steps.size:  # no value was finite
        return value == np.inf and to_best == 0
    return bool(
        steps[0] >= 1
        and (steps[1:] > steps[:-1]).all()
        and (values[1:] < values[:-1]).all()
        and steps[-1] == to_best <= evaluations
        and values[-1] == value
    )


def pack_point(categories: NDArray[np.int64]) -> bytes:
    """Return the category indices of a point as little-endian integers after their width.

    >>> pack_point(np.array([3, 0, 8])), unpack_point(pack_point(np.array([3, 0, 300])))
    (b'\\x01\\x03\\x00\\x08', array([  3,   0, 300]))
    """
    largest = int(categories.max(initial=0))
    width = 1 if largest < 2**8 else 2 if largest < 2**16 else 4
    return bytes([width]) + categories.astype(f"<u{width}").tobytes()


def unpack_point(packed: bytes) -> NDArray[np.int64]:
    """Return the category indices of a point; none if the run was stored without it."""
    if not packed:
        return np.empty(0, np.int64)
    if packed[0] not in (1, 2, 4) or (len(packed) - 1) % packed[0]:
        raise TraceError("the best point of a run is damaged")
    return np.frombuffer(packed, f"<u{packed[0]}", offset=1).astype(np.int64)
