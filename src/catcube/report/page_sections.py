"""The sections of the page: one for each experiment and way to look at it."""

from collections.abc import Mapping, Sequence

from catcube.analysis.model import Course, FixedBudget, FixedTarget, Judged, Section
from catcube.report import page_charts
from catcube.report.cells import written
from catcube.report.common_tables import counted, table_name
from catcube.report.page_charts import Charts, figure
from catcube.report.page_markup import chooser, folded, following, joined, notice, paragraph, text
from catcube.report.page_tables import chosen_tables, section_table
from catcube.report.table import ReportTable
from catcube.statistics import Friedman


def section_title(section: Section) -> str:
    """The way to look at an experiment, and its name if that is another one."""
    title, usual = {
        FixedBudget: ("Fixed budget", "fixed-budget"),
        Course: ("Course of the search", "ecdf"),
        FixedTarget: ("Fixed target", "fixed-target"),
    }[type(section)]
    name = section.conditions.experiment
    return title if name == usual else f"{title}: {name or '(no name)'}"


def section_body(
    section: Section, tables: Sequence[ReportTable], identity: str, charts: Charts
) -> str:
    """A section with its tables; identities of its elements begin with the given one."""
    parts = _Parts(section, tables, identity, charts)
    if isinstance(section, FixedBudget):
        body = _fixed_budget(section, parts)
    elif isinstance(section, FixedTarget):
        body = _fixed_target(section, parts)
    else:
        body = _course(section, parts)
    further = parts.rest()
    return joined(
        [
            f"<h2>{text(section_title(section))}</h2>",
            *body,
            "<h3>Further tables</h3>" if further else "",
            *further,
        ]
    )


class _Parts:
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
        self._left = [own for own in self._left if own not in taken]
        return taken

    def shown(self, *kinds: str) -> list[str]:
        """The same, as HTML."""
        return [section_table(own, self.experiment) for own in self.take(*kinds)]

    def rest(self) -> list[str]:
        """What was not taken."""
        return [section_table(own, self.experiment) for own in self._left]


def _fixed_budget(section: FixedBudget, parts: _Parts) -> list[str]:
    budget = counted(section.conditions.budget, "evaluation")
    return [
        paragraph(
            f"How good are the values found with {budget}? Lower is better; 0 is a solution."
        ),
        _missing(section),
        "<h3>Values on each instance</h3>",
        *_values(section, parts),
        "<h3>Ranks over the instances</h3>",
        *(parts.shown("ranks") or [_nothing("ranks need an instance on which all runs are done")]),
        *_told_apart(section.friedman, parts),
        *_comparisons(parts),
        *_published(section.published, parts),
    ]


def _values(section: FixedBudget, parts: _Parts) -> list[str]:
    if not section.means:
        return [_nothing("no pair has all its runs done on an instance")]
    choice = f"{parts.identity}-instance"
    chart = parts.charts.add(page_charts.histogram(section, choice))
    caption = "Mean final values of the pairs; whiskers are 95 % bootstrap intervals of the mean."
    return [
        _instances(choice, list(section.means)),
        figure(chart, "bars", caption),
        _by_instance(choice, list(section.means), section.values, parts.take("values-"), parts),
    ]


def _instances(choice: str, names: Sequence[str]) -> str:
    return chooser(choice, "Instance", [(str(place), name) for place, name in enumerate(names)])


def _by_instance(
    choice: str,
    names: Sequence[str],
    shown: Mapping[str, Sequence[object]],
    tables: Sequence[ReportTable],
    parts: _Parts,
) -> str:
    """The tables of the instances that have lines to show, in their order."""
    having = [name for name, lines in shown.items() if lines]
    by_name = dict(zip(having, tables, strict=False))
    own = [
        (
            str(place),
            section_table(by_name[name], parts.experiment)
            if name in by_name
            else _nothing("no pair has all its runs done on this instance"),
        )
        for place, name in enumerate(names)
    ]
    return following(choice, own)


