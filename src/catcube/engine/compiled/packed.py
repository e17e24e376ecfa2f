"""Vector instructions on bits, as bytes or 64-bit words (bit j is byte j), and on 32-bit integers.

Each function is written twice: in Python, and before it in LLVM instructions (see `compiled_as`).
Loads and stores of 64 bytes access memory behind an array whose size is not a multiple of 64;
therefore rows of bits are padded (`padded_rows`).
"""

import functools
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numpy.typing import NDArray

from catcube.engine.compiled.jit import compiled_as

WORD = ir.IntType(64)
BYTE = ir.IntType(8)
BYTES = ir.VectorType(BYTE, 64)
NUMBER = ir.IntType(32)
NUMBERS = ir.VectorType(NUMBER, 64)
FOUR_TIMES = ir.Constant(WORD, 2)  # as a shift

SIDE = 8
ROW = ir.VectorType(NUMBER, SIDE)
# The steps of transposing a block: rows one apart exchange single numbers, rows two apart pairs,
# rows four apart halves. The indices select the numbers of the two new rows from both old ones.
STEPS = [
    (1, [0, 8, 2, 10, 4, 12, 6, 14], [1, 9, 3, 11, 5, 13, 7, 15]),
    (2, [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]),
    (4, [0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]),
]


def words_for(n: int) -> int:
    """Return the number of words for n bits."""
    return (n + 63) // 64


def padded_rows(rows: int, n: int) -> NDArray[np.uint8]:
    """Allocate rows of n bits, stored as bytes, each padded to whole words."""
    return np.zeros((rows, 64 * words_for(n)), np.uint8)


def _pointer(
    context: Any, builder: Any, array_type: Any, array: Any, indices: Any, kind: Any
) -> Any:
    """Return a pointer to an element of an array, as a pointer to another type."""
    structure = context.make_array(array_type)(context, builder, array)
    address = cgutils.get_item_pointer(context, builder, array_type, structure, indices)
    return builder.bitcast(address, kind.as_pointer())


def _pointers(context: Any, builder: Any, signature: Any, arguments: Any, kind: Any) -> list[Any]:
    """Return pointers to the vectors of two arrays at the index of the third argument."""
    return [
        _pointer(context, builder, array_type, array, [arguments[2]], kind)
        for array_type, array in zip(signature.args[:2], arguments[:2])
    ]


def _load(context, builder, signature, arguments):
    """Emit the code of `load_word`."""
    bits, start = arguments
    address = _pointer(context, builder, signature.args[0], bits, [start], BYTES)
    loaded = builder.load(address, align=1)
    return builder.bitcast(builder.icmp_unsigned("!=", loaded, ir.Constant(BYTES, [0] * 64)), WORD)


def _word_of(bits: Any) -> np.uint64:
    """Return booleans as the bits of a word."""
    return np.uint64(int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little"))


@compiled_as(_load, lambda bits, start: types.uint64(bits, types.int64))
def load_word(bits: Any, start: int) -> np.uint64:
    """Return the 64 bits, stored as bytes, from `start` on as a word."""
    return _word_of(bits[start : start + 64])


def _store(context, builder, signature, arguments):
    """Emit the code of `store_word`."""
    bits, start, word = arguments
    ones = builder.bitcast(word, ir.VectorType(ir.IntType(1), 64))
    address = _pointer(context, builder, signature.args[0], bits, [start], BYTES)
    builder.store(builder.zext(ones, BYTES), address, align=1)
    return context.get_dummy_value()


@compiled_as(_store, lambda bits, start, word: types.void(bits, types.int64, types.uint64))
def store_word(bits: Any, start: int, word: np.uint64) -> None:
    """Write the bits of a word as 64 bytes from `start` on."""
    chunk = np.unpackbits(np.array([word], "<u8").view(np.uint8), bitorder="little")
    room = bits[start : start + 64]
    room[:] = chunk[: room.size]


def _compare(sign: str, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    both = _pointers(context, builder, signature, arguments, BYTES)
    left, right = (builder.load(address, align=1) for address in both)
    return builder.bitcast(builder.icmp_unsigned(sign, left, right), WORD)


def _compare_types(first, second, start):
    return types.uint64(first, second, types.int64)


@compiled_as(functools.partial(_compare, "<"), _compare_types)
def less_word(first: Any, second: Any, start: int) -> np.uint64:
    """Return a word whose bits say which of 64 bytes are less than those of another array."""
    return _word_of(first[start : start + 64] < second[start : start + 64])


@compiled_as(functools.partial(_compare, "=="), _compare_types)
def same_word(first: Any, second: Any, start: int) -> np.uint64:
    """Return a word whose bits say which of 64 bytes are equal to those of another array."""
    return _word_of(first[start : start + 64] == second[start : start + 64])


def _popcount(context, builder, signature, arguments):
    return builder.ctpop(arguments[0])


@compiled_as(_popcount, lambda word: types.int64(types.uint64))
def popcount(word: np.uint64) -> int:
    """Return the number of set bits of a word."""
    return int(word).bit_count()


def _lowest_bit(context, builder, signature, arguments):
    return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))


