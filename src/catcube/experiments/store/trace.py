"""Lossless compression of the improvements of a run.

Evaluations are stored as differences and values as the XOR of the bits of neighbours: most bytes
are then zero. Bytes of equal significance are adjacent, which helps zlib.

Stores may be untrusted, and a few bytes can unpack to gigabytes: the unpacked size is limited.
"""

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from catcube.errors import BadValue

LONGEST = 2**24
"""The most improvements of a run: unpacked, they take 256 megabytes."""

MOST = 2**27
"""The most improvements that are unpacked together: two gigabytes."""

_SIZE = 16  # bytes of an improvement, unpacked
_RATIO = 1032  # the highest compression ratio of zlib


class TraceError(BadValue):
    """Improvements of a run that cannot be unpacked."""


def packed_trace(evaluations: NDArray[np.int64], values: NDArray[np.float64]) -> bytes:
    """Compress a trace; level 1 of zlib takes 20 µs, and more would save little.

    >>> packed = packed_trace(np.array([1, 2, 9]), np.array([40.0, 38.0, 0.5]))
    >>> unpacked_trace(packed)
    (array([1, 2, 9]), array([40. , 38. ,  0.5]))
    """
    if evaluations.size > LONGEST:
        raise BadValue(f"expected at most {LONGEST:,} improvements, got {evaluations.size:,}")
    words = np.empty((2, evaluations.size), "<u8")
    words[0] = evaluations.view(np.uint64)
    words[1] = values.view(np.uint64)
    changes = words.copy()
    changes[0, 1:] -= words[0, :-1]
    changes[1, 1:] ^= words[1, :-1]
    return zlib.compress(changes.view(np.uint8).reshape(2, -1, 8).swapaxes(1, 2).tobytes(), 1)


def unpacked_trace(packed: bytes) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return evaluations and values of improvements; raise a ValueError if they are damaged."""
    planes = np.frombuffer(_plain(packed), np.uint8).reshape(2, 8, -1)
    steps, changes = (np.ascontiguousarray(plane.T).reshape(-1) for plane in planes)
    words = np.bitwise_xor.accumulate(changes.view("<u8"))
    evaluations = np.cumsum(steps.view("<i8"), dtype=np.int64)
    return evaluations, words.view("<f8").astype(np.float64)


def unpacked_traces(
    packed: Sequence[bytes],
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Return evaluations and values of many traces, joined, and the start of each one.

    Traces of the same length are unpacked together: this takes a third of the time, if there are
    many.

    >>> first = packed_trace(np.array([1, 2, 9]), np.array([40.0, 38.0, 0.5]))
    >>> second = packed_trace(np.array([1]), np.array([7.0]))
    >>> unpacked_traces([first, second])
    (array([1, 2, 9, 1]), array([40. , 38. ,  0.5,  7. ]), array([0, 3]))
    """
    plain = []
    left = _SIZE * MOST
    for one in packed:
        plain.append(_plain(one))
        left -= len(plain[-1])
        if left < 0:
            raise TraceError(f"expected at most {MOST:,} improvements, got more")
    lengths = np.array([len(trace) // _SIZE for trace in plain], np.int64)
    begins = np.cumsum(lengths) - lengths
    evaluations = np.empty(lengths.sum(), np.int64)
    values = np.empty(lengths.sum(), np.float64)
    for length in np.unique(lengths).tolist():
        same = np.flatnonzero(lengths == length)
        joined = np.frombuffer(b"".join(plain[index] for index in same), np.uint8)
        planes = joined.reshape(same.size, 2, 8, length).swapaxes(2, 3)
        steps, changes = np.ascontiguousarray(planes).view("<u8")[..., 0].swapaxes(0, 1)
        there = begins[same, None] + np.arange(length)
        evaluations[there] = np.cumsum(steps.view("<i8"), axis=1)
        words = np.bitwise_xor.accumulate(changes, axis=1)
        values[there] = words.view("<f8")
    return evaluations, values, begins


def _plain(packed: bytes) -> bytes:
    """Decompress the improvements of a run, checked."""
    try:
        if len(packed) * _RATIO <= _SIZE * LONGEST:
            plain = zlib.decompress(packed)
        else:  # slower by some microseconds
            stream = zlib.decompressobj()
            plain = stream.decompress(packed, _SIZE * LONGEST + 1)
            if not stream.eof or len(plain) > _SIZE * LONGEST:
                raise TraceError("the improvements of a run are cut off, or too many")
    except (zlib.error, TypeError) as error:
        raise TraceError(f"the improvements of a run are damaged ({error})") from error
    if len(plain) % _SIZE:
        raise TraceError(f"the improvements of a run are damaged ({len(plain)} bytes)")
    return plain
