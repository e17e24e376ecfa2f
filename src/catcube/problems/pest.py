"""Pest control: choose one of four pesticides, or none, at each stage of production.

C. Oh, J. Tomczak, E. Gavves, M. Welling, "Combinatorial Bayesian optimization using the graph
Cartesian product" (2019). At each stage, pests spread, or are killed by the pesticide in use. A
pesticide becomes cheaper the more often it is used, but pests develop a tolerance. The value is the
price paid plus, for each stage, the fraction of 100 simulations in which more than a tenth of the
product is infested. Random numbers are drawn from the same seed at each stage, as in the version of
MCBO and Bounce, so that the value depends on the choices only.
"""

import numpy as np
from numpy.typing import NDArray

from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import unsigned
from catcube.problems.problem import Problem, check_integer, format_labels
from catcube.problems.registry import kind
from catcube.space import Space

STAGES = 25
CHOICES = ("none", "1", "2", "3", "4")
SIMULATIONS = 100
THRESHOLD = 0.1  # fraction of the product that may be infested

# For pesticides 1 to 4.
PRICES = (1.0, 0.8, 0.7, 0.5)
DISCOUNTS = (0.2, 0.3, 0.3, 0.0)  # for use at all stages
TOLERANCES = (1 / 7, 2.5 / 7, 2 / 7, 0.5 / 7)  # developed by use at all stages
CONTROL = (2 / 7, 3 / 7, 3 / 7, 5 / 7)  # second parameter of the beta distribution
SPREAD = 17 / 3  # the same for spread rates
START = 30.0  # the same for the initial infestation

# reals: the price of a single use of each pesticide, and the discount for each further use; the
# initial infestation and then the spread rate of each simulation; the fraction of pests that
# survive, for each pesticide, number of earlier uses and simulation.
# counts: scratch memory for the number of uses of each choice, and for the rates of each stage.
PRICE, DISCOUNT, INFESTED, SPREADING, LEFT = 0, 5, 10, 10 + SIMULATIONS, 10 + 2 * SIMULATIONS


@kind(
    "pest",
    "pest control: choose a pesticide at each stage; price plus infested products",
    instances=["25"],
)
class Pest(Problem):
    """The price paid for pesticides, and the infested products, over several stages.

    Parameters
    ----------
    stages
        The number of stages.
    seed
        The seed of the simulations.

    Attributes
    ----------
    optimum
        The best known value for 25 stages and seed 0; else None.

    Examples
    --------
    >>> problem = Pest()
    >>> problem.evaluate({f"stage{i}": "3" if i < 25 else "none" for i in range(1, 26)})
    12.0316
    """

    solution = format_labels

    @entry("value")
    def value(problem):
        """Return the price plus the infested fraction, with two simulations at a time."""
        categories, reals, counts = problem.categories, problem.reals, problem.counts
        stages = categories.size
        uses, rates = counts[: len(CHOICES)], counts[len(CHOICES) :]
        for choice in range(len(CHOICES)):
            uses[choice] = 0
        for stage in range(stages):
            choice = categories[stage]
            rates[stage] = LEFT + ((choice - 1) * stages + uses[choice]) * SIMULATIONS
            uses[choice] += 1
        paid = 0.0
        for choice in range(1, len(CHOICES)):
            price = reals[PRICE + choice] * (1.0 - reals[DISCOUNT + choice] * uses[choice])
            paid += uses[choice] * price
        above = 0
        for simulation in range(0, SIMULATIONS, 2):
            first, second = reals[INFESTED + simulation], reals[INFESTED + simulation + 1]
            for stage in range(stages):
                above += 1 if first > THRESHOLD else 0
                above += 1 if second > THRESHOLD else 0
                if categories[stage] > 0:
                    first *= reals[unsigned(rates[stage] + simulation)]
                    second *= reals[unsigned(rates[stage] + simulation + 1)]
                else:
                    first += reals[SPREADING + simulation] * (1.0 - first)
                    second += reals[SPREADING + simulation + 1] * (1.0 - second)
        return paid + above / SIMULATIONS

    def __init__(self, stages: int = STAGES, seed: int = 0) -> None:
        check_integer("stages", stages, 1, 1000)
        check_integer("seed", seed, 0, 2**32 - 1)
        self.space = Space({f"stage{i}": CHOICES for i in range(1, stages + 1)})
        self.count_size = len(CHOICES) + stages

        # RandomState draws the same numbers in all versions of numpy.
        def rates(b: float) -> NDArray[np.float64]:
            return np.random.RandomState(seed).beta(1.0, b, SIMULATIONS)

        parts = [np.array([0.0, *PRICES]), np.array([0.0, *DISCOUNTS]) / stages]
        parts += [rates(START), rates(SPREAD)]
        for control, tolerance in zip(CONTROL, TOLERANCES, strict=True):
            for _ in range(stages):
                parts.append(1.0 - rates(control))
                control += tolerance / stages
        self.reals = np.concatenate(parts)
        if (stages, seed) == (STAGES, 0):
            self.optimum = BEST_KNOWN


BEST_KNOWN = 12.0316
"""The value with pesticide 3 at all stages but the last, and none there."""
