"""Packed traces, from a store of anybody."""

import struct
import zlib

import numpy as np

from catcube.experiments.trace import pack_trace, unpack_trace, unpack_traces
from tests.fuzz.oracle import ensure, refusing


def seeds() -> list[bytes]:
    """Traces as they are, and such that are packed by the check."""
    packed = pack_trace(np.array([1, 2, 9]), np.array([40.0, 38.0, 0.5]))
    plain = zlib.decompress(packed)
    return [
        b"\0" + packed,
        b"\1" + plain,
        b"\1" + plain[:17],
        b"\0" + zlib.compress(bytes(2**20)),
        b"",
    ]


def check(data: bytes) -> None:
    """Both readers agree, and what they read packs to the same again."""
    packed = zlib.compress(data[1:], 1) if data[:1] == b"\1" else data[1:]
    found = together = None
    with refusing():
        found = unpack_trace(packed)
    with refusing():
        together = unpack_traces([packed, packed])
    ensure((found is None) == (together is None), "one reader refuses what the other one takes")
    if found is None or together is None:
        return
    evaluations, values = found
    ensure(evaluations.shape == values.shape, "evaluations and values do not match")
    ensure(together[2].tolist() == [0, evaluations.size], "a trace begins in the wrong place")
    for one, both in zip(found, together, strict=False):
        ensure(both.tobytes() == 2 * one.tobytes(), "the readers disagree")
    ensure(
        zlib.decompress(pack_trace(*found)) == zlib.decompress(packed),
        f"a trace is another when it is packed again: {struct.pack('<q', evaluations.size)!r}",
    )
