"""Bits as bytes and as 64-bit words (bit j of a word is byte j), and vectors of 32-bit integers.

The loads and stores of 64 bytes at once read and write past the end of an array whose size is not
a multiple of 64; rows of bits are padded with zeros for that (`padded`).
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from catcube.engine.compiled.jit import JIT

WORD = ir.IntType(64)
BYTE = ir.IntType(8)
BYTES = ir.VectorType(BYTE, 64)
FOUR_TIMES = ir.Constant(WORD, 2)  # as a shift


def words_for(n: int) -> int:
    """Return how many words hold n bits."""
    return (n + 63) // 64


def padded(rows: int, n: int) -> NDArray[np.uint8]:
    """Allocate rows of n bits as bytes, each padded to whole words."""
    return np.zeros((rows, 64 * words_for(n)), np.uint8)


def _address(context: Any, builder: Any, array_type: Any, array: Any, start: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [start]), BYTES.as_pointer())


@intrinsic
def _load(context, bits, start):
    def code(context, builder, signature, arguments):
        address = _address(context, builder, signature.args[0], *arguments)
        loaded = builder.load(address, align=1)
        ones = builder.icmp_unsigned("!=", loaded, ir.Constant(BYTES, [0] * 64))
        return builder.bitcast(ones, WORD)

    return types.uint64(bits, types.int64), code


@intrinsic
def _store(context, bits, start, word):
    def code(context, builder, signature, arguments):
        array, start, word = arguments
        ones = builder.bitcast(word, ir.VectorType(ir.IntType(1), 64))
        address = _address(context, builder, signature.args[0], array, start)
        builder.store(builder.zext(ones, BYTES), address, align=1)
        return context.get_dummy_value()

    return types.void(bits, types.int64, types.uint64), code


def _comparison(sign: str) -> Callable[..., Any]:
    @intrinsic
    def compared(context, first, second, start):
        def code(context, builder, signature, arguments):
            left, right = (
                builder.load(_address(context, builder, kind, array, arguments[2]), align=1)
                for kind, array in zip(signature.args, arguments[:2], strict=False)
            )
            return builder.bitcast(builder.icmp_unsigned(sign, left, right), WORD)

        return types.uint64(first, second, types.int64), code

    return compared


def _count(name: str) -> Callable[..., Any]:
    @intrinsic
    def counted(context, word):
        def code(context, builder, signature, arguments):
            if name == "ctpop":
                return builder.ctpop(arguments[0])
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.uint64), code

    return counted


@intrinsic
def _union(context, words, start, step, categories):
    def code(context, builder, signature, arguments):
        words, start, step, categories = arguments
        four = ir.VectorType(WORD, 4)

        def item(kind, array, index):
            data = context.make_array(kind)(context, builder, array).data
            return builder.gep(data, [index])

        def mask(index):
            place = item(signature.args[0], words, index)
            return builder.load(builder.bitcast(place, four.as_pointer()), align=8)

        size = context.make_array(signature.args[3])(context, builder, categories).shape
        union = cgutils.alloca_once_value(builder, mask(start))
        begin = builder.add(start, ir.Constant(WORD, 4))
        with cgutils.for_range(builder, builder.extract_value(size, 0)) as loop:
            category = builder.load(item(signature.args[3], categories, loop.index))
            place = builder.add(begin, builder.mul(loop.index, step))
            place = builder.add(place, builder.shl(builder.sext(category, WORD), FOUR_TIMES))
            builder.store(builder.or_(builder.load(union), mask(place)), union)
        found = builder.load(union)
        counts = [
            builder.ctpop(builder.extract_element(found, ir.Constant(ir.IntType(32), k)))
            for k in range(4)
        ]
        return functools.reduce(builder.add, counts)

    return types.int64(words, types.int64, types.int64, categories), code


def _load_in_python(bits: Any, start: int) -> np.uint64:
    chunk = bits[start : start + 64]
    return np.uint64(int.from_bytes(np.packbits(chunk, bitorder="little").tobytes(), "little"))


def _store_in_python(bits: Any, start: int, word: np.uint64) -> None:
    chunk = np.unpackbits(np.array([word], "<u8").view(np.uint8), bitorder="little")
    room = bits[start : start + 64]
    room[:] = chunk[: room.size]


def _less_in_python(first: Any, second: Any, start: int) -> np.uint64:
    less = first[start : start + 64] < second[start : start + 64]
    return _load_in_python(less, 0)


def _same_in_python(first: Any, second: Any, start: int) -> np.uint64:
    same = first[start : start + 64] == second[start : start + 64]
    return _load_in_python(same, 0)


def _ones_in_python(word: np.uint64) -> int:
    return int(word).bit_count()


def _union_in_python(words: Any, start: int, step: int, categories: Any) -> int:
    union = words[start : start + 4].copy()
    for variable, category in enumerate(categories.tolist()):
        place = start + 4 + step * variable + 4 * category
        union |= words[place : place + 4]
    return sum(word.bit_count() for word in union.tolist())


def _lowest_in_python(word: np.uint64) -> int:
    return 64 if word == 0 else (int(word) & -int(word)).bit_length() - 1


load_word: Callable[..., Any] = _load if JIT else _load_in_python
"""load_word(bits, start): the 64 bytes from `start` as a word."""

store_word: Callable[..., Any] = _store if JIT else _store_in_python
"""store_word(bits, start, word): the word as 64 bytes from `start`."""

less_word: Callable[..., Any] = _comparison("<") if JIT else _less_in_python
"""less_word(first, second, start): where bytes are less than others, of the 64 from `start`."""

same_word: Callable[..., Any] = _comparison("==") if JIT else _same_in_python
"""same_word(first, second, start): where they are equal."""

ones: Callable[..., Any] = _count("ctpop") if JIT else _ones_in_python
"""ones(word): how many bits of the word are set."""

lowest: Callable[..., Any] = _count("cttz") if JIT else _lowest_in_python
"""lowest(word): the index of the lowest set bit; 64 if there is none."""

ones_of_union: Callable[..., Any] = _union if JIT else _union_in_python
"""ones_of_union(words, start, step, categories): how many bits are set in any of some masks.

