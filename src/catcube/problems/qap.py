"""Quadratic assignment, with locations as categories, and a penalty for unused locations.

T. C. Koopmans and M. Beckmann (1957): the sum over i, j of a[i, j] b[p(i), p(j)]. Here p need not
be a permutation, but each unused location costs more than moving a facility there, so that optimal
points are permutations.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.base.text import expect
from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import unsigned
from catcube.problems.problem import Problem, as_integers, check_integer, join_constants
from catcube.problems.registry import kind
from catcube.problems.scanner import Scanner, Source, TextFile, builtin_file, reading
from catcube.space import Space

LARGEST = 512
GREATEST = 2**52  # value that a float represents exactly, together with its changes

# integers: the penalty, the matrices a and b. counts: the number of facilities at each location,
# and the same for `value`.
PENALTY, A, B = range(3)


@kind(
    "qap",
    "quadratic assignment: flows times distances, and a penalty for unused locations",
    instances=["nug12", "random,8", "random,20"],
    generators=["random"],
    reader="read",
)
class Qap(Problem):
    """The cost of an assignment of facilities to locations, with penalties for unused locations.

    Parameters
    ----------
    a, b
        The flows between facilities, and the distances between locations: square matrices.
    optimum
        The value of the best permutation, if it is known.

    Examples
    --------
    >>> problem = Qap.instance("nug12")
    >>> problem.evaluate({f"p{i}": p for i, p in enumerate(NUG12, start=1)}), problem.optimum
    (578.0, 578.0)
    """

    exact = True
    exchanges = True

    @entry("value")
    def value(problem):
        """Return the sum of the products and of the penalties."""
        p, integers, counts = problem.categories, problem.integers, problem.counts
        n = p.size
        a, b = integers[A], integers[B]
        total = 0
        for location in range(n):
            counts[n + location] = 0
        for i in range(n):
            counts[n + p[i]] += 1
            for j in range(n):
                total += integers[unsigned(a + i * n + j)] * integers[unsigned(b + p[i] * n + p[j])]
        unused = 0
        for location in range(n):
            unused += 1 if counts[n + location] == 0 else 0
        return float(total + unused * integers[PENALTY])

    @entry("prepare")
    def prepare(problem):
        """Count the facilities at each location."""
        for location in range(problem.categories.size):
            problem.counts[location] = 0
        for i in range(problem.categories.size):
            problem.counts[problem.categories[i]] += 1

    @entry("change")
    def change(problem, i, location):
        """Return the change of the products of facility i and of the penalties."""
        p, integers, counts = problem.categories, problem.integers, problem.counts
        n = p.size
        a, b = integers[A], integers[B]
        before = np.int64(p[unsigned(i)])
        old, new = b + before * n, b + location * n
        total = 0
        for j in range(n):
            if j != i:
                other = np.int64(p[unsigned(j)])
                row = integers[unsigned(new + other)] - integers[unsigned(old + other)]
                column = integers[unsigned(b + other * n + location)]
                column -= integers[unsigned(b + other * n + before)]
                total += integers[unsigned(a + i * n + j)] * row
                total += integers[unsigned(a + j * n + i)] * column
        own = integers[unsigned(new + location)] - integers[unsigned(old + before)]
        total += integers[unsigned(a + i * n + i)] * own
        unused = 1 if counts[unsigned(before)] == 1 else 0
        unused -= 1 if counts[unsigned(location)] == 0 else 0
        return float(total + unused * integers[PENALTY])

    @entry("commit")
    def commit(problem, i, location):
        """Update the counts of the old and the new location."""
        problem.counts[problem.categories[i]] -= 1
        problem.counts[location] += 1

    def __init__(self, a: ArrayLike, b: ArrayLike, optimum: float | None = None) -> None:
        self.a, self.b = as_integers("flows", a), as_integers("distances", b)
        n = len(self.a)
        check_integer("size", n, 1, LARGEST)
        shapes = self.a.shape, self.b.shape
        expect(shapes == ((n, n), (n, n)), "two square matrices of one size", shapes)
        self.penalty = _penalty(self.a, self.b)
        self.space = Space({f"p{i}": range(1, n + 1) for i in range(1, n + 1)})
        self.integers = join_constants([self.penalty], [self.a, self.b])
        self.count_size = 2 * n
        self.optimum = optimum

    @classmethod
    def read(cls, file: Source, solution: Source | None = None) -> "Qap":
        """Read an instance in the format of QAPLIB, and its best known value from a solution."""
        with reading(file) as given:
            words = Scanner(given)
            n = words.integer("the size", 1, LARGEST)
            entries = [words.integer("an entry", -(2**40), 2**40) for _ in range(2 * n * n)]
            words.end()
            problem = cls(*np.reshape(entries, (2, n, n)))
        if solution is not None:
            problem._take_solution(TextFile.read(solution))
        elif given == builtin_file("qap", "nug12"):
            problem.optimum = float(problem.cost(NUG12))
        return problem

    def _take_solution(self, file: TextFile) -> None:
        """Take the optimum from a solution file: `n value` and a permutation with this value."""
        words = Scanner(file, pattern=r"[^\s,]+")
        n = len(self.a)
        words.integer("the size of the instance", n, n)
        value = words.integer("the value")
        permutation = [words.integer("a location", 1, n) for _ in range(n)]
        words.end()
        file.expect(len(set(permutation)) == n, "every location once", "one again")
        found = self.cost(permutation)
        file.expect(found == value, f"{found}, the value of the permutation", value)
        self.optimum = float(value)

    def cost(self, permutation: ArrayLike) -> int:
        """Return the value of a permutation of 1 to n, in exact integers."""
        p = np.asarray(permutation) - 1
        return int((self.a * self.b[np.ix_(p, p)]).sum())

    @classmethod
    def instance(cls, name: str) -> "Qap":
        """Return a built-in instance by name."""
        return cls.read(builtin_file("qap", name))

    @classmethod
    def random(cls, size: int, seed: Any = 1) -> "Qap":
        """Build random symmetric matrices of integers in 0..99 with zero diagonals."""
        check_integer("size", size, 1, LARGEST)
        random = np.random.default_rng(seed)
        halves = np.triu(random.integers(0, 100, (2, size, size)), 1)
        a, b = halves + halves.transpose(0, 2, 1)
        return cls(a, b)

    def solution(self, point: Mapping[str, Any]) -> str:
        """Format a QAPLIB solution file: a line with size and value, a line of locations."""
        locations = [point[name] for name in self.space.names]
        value = f"{self.evaluate(point):.0f}"
        return f"{len(locations)} {value}\n{' '.join(map(str, locations))}"


def _penalty(a: NDArray[np.int64], b: NDArray[np.int64]) -> int:
    """Return a penalty that exceeds the cost of moving a facility to an unused location.

    A move changes the cost by at most the sum of |a| in a row and a column, times the greatest
    difference of two entries of b.
    """
    magnitudes = np.abs(a.astype(object))  # exact, of any size
    weights = magnitudes.sum(axis=0) + magnitudes.sum(axis=1)
    penalty = 1 + int(weights.max()) * (int(b.max()) - int(b.min()))
    greatest = max(abs(int(b.max())), abs(int(b.min())))
    check_integer("values", int(magnitudes.sum()) * greatest + len(a) * penalty, 0, GREATEST)
    return penalty


NUG12 = (12, 7, 9, 3, 4, 8, 11, 1, 5, 6, 10, 2)
"""The permutation that QAPLIB publishes for nug12 (Nugent, Vollmann and Ruml 1968)."""
