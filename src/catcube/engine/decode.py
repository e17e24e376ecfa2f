"""From bits to categories: the layout of all bits of a space, and decoding by chunks.

Bit i belongs to `variable[i]`; flipping it changes that variable's word by XOR with `columns[i]`
and its sum by plus or minus `weights[i]` modulo `modulus`; the category is read from the table
(see `catcube.representations`). Decoding a whole point takes up to eight bits of a variable at a
time, a chunk, and looks their part of word and sum up.
"""

from typing import NamedTuple

import numpy as np

from catcube.engine.jit import inlined, part
from catcube.engine.packed import load_word, store_word

CHUNK = 8
ONE = np.uint64(1)
LAST = np.uint64(63)


class Layout(NamedTuple):
    """How bits decode to the categories of all variables."""

    variable: np.ndarray  # of each bit
    columns: np.ndarray  # XOR part of each bit
    weights: np.ndarray  # additive part of each bit
    first_bit: np.ndarray  # of each variable, and the number of bits at the end
    modulus: np.ndarray  # of each variable
    offset: np.ndarray  # where the table of each variable begins
    table: np.ndarray
    first_chunk: np.ndarray  # of each variable, and the number of chunks at the end
    chunk_bit: np.ndarray  # first bit of each chunk
    chunk_mask: np.ndarray  # ones for the bits of each chunk
    chunk_start: np.ndarray  # where the lookups of each chunk begin in the two arrays below
    chunk_xor: np.ndarray
    chunk_sum: np.ndarray


@part
def pack(bits, packed):
    """Bits as bytes to words; `packed` has one word more than is needed."""
    for w in range(packed.size - 1):
        packed[w] = load_word(bits, 64 * w)


@part
def unpack(packed, bits):
    """Words to bits as bytes."""
    for w in range(packed.size - 1):
        store_word(bits, 64 * w, packed[w])


@inlined
def decode(layout, packed, point):
    """Words, sums and categories of a point from its packed bits."""
    for variable in range(point.categories.size):
        modulus = layout.modulus[variable]
        word = 0
        total = 0
        for chunk in range(layout.first_chunk[variable], layout.first_chunk[variable + 1]):
            bit = layout.chunk_bit[chunk]
            shift = np.uint64(bit & 63)
            low = packed[bit >> 6] >> shift
            high = (packed[(bit >> 6) + 1] << ONE) << (LAST - shift)
            piece = np.int64((low | high) & layout.chunk_mask[chunk])
            word ^= layout.chunk_xor[layout.chunk_start[chunk] + piece]
            if modulus > 1:
                total += layout.chunk_sum[layout.chunk_start[chunk] + piece]
        total %= modulus
        point.words[variable] = word
        point.sums[variable] = total
        place = layout.offset[variable] + word * modulus + total
        point.categories[variable] = layout.table[place]
