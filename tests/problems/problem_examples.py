"""Problems for tests: real values that round, and shipped problems without their O(1) change."""

import numpy as np

from catcube import Space
from catcube.engine.compiled.entry import entry
from catcube.problems import Match, Problem, Sudoku

# integers: N, the number of categories of every variable. reals: the weight of each category of
# each variable, then N weights of the squared numbers of variables in each category. counts: how
# many variables are in each category; then room for `value` to count them afresh.


@entry("value")
def weighted_value(problem):
    categories, reals, counts = problem.categories, problem.reals, problem.counts
    N = problem.integers[0]
    for category in range(N):
        counts[N + category] = 0
    total = 0.0
    for variable in range(categories.size):
        total += reals[variable * N + categories[variable]]
        counts[N + categories[variable]] += 1
    for category in range(N):
        total += reals[categories.size * N + category] * counts[N + category] ** 2
    return total


@entry("prepare")
def weighted_prepare(problem):
    for category in range(problem.integers[0]):
        problem.counts[category] = 0
    for variable in range(problem.categories.size):
        problem.counts[problem.categories[variable]] += 1


@entry("change")
def weighted_change(problem, variable, category):
    categories, reals, counts = problem.categories, problem.reals, problem.counts
    N = problem.integers[0]
    before = categories[variable]
    squares = categories.size * N
    change = reals[variable * N + category] - reals[variable * N + before]
    change += reals[squares + category] * (2 * counts[category] + 1)
    change -= reals[squares + before] * (2 * counts[before] - 1)
    return change


@entry("commit")
def weighted_commit(problem, variable, category):
    problem.counts[problem.categories[variable]] -= 1
    problem.counts[category] += 1


class Weighted(Problem):
    """Weights that no sum of floats adds up exactly; changes of them drift."""

    name = "weighted"
    value = weighted_value
    prepare = weighted_prepare
    change = weighted_change
    commit = weighted_commit

    def __init__(self, variables, categories, seed):
        self.space = Space.repeat("x", range(categories), variables)
        self.integers = np.array([categories])
        self.reals = np.random.default_rng(seed).normal(size=(variables + 1) * categories)
        self.reals *= 10.0 ** np.random.default_rng(seed).integers(-6, 3, self.reals.size)
        self.count_size = 2 * categories


class WholeMatch(Match):
    change = None


class WholeSudoku(Sudoku):
    prepare = None
    change = None
    commit = None


class WholeWeighted(Weighted):
    prepare = None
    change = None
    commit = None
