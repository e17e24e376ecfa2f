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
from catcube.representations.layout import bit_layout, resolve_representations
from catcube.search.run import Run


class Parameters(NamedTuple):
    pass


READS, WRITES, UNSIGNED, UNPACKS = range(4)


@njit
def kernel(search, parameters, memory):
    """Use an element of the memory, or write 64 bits into a row that has room for fewer."""
    fault, values, row = memory
    what, index = fault[0], fault[1]
    point = point_at(search, 0)
    while iterate(search.recorder):
        start(search, point)
        if what == READS:
            values[0] += values[index]
        elif what == WRITES:
            values[index] = 1
        elif what == UNSIGNED:
            values[0] += values[unsigned(index)]
        else:
            unpack(search.packed, row)


@entry("value")
def wrong_value(problem):
    return float(problem.integers[problem.categories.size])


class WrongMatch(Match):
    value = wrong_value
    change = None


def faulty(what, index=0, problem=Match):
    """A run whose kernel uses this index of an array of eight."""
    method = Algorithm(
        name="faulty",
        title="a fault",
        reference="none",
        parameters=Parameters,
        kernel=kernel,
        memory=lambda n, parameters: (np.array([what, index]), np.zeros(8), np.zeros(8, np.uint8)),
    )
    match = problem(3, 4)
    layout = bit_layout(resolve_representations(match.space, "linear"))
    return Run(match, layout, method, Parameters(), 5, None, 1)


FAULTS = {
    "behind": lambda: faulty(READS, 8),
    "far behind": lambda: faulty(WRITES, 500),
    "unsigned": lambda: faulty(UNSIGNED, -1),
    "negative": lambda: faulty(READS, -1),
    "negative write": lambda: faulty(WRITES, -8),
    "a word beyond a row": lambda: faulty(UNPACKS),
    "in a problem": lambda: faulty(READS, 0, WrongMatch),
}


def main(fault):
    """Behind a fence: the process must not survive it."""
    from tests.engine.guards.fence import new_fence
    from tests.engine.guards.guarded import guarded

    guarded(FAULTS[fault](), new_fence(True)).result()


if __name__ == "__main__":
    main(*sys.argv[1:])
