"""Sudoku as a minimisation problem: the number of missing and repeated digits.

As in A. Berny, "Linear representation of categorical values" (2021), the value is the sum of
|count - 1| over all units (rows, columns and blocks) and digits. Known cells are fixed, and each
unknown cell is a categorical variable.
"""

import os
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.base.text import expect
from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import inlined, unsigned
from catcube.engine.compiled.packed import popcount, popcount_of_union
from catcube.problems.problem import Problem, join_constants
from catcube.problems.registry import kind
from catcube.problems.sudoku import Board, instances
from catcube.problems.sudoku.board import candidates, count_givens, units_of
from catcube.space import Space

# integers: the size of the board; whether cells have only some of the digits; the three units of
# each variable, and where their counts begin; the digit of each category of each variable; the bit
# set of the digits given in each unit; the number of givens of each digit in each unit; for a small
# board, masks of pairs (unit, digit): those given, then those of each variable and category.
SIZE, REDUCED, UNITS, STARTS, DIGITS, GIVEN_SETS, GIVEN_COUNTS, MASKS = range(8)
# counts: the number of cells with each digit in each unit, as bytes, to copy points fast;
# then, for a larger board, scratch memory for bit sets of digits.
SMALL = 9  # largest size of boards with masks: 3 * 9 * 9 bits fit into four words
MASK_BITS = 61  # bits used in a word, which is never negative


@inlined
def changed_digits(problem, variable, category):
    """Return the index of the units of a variable, and its digits before and after a change."""
    integers = problem.integers
    before, digit = np.int64(problem.categories[unsigned(variable)]), category
    if integers[REDUCED]:  # otherwise a category is its digit
        digits = integers[DIGITS] + integers[SIZE] * variable
        before, digit = integers[unsigned(digits + before)], integers[unsigned(digits + digit)]
    return integers[STARTS] + 3 * variable, before, digit


