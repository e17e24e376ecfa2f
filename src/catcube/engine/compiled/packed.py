"""Bits as bytes and as 64-bit words: bit j of a word is byte j.

The loads and stores of 64 bytes at once read and write past the end of an array whose size is no
multiple of 64; rows of bits are padded with zeros for that (`padded`).
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.extending import intrinsic
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
