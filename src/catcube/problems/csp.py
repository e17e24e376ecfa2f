"""Random constraint satisfaction (MAX-CSP): the number of violated constraints.

K. Xu, F. Boussemart, F. Hemery, C. Lecoutre, "Random constraint satisfaction: easy generation of
hard (satisfiable) instances", Artificial Intelligence 171 (2007): every constraint has random
variables and forbids a given fraction of their combinations, drawn at random. In a planted
instance, no constraint forbids a hidden assignment, so that the optimum is 0.
"""

from typing import Any

import numpy as np

from catcube.base.text import expect
from catcube.problems.problem import check_integer
from catcube.problems.registry import kind
from catcube.problems.tables import MOST_ENTRIES, TableProblem
from catcube.space import Space


@kind(
    "csp",
    "random constraints given by tables: number of violated ones (MAX-CSP)",
    instances=["30,4,90,0.3", "30,8,130,0.3", "30,9,130,0.3", "24,5,60,0.4,arity=3"],
)
class Csp(TableProblem):
    """The number of violated constraints, each a table of forbidden combinations.

    Parameters
    ----------
    variables, categories, constraints
        The numbers of variables, of categories of each variable, and of constraints.
    tightness
        The fraction of the combinations that a constraint forbids.
    arity
        The number of variables of a constraint.
    planted
        Whether a hidden assignment satisfies all constraints; else the optimum is unknown.
    seed
        The seed of the random constraints.

    Examples
    --------
    >>> problem = Csp(30, 8, 130, tightness=0.3)
    >>> problem.evaluate(problem.hidden), problem.optimum
    (0.0, 0.0)
    """

    def __init__(
        self,
        variables: int,
        categories: int,
        constraints: int,
        tightness: float = 0.3,
        arity: int = 2,
        planted: bool = True,
        seed: Any = 1,
    ) -> None:
        check_integer("variables", variables, 1, 100_000)
        check_integer("categories", categories, 2, 1024)
        check_integer("arity", arity, 1, min(variables, 8))
        check_integer("constraints", constraints, 1, MOST_ENTRIES // categories**arity)
        expect(0 <= tightness < 1, "a tightness in [0, 1)", tightness)
        self.space = Space.repeat("x", range(categories), variables)
        random = np.random.default_rng(seed)
        hidden = random.integers(0, categories, variables)
        size = categories**arity
        forbidden = min(round(tightness * size), size - 1)
        scopes, tables = [], []
        for _ in range(constraints):
            scope = np.sort(random.choice(variables, arity, replace=False))
            cells = random.choice(size - 1, forbidden, replace=False)
            if planted:
                kept = np.ravel_multi_index(tuple(hidden[scope]), (categories,) * arity)
                cells += cells >= kept
            table = np.zeros(size)
            table[cells] = 1.0
            scopes.append(tuple(scope.tolist()))
            tables.append(table.reshape((categories,) * arity))
        self.set_tables(scopes, tables)
        if planted:
            self.hidden = self.space.decode(hidden)
            self.optimum = 0.0
