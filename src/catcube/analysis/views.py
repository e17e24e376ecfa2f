"""In which ways an experiment is looked at."""

from typing import Literal, TypeAlias

View: TypeAlias = Literal["budget", "course", "target"]


def views(experiment: str, target: float | None) -> tuple[View, ...]:
    """The paper's experiments as there; others by whether a run has a target.

    >>> views("ecdf", None), views("mine", None), views("mine", 0.0)
    (('course',), ('budget', 'course'), ('target',))
    """
    if experiment == "fixed-budget":
        return ("budget",)
    if experiment == "ecdf":
        return ("course",)
    return ("budget", "course") if target is None else ("target",)
