"""What is known of an experiment beyond its runs: how to look at it, and how to group instances."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

View: TypeAlias = Literal["budget", "course", "target"]
"""The values found with a budget, the course of the search (ECDF), or the runtimes to a target."""


@dataclass(frozen=True)
class Group:
    """Some instances that are ranked together, and how they are described."""

    described: str
    instances: Sequence[str]


@dataclass(frozen=True)
class Outline:
    """The views of an experiment, groups of its instances beside "all", and their sizes.

    Sizes are numbers of what `size` names, such as unknown cells; without them, instances are
    in the order of the plan.
    """

    views: Sequence[View]
    groups: Mapping[str, Group] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)  # by instance
    size: str = ""


Outliner: TypeAlias = Callable[[str, Sequence[str], float | None], Outline]
"""Gives the outline of an experiment by its name, its instances and its target."""


def plain_outline(experiment: str, instances: Sequence[str], target: float | None) -> Outline:
    """Choose the views by whether a run has a target.

    >>> plain_outline("mine", ["easy"], None).views, plain_outline("mine", ["easy"], 0.0).views
    (('budget', 'course'), ('target',))
    """
    return Outline(("budget", "course") if target is None else ("target",))