def _course(section: Course, parts: _Parts) -> list[str]:
    conditions = section.conditions
    opening = [
        paragraph(
            f"Which share of the targets is reached by which number of evaluations, up to "
            f"{conditions.budget:,}? On each instance the targets divide the way from the worst "
            "first to the best final value evenly; the higher or further left a curve, the better."
        ),
        _missing(section),
    ]
    if not section.curves and not section.by_instance:
        return [*opening, _nothing("curves need a pair with all its runs done")]
    choice = f"{parts.identity}-instance"
    chart = page_charts.ecdf_curves(section, choice)
    number = parts.charts.add(chart)
    return [
        *opening,
        chooser(choice, "Curves over", list(chart["names"].items())),
        "<h3>All pairs</h3>",
        figure(
            number,
            "overall",
            "Colours are algorithms; linear is solid, direct dashed. The key is ordered by final "
            "levels, and shows the levels where the pointer is. A click on a key hides or shows "
            "its curve.",
        ),
        "<h3>Linear and direct for each algorithm</h3>",
        figure(number, "each", "The same curves, an algorithm at a time."),
        "<h3>Levels and leads</h3>",
        *parts.shown("levels", "leads"),
    ]


def _fixed_target(section: FixedTarget, parts: _Parts) -> list[str]:
    conditions = section.conditions
    target = written(conditions.target, "number")
    opening = [
        paragraph(
            f"How many runs reach the value {target} within {conditions.budget:,} evaluations, and "
            "how many evaluations does it take them?"
        ),
        _missing(section),
    ]
    if not section.runtimes:
        return [*opening, _nothing("runtimes need a pair with all its runs done on an instance")]
    choice = f"{parts.identity}-instance"
    runtimes = parts.charts.add(page_charts.runtimes(section, choice))
    success = parts.charts.add(page_charts.success(section))
    groups = [name for name, lines in section.ranks.items() if lines]
    return [
        *opening,
        "<h3>Ranks over the instances</h3>",
        chosen_tables(
            f"{parts.identity}-group", "Instances", parts.take("ranks"), groups, parts.experiment
        )
        or _nothing("ranks need an instance on which all runs are done"),
        *_told_apart(section.friedman, parts),
        "<h3>Success</h3>",
        figure(
            success,
            "overall",
            "Runs that reach the target, in percent of all runs (means of the whole percents of "
            "the instances). Colours are algorithms; linear is solid, direct dashed.",
        ),
        "<h3>Runtimes on each instance</h3>",
        _instances(choice, list(section.runtimes)),
        figure(
            runtimes,
            "bars",
            "Median evaluations of the successful runs; whiskers are 95 % bootstrap intervals of "
            "the median. The axis is logarithmic.",
        ),
        _by_instance(
            choice, list(section.runtimes), section.runtimes, parts.take("runtimes-"), parts
        ),
        *_comparisons(parts),
        *_published(section.published, parts),
    ]


def _told_apart(test: Friedman | None, parts: _Parts) -> list[str]:
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


def _comparisons(parts: _Parts) -> list[str]:
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


def _published(published: Mapping[str, Sequence[Judged]], parts: _Parts) -> list[str]:
    shown = {name: judged for name, judged in published.items() if judged}
    if not shown:
        return []
    names = [
        f"{name} ({sum(one.significant for one in judged)} of {len(judged)} differ)"
        for name, judged in shown.items()
    ]
    compared = [one for judged in shown.values() for one in judged if one.adjusted is not None]
    differ = sum(one.significant for one in compared)
    return [
        "<h3>Published beside ours</h3>",
        paragraph(
            f"Of {counted(len(compared), 'pair')} in the published tables that can be compared, "
            f"{differ} differ significantly in the median. Such rows begin with ▸, are bold, and "
            "say yes in the last column."
        ),
        chosen_tables(
            f"{parts.identity}-published",
            "Published table",
            parts.take("published-"),
            names,
            parts.experiment,
        ),
    ]


def _nothing(reason: str) -> str:
    return notice(f"Nothing to show yet: {reason}.")


def _missing(section: Section) -> str:
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
