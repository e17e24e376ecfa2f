"""Bits by rows and by columns: 64 words of 64 bits, turned over.

H. S. Warren, Hacker's Delight (2003), chapter 7: halves are exchanged, then halves of them.
"""

import numpy as np

from catcube.engine.compiled.jit import inlined, part


@part
def turn(block):
    """Make bit j of word i bit i of word j, for 64 words."""
    exchange(block, 32, np.uint64(0x00000000FFFFFFFF))
    exchange(block, 16, np.uint64(0x0000FFFF0000FFFF))
    exchange(block, 8, np.uint64(0x00FF00FF00FF00FF))
    exchange(block, 4, np.uint64(0x0F0F0F0F0F0F0F0F))
    exchange(block, 2, np.uint64(0x3333333333333333))
    exchange(block, 1, np.uint64(0x5555555555555555))


@inlined
def exchange(block, apart, mask):
    """Exchange the upper bits of words with the lower bits, those in the mask, of others."""
    shift = np.uint64(apart)
    for first in range(0, 64, 2 * apart):
        low = block[first : first + apart]
        high = block[first + apart : first + 2 * apart]
        for k in range(apart):
            changed = ((low[k] >> shift) ^ high[k]) & mask
            low[k] ^= changed << shift
            high[k] ^= changed
