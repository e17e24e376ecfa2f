"""Lossless compression of the improvements of a run, and of its best point.

Evaluations are stored as differences, and values as the XOR of consecutive bit patterns, so that
most bytes are zero. Bytes of equal significance are adjacent, which helps zlib.

Stores may be untrusted, and a few bytes can unpack to gigabytes, so unpacking stops at a limit.
"""

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import expect
from catcube.errors import BadValue
from catcube.search.result import Trace

MAX_IMPROVEMENTS = 2**22
"""The maximum number of improvements of a run; unpacked, they take 64 megabytes."""

MAX_TOTAL = 2**24
"""The maximum number of improvements that are unpacked together: 256 megabytes."""

_SIZE = 16  # bytes of an improvement, unpacked


class TraceError(BadValue):
    """Improvements or a point of a run that cannot be unpacked."""


def pack_trace(evaluations: NDArray[np.int64], values: NDArray[np.float64]) -> bytes:
    """Compress a trace, at level 1 of zlib: it takes 20 µs, and higher levels save little.

    >>> packed = pack_trace(np.array([1, 2, 9]), np.array([40.0, 38.0, 0.5]))
    >>> unpack_trace(packed)
    Trace(evaluations=array([1, 2, 9]), values=array([40. , 38. ,  0.5]))
    """
    most = f"at most {MAX_IMPROVEMENTS:,} improvements"
    expect(evaluations.size <= MAX_IMPROVEMENTS, most, evaluations.size)
    words = np.empty((2, evaluations.size), "<u8")
    words[0] = evaluations.view(np.uint64)
    words[1] = values.view(np.uint64)
    changes = words.copy()
    changes[0, 1:] -= words[0, :-1]
    changes[1, 1:] ^= words[1, :-1]
    return zlib.compress(changes.view(np.uint8).reshape(2, -1, 8).swapaxes(1, 2).tobytes(), 1)


def unpack_trace(packed: bytes, most: int = MAX_IMPROVEMENTS) -> Trace:
    """Decompress a trace; raise a TraceError if it is damaged or has more than `most` entries."""
    evaluations, values, _ = unpack_traces([packed], most)
    return Trace(evaluations, values)


def unpack_traces(
    packed: Sequence[bytes], most: int = MAX_IMPROVEMENTS
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Decompress many traces; return their concatenated evaluations and values, and their starts.

    Traces of the same length are unpacked together, which takes a third of the time.

    >>> first = pack_trace(np.array([1, 2, 9]), np.array([40.0, 38.0, 0.5]))
    >>> second = pack_trace(np.array([1]), np.array([7.0]))
    >>> unpack_traces([first, second])
    (array([1, 2, 9, 1]), array([40. , 38. ,  0.5,  7. ]), array([0, 3]))
    """
    plain = []
    left = MAX_TOTAL
    for trace in packed:
        plain.append(_decompress(trace, min(left, most, MAX_IMPROVEMENTS)))
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
    """Decompress at most `most` improvements of a run to bytes."""
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(packed, _SIZE * most + 1)
    except (zlib.error, TypeError) as error:
        raise TraceError(f"the improvements of a run are damaged ({error})") from error
    if not stream.eof or len(plain) % _SIZE or len(plain) > _SIZE * most:
        raise TraceError("the improvements of a run are damaged, or too many")
    return plain


def is_consistent(trace: Trace, value: float, to_best: int, evaluations: int) -> bool:
    """Return whether improvements are consistent with the best value of a run and its evaluation.

    >>> is_consistent(Trace(np.array([1, 5]), np.array([4.0, 0.5])), 0.5, 5, evaluations=9)
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
    """Return the category indices of a point as bytes: the width, then little-endian integers.

    >>> pack_point(np.array([3, 0, 8])), unpack_point(pack_point(np.array([3, 0, 300])))
    (b'\\x01\\x03\\x00\\x08', array([  3,   0, 300]))
    """
    largest = int(categories.max(initial=0))
    width = 1 if largest < 2**8 else 2 if largest < 2**16 else 4
    return bytes([width]) + categories.astype(f"<u{width}").tobytes()


def unpack_point(packed: bytes) -> NDArray[np.int64]:
    """Return the category indices of a point; an empty array if it was not stored."""
    if not packed:
        return np.empty(0, np.int64)
    if packed[0] not in (1, 2, 4) or (len(packed) - 1) % packed[0]:
        raise TraceError("the best point of a run is damaged")
    return np.frombuffer(packed, f"<u{packed[0]}", offset=1).astype(np.int64)
