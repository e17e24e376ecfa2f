"""Sums of tables: each table has one entry for every assignment of its few variables.

One kernel for cost networks, NK landscapes and Potts glasses: a point keeps, for each table, the
position of the entry that it selects. A change of a variable moves those positions by a stride, so
that it costs two look-ups a table of that variable, whatever the size of the problem.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import natural
from catcube.problems.problem import Problem

MOST_ENTRIES = 50_000_000
"""Of all tables together."""

Scope = tuple[int, ...]
Table = NDArray[np.float64]

# integers: where the tables of each variable begin, and one more end; where the variables of each
# table begin, and one more end; pairs (table, stride) by variable; and by table the position of its
# first entry and pairs (variable, stride). All positions count from the first integer.
# reals: the entries. counts: for each table, the position of the entry that the point selects.


@entry("value")
def tables_value(problem):
    """The sum of the selected entries."""
    categories, integers = problem.categories, problem.integers
    first = categories.size + 1
    total = 0.0
    for table in range(problem.counts.size):
        begin, end = integers[first + table], integers[first + table + 1]
        position = integers[natural(begin)]
        for k in range(begin + 1, end, 2):
            position += categories[natural(integers[natural(k)])] * integers[natural(k + 1)]
        total += problem.reals[natural(position)]
    return total


@entry("prepare")
def tables_prepare(problem):
    """Find the entry that the point selects in each table."""
    categories, integers = problem.categories, problem.integers
    first = categories.size + 1
    for table in range(problem.counts.size):
        begin, end = integers[first + table], integers[first + table + 1]
        position = integers[natural(begin)]
        for k in range(begin + 1, end, 2):
            position += categories[natural(integers[natural(k)])] * integers[natural(k + 1)]
        problem.counts[table] = position


@entry("change")
def tables_change(problem, variable, category):
    """What the entries selected then differ from those selected now."""
    integers, reals = problem.integers, problem.reals
    step = category - problem.categories[variable]
    total = 0.0
    for k in range(integers[natural(variable)], integers[natural(variable + 1)], 2):
        position = np.int64(problem.counts[natural(integers[natural(k)])])
        moved = position + step * integers[natural(k + 1)]
        total += reals[natural(moved)] - reals[natural(position)]
    return total


@entry("commit")
def tables_commit(problem, variable, category):
    """Move to the entries of the new category."""
    integers = problem.integers
    step = category - problem.categories[variable]
    for k in range(integers[natural(variable)], integers[natural(variable + 1)], 2):
        problem.counts[natural(integers[natural(k)])] += step * integers[natural(k + 1)]


class TableProblem(Problem):
    """A sum of tables; what makes one sets its space and calls `set_tables`."""

    value = tables_value
    prepare = tables_prepare
    change = tables_change
    commit = tables_commit

    def set_tables(self, scopes: Sequence[Scope], tables: Sequence[Table]) -> None:
        """Take the tables for constants: axis j of a table is the j-th variable of its scope.

        Equal tables are kept once. `exact` becomes true if no sum of entries rounds.
        """
        self.scopes, self.tables = list(scopes), list(tables)
        sizes = self.space.cardinalities
        positions: dict[tuple[tuple[int, ...], bytes], int] = {}
        entries: list[Table] = []
        total = 0
        by_table: list[list[int]] = []
        by_variable: list[list[int]] = [[] for _ in range(len(self.space))]
        for number, (scope, given) in enumerate(zip(scopes, tables, strict=True)):
            table = np.array(given, dtype=np.float64, order="C")
            shape = tuple(int(sizes[variable]) for variable in scope)
            if table.shape != shape or len(set(scope)) != len(scope):
                raise ValueError(
                    f"expected a table of shape {shape} for the "
                    f"variables {scope}, got {table.shape}"
                )
            if not np.isfinite(table).all():
                raise ValueError("expected finite entries, got infinity or NaN")
            key = table.shape, table.tobytes()
            if key not in positions:
                positions[key] = total
                entries.append(table.ravel())
                total += table.size
                if total > MOST_ENTRIES:
                    raise ValueError(f"tables of more than {MOST_ENTRIES:,} entries")
            strides = [stride // table.itemsize for stride in table.strides]
            by_table.append([positions[key]])
            for variable, stride in zip(scope, strides, strict=True):
                by_table[-1] += [variable, stride]
                by_variable[variable] += [number, stride]
        parts = [*by_variable, *by_table]
        ends = np.cumsum([0] + [len(part) for part in parts])
        heads = len(by_variable) + len(by_table) + 2
        begins = np.concatenate([ends[: len(by_variable) + 1], ends[len(by_variable) :]]) + heads
        flat = [number for part in parts for number in part]
        self.integers = np.concatenate([begins, np.array(flat, dtype=np.int64)])
        self.reals = np.concatenate(entries) if entries else np.zeros(0)
        self.count_size = len(by_table)
        self.exact = sums_are_exact(self.reals, len(by_table))


def sums_are_exact(entries: Table, tables: int) -> bool:
    """Tell whether no sum of one entry per table rounds: all are multiples of one power of two.

    >>> sums_are_exact(np.array([0.25, -3.0]), tables=10)
    True
    >>> sums_are_exact(np.array([0.1, 0.2]), tables=10)
    False
    """
    nonzero = np.abs(entries[entries != 0])
    if not nonzero.size:
        return True
    mantissas, exponents = np.frexp(nonzero)
    whole = (mantissas * 2.0**53).astype(np.int64)
    lowest = int((exponents - 53 + np.log2(whole & -whole)).min())  # the power of two
    largest = math.frexp(2 * tables * float(nonzero.max()))[1]
    return largest - lowest <= 53
