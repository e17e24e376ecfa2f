"""Runs with a fault in the kernel or in the problem, that a guard must notice."""

import sys
from typing import NamedTuple

import numpy as np

from catcube.algorithms.algorithm import Algorithm
from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import njit, unsigned
from catcube.engine.decode import unpack
from catcube.engine.point import point_at, start
from catcube.engine.recorder import iterate
from catcube.problems import Match
from catcube.representations.layout import layout_of, representations_of
from catcube.search.run import Run


class Parameters(NamedTuple):
    pass


@njit
def reads(search, parameters, memory):
    """Read an element of the memory at the index stored in the memory."""
    indices, values = memory
    point = point_at(search, 0)
    while iterate(search.recorder):
        values[0] += values[indices[0]]
        start(search, point)


@njit
def writes(search, parameters, memory):
    indices, values = memory
    point = point_at(search, 0)
    while iterate(search.recorder):
        values[indices[0]] = 1
        start(search, point)


@njit
def unsigned_index(search, parameters, memory):
    indices, values = memory
    point = point_at(search, 0)
    while iterate(search.recorder):
        values[0] += values[unsigned(indices[0])]
        start(search, point)


@njit
def unpacks(search, parameters, memory):
    """Write 64 bits into a row that has room for one."""
    _, values = memory
    point = point_at(search, 0)
    while iterate(search.recorder):
        start(search, point)
        unpack(search.packed, values)


@entry("value")
def wrong_value(problem):
    return float(problem.integers[problem.categories.size])


class WrongMatch(Match):
    value = wrong_value
    change = None


def faulty(kernel, index=0, dtype=np.float64, problem=Match):
    """A run whose kernel uses this index of an array of eight."""
    method = Algorithm(
        name=f"faulty {kernel.__name__}",
        title="a fault",
        reference="none",
        parameters=Parameters,
        kernel=kernel,
        memory=lambda n, parameters: (np.array([index]), np.zeros(8, dtype)),
    )
    match = problem(3, 4)
    layout = layout_of(representations_of(match.space, "linear"))
    return Run(match, layout, method, Parameters(), 5, None, 1)


FAULTS = {
    "behind": lambda: faulty(reads, 8),
    "far behind": lambda: faulty(writes, 500),
    "unsigned": lambda: faulty(unsigned_index, -1),
    "negative": lambda: faulty(reads, -1),
    "negative write": lambda: faulty(writes, -8),
    "a word beyond a row": lambda: faulty(unpacks, dtype=np.uint8),
    "in a problem": lambda: faulty(reads, 0, problem=WrongMatch),
}


def main(fault):
    """Behind a fence: the process must not survive it."""
    from tests.engine.guards.fence import new_fence
    from tests.engine.guards.guarded import guarded

    guarded(FAULTS[fault](), new_fence(True)).result()


if __name__ == "__main__":
    main(*sys.argv[1:])
