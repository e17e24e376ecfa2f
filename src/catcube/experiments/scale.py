"""Scales of shipped plans: all of their runs, or what fits into some minutes."""

from collections.abc import Mapping
from dataclasses import dataclass

from catcube.experiments.plan import Plan
from catcube.experiments.plan_file import shipped_plan


@dataclass(frozen=True)
class Size:
    """The size of an experiment; None keeps that of its plan."""

    runs: int | None = None
    budget: int | None = None
    instances: int | None = None


@dataclass(frozen=True)
class Scale:
    """A size for each of some shipped plans, by its name.

    >>> Scale("tiny", {"ecdf": Size(runs=1, instances=2)}).plan("ecdf").total_runs
    44
    """

    name: str
    sizes: Mapping[str, Size]

    def plan(self, name: str) -> Plan:
        """Return the shipped plan at this scale."""
        size = self.sizes[name]
        return shipped_plan(name).scaled(size.runs, size.budget, size.instances)