@compiled_as(_lowest_bit, lambda word: types.int64(types.uint64))
def lowest_bit(word: np.uint64) -> int:
    """Return the index of the lowest set bit of a word; 64 if there is none."""
    return 64 if word == 0 else (int(word) & -int(word)).bit_length() - 1


def _union(context, builder, signature, arguments):
    """Emit the code of `popcount_of_union`."""
    words, start, step, categories = arguments
    four = ir.VectorType(WORD, 4)

    def mask(index):
        place = _pointer(context, builder, signature.args[0], words, [index], four)
        return builder.load(place, align=8)

    size = context.make_array(signature.args[3])(context, builder, categories).shape
    union = cgutils.alloca_once_value(builder, mask(start))
    begin = builder.add(start, ir.Constant(WORD, 4))
    with cgutils.for_range(builder, builder.extract_value(size, 0)) as loop:
        category = _pointer(context, builder, signature.args[3], categories, [loop.index], NUMBER)
        place = builder.add(begin, builder.mul(loop.index, step))
        place = builder.add(
            place, builder.shl(builder.sext(builder.load(category), WORD), FOUR_TIMES)
        )
        builder.store(builder.or_(builder.load(union), mask(place)), union)
    found = builder.load(union)
    counts = [
        builder.ctpop(builder.extract_element(found, ir.Constant(NUMBER, k))) for k in range(4)
    ]
    return functools.reduce(builder.add, counts)


@compiled_as(
    _union,
    lambda words, start, step, categories: types.int64(words, types.int64, types.int64, categories),
)
def popcount_of_union(words: Any, start: int, step: int, categories: Any) -> int:
    """Return the number of bits that are set in any of several masks.

    A mask is four non-negative words. One begins at `start`, and for each variable k one at
    start + 4 + step * k + 4 * categories[k]. numba's loop would be four times as slow, because the
    compiler vectorises it over variables and gathers their words.
    """
    union = words[start : start + 4].copy()
    for variable, category in enumerate(categories.tolist()):
        place = start + 4 + step * variable + 4 * category
        union |= words[place : place + 4]
    return sum(word.bit_count() for word in union.tolist())


def _minimum(builder: Any, first: Any, second: Any) -> Any:
    return builder.select(builder.icmp_signed("<", first, second), first, second)


def _broadcast(builder: Any, kind: Any, number: Any) -> Any:
    """Return a vector whose elements are all one number."""
    nothing = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(nothing, number, ir.Constant(NUMBER, 0))
    return builder.shuffle_vector(first, nothing, ir.Constant(kind, [0] * kind.count))


