"""The paper's instances: its small boards, their groups, and how each experiment is looked at."""

import re
from collections.abc import Sequence
from dataclasses import replace

from catcube.studies.analysis.outline import Group, Outline, View, plain_outline

GROUPS = {"low": range(1, 6), "medium": range(6, 11)}
"""How many cells are erased on the small boards of each group."""

VIEWS: dict[str, tuple[View, ...]] = {"fixed-budget": ("budget",), "ecdf": ("ecdf",)}
"""The paper looks at each of these experiments in one way; others are looked at in all ways."""


def erased_cells(instance: str) -> int | None:
    """Tell how many cells were erased, by the name of a small board.

    >>> erased_cells("small-dimension-10-d"), erased_cells("sudoku-easy-56")
    (10, None)
    """
    match = re.fullmatch(r"small-dimension-(\d+)-\w+", instance)
    return int(match[1]) if match else None


def outline(experiment: str, instances: Sequence[str], target: float | None) -> Outline:
    """Describe an experiment of the paper, or another one on its boards.

    >>> outline("ecdf", ["sudoku-easy-56"], None).views
    ('ecdf',)
    >>> mine = outline("mine", ["small-dimension-1-a", "small-dimension-7-b"], 0.0)
    >>> mine.groups["medium"].instances, mine.sizes["small-dimension-7-b"]
    (['small-dimension-7-b'], 7)
    """
    plain = plain_outline(experiment, instances, target)
    views = plain.views if target is not None else VIEWS.get(experiment, plain.views)
    erased = {name: cells for name in instances if (cells := erased_cells(name)) is not None}
    if len(erased) < len(instances):
        return replace(plain, views=views)
    groups = {
        group: Group(
            f"the boards with {min(numbers)} to {max(numbers)} erased cells",
            [name for name, value in erased.items() if value in numbers],
        )
        for group, numbers in GROUPS.items()
    }
    return Outline(views, groups, erased, "erased cells")
