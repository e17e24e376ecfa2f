"""The memory of the pyramid: its arrays, and larger ones when a kernel needs more room."""

from typing import Any, NamedTuple

import numpy as np

from catcube.algorithms.p3_native import NativeMemory, new_native_memory
from catcube.engine.clusters import Workshop, new_workshop
from catcube.engine.compiled.packed import words_for
from catcube.engine.distances import triangle_size
from catcube.engine.information import entropy_table
from catcube.engine.linkage import Tree
from catcube.engine.mixing import Donors, Mixer, new_mixer
from catcube.engine.search import Genes
from catcube.errors import BadValue

# Indices of `sizes`.
LEVELS, HELD = range(2)
FIRST_LEVELS = 4
FIRST_MEMBERS = 128


class Memory(NamedTuple):
    """The levels of the pyramid, a row each, and all solutions it has ever held."""

    sizes: np.ndarray  # how many levels, how many solutions
    members: np.ndarray  # of each level
    donors: Donors
    pairs: np.ndarray  # for each level, how many members have both bits of a pair
    trees: Tree
    held: np.ndarray  # packed
    slots: np.ndarray  # a hash table: indices of `held`, or -1
    table: np.ndarray
    workshop: Workshop
    mixer: Mixer
    order: np.ndarray
    tried: np.ndarray


def new_memory(n: int, levels: int, members: int) -> Memory:
    """Return an empty pyramid with room for so many levels of so many members."""
    words = words_for(n) + 1
    held = 2 * members
    return Memory(
        sizes=np.zeros(2, np.int64),
        members=np.zeros(levels, np.int64),
        donors=Donors(
            np.zeros((levels, members, words), np.uint64),
            np.zeros((levels, members, words), np.uint64),
            np.zeros((levels, members), np.int64),
        ),
        pairs=np.zeros((levels, triangle_size(n)), np.int32),
        trees=Tree(
            np.zeros((levels, n), np.int64),
            np.zeros((levels, 2 * n), np.int64),
            np.zeros((levels, 2 * n), np.int64),
            np.zeros((levels, 1), np.int64),
            np.zeros((levels, 1), np.int64),
        ),
        held=np.zeros((held, words), np.uint64),
        slots=np.zeros(4 * held, np.int64),
        table=entropy_table(members),
        workshop=new_workshop(n, members),
        mixer=new_mixer(n),
        order=np.zeros(n, np.int64),
        tried=np.zeros(n, np.bool_),
    )


def grown(memory: Memory) -> Memory:
    """Return the same pyramid with room for more: a kernel cannot allocate."""
    levels, members = _larger(memory)
    larger: Memory = _moved(memory, new_memory(memory.order.size, levels, members))
    return larger._replace(table=entropy_table(members))  # its unit may be another one


def native_grown(memory: NativeMemory) -> NativeMemory:
    """Return the same for a pyramid of categories."""
    sizes = np.bincount(memory.gene, minlength=memory.first.size)
    variables = memory.held.shape[1]
    genes = Genes(np.arange(sizes.size), sizes, np.zeros(variables), np.zeros(0), 0, 0, 0)
    levels, members = _larger(memory)
    larger: NativeMemory = _moved(memory, new_native_memory(genes, levels, members))
    table = entropy_table(members)
    if table[2] != memory.table[2]:  # in another unit the sums would have to be made anew
        raise BadValue(f"p3 can hold at most {members // 2:,} solutions on a level natively")
    return larger._replace(table=table, steps=np.diff(table))


def _larger(memory: Memory | NativeMemory) -> tuple[int, int]:
    """Return how many levels and members a pyramid that is full needs."""
    levels, members = memory.donors.solutions.shape[:2]
    if memory.sizes[LEVELS] == levels:
        return levels + FIRST_LEVELS, members
    return levels, 2 * members


def _moved(source: Any, target: Any) -> Any:
    """Return the arrays of nested tuples, copied into the corners of larger ones if any."""
    if isinstance(source, tuple):
        return type(source)(*map(_moved, source, target))
    if source.shape == target.shape:
        return source
    target[tuple(slice(size) for size in source.shape)] = source
    return target
