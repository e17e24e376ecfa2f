"""The scales at which the paper's experiments are repeated: in full, or in a few minutes."""

from collections.abc import Sequence
from functools import cache

from msgspec.structs import asdict

from catcube.experiments.plan import Configuration
from catcube.experiments.plan_file import Scale, Size

_SIZES = {  # runs, budget and instances at the scales smoke and small
    "fixed-budget": (Size(2, 20_000), Size(10)),
    "ecdf": (Size(1, 50_000), Size(1, instances=6)),
    "fixed-target": (Size(2, 20_000), Size(20)),
}
EXPERIMENTS = tuple(_SIZES)
"""The paper's experiments, in its order; each is a built-in plan."""

SCALES = {
    "smoke": Scale("smoke", {name: smoke for name, (smoke, _) in _SIZES.items()}),
    "small": Scale("small", {name: small for name, (_, small) in _SIZES.items()}),
    "full": Scale("full", dict.fromkeys(EXPERIMENTS, Size())),
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
    here = {_names(one): one for one in configurations}
    different = {
        name
        for names, one in here.items()
        if names in paper
        for name, value in asdict(one).items()
        if value != getattr(paper[names], name)
    } - {"seed"}
    for place, name in ((slice(1), "instances"), (slice(1, None), "pairs")):
        if {names[place] for names in paper} != {names[place] for names in here}:
            different.add(name)
    if not {"instances", "pairs"} & different and paper.keys() != here.keys():
        different |= {"instances", "pairs"}  # a pair is missing on some instances
    return ", ".join(name for name in DIFFERENCES if name in different)


DIFFERENCES = ("instances", "content", "pairs", "runs", "budget", "target", "restart", "parameters")


def _names(configuration: Configuration) -> tuple[str, str, str]:
    return configuration.instance, configuration.algorithm, configuration.representation
