"""What statements are judged from: the sections of experiments at the paper's scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from catcube.statistics import Pair, Table, by_pair
from catcube.studies.analysis.model import FixedBudget, FixedTarget
from catcube.studies.paper.levels import Levels


@dataclass(frozen=True)
class Evidence:
    """The experiments that are complete and at the paper's scale; the others are None."""

    budget: FixedBudget | None = None
    levels: Levels | None = None  # of the ECDF
    target: FixedTarget | None = None

    @cached_property
    def experiments(self) -> Sequence[str]:
        """The names of those that are there."""
        found = {"fixed-budget": self.budget, "ecdf": self.levels, "fixed-target": self.target}
        return [name for name, value in found.items() if value is not None]

    @property
    def budget_section(self) -> FixedBudget:
        """The fixed-budget experiment, which has to be there."""
        assert self.budget is not None
        return self.budget

    @property
    def target_section(self) -> FixedTarget:
        """The fixed-target experiment, which has to be there."""
        assert self.target is not None
        return self.target

    @property
    def run_levels(self) -> Levels:
        """The levels of the ECDF, which have to be there."""
        assert self.levels is not None
        return self.levels


def both(algorithm: str) -> tuple[Pair, Pair]:
    """Give the pairs of an algorithm: with linear, and with direct."""
    return Pair(algorithm, "linear"), Pair(algorithm, "direct")


def rank(table: Table, pair: Pair) -> int:
    """Give the rank of a pair in a table."""
    return by_pair(table)[pair].rank
