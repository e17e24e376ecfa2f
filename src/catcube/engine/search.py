"""The first argument of kernels: a search on bits, or on categories (`Native...`)."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.engine.compiled.dispatch import native
from catcube.engine.compiled.packed import words_for
from catcube.engine.recorder import Recorder


class Layout(NamedTuple):
    """The layout of a search on bits: how they decode to categories (see `decode.py`)."""

    variable: np.ndarray  # of each bit
    columns: np.ndarray  # XOR part of each bit
    weights: np.ndarray  # additive part of each bit
    first_bit: np.ndarray  # of each variable, and the number of bits at the end
    modulus: np.ndarray  # of each variable
    offset: np.ndarray  # where the table of each variable begins
    table: np.ndarray
    lookup: np.ndarray  # where the chunks of each variable begin in the two arrays below
    chunk_xor: np.ndarray  # XOR of the columns, for each chunk and value of its bits
    chunk_sum: np.ndarray  # sum of the weights
    equal_bits: int  # bits of each variable if the fast decoding applies (see `decode.py`), else 0
    reciprocal: int  # (i * reciprocal) >> 32 is the variable of bit i, if equal_bits > 0

    @property
    def moves(self) -> int:
        """The number of moves of a point: one flip for each bit."""
        return self.variable.size


class Functions(NamedTuple):
    """The addresses of a problem's functions; 0 for missing ones (only `value` is required).

    `exact` means that sums of changes are never rounded. Otherwise the values of improvements are
    evaluated again as a whole, so that reported values do not drift; and so are values that are
    much smaller than the values before (a large penalty that vanishes leaves few correct digits).
    """

    value: int
    prepare: int
    change: int
    commit: int
    announce: int
    exact: bool


class Point(NamedTuple):
    """The points of a search on bits, one per row of each array, or a single one of them."""

    bits: np.ndarray
    words: np.ndarray  # with the bits above them if layout.equal_bits > 0 (see `decode.py`)
    sums: np.ndarray
    categories: np.ndarray
    counts: np.ndarray
    frame: np.ndarray  # the argument of the problem's functions (see `compiled/entry.py`)


class Search(NamedTuple):
    """A search on bits."""

    layout: Layout
    functions: Functions
    points: Point
    recorder: Recorder
    random: np.ndarray
    packed: np.ndarray  # the bits of one point as words
    initial: np.ndarray  # the initial points, one per row


CATEGORY = np.uint16  # the type of rows of categories in populations
MOST_CATEGORIES = 2**16


@native
class Genes(NamedTuple):
    """The layout of a search on categories; a gene is a variable with several categories.

    Moves are numbered by variable, then by category: a variable with N categories has N - 1 moves,
    to the categories that it does not have, in their order.
    """

    variable: np.ndarray  # of each gene
    size: np.ndarray  # the number of categories of each gene
    first_move: np.ndarray  # of each variable
    move_variable: np.ndarray  # the variable of each move; empty if equal_moves > 0
    moves: int
    equal_moves: int  # moves of each variable if all have the same number, else 0
    reciprocal: int  # (i * reciprocal) >> 32 is the variable of move i, if equal_moves > 0


AnyLayout = Layout | Genes


def new_solutions(layout: AnyLayout, *count: int) -> NDArray[Any]:
    """Allocate solutions, as in populations: packed bits, or rows of categories."""
    if isinstance(layout, Genes):
        return np.zeros((*count, layout.first_move.size), CATEGORY)
    return np.zeros((*count, words_for(layout.variable.size) + 1), np.uint64)


@native
class NativePoint(NamedTuple):
    """The points of a search on categories, one per row of each array, or a single one of them."""

    categories: np.ndarray
    counts: np.ndarray
    frame: np.ndarray


@native
class NativeSearch(NamedTuple):
    """A search on categories."""

    layout: Genes
    functions: Functions
    points: NativePoint
    recorder: Recorder  # a `NativeRecorder`
    random: np.ndarray
    initial: np.ndarray
