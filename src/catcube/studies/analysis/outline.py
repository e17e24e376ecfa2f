"""What is known of an experiment beyond its runs: its views, and groups of its instances."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

View: TypeAlias = Literal["budget", "ecdf", "target"]
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
    """Choose the views by whether a run has a target, and group instances by kind of problem.

    >>> plain_outline("mine", ["easy"], None).views, plain_outline("mine", ["easy"], 0.0).views
    (('budget', 'ecdf'), ('target',))
    >>> list(plain_outline("mine", ["match:4,3", "match:9,3", "onemax:7"], 0.0).groups)
    ['match', 'onemax']
    """
    kinds: dict[str, list[str]] = {}
    for name in instances:
        kind, written_out, _ = name.partition(":")
        kinds.setdefault(kind if written_out else "boards", []).append(name)
    groups = {
        kind: Group(f"{kind} instances" if kind != "boards" else kind, names)
        for kind, names in kinds.items()
    }
    return Outline(
        ("budget", "ecdf") if target is None else ("target",), groups if len(groups) > 1 else {}
    )


def grouped_instances(
    instances: Iterable[str], groups: Mapping[str, Group]
) -> dict[str, list[str]]:
    """Divide instances into all of them and those of each group; empty ones are left out.

    >>> grouped_instances(["a", "b"], {"one": Group("the first", ["a"]), "none": Group("no", [])})
    {'all': ['a', 'b'], 'one': ['a']}
    """
    chosen = {"all": list(instances)}
    for name, group in groups.items():
        chosen[name] = [instance for instance in chosen["all"] if instance in group.instances]
    return {name: found for name, found in chosen.items() if found}