def _row_minimum(context, builder, signature, arguments):
    """Emit the code of `row_minimum`."""
    arrays, words = (*arguments[:2], arguments[3]), arguments[2]
    kinds = (*signature.args[:2], signature.args[3])

    def line(which, at):
        return _pointer(context, builder, kinds[which], arrays[which], [at], ROW)

    least = cgutils.alloca_once_value(builder, ir.Constant(ROW, [2**31 - 1] * SIDE))
    with cgutils.for_range(builder, words) as loop:
        start = builder.mul(loop.index, ir.Constant(WORD, 64))
        lines = []
        for k in range(0, 64, SIDE):
            at = builder.add(start, ir.Constant(WORD, k))
            pair = (builder.load(line(which, at), align=4) for which in (0, 1))
            lines.append(builder.or_(*pair))
        while len(lines) > 1:
            lines = [_minimum(builder, *lines[k : k + 2]) for k in range(0, len(lines), 2)]
        eighth = builder.mul(loop.index, ir.Constant(WORD, SIDE))
        builder.store(lines[0], line(2, eighth), align=4)
        builder.store(_minimum(builder, builder.load(least), lines[0]), least)
    left = builder.load(least)
    while left.type.count > 1:
        size = left.type.count // 2
        nothing = ir.Constant(left.type, ir.Undefined)
        halves = (
            ir.Constant(ir.VectorType(NUMBER, size), list(range(begin, begin + size)))
            for begin in (0, size)
        )
        left = _minimum(builder, *(builder.shuffle_vector(left, nothing, half) for half in halves))
    return builder.extract_element(left, ir.Constant(NUMBER, 0))


@compiled_as(
    _row_minimum,
    lambda numbers, veil, words, leasts: types.int32(numbers, veil, types.int64, leasts),
)
def row_minimum(numbers: Any, veil: Any, words: int, leasts: Any) -> np.int32:
    """Return the minimum of the first 64 * words elements of `numbers | veil`.

    leasts[8 * w + j] becomes the minimum of the j-th, (j + 8)-th, ... of the 64 elements of word w.
    """
    veiled = (numbers[: 64 * words] | veil[: 64 * words]).reshape(words, SIDE, SIDE)
    leasts[: SIDE * words] = veiled.min(axis=1).ravel()
    least: np.int32 = veiled.min()
    return least


def _contains(context, builder, signature, arguments):
    """Emit the code of `contains`."""
    leasts, start, wanted = arguments
    line = _pointer(context, builder, signature.args[0], leasts, [start], ROW)
    numbers = builder.load(line, align=4)
    equal = builder.icmp_signed("==", numbers, _broadcast(builder, ROW, wanted))
    return builder.icmp_unsigned("!=", builder.bitcast(equal, BYTE), ir.Constant(BYTE, 0))


@compiled_as(
    _contains, lambda leasts, start, wanted: types.boolean(leasts, types.int64, types.int32)
)
def contains(leasts: Any, start: int, wanted: int) -> bool:
    """Return whether one of the 8 elements from `start` on is the number wanted."""
    return bool((leasts[start : start + SIDE] == wanted).any())


def _equal(context, builder, signature, arguments):
    """Emit the code of `equal_word`."""
    both = _pointers(context, builder, signature, arguments, NUMBERS)
    veiled = builder.or_(*(builder.load(line, align=4) for line in both))
    wanted = _broadcast(builder, NUMBERS, arguments[3])
    return builder.bitcast(builder.icmp_signed("==", veiled, wanted), WORD)


@compiled_as(
    _equal,
    lambda numbers, veil, start, wanted: types.uint64(numbers, veil, types.int64, types.int32),
)
def equal_word(numbers: Any, veil: Any, start: int, wanted: int) -> np.uint64:
    """Return a word whose bit j says whether element start + j of `numbers | veil` is wanted."""
    return _word_of((numbers[start : start + 64] | veil[start : start + 64]) == wanted)


def _average(context, builder, signature, arguments):
    """Emit the code of `average_word`."""
    lines = _pointers(context, builder, signature, arguments, NUMBERS)
    first, second = (builder.load(line, align=4) for line in lines)
    half = builder.ashr(builder.xor(first, second), ir.Constant(NUMBERS, [1] * 64))
    builder.store(builder.sub(builder.or_(first, second), half), lines[0], align=4)
    return context.get_dummy_value()


