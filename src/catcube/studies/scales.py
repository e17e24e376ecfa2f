"""Scales of the paper's experiments and of the study beyond it: full size, or a few minutes."""

import tomllib
from importlib.resources import files

from catcube.experiments.plan_file import Scale

_SIZES = tomllib.loads(files("catcube.studies").joinpath("scales.toml").read_text(encoding="utf-8"))


def _scales(study: str) -> dict[str, Scale]:
    """Return the scales of the plans of a study, by name."""
    return {
        name: Scale(name, {plan: tuple(sizes.get(name, ())) for plan, sizes in plans.items()})
        for name in ("smoke", "small", "full")
        for plans in [_SIZES[study]]
    }


PAPER = _scales("paper")
"""The scales of the paper's experiments, in its order."""

BEYOND = _scales("beyond")
"""The scales of the study beyond the paper; the full one takes less than 3 hours on two cores."""
