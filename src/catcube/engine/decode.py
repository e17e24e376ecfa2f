"""Decoding of all bits of a point to categories, by chunks of eight bits.

Bit i belongs to `variable[i]`. Flipping it changes the word of this variable by XOR with
`columns[i]`, and its sum by plus or minus `weights[i]` modulo `modulus`; a table gives the category
(see `catcube.representations`). To decode a whole point, the parts of word and sum that belong to a
chunk, up to eight bits of a variable, are looked up.

Fast decoding applies where all variables have the same representation, without weights and with up
to 16 bits: `equal_bits` is their number. A point then stores the bits of a variable above its word,
so that copying the words copies the bits.
"""

import numpy as np

from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.compiled.packed import load_word, store_word

CHUNK = 8
CHUNK_BITS = np.uint64(CHUNK)
FIRST_CHUNK = np.uint64(2**CHUNK - 1)
SECOND_CHUNK = np.uint64(2**CHUNK)
ONE = np.uint64(1)
LAST = np.uint64(63)
WORD_BITS = 16  # bits of a word if equal_bits > 0; the bits of the variable are above it
ABOVE_WORD = np.uint64(WORD_BITS)
WORD = 2**WORD_BITS - 1


@part
def pack(bits, packed):
    """Pack bits, given as bytes, into words; `packed` has one word more than needed."""
    for w in range(packed.size - 1):
        packed[w] = load_word(bits, 64 * w)


@part
def unpack(packed, bits):
    """Unpack words into bits, stored as bytes."""
    for w in range(packed.size - 1):
        store_word(bits, 64 * w, packed[w])


@inlined
def decode(layout, packed, point, with_words):
    """Set the categories of a point from packed bits, and, if wanted, its words and sums."""
    if layout.equal_bits > 0:
        _decode_equal(layout, packed, point, with_words)
    else:
        _decode_each(layout, packed, point)


@inlined
def _decode_each(layout, packed, point):
    """Decode variables with any representations; set words and sums, too."""
    for variable in range(point.categories.size):
        modulus = layout.modulus[variable]
        word = 0
        total = 0
        first, end = layout.first_bit[variable], layout.first_bit[variable + 1]
        lookup = layout.lookup[variable]
        while first < end:
            piece = _bits_from(packed, first)
            # Eight chunks at once. In the last one, bits of the next variable have no effect.
            for chunk in range(min((end - first + 7) >> 3, 8)):
                index = lookup + 2**CHUNK * chunk + np.int64(piece & FIRST_CHUNK)
                piece >>= CHUNK_BITS
                word ^= layout.chunk_xor[unsigned(index)]
                if modulus > 1:
                    total += layout.chunk_sum[unsigned(index)]
            first, lookup = first + 64, lookup + 8 * 2**CHUNK
        if modulus > 1:
            total %= modulus
        point.words[variable] = word
        point.sums[variable] = total
        index = layout.offset[variable] + word * modulus + total
        point.categories[variable] = layout.table[unsigned(index)]


@inlined
def _decode_equal(layout, packed, point, with_words):
    """Decode variables with the same representation of up to 16 bits, without weights.

    The words, if wanted, contain the bits.
    """
    bits = layout.equal_bits
    mask = (ONE << np.uint64(bits)) - ONE
    for variable in range(point.categories.size):
        piece = _bits_from(packed, variable * bits) & mask
        word = layout.chunk_xor[piece & FIRST_CHUNK]
        if bits > CHUNK:
            word ^= layout.chunk_xor[SECOND_CHUNK + (piece >> CHUNK_BITS)]
        if with_words:
            point.words[variable] = word | np.int64(piece << ABOVE_WORD)
        point.categories[variable] = layout.table[unsigned(word)]


@inlined
def _bits_from(packed, bit):
    """Return the 64 packed bits that begin at this one."""
    at = unsigned(bit >> 6)
    shift = np.uint64(bit & 63)
    return (packed[at] >> shift) | ((packed[at + ONE] << ONE) << (LAST - shift))
