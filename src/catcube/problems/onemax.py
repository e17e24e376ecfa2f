"""OneMax for variables of many values: how far each is from a hidden target, summed.

Distances as in B. Doerr, C. Doerr, T. Kötzing, "Static and self-adjusting mutation strengths for
multi-valued decision variables", Algorithmica 80 (2018): on an interval, |x - z|, and on a ring,
min(|x - z|, N - |x - z|). The Hamming distance counts what differs, as the problem `match` does.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import inlined
from catcube.errors import BadValue
from catcube.problems.constants import joined
from catcube.problems.hidden import hidden_target
from catcube.problems.problem import Problem
from catcube.problems.registry import kind

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


@entry("value")
def onemax_value(problem):
    """Return the sum of all distances."""
    total = 0
    for variable in range(problem.categories.size):
        total += distance(problem, variable, np.int64(problem.categories[variable]))
    return float(total)


@entry("change")
def onemax_change(problem, variable, category):
    """Return the change of the distance of one variable."""
    before = distance(problem, variable, np.int64(problem.categories[variable]))
    return float(distance(problem, variable, category) - before)


@kind(
    "onemax",
    "multi-valued OneMax: the distances from a hidden target, summed",
    instances=["20,9", "100,4,ring"],
)
class OneMax(Problem):
    """How far all variables are from a hidden target, summed.

    >>> problem = OneMax(100, 9)
    >>> problem.evaluate(problem.hidden)
    0.0

    `categories` is the number of categories of all variables, or of each; `metric` is "interval",
    "ring" or "hamming".
    """

    name = "onemax"
    value = onemax_value
    change = onemax_change
    exact = True
    optimum = 0.0

    def __init__(
        self,
        variables: int,
        categories: int | ArrayLike,
        metric: str = "interval",
        seed: Any = 1,
    ) -> None:
        if metric not in METRICS:
            raise BadValue(f"expected the metric 'interval', 'ring' or 'hamming', got {metric!r}")
        self.space, target = hidden_target(variables, categories, seed)
        self.target = target
        self.integers = joined([METRICS.index(metric)], [target, self.space.cardinalities])

    @property
    def hidden(self) -> dict[str, Any]:
        """The hidden target, as labels."""
        return self.space.decode(self.target)
