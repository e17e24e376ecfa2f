"""Sums of tables, each with one entry for every assignment of a few variables.

The same compiled functions serve cost networks, NK landscapes and Potts glasses. For each table, a
point stores the position of the entry that it selects. A change of a variable moves these positions
by a stride, so it costs two look-ups per table of this variable, whatever the size of the problem.
"""

import math
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import expect
from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import inlined, unsigned
from catcube.problems.problem import Problem, check_integer, join_constants

MOST_ENTRIES = 50_000_000
"""Maximum number of entries of all tables together."""

Scope = Sequence[int]
Table = NDArray[np.float64]

# integers: for each variable the index of its first pair (table, stride), and the end; these pairs;
# the same for each table and its pairs (variable, stride); where the entries of each table begin.
# reals: the entries. counts: for each table, the position of the selected entry.
BY_VARIABLE, TABLES, BY_TABLE, VARIABLES, ENTRIES = range(5)


@inlined
def selected_position(problem, table):
    """Return the position of the entry that a point selects in a table."""
    integers = problem.integers
    by_table = integers[BY_TABLE] + table
    position = integers[unsigned(integers[ENTRIES] + table)]
    for k in range(integers[unsigned(by_table)], integers[unsigned(by_table + 1)], 2):
        pair = integers[VARIABLES] + k
        category = problem.categories[unsigned(integers[unsigned(pair)])]
        position += category * integers[unsigned(pair + 1)]
    return position


class TableProblem(Problem):
    """A sum of tables; subclasses set the space and call `set_tables`."""

    @entry("value")
    def value(problem):
        """Return the sum of the selected entries."""
        total = 0.0
        for table in range(problem.counts.size):
            total += problem.reals[unsigned(selected_position(problem, table))]
        return total

    @entry("prepare")
    def prepare(problem):
        """Find the selected entry of each table."""
        for table in range(problem.counts.size):
            problem.counts[table] = selected_position(problem, table)

    @entry("change")
    def change(problem, variable, category):
        """Return the change of the sum of the selected entries."""
        integers, reals = problem.integers, problem.reals
        step = category - problem.categories[variable]
        total = 0.0
        first, tables = integers[BY_VARIABLE] + variable, integers[TABLES]
        for k in range(integers[unsigned(first)], integers[unsigned(first + 1)], 2):
            position = np.int64(problem.counts[unsigned(integers[unsigned(tables + k)])])
            moved = position + step * integers[unsigned(tables + k + 1)]
            total += reals[unsigned(moved)] - reals[unsigned(position)]
        return total

    @entry("commit")
    def commit(problem, variable, category):
        """Update the positions of the selected entries."""
        integers = problem.integers
        step = category - problem.categories[variable]
        first, tables = integers[BY_VARIABLE] + variable, integers[TABLES]
        for k in range(integers[unsigned(first)], integers[unsigned(first + 1)], 2):
            table = integers[unsigned(tables + k)]
            problem.counts[unsigned(table)] += step * integers[unsigned(tables + k + 1)]

    def set_tables(self, scopes: Sequence[Scope], tables: Sequence[Table]) -> None:
        """Set the tables; axis j of a table is the j-th variable of its scope.

        Equal tables are stored once. `exact` becomes true if no sum of entries is rounded.
        """
        self.scopes, self.tables = list(scopes), list(tables)
        sizes = self.space.cardinalities
        known: dict[tuple[tuple[int, ...], bytes], tuple[int, float]] = {}  # start, range
        entries: list[Table] = []
        total = 0
        reach = 0.0  # a bound on values and their changes
        begins: list[int] = []
        by_table: list[list[int]] = []
        by_variable: list[list[int]] = [[] for _ in range(len(self.space))]
        for number, (scope, given) in enumerate(zip(scopes, tables, strict=True)):
            table = np.array(given, dtype=np.float64, order="C")
            shape = tuple(int(sizes[variable]) for variable in scope)
            fits = table.shape == shape and len(set(scope)) == len(scope)
            expect(fits, f"a table of shape {shape} for the variables {scope}", table.shape)
            expect(np.isfinite(table).all(), "finite entries", table)
            key = table.shape, table.tobytes()
            if key not in known:
                known[key] = total, float(table.max(initial=0.0)) - float(table.min(initial=0.0))
                entries.append(table.ravel())
                total = check_integer("entries of all tables", total + table.size, 0, MOST_ENTRIES)
            begin, span = known[key]
            begins.append(begin)
            reach += span
            by_table.append([])
            for variable, stride in zip(scope, table.strides, strict=True):
                by_table[-1] += [variable, stride // table.itemsize]
                by_variable[variable] += [number, stride // table.itemsize]
        expect(math.isfinite(reach), "entries whose sums are finite", reach)
        self.integers = join_constants([], [*_flatten(by_variable), *_flatten(by_table), begins])
        self.reals = np.concatenate(entries) if entries else np.zeros(0)
        self.count_size = len(by_table)
        self.exact = sums_are_exact(self.reals, len(by_table))


def _flatten(parts: list[list[int]]) -> tuple[list[int], list[int]]:
    """Return where each list begins in the concatenation, and the end; the concatenation."""
    ends = list(accumulate(map(len, parts), initial=0))
    return ends, [number for part in parts for number in part]


def sums_are_exact(entries: Table, tables: int) -> bool:
    """Return whether sums of one entry per table are never rounded.

    That is so if all entries are multiples of a power of two that is not too small.

    >>> sums_are_exact(np.array([0.25, -3.0]), tables=10)
    True
    >>> sums_are_exact(np.array([0.1, 0.2]), tables=10)
    False
    >>> sums_are_exact(np.array([1.0, 1e308]), tables=10)
    False
    """
    nonzero = np.abs(entries[entries != 0])
    if not nonzero.size or not tables:
        return True
    mantissas, exponents = np.frexp(nonzero)
    whole = (mantissas * 2.0**53).astype(np.int64)
    lowest = int((exponents - 53 + np.log2(whole & -whole)).min())  # the power of two
    mantissa, exponent = math.frexp(nonzero.max())
    largest = exponent + math.frexp(2 * tables * mantissa)[1]
    return largest - lowest <= 53
