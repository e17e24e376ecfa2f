"""Which families are for tuning and which for judging; the two share none.

A family that had a part in the design of any search, `surrogate` or `auto`, is one for tuning.
"""

from functools import cache

from benchmarks.families import designed, judged, large, pipeline, practice, real, shipped
from benchmarks.families.task import Task

PARTS = ("tuning", "validation")


@cache
def tasks(part: str) -> tuple[Task, ...]:
    """Return all instances of a part.

    >>> tuning, validation = ({task.family for task in tasks(part)} for part in PARTS)
    >>> tuning & validation
    set()
    """
    if part == "tuning":
        return (
            *shipped.tasks(shipped.TUNING),
            *designed.tasks(),
            *practice.tasks(),
            *real.tuning(),
        )
    return (
        *shipped.tasks(shipped.VALIDATION),
        *large.tasks(),
        *judged.tasks(),
        pipeline.task(),
        *real.validation(),
    )


def one_per_family(part: str) -> tuple[Task, ...]:
    """Return the last instance of each family of a part, for what is costly.

    Only plain functions: other packages state constraints, conditions, noise and failures
    otherwise.
    """
    plain = [task for task in tasks(part) if not isinstance(task, real.RealTask)]
    return tuple({task.family: task for task in plain}.values())


def task_named(name: str) -> Task:
    """Return the instance of this name."""
    for part in PARTS:
        for task in tasks(part):
            if task.name == name:
                return task
    raise ValueError(f"expected an instance of the studies, got {name!r}")
