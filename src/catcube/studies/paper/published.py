"""The published tables of A. Berny, "Linear representation of categorical values" (2021).

One figure contradicts two others: MIMIC-direct has a success rate of 99 % over all instances, but
100 % on both the low and the medium ones. It is kept as published.
"""

import csv
import re
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files

from catcube.base.text import expect_known
from catcube.statistics import Line, Pair, Summary
from catcube.studies.analysis.model import Group, Outline, View, plain_outline

ALGORITHMS = (
    *("rls", "hc", "sa", "ea-1p1", "ea-10p1", "ga"),
    *("pbil", "umda", "mimic", "ltga", "p3"),
)
"""The algorithms of the paper, each of which is used with both representations."""

_TABLES = {file.name: file for file in files("catcube").joinpath("data", "paper").iterdir()}
TABLES = sorted(name.removesuffix(".csv") for name in _TABLES if name.endswith(".csv"))

GROUPS = {"low": range(1, 6), "medium": range(6, 11)}
"""Numbers of erased cells of the small boards, by group."""

EXPERIMENTS: dict[str, tuple[View, ...]] = {
    "fixed-budget": ("budget",),
    "ecdf": ("ecdf",),
    "fixed-target": ("budget", "ecdf"),
}
"""The experiments of the paper, in its order, with their views if they have no target."""


def pairs_of(algorithm: str) -> tuple[Pair, Pair]:
    """Return the pairs of an algorithm with the linear and with the direct representation.

    Parameters
    ----------
    algorithm
        The name of the algorithm.

    Returns
    -------
    tuple of Pair
        The pair with the linear representation, and the one with the direct representation.

    Examples
    --------
    >>> [pair.representation for pair in pairs_of("rls")]
    ['linear', 'direct']
    """
    return Pair(algorithm, "linear"), Pair(algorithm, "direct")


def published_table(name: str) -> list[Line]:
    """Return a published table, in the order of the paper.

    Parameters
    ----------
    name
        The name of the table, one of `TABLES`.

    Returns
    -------
    list of Line
        The lines of the table. Their ranks are their positions, from 1.

    Examples
    --------
    >>> published_table("fixed-target-ranks-all")[0].pair
    Pair(algorithm='rls', representation='linear')
    >>> published_table("fixed-budget-values-easy-56")[0].summary
    Summary(min=4.0, q1=4.0, median=4.0, q3=6.0, max=8.0)
    """
    expect_known("table", name, TABLES)
    rows = csv.DictReader(_TABLES[f"{name}.csv"].read_text(encoding="utf-8").splitlines())
    found = []
    for rank, row in enumerate(rows, start=1):  # no two lines of a published table are equal
        summary = Summary(*(float(row[field]) for field in Summary._fields))
        success = int(row["success_percent"]) if "success_percent" in row else None
        found.append(Line(row["algorithm"], row["representation"], rank, summary, success))
    return found


def erased_cells(instance: str) -> int | None:
    """Return the number of erased cells in the name of a small board; None for other names.

    Parameters
    ----------
    instance
        The name of an instance.

    Returns
    -------
    int or None
        The number of erased cells, or None if the name is not that of a small board.

    Examples
    --------
    >>> erased_cells("small-dimension-10-d"), erased_cells("sudoku-easy-56")
    (10, None)
    """
    match = re.fullmatch(r"small-dimension-(\d+)-\w+", instance)
    return int(match[1]) if match else None


def paper_outline(experiment: str, instances: Sequence[str], target: float | None) -> Outline:
    """Return the outline of an experiment, with the views and groups of the paper if it has one.

    Parameters
    ----------
    experiment
        The name of the experiment.
    instances
        The names of its instances.
    target
        The value at which runs end, or None if there is none.

    Returns
    -------
    Outline
        The outline. For an experiment of the paper without a target, its views are those in
        `EXPERIMENTS`; if all instances are small boards, its groups are those in `GROUPS`, and the
        sizes are the numbers of erased cells. All else is as in `plain_outline`.

    Examples
    --------
    >>> paper_outline("ecdf", ["sudoku-easy-56"], None).views
    ('ecdf',)
    >>> mine = paper_outline("fixed-target", ["small-dimension-1-a", "small-dimension-7-b"], 0.0)
    >>> mine.groups["medium"].instances, mine.sizes["small-dimension-7-b"]
    (['small-dimension-7-b'], 7)
    """
    plain = plain_outline(experiment, instances, target)
    if experiment not in EXPERIMENTS:
        return plain
    views = plain.views if target is not None else EXPERIMENTS[experiment]
    erased = {name: cells for name in instances if (cells := erased_cells(name)) is not None}
    if len(erased) < len(instances):
        return replace(plain, views=views)
    groups = {}
    for group, numbers in GROUPS.items():
        described = f"the boards with {min(numbers)} to {max(numbers)} erased cells"
        boards = [name for name, cells in erased.items() if cells in numbers]
        groups[group] = Group(described, boards)
    return Outline(views, groups, erased, "erased cells")
