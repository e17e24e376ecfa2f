"""Quadratic assignment, with categories for the places and a penalty for those left unused.

T. C. Koopmans and M. Beckmann (1957): the sum over i, j of a[i, j] b[p(i), p(j)]. Here p need not
be a permutation; each place that it leaves unused costs more than moving something there can: so
the least value is that of a permutation.
"""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import unsigned
from catcube.problems.bounds import bounded
from catcube.problems.constants import joined
from catcube.problems.problem import Problem
from catcube.problems.reading import Scanner, TextFile
from catcube.problems.registry import kind
from catcube.problems.shipped import shipped_file
from catcube.space import Space

LARGEST = 512
GREATEST = 2**53  # integers that a float holds exactly

# integers: the penalty, the matrix a, the matrix b. counts: how many have each place, then room for
# `value` to count them afresh.
PENALTY, A, B = range(3)


@entry("value")
def qap_value(problem):
    """Return the sum of all products, and the penalties."""
    p, integers, counts = problem.categories, problem.integers, problem.counts
    n = p.size
    a, b = integers[A], integers[B]
    total = 0
    for place in range(n):
        counts[n + place] = 0
    for i in range(n):
        counts[n + p[i]] += 1
        for j in range(n):
            total += integers[unsigned(a + i * n + j)] * integers[unsigned(b + p[i] * n + p[j])]
    unused = 0
    for place in range(n):
        unused += 1 if counts[n + place] == 0 else 0
    return float(total + unused * integers[PENALTY])


@entry("prepare")
def qap_prepare(problem):
    """Count how many have each place."""
    for place in range(problem.categories.size):
        problem.counts[place] = 0
    for i in range(problem.categories.size):
        problem.counts[problem.categories[i]] += 1


@entry("change")
def qap_change(problem, i, place):
    """Return the products with i change, in a row and a column of each matrix."""
    p, integers, counts = problem.categories, problem.integers, problem.counts
    n = p.size
    a, b = integers[A], integers[B]
    before = np.int64(p[unsigned(i)])
    old, new = b + before * n, b + place * n
    total = 0
    for j in range(n):
        if j != i:
            other = np.int64(p[unsigned(j)])
            row = integers[unsigned(new + other)] - integers[unsigned(old + other)]
            column = integers[unsigned(b + other * n + place)]
            column -= integers[unsigned(b + other * n + before)]
            total += integers[unsigned(a + i * n + j)] * row
            total += integers[unsigned(a + j * n + i)] * column
    total += integers[unsigned(a + i * n + i)] * (
        integers[unsigned(new + place)] - integers[unsigned(old + before)]
    )
    unused = 1 if counts[unsigned(before)] == 1 else 0
    unused -= 1 if counts[unsigned(place)] == 0 else 0
    return float(total + unused * integers[PENALTY])


@entry("commit")
def qap_commit(problem, i, place):
    """One more has the new place, one less the old."""
    problem.counts[problem.categories[i]] -= 1
    problem.counts[place] += 1


