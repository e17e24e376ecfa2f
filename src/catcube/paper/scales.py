"""How much of the paper's experiments is repeated: all of it, or what fits into some minutes."""

from collections.abc import Mapping
from dataclasses import dataclass

from catcube.campaigns.plan import Plan
from catcube.campaigns.plan_file import shipped_plan

EXPERIMENTS = ("fixed-budget", "ecdf", "fixed-target")
"""The paper's, in its order; each is a shipped plan."""


@dataclass(frozen=True)
class Size:
    """Of an experiment; what is None is as in the paper."""

    runs: int | None = None
    budget: int | None = None
    instances: int | None = None


@dataclass(frozen=True)
class Scale:
    """A size for each experiment.

    >>> SCALES["smoke"].plan("fixed-budget").total_runs
    440
    """

    name: str
    sizes: Mapping[str, Size]

    def plan(self, experiment: str) -> Plan:
        """The shipped plan at this scale."""
        own = self.sizes[experiment]
        return shipped_plan(experiment).scaled(own.runs, own.budget, own.instances)


SCALES = {
    own.name: own
    for own in (
        Scale(
            "smoke",
            {
                "fixed-budget": Size(runs=2, budget=20_000),
                "ecdf": Size(runs=1, budget=50_000),
                "fixed-target": Size(runs=4, budget=20_000),
            },
        ),
        Scale(
            "small",
            {
                "fixed-budget": Size(runs=10),
                "ecdf": Size(runs=1, instances=6),
                "fixed-target": Size(runs=20),
            },
        ),
        Scale("paper", dict.fromkeys(EXPERIMENTS, Size())),
    )
}
