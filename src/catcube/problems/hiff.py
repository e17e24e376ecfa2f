"""Hierarchical if-and-only-if over any number of letters, with hidden linkage.

R. A. Watson, G. S. Hornby, J. B. Pollack, "Modeling building-block interdependency", PPSN V (1998).
The variables are the leaves of a binary tree. A node is uniform if all leaves below it agree; any
other node costs the number of its leaves. A block of any size has one solution for each letter, and
which of them is right depends on the other blocks. The leaves of the variables are a hidden random
permutation, and the letters of the categories of each variable a hidden random bijection, so that
neither positions nor labels reveal which variables belong together.
"""

from typing import Any

import numpy as np

from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import inlined, unsigned
from catcube.problems.problem import Problem, check_integer, join_constants
from catcube.problems.registry import kind
from catcube.space import Space

NONE = -1  # the letter of a node that is not uniform

# integers: the number of letters; the leaf of each variable; the letter of each category of each
# variable; the number of leaves of each node. Node 1 is the root, the children of node i are 2i and
# 2i + 1, the leaves are n..2n-1. counts: the letter of each node, or NONE; the same for `value`.
LETTERS, LEAF, MEANING, LEAVES = range(4)


@inlined
def leaf_of(problem, variable, category):
    """Return the leaf of a variable, and the letter of one of its categories."""
    integers = problem.integers
    meaning = integers[MEANING] + variable * integers[LETTERS] + category
    return integers[unsigned(integers[LEAF] + variable)], integers[unsigned(meaning)]


@inlined
def set_letters(problem, letters):
    """Set the letter of each node; return the sum of the leaves of nodes that are not uniform."""
    integers = problem.integers
    n = problem.categories.size
    for variable in range(n):
        leaf, letter = leaf_of(problem, variable, np.int64(problem.categories[variable]))
        letters[leaf] = letter
    total = 0
    for node in range(n - 1, 0, -1):
        first = letters[2 * node]
        letters[node] = first if first == letters[2 * node + 1] else NONE
        if letters[node] == NONE:
            total += integers[integers[LEAVES] + node]
    return total


@kind(
    "hiff",
    "hierarchical if-and-only-if: nested blocks that should agree, with hidden linkage",
    instances=["32,4", "32,9", "64,8"],
)
class Hiff(Problem):
    """The sum of the numbers of leaves over all nodes whose leaves do not agree.

    Parameters
    ----------
    variables, categories
        The number of variables, and of the categories of each.
    seed
        The seed of the hidden permutation and bijections.

    Examples
    --------
    >>> problem = Hiff(8, 3)
    >>> problem.evaluate(problem.hidden), problem.evaluate({**problem.hidden, "x0": 0})
    (0.0, 14.0)
    """

    exact = True
    optimum = 0.0

    @entry("value")
    def value(problem):
        """Return the sum of the leaves of all nodes that are not uniform."""
        return float(set_letters(problem, problem.counts[2 * problem.categories.size :]))

    @entry("prepare")
    def prepare(problem):
        """Set the letter of each node."""
        set_letters(problem, problem.counts)

    @entry("change")
    def change(problem, variable, category):
        """Return the change along the path from the leaf towards the root."""
        integers, letters = problem.integers, problem.counts
        node, letter = leaf_of(problem, variable, category)
        total = 0
        while node > 1:
            sibling = letters[unsigned(node ^ 1)]
            node >>= 1
            letter = letter if letter == sibling else NONE
            before = letters[unsigned(node)]
            if letter == before:
                break
            leaves = integers[unsigned(integers[LEAVES] + node)]
            total += (leaves if letter == NONE else 0) - (leaves if before == NONE else 0)
        return float(total)

    @entry("commit")
    def commit(problem, variable, category):
        """Update the letters along the path from the leaf towards the root."""
        letters = problem.counts
        node, letter = leaf_of(problem, variable, category)
        while letters[unsigned(node)] != letter:
            letters[unsigned(node)] = letter
            if node == 1:
                break
            sibling = letters[unsigned(node ^ 1)]
            node >>= 1
            letter = letter if letter == sibling else NONE

    def __init__(self, variables: int, categories: int, seed: Any = 1) -> None:
        check_integer("variables", variables, 2, 100_000)
        check_integer("categories", categories, 2, 1024)
        check_integer("variables", variables, 2, 10_000_000 // categories)
        random = np.random.default_rng(seed)
        leaves = np.ones(2 * variables, np.int64)
        for node in range(variables - 1, 0, -1):
            leaves[node] = leaves[2 * node] + leaves[2 * node + 1]
        leaf = variables + random.permutation(variables)
        self.meaning = random.permuted(np.tile(np.arange(categories), (variables, 1)), axis=1)
        self.space = Space.repeat("x", range(categories), variables)
        self.integers = join_constants([categories], [leaf, self.meaning, leaves])
        self.count_size = 4 * variables
        self.hidden = self.space.decode(self.meaning.argmin(axis=1))  # letter 0 everywhere
