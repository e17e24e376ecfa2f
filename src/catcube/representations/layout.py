"""Layouts: how the engine decodes all bits of a space, given its representations."""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from catcube.base.memory import check_memory
from catcube.base.text import expect, expect_known
from catcube.engine.decode import CHUNK, WORD_BITS
from catcube.engine.search import MOST_CATEGORIES, Genes, Layout
from catcube.errors import BadType
from catcube.representations import Representation, representation
from catcube.representations.registry import NATIVE
from catcube.space import Space

_BYTES = 64  # memory per bit or variable while a layout is built


MOST_MOVES = 2**32  # of a point, because a random move is drawn from 32 bits

RepresentationChoice: TypeAlias = "str | Representation | Mapping[str, str | Representation]"


def resolve_representations(space: Space, choice: RepresentationChoice) -> list[Representation]:
    """Return the representation of each variable, chosen for all, or by the name of each."""
    if isinstance(choice, Mapping):
        for name in choice:
            expect_known("variable", name, space)
        for name in space:
            expect(name in choice, f"a representation for variable {name!r}", choice)
        wanted = [choice[name] for name in space]
    else:
        wanted = [choice] * len(space)
    build, found = cache(representation), []
    for name, code, size in zip(space.names, wanted, space.cardinalities.tolist(), strict=True):
        if isinstance(code, str):
            code = build(code, size)
        expect(isinstance(code, Representation), "a name or a Representation", code, BadType)
        fitting = f"a representation of {size} categories for variable {name!r}"
        expect(code.categories == size, fitting, code)
        found.append(code)
    return found


def build_layout(
    space: Space, choice: RepresentationChoice, shuffling_seed: int | None = None
) -> Layout | Genes:
    """Return the layout of a search on bits, or on categories.

    >>> space = Space({"base": "ATCG", "digit": range(9), "one": ["label"]})
    >>> build_layout(space, "linear").variable.size, build_layout(space, "native").moves
    (18, 11)

    With a seed, the categories of each variable are permuted at random before they are encoded, so
    that their order does not matter; in a native search it never does.
    """
    if is_native(choice):
        return gene_layout(space)
    representations = resolve_representations(space, choice)
    if shuffling_seed is None:
        return bit_layout(representations)
    return shuffled_bit_layout(representations, shuffling_seed)


def is_native(choice: RepresentationChoice) -> bool:
    """Return whether a search on categories is chosen."""
    if not isinstance(choice, Mapping):
        return isinstance(choice, str) and choice == NATIVE
    named = [value for value in choice.values() if isinstance(value, str) and value == NATIVE]
    expect(len(named) in (0, len(choice)), "'native' for all variables or for none", dict(choice))
    return bool(named)


def count_bits(space: Space, choice: RepresentationChoice) -> int:
    """Return the number of bits of a search; 0 for a native search.

    >>> space = Space({"base": "ATCG", "flag": [True, False]})
    >>> count_bits(space, "linear"), count_bits(space, "native")
    (4, 0)
    """
    return (
        0
        if is_native(choice)
        else sum(code.bits for code in resolve_representations(space, choice))
    )


def gene_layout(space: Space) -> Genes:
    """Return the layout of a search on categories."""
    sizes = space.cardinalities
    moves = int((sizes - 1).sum())
    largest, native = int(sizes.max()), "in a native search"
    expect(moves < MOST_MOVES, f"fewer than 2^32 neighbours of a point {native}", moves)
    expect(largest <= MOST_CATEGORIES, f"at most {MOST_CATEGORIES:,} categories {native}", largest)
    variable = np.flatnonzero(sizes > 1)
    each = int(sizes[0]) - 1
    easy = each > 0 and bool((sizes == sizes[0]).all()) and moves * each < 2**31
    check_memory(
        _BYTES * sizes.size + (0 if easy else 8 * moves), f"{moves} moves of a native search"
    )
    return Genes(
        variable=variable,
        size=sizes[variable],
        first_move=np.concatenate([[0], np.cumsum(sizes[:-1] - 1)]),
        move_variable=np.repeat(np.arange(sizes.size, dtype=np.int32), 0 if easy else sizes - 1),
        moves=moves,
        equal_moves=each if easy else 0,
        reciprocal=2**32 // each + 1 if easy else 0,
    )


