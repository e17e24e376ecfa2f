"""The tables of tests: representations against each other, and all pairs over all instances."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from catcube.statistics import Comparison, Friedman, Pair
from catcube.studies.analysis.model import Conditions
from catcube.studies.analysis.outline import Group
from catcube.studies.report.names import file_name
from catcube.studies.report.tables.table import PAIR, Cell, Column, ReportTable, SectionTables
from catcube.studies.report.text import against, counted, p_value

LEVEL = 0.05


def comparison_tables(
    conditions: Conditions,
    comparisons: Sequence[Comparison],
    measure: str,
    groups: Mapping[str, Group],
) -> SectionTables:
    """List the tests of the first representation against the others, and count their outcomes."""
    if not comparisons:
        return {}
    experiment = conditions.experiment
    first = comparisons[0].first
    several = len({one.second for one in comparisons}) > 1
    compared = against([first, *dict.fromkeys(one.second for one in comparisons)])
    second = (Column("against"),) if several else ()
    tests = ReportTable(
        name=file_name(experiment, "comparisons"),
        title=f"{experiment}: {compared}",
        caption=(
            f"Mann–Whitney tests of the {measure}, {compared}: two-sided, with p-values adjusted "
            f"by Holm over all {counted(len(comparisons), 'test')}. A12 above 0.5 and Cliff's "
            f"delta above 0 favour {first}. Bold: significant at 5 %."
        ),
        columns=(
            *(Column("instance"), Column("algorithm"), *second, Column("p", "p")),
            *(Column("adjusted p", "p"), Column("A12", "number")),
            *(Column("Cliff's delta", "number"), Column("magnitude")),
        ),
        rows=[
            [one.instance, one.algorithm, *([one.second] if several else []), *one[4:]]
            for one in comparisons
        ],
        marked=frozenset(row for row, one in enumerate(comparisons) if one.adjusted <= LEVEL),
    )
    counts = ReportTable(
        name=file_name(experiment, "comparisons-by-algorithm"),
        title=f"{experiment}: {compared}, by algorithm",
        caption=(
            f"On how many instances the {measure} with one representation are significantly "
            "better (5 %, adjusted by Holm over all tests), and the mean of A12 over the "
            f"instances, above 0.5 in favour of {first}."
        ),
        columns=(
            *(Column("algorithm"), *second, Column("instances", "integer")),
            *(Column(f"{name} better", "integer") for name in _sides(comparisons)),
            *(Column("no difference shown", "integer"), Column("mean A12", "number")),
        ),
        rows=_counts(comparisons, several),
    )
    tables = {("comparisons", ""): tests, ("comparisons", "by algorithm"): counts}
    if groups:
        tables["comparisons", "by group"] = ReportTable(
            name=file_name(experiment, "comparisons-by-group"),
            title=f"{experiment}: {compared}, by group of instances",
            caption=(
                f"The mean of A12 over the instances of each group: above 0.5 the {measure} with "
                f"{first} are better."
            ),
            columns=(
                *(Column("algorithm"), *second, Column("all instances", "number")),
                *(Column(f"on {name}", "number") for name in groups),
            ),
            rows=_effects(comparisons, groups, several),
        )
    return tables


def _sides(comparisons: Sequence[Comparison]) -> tuple[str, str]:
    others = dict.fromkeys(one.second for one in comparisons)
    return comparisons[0].first, next(iter(others)) if len(others) == 1 else "the other"


def _by_pair(comparisons: Sequence[Comparison]) -> dict[Pair, list[Comparison]]:
    by_pair: dict[Pair, list[Comparison]] = {}
    for one in comparisons:
        by_pair.setdefault(Pair(one.algorithm, one.second), []).append(one)
    return by_pair


def _effects(
    comparisons: Sequence[Comparison], groups: Mapping[str, Group], several: bool
) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for pair, tests in _by_pair(comparisons).items():
        effects = {one.instance: one.a12 for one in tests}
        cells: list[Cell] = [*(pair if several else pair[:1]), fmean(effects.values())]
        for group in groups.values():
            chosen = [effects[name] for name in group.instances if name in effects]
            cells.append(fmean(chosen) if chosen else None)
        rows.append(cells)
    return rows


def _counts(comparisons: Sequence[Comparison], several: bool) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for pair, tests in _by_pair(comparisons).items():
        deltas = [one.delta for one in tests if one.adjusted <= LEVEL]
        better, worse = sum(delta > 0 for delta in deltas), sum(delta < 0 for delta in deltas)
        effect = fmean(one.a12 for one in tests)
        names = pair if several else pair[:1]
        rows.append([*names, len(tests), better, worse, len(tests) - better - worse, effect])
    return rows


def friedman_tables(conditions: Conditions, test: Friedman | None, instances: int) -> SectionTables:
    """List mean ranks; pairs that are not significantly different share a letter."""
    if test is None:
        return {}
    letters: dict[Pair, list[str]] = {pair: [] for pair in test.mean_ranks}
    for number, group in enumerate(test.groups):
        for pair in group:
            letters[pair].append(_letter(number))
    table = ReportTable(
        name=file_name(conditions.experiment, "friedman"),
        title=f"{conditions.experiment}: mean ranks and significant differences",
        caption=(
            f"Mean ranks of the medians over {counted(instances, 'instance')}; Friedman's test: "
            f"χ² = {test.statistic:.1f}, {p_value(test.p)}. By Nemenyi, mean ranks differ at 5 % "
            f"if they are more than {test.critical_difference:.2f} apart: pairs that share a "
            "letter do not differ significantly, a pair without a letter differs from all others."
        ),
        columns=(*PAIR, Column("mean rank", "number"), Column("group")),
        rows=[[*pair, rank, " ".join(letters[pair])] for pair, rank in test.mean_ranks.items()],
    )
    return {("friedman", ""): table}


def _letter(number: int) -> str:
    """Return the letters a, b, …, z, aa, ab, …"""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text
