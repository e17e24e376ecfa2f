"""A problem: n queens on a board of n × n, one in each column, that do not attack each other.

The queen of a column is a variable, its row a category. Attacks are counted along rows and
diagonals: two queens in a line are one attack, three are two, so that a line with k queens costs
k - 1.
"""

from catcube import Space
from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import inlined
from catcube.plugins import problem
from catcube.problems import Problem

# `counts` holds the numbers of queens in each of the n rows, the 2n - 1 falling and the 2n - 1
# rising diagonals, then as many elements again, in which `value` counts from scratch.


@inlined
def line(n, column, row, direction):
    """Return the index of a row (0), a falling (1) or a rising (2) diagonal in the counts."""
    if direction == 0:
        return row
    if direction == 1:
        return 2 * n - 1 + row - column
    return 3 * n - 1 + row + column


@problem("queens", "n queens that do not attack each other", instances=["8", "20"])
class Queens(Problem):
    """Place n queens on a board of n × n so that none attacks another.

    >>> Queens(4).evaluate([1, 3, 0, 2])
    0.0
    """

    name = "queens"
    exact = True

    @entry("value")
    def value(problem):
        """Count the queens of all lines, without changing the counts of `prepare`."""
        n = problem.categories.size
        lines = 5 * n - 2
        for index in range(lines, 2 * lines):
            problem.counts[index] = 0
        attacks = 0
        for column in range(n):
            for direction in range(3):
                index = lines + line(n, column, problem.categories[column], direction)
                attacks += problem.counts[index] > 0
                problem.counts[index] += 1
        return float(attacks)

    @entry("prepare")
    def prepare(problem):
        """Count the queens of all lines."""
        n = problem.categories.size
        for index in range(5 * n - 2):
            problem.counts[index] = 0
        for column in range(n):
            for direction in range(3):
                problem.counts[line(n, column, problem.categories[column], direction)] += 1

    @entry("change")
    def change(problem, column, row):
        """Return the change: attacks on the new lines of the queen minus those on its old ones."""
        n = problem.categories.size
        change = 0
        for direction in range(3):
            change -= problem.counts[line(n, column, problem.categories[column], direction)] > 1
            change += problem.counts[line(n, column, row, direction)] > 0
        return float(change)

    @entry("commit")
    def commit(problem, column, row):
        """Update the counts of the old and the new lines of the queen."""
        n = problem.categories.size
        for direction in range(3):
            problem.counts[line(n, column, problem.categories[column], direction)] -= 1
            problem.counts[line(n, column, row, direction)] += 1

    def __init__(self, n: int) -> None:
        if n < 1:
            raise ValueError(f"expected at least one queen, got {n}")
        self.space = Space({f"column {column + 1}": range(1, n + 1) for column in range(n)})
        self.count_size = 2 * (5 * n - 2)
        self.optimum = None if n in (2, 3) else 0.0  # all other boards have a solution
