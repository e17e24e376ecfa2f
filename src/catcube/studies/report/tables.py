"""The tables of a study, and its headlines."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from catcube.base.text import count
from catcube.experiments.export import UniqueNames
from catcube.statistics import Comparison, Line, Pair, Summary
from catcube.studies.analysis.model import (
    FIGURES,
    LEVEL,
    TESTED,
    VERDICTS,
    Conditions,
    Part,
    PublishedTable,
    Reference,
    Statement,
)
from catcube.studies.analysis.sections import (
    Ecdf,
    Effect,
    FixedBudget,
    FixedTarget,
    Ranking,
    Section,
    Study,
)
from catcube.studies.report.table import ReportTable, Row, TableKey, make_table
from catcube.studies.report.text import (
    Cell,
    cell_text,
    describe_comparison,
    format_p_value,
    format_power_of_ten,
    format_time,
    safe_name,
)

SectionTables = Iterator[tuple[tuple[str, str], ReportTable]]
"""The tables of one section, with their kinds and subjects."""

_FEW = 3  # columns of numbers that leave space for words
_POWERS = 5


def report_tables(study: Study) -> dict[TableKey, ReportTable]:
    """Make the tables of the statements, of each section, and of how the experiments were run.

    The names of the tables are different and safe as names of files; what has no rows is left out.

    >>> report_tables(Study(()))
    {}
    """
    parts: list[tuple[int | None, SectionTables]] = [
        (None, _statement_tables(study.reference)),
        *((number, _section_tables(study, one)) for number, one in enumerate(study.sections)),
        (None, _condition_tables(study.conditions)),
    ]
    unique = UniqueNames()
    return {
        TableKey(number, *key): replace(table, name=unique(table.name))
        for number, tables in parts
        for key, table in tables
        if table.rows
    }


def _section_tables(study: Study, section: Section) -> SectionTables:
    if isinstance(section, Ecdf):
        yield from _ecdf_tables(section)
        return
    yield from _rank_tables(section)
    yield from _block_tables(section)
    measure = "runtimes" if isinstance(section, FixedTarget) else "final values"
    yield ("effects", ""), _effect_table(section, measure)
    yield from _comparison_tables(section, measure)
    yield from _instance_tables(section)
    if study.reference and not section.conditions.chosen:
        name = section.conditions.experiment
        for table in study.reference.tables.get(name, ()):
            yield ("published", table.name), _published_table(name, table)


# Ranks, values and runtimes


def _line(line: Line) -> tuple[Cell, ...]:
    return line.rank, *line.pair, *line.summary


def _rank_tables(section: Ranking) -> SectionTables:
    """Make the tables of ranks over all instances, and over each group of them."""
    target = isinstance(section, FixedTarget)
    for group, chosen in section.outline.divide(section.complete).items():
        outlined, lines = section.outline.groups.get(group), section.ranks[group]
        table = make_table(
            "ranks-of-runtimes" if target else "ranks-of-values",
            [(*_line(one), one.success_percent) if target else _line(one) for one in lines],
            section.conditions,
            ["ranks", *([safe_name(group)] if target or group != "all" else [])],
            group=outlined.described if outlined else "all instances",
            instances=count(len(chosen), "instance"),
        )
        yield ("ranks", group), table


def _instance_tables(section: FixedBudget | FixedTarget) -> SectionTables:
    """Make the tables of values or runtimes on each instance."""
    for instance, lines in section.tables.items():
        rows: list[Row]
        if isinstance(section, FixedTarget):
            kind, medians = "runtimes", section.medians[instance]
            expected = section.expected_running_times.get(instance, {})
            costs = {
                pair: (*medians.get(pair, (None, None)), expected.get(pair), penalized)
                for pair, penalized in section.penalized[instance].items()
            }
            rows = [(*_line(line), *costs[line.pair], line.success_percent) for line in lines]
        else:
            kind, means = "values", section.means[instance]
            known = {pair: (one.mean, *one.interval) for pair, one in means.items()}
            rows = [(*_line(line), *known.get(line.pair, (None,) * 3)) for line in lines]
        parts = (kind, safe_name(instance))
        table = make_table(kind, rows, section.conditions, parts, instance=instance)
        yield (kind, instance), table


# Effects and tests


def headlines(study: Study) -> list[str]:
    """Say what each section shows: the winner, and the effect of the representation.

    Of more than two representations, only those of the best mean rank are named.
    """
    found = []
    for section in study.sections:
        if isinstance(section, Ecdf) or section.winner is None:
            continue
        conditions, winner = section.conditions, section.winner
        name = conditions.experiment or "(no name)"
        if conditions.chosen:
            name += (
                f" with {conditions.budget:,} evaluations"
                if conditions.target is None
                else f" to the value {cell_text(conditions.target, 'number')}"
            )
        place = "second" if section.ranks["all"][1].rank > 1 else "too"
        sentences = [
            f"{winner.first} ranks first, {winner.second} {place}: {effect_text(winner, section)}."
        ]
        overall = [one for one in section.effects if not one.subject]
        if len(overall) == 1:
            [one] = overall
            sentences += [
                f"{one.first} against {one.second}, over all algorithms: "
                f"{effect_text(one, section)}."
            ]
        elif "representation" in section.blocks:
            test = section.blocks["representation"]
            rank = min(test.mean_ranks.values())
            best = [name for name, other in test.mean_ranks.items() if other == rank]
            sentences += [
                f"Of {len(test.mean_ranks)} representations, {' and '.join(best)} "
                f"{'has' if len(best) == 1 else 'have'} the best mean rank "
                f"({rank:.1f}, Friedman’s test: {format_p_value(test.p)})."
            ]
        found.append(f"{name}: {' '.join(sentences)}")
    return found


def _units(section: Ranking) -> str:
    return "families" if section.families else "instances"


def effect_text(one: Effect, section: Ranking) -> str:
    """Write an effect with its interval and its p-value."""
    mean, low, high = (f"{number:+.2f}".replace("-", "−") for number in one.effect[:3])
    text = f"Cliff’s delta {mean}"
    if one.effect.low == one.effect.low:  # it is not known of one run
        over = f", over {one.effect.units:,} {_units(section)}" if one.effect.units > 1 else ""
        text += f" (95 %: {low} to {high}{over})"
    p = "" if one.p != one.p else f", {format_p_value(one.p)}"  # it is not known of one run
    return f"{text}{p}{', not significant' * (one.p > LEVEL)}"


def _block_tables(section: Ranking) -> SectionTables:
    """List the mean ranks of representations and of algorithms."""
    others = {"representation": "algorithm", "algorithm": "representation"}
    for factor, test in section.blocks.items():
        letters = [(chr(ord("a") + n % 26), group) for n, group in enumerate(test.groups)]
        rows = [
            (name, rank, " ".join(letter for letter, group in letters if name in group))
            for name, rank in test.mean_ranks.items()
        ]
        words: dict[str, Any] = {"factor": factor, "other": others[factor], "test": test}
        words |= {"p": format_p_value(test.p), "blocks": count(test.blocks, "block")}
        named = ("blocks", rows, section.conditions, [f"{factor}-ranks"])
        yield ("blocks", factor), make_table(*named, **words)


def _effect_table(section: Ranking, measure: str) -> ReportTable:
    rows = [
        (one.subject or "all algorithms", one.second, *one.effect._replace(p=one.p))
        for one in section.effects
    ]
    marked = (one.p <= LEVEL for one in section.effects)
    words = {"measure": measure, "units": _units(section)}
    return make_table("effects", rows, section.conditions, marked=marked, **words)


def _comparison_tables(section: Ranking, measure: str) -> SectionTables:
    """List the tests of the first representation against the others, and count their outcomes."""
    comparisons, conditions = section.comparisons, section.conditions
    first, groups = conditions.representations[0], section.outline.groups
    by_pair: dict[Pair, list[Comparison]] = {}
    for one in comparisons:
        by_pair.setdefault(Pair(one.algorithm, one.second), []).append(one)
    rows: list[Row] = []
    for pair, found in by_pair.items():
        deltas = [one.delta for one in found if one.adjusted <= LEVEL]
        better, worse = sum(delta > 0 for delta in deltas), sum(delta < 0 for delta in deltas)
        effects = {one.instance: one.a12 for one in found}
        divided = section.outline.divide(effects)
        means = [
            fmean(effects[one] for one in divided[name]) if name in divided else None
            for name in ("all", *groups)
        ]
        rows.append((*pair, len(found), better, worse, len(found) - better - worse, *means))
    words: dict[str, Any] = {"measure": measure, "tests": count(len(comparisons), "test")}
    words["compared"] = describe_comparison(
        [first, *dict.fromkeys(one.second for one in comparisons)]
    )
    tests = [(one.instance, one.algorithm, *one[3:]) for one in comparisons]
    marked = (one.adjusted <= LEVEL for one in comparisons)
    more = (f"on {name}" for name in groups)
    table = make_table("comparisons", tests, conditions, marked=marked, **words)
    yield ("comparisons", ""), table
    table = make_table("comparisons-by-algorithm", rows, conditions, more=more, **words)
    yield ("comparisons", "by algorithm"), table


# ECDF


def _ecdf_tables(section: Ecdf) -> SectionTables:
    """Make the tables of levels, of areas by group, and of who leads when."""
    conditions = section.conditions
    largest = len(str(conditions.budget)) - 1  # the largest power of ten that is not above
    powers = [10**exponent for exponent in range(max(1, largest - _POWERS + 1), largest + 1)]
    areas = {
        pair: [section.area(curves[pair]) for curves in section.by_group.values()]
        for pair in section.curves
    }
    leads: list[Row] = []
    for pair, found in section.leads.items():
        names = {True: conditions.representations[0], False: pair.representation}
        leads += [
            (*pair, names[lead.first], lead.begin, lead.end - 1, lead.gap) for lead in found
        ] or [(*pair, "neither", None, None, None)]
    levels: list[Row] = [
        (rank, *pair, curve.final, areas[pair][0], *curve.at(powers).tolist())
        for rank, (pair, curve) in enumerate(reversed([*section.curves.items()]), start=1)
    ]
    _, *groups = section.by_group or [""]
    ranked = sorted(areas, key=lambda pair: -areas[pair][0]) if groups else ()
    by_area: list[Row] = [(*pair, *areas[pair]) for pair in ranked]
    tables = [
        ("levels", levels, [f"at {format_power_of_ten(n)}" for n in powers]),
        ("areas", by_area, [f"on {name}" for name in groups]),
        ("leads", leads, []),
    ]
    instances = count(len(section.instances), "instance")
    for kind, rows, more in tables:
        yield (kind, ""), make_table(kind, rows, conditions, more=more, instances=instances)


# What a study is compared with


def verdict_counts(statements: Sequence[Statement]) -> str:
    """Count the parts by verdict, in words: what was tested, and what is a figure, apart.

    >>> parts = [Part("sa", "holds", ""), Part("ga", "agrees", "")]
    >>> verdict_counts([Statement("B1", "", "", "", "", parts)])
    'of 1 tested part 1 holds; of 1 figure 1 agrees within its tolerance'
    """
    counts = Counter(part.verdict for one in statements for part in one.parts)
    words = {
        "holds": ("holds", "hold"),
        "too close to call": ("is too close to call", "are too close to call"),
        "contradicted": ("is contradicted", "are contradicted"),
        "agrees": ("agrees within its tolerance", "agree within their tolerance"),
        "disagrees": ("disagrees", "disagree"),
    }
    found = []
    for verdicts, noun in ((TESTED, "tested part"), (FIGURES, "figure")):
        total = sum(counts[name] for name in verdicts)
        phrases = [
            f"{counts[name]} {words[name][counts[name] != 1]}" for name in verdicts if counts[name]
        ]
        if total:
            found.append(f"of {count(total, noun)} {', '.join(phrases)}")
    if counts["not measured"]:
        found.append(f"{count(counts['not measured'], 'part')} not measured")
    return "; ".join(found)


def _against_us(parts: Iterable[Part]) -> list[bool]:
    return [part.verdict in ("contradicted", "disagrees") for part in parts]


def _statement_tables(reference: Reference | None) -> SectionTables:
    """Make the table of all statements, and that of all their parts."""
    if reference is None:
        return
    statements = reference.statements
    counts = [Counter(part.verdict for part in one.parts) for one in statements]
    rows: list[Row] = [
        (one.id, one.where, one.sentence, *(found[name] for name in VERDICTS), one.note)
        for one, found in zip(statements, counts, strict=True)
    ]
    words: dict[str, Any] = {"source": reference.source, "verdicts": verdict_counts(statements)}
    words["marked"] = [any(_against_us(one.parts)) for one in statements]
    yield ("statements", ""), make_table("statements", rows, more=(*VERDICTS, "note"), **words)
    parts = [(statement.id, part) for statement in statements for part in statement.parts]
    rows = [(name, one.about, one.verdict, one.reason, one.p, one.tolerance) for name, one in parts]
    marked = _against_us(part for _, part in parts)
    yield ("statement-parts", ""), make_table("statement-parts", rows, marked=marked)


def parts_table(statement: Statement) -> ReportTable:
    """Make the table of the parts of one statement, with the figures behind the verdicts."""
    parts = statement.parts
    tested = any(part.p is not None for part in parts)
    columns: dict[str, Sequence[Cell]] = {
        "part": [part.about for part in parts],
        "verdict": [part.verdict for part in parts],
        **{title: [one.figures[n] for one in parts] for n, title in enumerate(statement.columns)},
        "adjusted p": [part.p for part in parts],
        "finding": [part.reason for part in parts],
        "tolerance": [part.tolerance or None for part in parts],
    }
    if len(statement.columns) > _FEW and tested:
        del columns["finding"]
    known = {title: cells for title, cells in columns.items() if {*cells} != {None}}
    name, title = f"statement-{safe_name(statement.id)}", f"{statement.id}, part by part"
    rows = list(zip(*known.values(), strict=True))
    marked = frozenset(n for n, against in enumerate(_against_us(parts)) if against)
    return ReportTable(name, title, statement.test, tuple(known), rows, marked)


def _published_table(experiment: str, table: PublishedTable) -> ReportTable:
    """Compare every value of a published table with ours."""
    short = safe_name(table.name).removeprefix(f"{safe_name(experiment)}-")
    kind, _, subject = short.partition("-")
    lines = [line for row in table.rows for line in (row.ours, row.published) if line]
    with_success = any(line.success_percent is not None for line in lines)
    figures = (*Summary._fields, *(["success"] if with_success else []))

    def cells(line: Line | None) -> Row:
        whole = (line.rank, *line.summary, line.success_percent) if line else (None,) * 7
        return whole[: len(figures) + 1]

    rows: list[Row] = []
    for row in table.rows:
        (ours, theirs), *others = zip(cells(row.ours), cells(row.published), strict=True)
        beside = [cell for couple in others for cell in couple]
        rows.append((ours, theirs, *row.pair, *beside, ", ".join(row.different)))
    which = f"{kind} ({subject})" if subject else kind
    return make_table(
        "published",
        rows,
        parts=[safe_name(experiment), "published", short],
        more=[*(title for name in figures for title in (name, f"published {name}")), "differ"],
        marked=[bool(row.different) for row in table.rows],
        experiment=experiment,
        which=which,
    )


# How it was run


def _condition_tables(experiments: Sequence[Conditions]) -> SectionTables:
    """List how the experiments were run, by what code on what machine, and missing runs."""
    rows: list[Row] = [
        (
            *(one.experiment, len(one.instances), len(one.pairs), one.budget, one.target),
            *(one.runs, str(one.seed), one.done, one.total, one.failed, one.evaluations),
            one.seconds,
            one.finished - one.began if one.began and one.finished else None,
        )
        for one in experiments
    ]
    marked = [not one.complete for one in experiments]
    yield ("conditions", ""), make_table("conditions", rows, marked=marked)
    sessions = [(one.experiment, session) for one in experiments for session in one.sessions]
    machine = dict.fromkeys(part for _, session in sessions for part in session.machine)
    rows = [
        (
            *(name, format_time(one.began), one.runs, one.version, one.sources),
            *map(one.machine.get, machine),
        )
        for name, one in sessions
    ]
    yield ("sessions", ""), make_table("sessions", rows, more=machine)
    missing = [(one.experiment, gap) for one in experiments for gap in one.missing]
    rows = [(name, one.instance, *one.pair, one.runs) for name, one in missing]
    yield ("missing", ""), make_table("missing", rows)
