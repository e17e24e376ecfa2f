"""Concatenated traps over any number of letters, with separable or overlapping blocks.

D. H. Ackley, A Connectionist Machine for Genetic Hillclimbing (1987); K. Deb, D. E. Goldberg,
"Analyzing deception in trap functions", FOGA 2 (1993); overlapping blocks: T.-L. Yu, K. Sastry,
D. E. Goldberg, "Linkage learning, overlapping building blocks, and systematic strategy for scalable
recombination", GECCO (2005). Every variable has a hidden right letter and a hidden decoy. A block
costs 0 if all its letters are right, else 1 plus the number of its letters that are not decoys:
single changes lead to the decoys, and only the change of a whole block leads to the optimum. With
two letters this is the usual trap function.
"""

from typing import Any

import numpy as np

from catcube.base.text import expect
from catcube.problems.problem import check_integer
from catcube.problems.registry import kind
from catcube.problems.tables import MOST_ENTRIES, TableProblem
from catcube.space import Space


@kind(
    "trap",
    "concatenated traps: misleading blocks, separable or overlapping",
    instances=["30,3,4", "40,4,3", "30,3,9", "30,3,8,overlap=1"],
)
class Trap(TableProblem):
    """A sum of traps over blocks of neighbouring variables, with a hidden optimum.

    Parameters
    ----------
    variables, order, categories
        The numbers of variables, of variables in a block, and of letters of a variable.
    overlap
        The number of variables that a block shares with the next one, in a ring. Without overlap,
        the last block is shorter if `order` does not divide the number of variables.
    seed
        The seed of the hidden letters.

    Examples
    --------
    >>> problem = Trap(12, 3, 8, seed=1)
    >>> problem.evaluate(problem.hidden), problem.evaluate(problem.decoy)
    (0.0, 4.0)
    """

    optimum = 0.0

    def __init__(
        self, variables: int, order: int, categories: int, overlap: int = 0, seed: Any = 1
    ) -> None:
        check_integer("variables", variables, 1, 1_000_000)
        check_integer("order", order, 1, min(variables, 16))
        check_integer("categories", categories, 2, 1024)
        check_integer("overlap", overlap, 0, order - 1)
        step = order - overlap
        closes = not overlap or variables % step == 0
        expect(closes, f"a multiple of {step} variables", variables)
        starts = range(0, variables, step)
        check_integer("entries of all tables", len(starts) * categories**order, 0, MOST_ENTRIES)
        self.space = Space.repeat("x", range(categories), variables)
        random = np.random.default_rng(seed)
        right = random.integers(0, categories, variables)
        decoy = (right + random.integers(1, categories, variables)) % categories
        self.hidden = self.space.decode(right)
        self.decoy = self.space.decode(decoy)
        scopes, tables = [], []
        for start in starts:
            end = start + order if overlap else min(start + order, variables)
            block = [variable % variables for variable in range(start, end)]
            others = decoy[block] != np.indices((categories,) * len(block)).T
            table = 1.0 + others.sum(axis=-1).T
            table[tuple(right[block])] = 0.0
            scopes.append(tuple(block))
            tables.append(table)
        self.set_tables(scopes, tables)