A mask is four words, not negative: that from `start` on and, for each variable k, that from
start + 4 + step * k + 4 * categories[k] on. Written by hand since numba's loop is four times as
slow: the compiler would take many variables at once, and gather their words."""


NUMBER = ir.IntType(32)
NUMBERS = ir.VectorType(NUMBER, 64)

SIDE = 8
ROW = ir.VectorType(NUMBER, SIDE)
# The steps of turning a block over: neighbours exchange single numbers, rows two apart pairs of
# them, rows four apart halves. Each step makes two rows of two, by these indices in both.
STEPS = [
    (1, [0, 8, 2, 10, 4, 12, 6, 14], [1, 9, 3, 11, 5, 13, 7, 15]),
    (2, [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]),
    (4, [0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]),
]


def _at(context: Any, builder: Any, array_type: Any, array: Any, indices: Any, kind: Any) -> Any:
    structure = context.make_array(array_type)(context, builder, array)
    address = cgutils.get_item_pointer(context, builder, array_type, structure, indices)
    return builder.bitcast(address, kind.as_pointer())


def _smaller(builder: Any, first: Any, second: Any) -> Any:
    return builder.select(builder.icmp_signed("<", first, second), first, second)


def _everywhere(builder: Any, kind: Any, number: Any) -> Any:
    """Return a vector of one number."""
    nothing = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(nothing, number, ir.Constant(NUMBER, 0))
    return builder.shuffle_vector(first, nothing, ir.Constant(kind, [0] * kind.count))


@intrinsic
def _least(context, numbers, veil, words, leasts):
    def code(context, builder, signature, arguments):
        arrays, words = (*arguments[:2], arguments[3]), arguments[2]
        kinds = (*signature.args[:2], signature.args[3])

        def line(which, at):
            return _at(context, builder, kinds[which], arrays[which], [at], ROW)

        least = cgutils.alloca_once_value(builder, ir.Constant(ROW, [2**31 - 1] * SIDE))
        with cgutils.for_range(builder, words) as loop:
            start = builder.mul(loop.index, ir.Constant(WORD, 64))
            lines = []
            for k in range(0, 64, SIDE):
                at = builder.add(start, ir.Constant(WORD, k))
                pair = (builder.load(line(which, at), align=4) for which in (0, 1))
                lines.append(builder.or_(*pair))
            while len(lines) > 1:
                lines = [_smaller(builder, *lines[k : k + 2]) for k in range(0, len(lines), 2)]
            eighth = builder.mul(loop.index, ir.Constant(WORD, SIDE))
            builder.store(lines[0], line(2, eighth), align=4)
            builder.store(_smaller(builder, builder.load(least), lines[0]), least)
        left = builder.load(least)
        while left.type.count > 1:
            size = left.type.count // 2
            halves = [
                builder.shuffle_vector(
                    left,
                    ir.Constant(left.type, ir.Undefined),
                    ir.Constant(ir.VectorType(NUMBER, size), list(range(begin, begin + size))),
                )
                for begin in (0, size)
            ]
            left = _smaller(builder, *halves)
        return builder.extract_element(left, ir.Constant(NUMBER, 0))

    return types.int32(numbers, veil, types.int64, leasts), code


@intrinsic
def _holds(context, leasts, start, wanted):
    def code(context, builder, signature, arguments):
        leasts, start, wanted = arguments
        line = _at(context, builder, signature.args[0], leasts, [start], ROW)
        numbers = builder.load(line, align=4)
        equal = builder.icmp_signed("==", numbers, _everywhere(builder, ROW, wanted))
        return builder.icmp_unsigned("!=", builder.bitcast(equal, BYTE), ir.Constant(BYTE, 0))

    return types.boolean(leasts, types.int64, types.int32), code


@intrinsic
def _equal(context, numbers, veil, start, wanted):
    def code(context, builder, signature, arguments):
        numbers, veil, start, wanted = arguments
        first, second = (
            builder.load(_at(context, builder, kind, array, [start], NUMBERS), align=4)
            for kind, array in zip(signature.args, (numbers, veil), strict=False)
        )
        veiled = builder.or_(first, second)
        wanted = _everywhere(builder, NUMBERS, wanted)
        return builder.bitcast(builder.icmp_signed("==", veiled, wanted), WORD)

    return types.uint64(numbers, veil, types.int64, types.int32), code


@intrinsic
def _middle(context, numbers, others, start):
    def code(context, builder, signature, arguments):
        numbers, others, start = arguments
        lines = [
            _at(context, builder, kind, array, [start], NUMBERS)
            for kind, array in zip(signature.args, (numbers, others), strict=False)
        ]
        first, second = (builder.load(line, align=4) for line in lines)
        half = builder.ashr(builder.xor(first, second), ir.Constant(NUMBERS, [1] * 64))
        builder.store(builder.sub(builder.or_(first, second), half), lines[0], align=4)
        return context.get_dummy_value()

    return types.void(numbers, others, types.int64), code


def _turned(builder: Any, block: list[Any]) -> list[Any]:
    """Return the columns of a block of 8 rows as rows."""
    for apart, *selections in STEPS:
        masks = [ir.Constant(ROW, selection) for selection in selections]
        for k in (k for k in range(SIDE) if not k & apart):
            pair = block[k], block[k + apart]
            block[k], block[k + apart] = (builder.shuffle_vector(*pair, mask) for mask in masks)
    return block


@intrinsic
def _turn(context, matrix, row, column):
    def code(context, builder, signature, arguments):
        matrix, row, column = arguments

        def line(first, second, k):
            indices = [builder.add(first, ir.Constant(WORD, k)), second]
            return _at(context, builder, signature.args[0], matrix, indices, ROW)

        block = [builder.load(line(row, column, k), align=4) for k in range(SIDE)]
        for k, turned in enumerate(_turned(builder, block)):
            builder.store(turned, line(column, row, k), align=4)
        return context.get_dummy_value()

    return types.void(matrix, types.int64, types.int64), code


@intrinsic
def _spread(context, matrix, rows, veil, source):
    def code(context, builder, signature, arguments):
        matrix, rows, veil, source = arguments

        def row_of(position):
            row = builder.load(_at(context, builder, signature.args[1], rows, [position], NUMBER))
            return builder.sext(row, WORD)

        def line(row, column):
            return _at(context, builder, signature.args[0], matrix, [row, column], ROW)

        eight = [ir.Constant(WORD, k) for k in range(SIDE)]
        sources = [row_of(builder.add(source, k)) for k in eight]
        blocks = builder.sdiv(source, ir.Constant(WORD, SIDE))
        with cgutils.for_range(builder, blocks) as loop:
            target = builder.mul(loop.index, ir.Constant(WORD, SIDE))
            veiled = builder.load(
                _at(context, builder, signature.args[2], veil, [target], ROW), align=4
            )
            shown = builder.icmp_signed("==", veiled, ir.Constant(ROW, [0] * SIDE))
            shown = builder.bitcast(shown, BYTE)
            with builder.if_then(builder.icmp_unsigned("!=", shown, ir.Constant(BYTE, 0))):
                block = [builder.load(line(row, target), align=4) for row in sources]
                for k, turned in zip(eight, _turned(builder, block), strict=True):
                    builder.store(turned, line(row_of(builder.add(target, k)), source), align=4)
        return context.get_dummy_value()

    return types.void(matrix, rows, veil, types.int64), code


def _least_in_python(numbers: Any, veil: Any, words: int, leasts: Any) -> np.int32:
    veiled = (numbers[: 64 * words] | veil[: 64 * words]).reshape(words, SIDE, SIDE)
    leasts[: SIDE * words] = veiled.min(axis=1).ravel()
    least: np.int32 = veiled.min()
    return least


def _holds_in_python(leasts: Any, start: int, wanted: int) -> bool:
    return bool((leasts[start : start + SIDE] == wanted).any())


def _equal_in_python(numbers: Any, veil: Any, start: int, wanted: int) -> np.uint64:
    equal = (numbers[start : start + 64] | veil[start : start + 64]) == wanted
    return np.uint64(int.from_bytes(np.packbits(equal, bitorder="little").tobytes(), "little"))


def _middle_in_python(numbers: Any, others: Any, start: int) -> None:
    first, second = numbers[start : start + 64], others[start : start + 64]
    first[:] = (first | second) - ((first ^ second) >> 1)


def _turn_in_python(matrix: Any, row: int, column: int) -> None:
    block = matrix[row : row + SIDE, column : column + SIDE]
    matrix[column : column + SIDE, row : row + SIDE] = block.T


def _spread_in_python(matrix: Any, rows: Any, veil: Any, source: int) -> None:
    for target in range(0, source, SIDE):
        if (veil[target : target + SIDE] == 0).any():
            block = matrix[rows[source : source + SIDE], target : target + SIDE]
            for k in range(SIDE):
                matrix[rows[target + k], source : source + SIDE] = block[:, k]


least_of_row: Callable[..., Any] = _least if JIT else _least_in_python
"""least_of_row(numbers, veil, words, leasts): the least of `numbers | veil`, of 64 for each word.

leasts[8 * w : 8 * w + 8] become the least of every eighth of the 64 numbers of word w."""

holds: Callable[..., Any] = _holds if JIT else _holds_in_python
"""holds(leasts, start, wanted): whether the number wanted is among the 8 from `start` on."""

equal_word: Callable[..., Any] = _equal if JIT else _equal_in_python
"""equal_word(numbers, veil, start, wanted): where `numbers | veil` is what is wanted, as a word.

Bit j of the word is for the index start + j."""

middle_word: Callable[..., Any] = _middle if JIT else _middle_in_python
"""middle_word(numbers, others, start): the mean of both, halves up, into 64 numbers from there."""

turn_block: Callable[..., Any] = _turn if JIT else _turn_in_python
"""turn_block(matrix, row, column): write the block of 8 rows and columns from there on, transposed,
to where row and column are exchanged."""

spread_rows: Callable[..., Any] = _spread if JIT else _spread_in_python
"""spread_rows(matrix, rows, veil, source): write what the 8 rows rows[source], ... have in the
columns before `source` into these 8 columns: column j is for the row rows[j], in their order.

Blocks of 8 columns are left out where all are veiled."""
