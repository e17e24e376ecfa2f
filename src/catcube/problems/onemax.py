"""Match, OneMax and LeadingOnes with a hidden target, for variables with many categories.

OneMax as in B. Doerr, C. Doerr, T. Kötzing, "Static and self-adjusting mutation strengths for
multi-valued decision variables", Algorithmica 80 (2018): on an interval, |x - z|, and on a ring,
min(|x - z|, N - |x - z|). LeadingOnes as in F. Ben Jedidia, B. Doerr, M. S. Krejca,
"Estimation-of-distribution algorithms for multi-valued decision variables" (2023), minimised, with
a hidden target instead of all ones.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.base.text import expect
from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import inlined
from catcube.problems.problem import Problem, as_integers, check_integer, join_constants
from catcube.problems.registry import kind
from catcube.space import Space

MOST_VARIABLES = 1_000_000
MOST_CATEGORIES = 65_536


class TargetProblem(Problem):
    """A problem with a hidden target: a uniform random point whose value is 0."""

    exact = True
    optimum = 0.0

    def __init__(self, variables: int, categories: int | ArrayLike, seed: Any = 1) -> None:
        check_integer("variables", variables, 1, MOST_VARIABLES)
        given = as_integers("categories", categories, 1, MOST_CATEGORIES)
        sizes = np.broadcast_to(given, (variables,))
        labels = {int(size): range(size) for size in np.unique(sizes)}
        self.space = Space({f"x{i}": labels[int(size)] for i, size in enumerate(sizes)})
        self.target: NDArray[np.int64] = np.random.default_rng(seed).integers(0, sizes)
        self.integers = self.target

    @property
    def hidden(self) -> dict[str, Any]:  # type: ignore[override] # computed when asked for
        """The hidden target, as a dict of labels by name."""
        return self.space.decode(self.target)


@kind("match", "variables that differ from a hidden assignment", instances=["20,9", "100,4"])
class Match(TargetProblem):
    """The number of variables that differ from a hidden assignment: the simplest problem.

    Parameters
    ----------
    variables
        The number of variables.
    categories
        The number of categories of all variables, or of each.
    seed
        The seed of the hidden assignment.

    Examples
    --------
    >>> problem = Match(100, 9, seed=1)
    >>> len(problem.space), problem.optimum
    (100, 0.0)
    >>> problem.evaluate(problem.hidden)
    0.0
    """

    @entry("value")
    def value(problem):
        """Return the number of variables whose category is not the hidden one."""
        differences = 0
        for variable in range(problem.categories.size):
            if problem.categories[variable] != problem.integers[variable]:
                differences += 1
        return float(differences)

    @entry("change")
    def change(problem, variable, category):
        """Return -1 for a change to the hidden category, 1 for a change from it, else 0."""
        hidden = problem.integers[variable]
        if category == hidden:
            return -1.0
        return 1.0 if problem.categories[variable] == hidden else 0.0


METRICS = ("interval", "ring", "hamming")
INTERVAL, RING, HAMMING = range(3)

# integers: the metric; the target of each variable; the number of categories of each.
METRIC, TARGET, SIZES = range(3)


@inlined
def distance(problem, variable, category):
    """Return the distance of a category of a variable from the target."""
    integers = problem.integers
    apart = abs(category - integers[integers[TARGET] + variable])
    metric = integers[METRIC]
    if metric == RING:
        return min(apart, integers[integers[SIZES] + variable] - apart)
    return min(apart, 1) if metric == HAMMING else apart


@kind(
    "onemax",
    "multi-valued OneMax: the sum of the distances from a hidden target",
    instances=["20,9", "100,4,ring"],
)
class OneMax(TargetProblem):
    """The sum of the distances of all variables from a hidden target.

    Parameters
    ----------
    variables
        The number of variables.
    categories
        The number of categories of all variables, or of each.
    metric
        The distance of two categories: "interval", "ring" or "hamming".
    seed
        The seed of the target.

    Examples
    --------
    >>> problem = OneMax(100, 9)
    >>> problem.evaluate(problem.hidden)
    0.0
    """

    @entry("value")
    def value(problem):
        """Return the sum of all distances."""
        total = 0
        for variable in range(problem.categories.size):
            total += distance(problem, variable, np.int64(problem.categories[variable]))
        return float(total)

    @entry("change")
    def change(problem, variable, category):
        """Return the change of the distance of one variable."""
        before = distance(problem, variable, np.int64(problem.categories[variable]))
        return float(distance(problem, variable, category) - before)

    def __init__(
        self, variables: int, categories: int | ArrayLike, metric: str = "interval", seed: Any = 1
    ) -> None:
        expect(metric in METRICS, "the metric 'interval', 'ring' or 'hamming'", metric)
        super().__init__(variables, categories, seed)
        self.integers = join_constants(
            [METRICS.index(metric)], [self.target, self.space.cardinalities]
        )


# integers: the target of each variable. counts: the number of variables before the first wrong one.


@inlined
def first_wrong(problem, variable):
    """Return the first wrong variable from a given one on, or the number of variables."""
    n = problem.categories.size
    while variable < n and problem.categories[variable] == problem.integers[variable]:
        variable += 1
    return variable


@inlined
def prefix_after(problem, variable, category):
    """Return the number of variables before the first wrong one after a change."""
    prefix = problem.counts[0]
    if variable < prefix:
        return prefix if category == problem.integers[variable] else variable
    if variable == prefix and category == problem.integers[variable]:
        return first_wrong(problem, variable + 1)
    return prefix


@kind(
    "leadingones",
    "multi-valued LeadingOnes: variables from the first wrong one on",
    instances=["20,9", "50,4"],
)
class LeadingOnes(TargetProblem):
    """The number of variables that differ from a hidden target or follow one that does.

    Parameters
    ----------
    variables
        The number of variables.
    categories
        The number of categories of all variables, or of each.
    seed
        The seed of the target.

    Examples
    --------
    >>> problem = LeadingOnes(10, 4)
    >>> problem.evaluate(problem.hidden), problem.optimum
    (0.0, 0.0)
    """

    count_size = 1

    @entry("value")
    def value(problem):
        """Return the number of variables that are wrong or follow a wrong one."""
        return float(problem.categories.size - first_wrong(problem, 0))

    @entry("prepare")
    def prepare(problem):
        """Count the right variables before the first wrong one."""
        problem.counts[0] = first_wrong(problem, 0)

    @entry("change")
    def change(problem, variable, category):
        """Return the change of the value."""
        return float(problem.counts[0] - prefix_after(problem, variable, category))

    @entry("commit")
    def commit(problem, variable, category):
        """Count the right variables before the first wrong one."""
        problem.counts[0] = prefix_after(problem, variable, category)
