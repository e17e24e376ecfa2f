"""The scales at which the paper's experiments are repeated: in full, or in a few minutes."""

from collections.abc import Sequence
from functools import cache

from msgspec.structs import asdict, replace

from catcube.experiments.plan import Configuration
from catcube.experiments.plan_file import Scale, Size

EXPERIMENTS = ("fixed-budget", "ecdf", "fixed-target")
"""The paper's experiments, in its order; each is a built-in plan."""


SCALES = {
    scale.name: scale
    for scale in (
        Scale(
            "smoke",
            {
                "fixed-budget": Size(runs=2, budget=20_000),
                "ecdf": Size(runs=1, budget=50_000),
                "fixed-target": Size(runs=2, budget=20_000),
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
        Scale("full", dict.fromkeys(EXPERIMENTS, Size())),
    )
}


@cache
def _of_the_paper(experiment: str) -> dict[tuple[str, str, str], Configuration]:
    configurations = SCALES["full"].plan(experiment).configurations()
    return {_names(configuration): configuration for configuration in configurations}


def scale_difference(experiment: str, configurations: Sequence[Configuration]) -> str:
    """Describe how these configurations differ from the paper's; empty if they do not.

    The seed may be any; budget, target, runs, instances, pairs and parameters may not.

    >>> smoke = SCALES["smoke"].plan("fixed-budget").configurations()
    >>> scale_difference("fixed-budget", smoke)
    'runs, budget'
    >>> scale_difference("fixed-budget", SCALES["full"].plan("fixed-budget").configurations())
    ''
    """
    paper = _of_the_paper(experiment)
    here = {
        _names(configuration): replace(configuration, seed=paper[_names(configuration)].seed)
        for configuration in configurations
        if _names(configuration) in paper
    }
    different = {
        name
        for names, configuration in here.items()
        for name, value in asdict(configuration).items()
        if value != getattr(paper[names], name)
    }
    if {names[0] for names in paper} != {
        configuration.instance for configuration in configurations
    }:
        different.add("instances")
    if {names[1:] for names in paper} != {configuration.pair for configuration in configurations}:
        different.add("pairs")
    if not {"instances", "pairs"} & different and set(paper) != {*map(_names, configurations)}:
        different |= {"instances", "pairs"}  # a pair is missing on some instances
    return ", ".join(name for name in DIFFERENCES if name in different)


DIFFERENCES = ("instances", "content", "pairs", "runs", "budget", "target", "restart", "parameters")


def _names(configuration: Configuration) -> tuple[str, str, str]:
    return configuration.instance, configuration.algorithm, configuration.representation
