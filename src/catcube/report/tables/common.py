"""Tables that fixed-budget and fixed-target experiments share."""

from collections.abc import Sequence

from catcube.analysis.model import Conditions
from catcube.report.names import safe_name
from catcube.report.tables.table import Cell, Column, ReportTable
from catcube.statistics import Comparison, Friedman, Line, Pair, Summary

LEVEL = 0.05
PAIR = (Column("algorithm"), Column("representation"))
SUMMARY = tuple(Column(field, "number") for field in Summary._fields)
PLACED = (Column("place", "integer"), *PAIR)


def table_name(conditions: Conditions, *parts: str) -> str:
    """The stem of the files of a table: the experiment, and what is shown of it."""
    return "-".join([safe_name(conditions.experiment), *parts])


def placed(line: Line) -> list[Cell]:
    """The first cells of a line: its place and pair."""
    return [line.rank, line.algorithm, line.representation]


def counted(number: int, noun: str) -> str:
    """A number and what is counted.

    >>> counted(1, "run"), counted(1200, "instance")
    ('1 run', '1,200 instances')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def comparison_tables(
    conditions: Conditions, comparisons: Sequence[Comparison], measure: str
) -> list[ReportTable]:
    """Linear against direct: all tests, and how they came out for each algorithm."""
    if not comparisons:
        return []
    algorithms = list(dict.fromkeys(one.algorithm for one in comparisons))
    significant = [one for one in comparisons if one.adjusted <= LEVEL]
    counts: list[list[Cell]] = []
    for name in algorithms:
        own = [one.delta for one in significant if one.algorithm == name]
        linear = sum(delta > 0 for delta in own)
        direct = sum(delta < 0 for delta in own)
        total = sum(one.algorithm == name for one in comparisons)
        counts.append([name, total, linear, direct, total - linear - direct])
    return [
        ReportTable(
            name=table_name(conditions, "comparisons"),
            title=f"{conditions.experiment}: linear against direct",
            caption=(
                f"Mann–Whitney tests of the {measure} with linear and direct, two-sided, with "
                f"p-values adjusted by Holm over all {counted(len(comparisons), 'test')}. A12 "
                "above 0.5 and Cliff's delta above 0 favour linear. Bold: significant at 5 %."
            ),
            columns=(
                *(Column("instance"), Column("algorithm"), Column("p", "p")),
                *(Column("adjusted p", "p"), Column("A12", "number")),
                *(Column("Cliff's delta", "number"), Column("magnitude")),
            ),
            rows=[[one.instance, one.algorithm, *one[4:]] for one in comparisons],
            marked=frozenset(row for row, one in enumerate(comparisons) if one.adjusted <= LEVEL),
        ),
        ReportTable(
            name=table_name(conditions, "comparisons-by-algorithm"),
            title=f"{conditions.experiment}: linear against direct, by algorithm",
            caption=(
                f"On how many instances the {measure} with one representation are significantly "
                "better (5 %, adjusted by Holm over all tests)."
            ),
            columns=(
                *(Column("algorithm"), Column("instances", "integer")),
                *(Column("linear better", "integer"), Column("direct better", "integer")),
                Column("no difference shown", "integer"),
            ),
            rows=counts,
        ),
    ]


def friedman_table(conditions: Conditions, test: Friedman, instances: int) -> ReportTable:
    """Mean ranks; pairs that cannot be told apart share a letter."""
    letters: dict[Pair, list[str]] = {pair: [] for pair in test.mean_ranks}
    for number, group in enumerate(test.groups):
        for pair in group:
            letters[pair].append(_letter(number))
    p = "p < 0.001" if test.p < 0.001 else f"p = {test.p:.3f}"
    return ReportTable(
        name=table_name(conditions, "friedman"),
        title=f"{conditions.experiment}: mean ranks and what can be told apart",
        caption=(
            f"Mean ranks of the medians over {counted(instances, 'instance')}; Friedman's test: "
            f"χ² = {test.statistic:.1f}, {p}. By Nemenyi, mean ranks differ at 5 % if they are "
            f"more than {test.critical_difference:.2f} apart: pairs that share a letter cannot be "
            "told apart, a pair without a letter differs from all others."
        ),
        columns=(*PAIR, Column("mean rank", "number"), Column("group")),
        rows=[[*pair, rank, " ".join(letters[pair])] for pair, rank in test.mean_ranks.items()],
    )


def _letter(number: int) -> str:
    """The letters a, b, …, z, aa, ab, …"""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text