def bit_layout(representations: list[Representation]) -> Layout:
    """Return the layout of the bits of all variables, one by one; equal tables are shared."""
    kinds = {id(code): code for code in representations}
    numbers = {key: number for number, key in enumerate(kinds)}
    kind = np.array([numbers[id(code)] for code in representations])
    chunks = [_chunks(code) for code in kinds.values()]
    bits = [code.bits for code in representations]
    check_memory(_BYTES * (sum(bits) + len(bits)), f"{sum(bits)} bits of {len(bits)} variables")
    first = representations[0]
    easy = len(kinds) == 1 and first.modulus == 1 and 0 < first.bits <= 2 * CHUNK
    easy = easy and first.table.size <= 2**WORD_BITS  # bits fit above the word
    easy = easy and sum(bits) * first.bits < 2**31  # the reciprocal divides exactly
    return Layout(
        variable=np.repeat(np.arange(len(bits)), bits),
        columns=_concatenate([code.columns for code in representations]),
        weights=_concatenate([code.weights for code in representations]),
        first_bit=_starts(bits),
        modulus=np.array([code.modulus for code in representations], np.int64),
        offset=_starts([code.table.size for code in kinds.values()])[kind],
        table=_concatenate([code.table for code in kinds.values()]),
        lookup=_starts([xors.size for xors, _ in chunks])[kind],
        chunk_xor=_concatenate([xors for xors, _ in chunks]),
        chunk_sum=_concatenate([sums for _, sums in chunks]),
        equal_bits=first.bits if easy else 0,
        reciprocal=2**32 // first.bits + 1 if easy else 0,
    )


def shuffled_bit_layout(representations: list[Representation], seed: int) -> Layout:
    """Return the same layout with randomly permuted categories, hence a table per variable."""
    draw = np.random.default_rng(seed)
    tables = []
    for code in representations:
        permutation = draw.permutation(code.categories)
        table = code.table
        tables.append(np.where(table >= 0, permutation[table], table))  # -1: no such word
    return bit_layout(representations)._replace(
        table=_concatenate(tables),
        offset=_starts([table.size for table in tables])[:-1],
        equal_bits=0,  # fast decoding requires a common table
        reciprocal=0,
    )


def _concatenate(parts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return the concatenation of arrays as 64-bit integers."""
    return np.concatenate(parts).astype(np.int64)


def _starts(sizes: list[int]) -> NDArray[np.int64]:
    """Return the index where each part begins in a concatenation, and the end."""
    return np.cumsum([0, *sizes], dtype=np.int64)


def _chunks(representation: Representation) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the XOR of columns and the sum of weights for each value of each chunk."""
    count = -(-representation.bits // CHUNK)
    xors = np.zeros((count, 2**CHUNK), np.int64)
    sums = np.zeros((count, 2**CHUNK), np.int64)
    values = np.arange(2**CHUNK)
    for bit in range(representation.bits):
        is_set = (values >> (bit % CHUNK)) & 1
        xors[bit // CHUNK] ^= is_set * representation.columns[bit]
        sums[bit // CHUNK] += is_set * representation.weights[bit]
    return xors.ravel(), sums.ravel()


def decode_points(layout: Layout | Genes, bits: NDArray[Any]) -> NDArray[np.int64]:
    """Return the categories of points, one per row, without the compiled engine.

    The points of a search on categories are returned as they are.
    """
    if isinstance(layout, Genes):
        return bits.astype(np.int64)
    owners = np.flatnonzero(np.diff(layout.first_bit))  # variables with one category have no bits
    words = np.zeros((*bits.shape[:-1], layout.modulus.size), np.int64)
    sums = np.zeros_like(words)
    if owners.size:
        starts = layout.first_bit[owners]
        words[..., owners] = np.bitwise_xor.reduceat(bits * layout.columns, starts, axis=-1)
        if layout.weights.any():
            sums[..., owners] = np.add.reduceat(bits * layout.weights, starts, axis=-1)
    indices = layout.offset + words * layout.modulus + sums % layout.modulus
    categories: NDArray[np.int64] = layout.table[indices]
    return categories