@compiled_as(_average, lambda numbers, others, start: types.void(numbers, others, types.int64))
def average_word(numbers: Any, others: Any, start: int) -> None:
    """Replace 64 numbers from `start` on by their means with others, halves rounded up."""
    first, second = numbers[start : start + 64], others[start : start + 64]
    first[:] = (first | second) - ((first ^ second) >> 1)


def _transpose(builder: Any, block: list[Any]) -> list[Any]:
    """Return the columns of a block of 8 rows as rows."""
    for apart, *selections in STEPS:
        masks = [ir.Constant(ROW, selection) for selection in selections]
        for k in (k for k in range(SIDE) if not k & apart):
            pair = block[k], block[k + apart]
            block[k], block[k + apart] = (builder.shuffle_vector(*pair, mask) for mask in masks)
    return block


def _transpose_block(context, builder, signature, arguments):
    """Emit the code of `transpose_block`."""
    matrix, row, column = arguments

    def line(first, second, k):
        indices = [builder.add(first, ir.Constant(WORD, k)), second]
        return _pointer(context, builder, signature.args[0], matrix, indices, ROW)

    block = [builder.load(line(row, column, k), align=4) for k in range(SIDE)]
    for k, turned in enumerate(_transpose(builder, block)):
        builder.store(turned, line(column, row, k), align=4)
    return context.get_dummy_value()


@compiled_as(
    _transpose_block, lambda matrix, row, column: types.void(matrix, types.int64, types.int64)
)
def transpose_block(matrix: Any, row: int, column: int) -> None:
    """Write the 8 × 8 block that begins at (row, column), transposed, to (column, row)."""
    block = matrix[row : row + SIDE, column : column + SIDE]
    matrix[column : column + SIDE, row : row + SIDE] = block.T


def _scatter(context, builder, signature, arguments):
    """Emit the code of `scatter_rows`."""
    matrix, rows, veil, source = arguments

    def row_of(position):
        row = builder.load(_pointer(context, builder, signature.args[1], rows, [position], NUMBER))
        return builder.sext(row, WORD)

    def line(row, column):
        return _pointer(context, builder, signature.args[0], matrix, [row, column], ROW)

    eight = [ir.Constant(WORD, k) for k in range(SIDE)]
    sources = [row_of(builder.add(source, k)) for k in eight]
    blocks = builder.sdiv(source, ir.Constant(WORD, SIDE))
    with cgutils.for_range(builder, blocks) as loop:
        target = builder.mul(loop.index, ir.Constant(WORD, SIDE))
        veiled = builder.load(
            _pointer(context, builder, signature.args[2], veil, [target], ROW), align=4
        )
        shown = builder.icmp_signed("==", veiled, ir.Constant(ROW, [0] * SIDE))
        shown = builder.bitcast(shown, BYTE)
        with builder.if_then(builder.icmp_unsigned("!=", shown, ir.Constant(BYTE, 0))):
            block = [builder.load(line(row, target), align=4) for row in sources]
            for k, turned in zip(eight, _transpose(builder, block)):
                builder.store(turned, line(row_of(builder.add(target, k)), source), align=4)
    return context.get_dummy_value()


@compiled_as(
    _scatter, lambda matrix, rows, veil, source: types.void(matrix, rows, veil, types.int64)
)
def scatter_rows(matrix: Any, rows: Any, veil: Any, source: int) -> None:
    """Copy the 8 rows rows[source : source + 8] into the columns source, ..., source + 7.

    Element j < source of such a row is written into row rows[j]. Blocks of 8 elements are skipped
    if all are veiled.
    """
    for target in range(0, source, SIDE):
        if (veil[target : target + SIDE] == 0).any():
            block = matrix[rows[source : source + SIDE], target : target + SIDE]
            for k in range(SIDE):
                matrix[rows[target + k], source : source + SIDE] = block[:, k]