@kind(
    "qap",
    "quadratic assignment: flows times distances, and a penalty for unused places",
    instances=["nug12", "random,8", "random,20"],
    generators=["random"],
    reader="read",
)
class Qap(Problem):
    """Assign places: the sum of a[i, j] b[p(i), p(j)], and a penalty for each unused place.

    >>> problem = Qap.instance("nug12")
    >>> problem.evaluate({f"p{i}": own for i, own in enumerate(NUG12, start=1)}), problem.optimum
    (578.0, 578.0)

    `optimum` is the value of the best permutation, if that is known.
    """

    name = "qap"
    value = qap_value
    prepare = qap_prepare
    change = qap_change
    commit = qap_commit
    exact = True

    def __init__(self, a: ArrayLike, b: ArrayLike, optimum: float | None = None) -> None:
        self.a, self.b = (np.asarray(own, dtype=np.int64) for own in (a, b))
        n = len(self.a)
        bounded("size", n, 1, LARGEST)
        for own in (self.a, self.b):
            if own.shape != (n, n):
                raise ValueError(f"expected two square matrices of one size, got {own.shape}")
        self.penalty = _penalty(self.a, self.b)
        self.space = Space({f"p{i}": range(1, n + 1) for i in range(1, n + 1)})
        self.integers = joined([self.penalty], [self.a, self.b])
        self.count_size = 2 * n
        self.optimum = optimum

    @classmethod
    def read(
        cls,
        file: str | os.PathLike[str] | TextFile,
        solution: str | os.PathLike[str] | TextFile | None = None,
    ) -> "Qap":
        """Read an instance in QAPLIB's format, and the best value known from a solution file."""
        given = TextFile.read(file)
        words = Scanner(given)
        n = words.integer("the size", 1, LARGEST)
        a, b = (
            np.array([words.integer(f"an entry of {name}", -(2**40), 2**40) for _ in range(n * n)])
            for name in ("the first matrix", "the second matrix")
        )
        words.end()
        problem = cls(a.reshape(n, n), b.reshape(n, n))
        if solution is not None:
            problem._take_solution(TextFile.read(solution))
        elif given == shipped_file("qap", "nug12"):
            problem.optimum = float(problem.cost(NUG12))
        return problem

    def _take_solution(self, file: TextFile) -> None:
        """Note the value of a solution file, `n value` and a permutation, if it is right."""
        words = Scanner(file, pattern=r"[^\s,]+")
        n = len(self.a)
        words.integer("the size of the instance", n, n)
        place = words.peek()
        value = words.integer("the value")
        permutation: list[int] = []
        for _ in range(n):
            own = words.peek()
            permutation.append(words.integer("a place", 1, n))
            if permutation.count(permutation[-1]) > 1 and own is not None:
                raise words.fault(own, "every place once")
        words.end()
        found = self.cost(permutation)
        if found != value and place is not None:
            raise words.fault(place, f"{found}, the value of the permutation")
        self.optimum = float(value)

    def cost(self, permutation: ArrayLike) -> int:
        """Return the value of a permutation of 1 to n, in exact integers."""
        p = np.asarray(permutation) - 1
        return int((self.a * self.b[np.ix_(p, p)]).sum())

    @classmethod
    def instance(cls, name: str) -> "Qap":
        """Return a shipped instance by name."""
        return cls.read(shipped_file("qap", name))

    @classmethod
    def random(cls, size: int, seed: Any = 1) -> "Qap":
        """Symmetric matrices of integers in 0..99 without diagonals."""
        bounded("size", size, 1, LARGEST)
        random = np.random.default_rng(seed)
        halves = np.triu(random.integers(0, 100, (2, size, size)), 1)
        a, b = halves + halves.transpose(0, 2, 1)
        return cls(a, b)

    def solution(self, point: Mapping[str, Any]) -> str:
        """As a QAPLIB solution file: size and value, then the places in a line."""
        places = [point[name] for name in self.space.names]
        value = f"{self.evaluate(point):.0f}"
        return f"{len(places)} {value}\n{' '.join(map(str, places))}"


def _penalty(a: NDArray[np.int64], b: NDArray[np.int64]) -> int:
    """More than moving one to an unused place can cost.

    It changes the products with one i, which are at most the sum of |a| in its row and column times
    the greatest difference of two entries of b.
    """
    magnitudes = np.abs(a)
    weights = magnitudes.sum(axis=0) + magnitudes.sum(axis=1)
    penalty = 1 + int(weights.max()) * (int(b.max()) - int(b.min()))
    largest = int(magnitudes.sum()) * int(np.abs(b).max()) + len(a) * penalty
    if 2 * largest >= GREATEST:
        raise ValueError(f"expected values below 2^52, got matrices whose values reach {largest:,}")
    return penalty


NUG12 = (12, 7, 9, 3, 4, 8, 11, 1, 5, 6, 10, 2)
"""The permutation that QAPLIB publishes for nug12 (Nugent, Vollmann and Ruml 1968)."""
