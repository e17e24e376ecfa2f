"""How much of the paper's experiments is repeated: all of it, or what fits into some minutes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from catcube.campaigns.configuration import Configuration
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


def scale_difference(experiment: str, configurations: Sequence[Configuration]) -> str:
    """Name what keeps these configurations from being the paper's: empty if nothing does.

    The seed may be any; budget, target, runs, instances, pairs and parameters may not.

    >>> smoke = SCALES["smoke"].plan("fixed-budget").configurations()
    >>> scale_difference("fixed-budget", smoke)
    'runs, budget'
    >>> scale_difference("fixed-budget", SCALES["paper"].plan("fixed-budget").configurations())
    ''
    """
    paper = {_place(own): own for own in SCALES["paper"].plan(experiment).configurations()}
    here = {
        _place(own): replace(own, seed=paper[_place(own)].seed)
        for own in configurations
        if _place(own) in paper
    }
    different = {
        name
        for place, own in here.items()
        for name, value in vars(own).items()
        if value != getattr(paper[place], name)
    }
    if {place[0] for place in paper} != {own.instance for own in configurations}:
        different.add("instances")
    if {place[1:] for place in paper} != {own.pair for own in configurations}:
        different.add("pairs")
    if not {"instances", "pairs"} & different and set(paper) != {*map(_place, configurations)}:
        different |= {"instances", "pairs"}  # a pair is missing on some instances
    return ", ".join(name for name in DIFFERENCES if name in different)


DIFFERENCES = ("instances", "board", "pairs", "runs", "budget", "target", "restart", "parameters")


def _place(own: Configuration) -> tuple[str, str, str]:
    return own.instance, own.algorithm, own.representation