@kind("sudoku", "complete a Sudoku board: digits missing or repeated in rows, columns, blocks")
class Sudoku(Problem):
    """The number of missing and repeated digits of a Sudoku board whose cells are filled.

    Variable "r1c2" is the cell in row 1, column 2.

    Parameters
    ----------
    board
        A `Board`, a string that contains one, a path, or an array with 0 for unknown cells.
    name
        The name of the board.
    reduced
        Whether a cell has only the digits that the givens of its units leave; the optimum is the
        same.

    Examples
    --------
    >>> problem = Sudoku.instance("sudoku-easy-56")
    >>> len(problem.space), problem.optimum
    (56, 0.0)
    >>> Sudoku(problem.board, reduced=True).space.cardinalities[:8].tolist()
    [3, 3, 1, 7, 6, 5, 4, 4]
    """

    name = "sudoku"
    exact = True

    @entry("value")
    def value(problem):
        """Return the sum of |count - 1|, which is twice the number of missing digits."""
        categories, integers, counts = problem.categories, problem.integers, problem.counts
        size = integers[SIZE]
        units = 3 * size
        if size <= SMALL:
            found = popcount_of_union(integers, integers[MASKS], 4 * size, categories)
            return float(2 * (units * size - found))
        sets = (units * size + 3) // 4
        given = integers[GIVEN_SETS]
        for unit in range(units):
            counts[unsigned(sets + unit)] = integers[unsigned(given + unit)]
        first, digits = integers[UNITS], integers[DIGITS]
        for variable in range(categories.size):
            digit = 1 << integers[unsigned(digits + categories[variable])]
            counts[unsigned(sets + integers[unsigned(first)])] |= digit
            counts[unsigned(sets + integers[unsigned(first + 1)])] |= digit
            counts[unsigned(sets + integers[unsigned(first + 2)])] |= digit
            first += 3
            digits += size
        missing = units * size
        for unit in range(units):
            missing -= popcount(np.uint64(counts[sets + unit]))
        return float(2 * missing)

    @entry("prepare")
    def prepare(problem):
        """Count the digits of each unit."""
        categories, integers = problem.categories, problem.integers
        counts = problem.counts.view(np.uint8)
        size = integers[SIZE]
        for k in range(3 * size * size):
            counts[k] = integers[integers[GIVEN_COUNTS] + k]
        for variable in range(categories.size):
            digit = integers[integers[DIGITS] + size * variable + categories[variable]]
            for k in range(3):
                counts[integers[integers[STARTS] + 3 * variable + k] + digit] += 1

    @entry("change")
    def change(problem, variable, category):
        """Return the change of the value, from the counts of both digits in three units."""
        integers, counts = problem.integers, problem.counts.view(np.uint8)
        first, before, digit = changed_digits(problem, variable, category)
        total = 0
        for k in range(3):
            start = integers[unsigned(first + k)]
            total += -1 if counts[unsigned(start + before)] > 1 else 1
            total += -1 if counts[unsigned(start + digit)] == 0 else 1
        return float(total)

    @entry("commit")
    def commit(problem, variable, category):
        """Update the counts of both digits in three units."""
        integers, counts = problem.integers, problem.counts.view(np.uint8)
        first, before, digit = changed_digits(problem, variable, category)
        for k in range(3):
            start = integers[unsigned(first + k)]
            counts[unsigned(start + before)] -= 1
            counts[unsigned(start + digit)] += 1

    def __init__(
        self,
        board: Board | str | os.PathLike[str] | ArrayLike,
        name: str = "sudoku",
        reduced: bool = False,
    ) -> None:
        if isinstance(board, str | os.PathLike):
            board = Board.read(board)
        elif not isinstance(board, Board):
            board = Board(board)
        self.board = board
        self.name = name
        unknowns = board.unknowns
        expect(unknowns, "a board with unknown cells", board)
        size = board.size
        digits = candidates(board) if reduced else [range(1, size + 1)] * len(unknowns)
        names = (f"r{row + 1}c{column + 1}" for row, column in unknowns)
        self.space = Space(dict(zip(names, digits, strict=True)))
        counts = count_givens(board)
        sets = ((counts > 0) << np.arange(size)).sum(axis=1)
        small = size <= SMALL
        table = np.zeros((len(unknowns), size), np.int64)
        for variable, labels in enumerate(digits):
            table[variable, : len(labels)] = np.array(labels) - 1
        units = units_of(board.box)[board.cells.ravel() == 0]
        masks = _masks(counts > 0, units, table) if small else np.zeros(0, np.int64)
        self.integers = join_constants(
            [size, reduced], [units, size * units, table, sets, counts, masks]
        )
        self.count_size = -(-counts.size // 4) + (0 if small else 3 * size)
        conflicts = board.conflicts()
        self.optimum = None if conflicts else 0.0
        if conflicts:
            warning = f"the givens conflict ({conflicts[0]}), so the optimum is not 0 but unknown"
            warnings.warn(warning, stacklevel=2)

    @classmethod
    def instance(cls, name: str) -> "Sudoku":
        """Return a built-in instance by name; see `Sudoku.instances()`."""
        return cls(instances.load(name), name)

    @staticmethod
    def instances() -> list[str]:
        """Return the names of the built-in instances."""
        return instances.names()

    def solution(self, point: Mapping[str, Any]) -> str:
        """Format the completed board, one row per line."""
        return str(self.complete(point))

    def drawing(self, point: Mapping[str, Any], color: bool = False) -> str:
        """Return a drawing of the completed board, in which the found digits are marked."""
        return self.board.pretty(self.complete(point), color=color)

    def reduced(self) -> "Sudoku":
        """Return the problem without digits that the givens exclude, unless givens conflict.

        >>> Sudoku("1..4 ..1. .1.. 4..1").reduced().space.cardinalities[:4].tolist()
        [2, 2, 2, 3]
        """
        if self.optimum is None:
            return self
        return Sudoku(self.board, self.name, reduced=True)

    def dimensions(self) -> str:
        """Return the number of unknown cells and the maximum number of candidates, as text."""
        digits = self.space.cardinalities.max()
        return f"{len(self.space)} unknown cells, up to {digits} candidates each"

    def complete(self, point: Mapping[str, Any]) -> Board:
        """Return the board completed by a point, such as `result.x`."""
        return self.board.with_values(point[name] for name in self.space.names)


def _masks(
    given: NDArray[np.bool_], membership: NDArray[np.int64], table: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the masks of pairs (unit, digit): of the givens, then of each category."""
    size = given.shape[1]
    categories = np.arange(size)
    bits = np.zeros((1 + table.size, 4 * MASK_BITS), np.int64)
    bits[0, : given.size] = given.ravel()
    for variable, units in enumerate(membership):
        for unit in units:
            bits[1 + variable * size + categories, unit * size + table[variable]] = 1
    masks: NDArray[np.int64] = bits.reshape(-1, 4, MASK_BITS) @ (1 << np.arange(MASK_BITS))
    return masks
