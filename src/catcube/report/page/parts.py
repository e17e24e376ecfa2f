"""Parts that sections of the page have in common."""

from collections.abc import Mapping, Sequence

from catcube.analysis.model import Section
from catcube.analysis.reference import Reference
from catcube.report.page import charts as page_charts
from catcube.report.page.charts import Charts, figure
from catcube.report.page.markup import chooser, folded, following, notice, paragraph
from catcube.report.page.tables import chosen_tables, section_table
from catcube.report.tables.common import counted, table_name
from catcube.report.tables.table import ReportTable
from catcube.statistics import Friedman


class Parts:
    """The tables of a section by what they show, each to be taken once."""

    def __init__(
        self, section: Section, tables: Sequence[ReportTable], identity: str, charts: Charts
    ) -> None:
        self.experiment = section.conditions.experiment
        self.identity = identity
        self.charts = charts
        self._prefix = table_name(section.conditions) + "-"
        self._left = list(tables)

    def take(self, *kinds: str) -> list[ReportTable]:
        """The tables whose names begin so, after that of the experiment."""
        names = tuple(self._prefix + kind for kind in kinds)
        taken = [own for own in self._left if own.name.startswith(names)]
        self._left = [own for own in self._left if not own.name.startswith(names)]
        return taken

    def shown(self, *kinds: str) -> list[str]:
        """The same, as HTML."""
        return [section_table(own, self.experiment) for own in self.take(*kinds)]

    def rest(self) -> list[str]:
        """What was not taken."""
        return [section_table(own, self.experiment) for own in self._left]


def missing_runs(section: Section) -> str:
    """How many runs are missing, if any."""
    conditions = section.conditions
    if conditions.complete:
        return ""
    runs = sum(one.runs for one in conditions.missing)
    pairs = len({one.pair for one in conditions.missing})
    instances = len({one.instance for one in conditions.missing})
    return notice(
        f"{counted(runs, 'run')} of {counted(conditions.total, 'run')} "
        f"{'is' if runs == 1 else 'are'} missing ({counted(pairs, 'pair')}, on "
        f"{counted(instances, 'instance')}); they are listed at the end of the page."
    )


def nothing(reason: str) -> str:
    """What stands in the place of what is not there yet."""
    return notice(f"Nothing to show yet: {reason}.")


def instance_chooser(choice: str, names: Sequence[str]) -> str:
    """A select of an instance; its values are the places of the names."""
    return chooser(choice, "Instance", [(str(place), name) for place, name in enumerate(names)])


def tables_by_instance(
    choice: str,
    names: Sequence[str],
    shown: Mapping[str, Sequence[object]],
    tables: Sequence[ReportTable],
    parts: Parts,
) -> str:
    """The tables of the instances that have lines to show, in their order."""
    having = [name for name, lines in shown.items() if lines]
    by_name = dict(zip(having, tables, strict=False))
    own = [
        (
            str(place),
            section_table(by_name[name], parts.experiment)
            if name in by_name
            else nothing("no pair has all its runs done on this instance"),
        )
        for place, name in enumerate(names)
    ]
    return following(choice, own)


def told_apart(test: Friedman | None, parts: Parts) -> list[str]:
    """The critical-difference diagram, and its table behind a click."""
    if test is None:
        return []
    chart = parts.charts.add(page_charts.mean_ranks(test))
    p = "< 0.001" if test.p < 0.001 else f"= {test.p:.3f}"
    caption = (
        f"Friedman’s test: χ² = {test.statistic:.1f}, p {p}. Upright bars at the right join pairs "
        "that Nemenyi’s test does not tell apart at 5 %: their mean ranks differ by no more than "
        f"the critical difference, {test.critical_difference:.2f}."
    )
    return [
        "<h3>Which pairs can be told apart</h3>",
        figure(chart, "ranks", caption),
        folded("The same as a table", parts.shown("friedman")),
    ]


def comparisons(parts: Parts) -> list[str]:
    """Linear against direct: how the tests came out, and all of them behind a click."""
    counts = parts.shown("comparisons-by-algorithm")
    tests = parts.take("comparisons")
    if not tests:
        return []
    return [
        "<h3>Linear against direct</h3>",
        *counts,
        folded(
            f"All {counted(sum(len(own.rows) for own in tests), 'test')}",
            [section_table(own, parts.experiment) for own in tests],
        ),
    ]


def published_beside(reference: Reference, parts: Parts) -> list[str]:
    """The published tables beside ours, one at a time."""
    shown = [own for own in reference.tables.get(parts.experiment, ()) if own.rows]
    if not shown:
        return []
    names = [
        f"{own.name} ({sum(bool(row.different) for row in own.rows)} of {len(own.rows)} differ)"
        for own in shown
    ]
    tested = any(row.adjusted for own in shown for row in own.rows)
    return [
        "<h3>Published beside ours</h3>",
        paragraph(
            reference.about_tables
            if tested
            else "The tables are side by side only: nothing is tested where the experiment is not "
            "at the scale of the published one."
        ),
        *(paragraph(sentence) for own in shown for sentence in own.remarks),
        chosen_tables(
            f"{parts.identity}-published",
            "Published table",
            parts.take("published-"),
            names,
            parts.experiment,
        ),
    ]
