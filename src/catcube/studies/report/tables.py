"""The tables of a study, and its headlines."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

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
from catcube.studies.report.table import ReportTable, Row, TableKey
from catcube.studies.report.text import (
    Cell,
    UniqueNames,
    against,
    cell_text,
    counted,
    moment,
    p_value,
    power_of_ten,
    safe_name,
)

SectionTables = dict[tuple[str, str], ReportTable]
"""The tables of one section, by kind and subject."""

_FEW = 3  # columns of numbers that leave space for words
_POWERS = 5
_ORDER = "median, first and third quartile, minimum, maximum"


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
        for key, table in tables.items()
        if table.rows
    }


def _section_tables(study: Study, section: Section) -> SectionTables:
    if isinstance(section, Ecdf):
        return _ecdf_tables(section)
    aim = (
        f"the value {cell_text(section.conditions.target, 'number')} within "
        f"{section.conditions.budget:,} evaluations"
    )
    tables = _rank_tables(section, aim) | _block_tables(section)
    measure = "runtimes" if isinstance(section, FixedTarget) else "final values"
    if section.effects:
        tables["effects", ""] = _effect_table(section, measure)
    if section.comparisons:
        tables |= _comparison_tables(section, measure)
    tables |= _instance_tables(section, aim)
    if study.reference and not section.conditions.chosen:
        name = section.conditions.experiment
        for table in study.reference.tables.get(name, ()):
            tables["published", table.name] = _published_table(name, table)
    return tables


def stem(conditions: Conditions, *parts: str) -> str:
    """Return the stem of the files of a section, which names a budget or target that was chosen."""
    chosen = []
    if conditions.chosen:
        chosen = [
            f"budget-{conditions.budget}"
            if conditions.target is None
            else f"target-{safe_name(f'{conditions.target:g}')}"
        ]
    return "-".join([safe_name(conditions.experiment), *chosen, *parts])


# Ranks, values and runtimes

_LINE = ("rank", *Pair._fields, *Summary._fields)


def _line(line: Line) -> tuple[Cell, ...]:
    return line.rank, *line.pair, *line.summary


def _rank_tables(section: Ranking, aim: str) -> SectionTables:
    """Make the tables of ranks over all instances, and over each group of them."""
    conditions = section.conditions
    runs, experiment = counted(conditions.runs, "run"), conditions.experiment
    target = isinstance(section, FixedTarget)
    tables: SectionTables = {}
    for group, chosen in section.outline.divide(section.complete).items():
        instances = counted(len(chosen), "instance")
        on = section.outline.groups[group].described if group != "all" else "all instances"
        tables["ranks", group] = ReportTable(
            stem(conditions, "ranks", *([safe_name(group)] if target or group != "all" else [])),
            f"{experiment}: ranks on {on}",
            f"How many of {runs} on each of {instances} reach {aim}, rounded down, and the "
            f"ranks of the pairs by success and runtime. Sorted by success, then {_ORDER}."
            if target
            else f"Ranks of the pairs by their values after {conditions.budget:,} evaluations, "
            f"over {instances} with {runs} each. Sorted by {_ORDER}.",
            (*_LINE, "success") if target else _LINE,
            [
                (*_line(line), line.success_percent) if target else _line(line)
                for line in section.ranks[group]
            ],
        )
    return tables


def _instance_tables(section: FixedBudget | FixedTarget, aim: str) -> SectionTables:
    """Make the tables of values or runtimes on each instance."""
    conditions, tables = section.conditions, {}
    runs, experiment = counted(conditions.runs, "run"), conditions.experiment
    for instance, lines in section.tables.items():
        if isinstance(section, FixedTarget):
            kind = "runtimes"
            titles: tuple[str, ...] = ("median from", "median to", "ERT", "PAR-10", "success")
            expected, medians = section.expected_running_times, section.medians[instance]
            rows: list[Row] = [
                (
                    *(*_line(line), *medians.get(line.pair, (None, None))),
                    expected.get(instance, {}).get(line.pair),
                    *(section.penalized[instance][line.pair], line.success_percent),
                )
                for line in lines
            ]
            caption = (
                f"Evaluations of the successful ones of {runs}, which reach {aim}; the 95 % "
                "bootstrap interval of the median; the expected running time (ERT): the "
                "evaluations of all runs divided by the number of successes; and PAR-10: the mean "
                "runtime, with ten budgets for a run that fails."
            )
        else:
            kind, titles = "values", ("mean", "mean from", "mean to")
            means = section.means[instance]
            rows = [
                (*_line(line), mean.mean, *mean.interval)
                if (mean := means.get(line.pair))
                else (*_line(line), None, None, None)
                for line in lines
            ]
            caption = (
                f"Values found with {conditions.budget:,} evaluations in {runs}, lower is better; "
                "the mean with its 95 % bootstrap interval."
            )
        name, title = stem(conditions, kind, safe_name(instance)), f"{experiment}: {kind} on"
        tables[kind, instance] = ReportTable(
            name, f"{title} {instance}", caption, (*_LINE, *titles), rows
        )
    return tables


# Effects and tests


def headlines(study: Study) -> list[str]:
    """Say what each section shows: the winner, and the effect of the representation.

    Of more than two representations, only the one of the best mean rank is named.
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
        sentences = [f"{winner.first} is first, then {winner.second}: {effect_text(winner)}."]
        overall = [one for one in section.effects if not one.subject]
        if len(overall) == 1:
            [one] = overall
            sentences += [
                f"{one.first} against {one.second}, over all algorithms: {effect_text(one)}."
            ]
        elif "representation" in section.blocks:
            test = section.blocks["representation"]
            best, rank = next(iter(test.mean_ranks.items()))
            sentences += [
                f"Of {len(test.mean_ranks)} representations, {best} has the best mean rank "
                f"({rank:.1f}, Friedman’s test: {p_value(test.p)})."
            ]
        found.append(f"{name}: {' '.join(sentences)}")
    return found


def effect_text(one: Effect, units: str = "instances") -> str:
    """Write an effect with its interval and its p-value."""
    mean, low, high = (f"{number:+.2f}".replace("-", "−") for number in one.effect[:3])
    text = f"Cliff’s delta {mean}"
    if one.effect.low == one.effect.low:  # it is not known of one run
        over = f", over {one.effect.units:,} {units}" if one.effect.units > 1 else ""
        text += f" (95 %: {low} to {high}{over})"
    return text if one.p != one.p else f"{text}, {p_value(one.p)}"


def _block_tables(section: Ranking) -> SectionTables:
    """List the mean ranks of representations and of algorithms."""
    tables: SectionTables = {}
    others = {"representation": "algorithm", "algorithm": "representation"}
    for factor, test in section.blocks.items():
        letters = [(chr(ord("a") + n % 26), group) for n, group in enumerate(test.groups)]
        tables["blocks", factor] = ReportTable(
            stem(section.conditions, f"{factor}-ranks"),
            f"{section.conditions.experiment}: mean ranks of {factor}s",
            f"Ranks of the medians within each {others[factor]} on each instance "
            f"({counted(test.blocks, 'block')}), on average; Friedman’s test: "
            f"χ² = {test.statistic:.1f}, {p_value(test.p)}. Those that share a letter differ "
            f"by no more than Nemenyi’s critical difference (5 %), {test.critical_difference:.2f}.",
            (factor, "mean rank", "group"),
            [
                (name, rank, " ".join(letter for letter, group in letters if name in group))
                for name, rank in test.mean_ranks.items()
            ],
        )
    return tables


def _effect_table(section: Ranking, measure: str) -> ReportTable:
    representations = section.conditions.representations
    return ReportTable(
        stem(section.conditions, "effects"),
        f"{section.conditions.experiment}: effect of the representation",
        f"{against(representations)}: Cliff’s delta of the {measure}, on average over the "
        f"instances; above 0 {representations[0]} is better. The interval (95 %) and p are "
        "Student’s on Fisher’s scale, from the spread of the instances (of the runs, if there is "
        "one instance); p is adjusted by Holm. Equivalent: the p-value of an effect beyond "
        "±0.147, which is negligible.",
        ("algorithm", "against", "delta", "from", "to", "adjusted p", "equivalent", "instances"),
        [
            (
                *(one.subject or "all algorithms", one.second, *one.effect[:3]),
                *(one.p, one.effect.equivalence, one.effect.units),
            )
            for one in section.effects
        ],
        frozenset(n for n, one in enumerate(section.effects) if one.p <= LEVEL),
    )


def _comparison_tables(section: Ranking, measure: str) -> SectionTables:
    """List the tests of the first representation against the others, and count their outcomes."""
    comparisons, experiment = section.comparisons, section.conditions.experiment
    first = comparisons[0].first
    compared = against([first, *dict.fromkeys(one.second for one in comparisons)])
    tests = ReportTable(
        stem(section.conditions, "comparisons"),
        f"{experiment}: {compared}",
        f"Mann–Whitney tests of the {measure}, {compared}: two-sided, with p-values adjusted "
        f"by Holm over all {counted(len(comparisons), 'test')}. A12 above 0.5 and Cliff's "
        f"delta above 0 favour {first}. Bold: significant at 5 %.",
        (
            *("instance", "algorithm", "against"),
            *("p", "adjusted p", "A12", "Cliff's delta", "magnitude"),
        ),
        [(one.instance, one.algorithm, *one[3:]) for one in comparisons],
        frozenset(row for row, one in enumerate(comparisons) if one.adjusted <= LEVEL),
    )
    by_pair: dict[Pair, list[Comparison]] = {}
    for one in comparisons:
        by_pair.setdefault(Pair(one.algorithm, one.second), []).append(one)
    rows: list[Row] = []
    for pair, found in by_pair.items():
        deltas = [one.delta for one in found if one.adjusted <= LEVEL]
        better, worse = sum(delta > 0 for delta in deltas), sum(delta < 0 for delta in deltas)
        effects = {one.instance: one.a12 for one in found}
        groups = section.outline.divide(effects)
        means = [
            fmean(effects[one] for one in groups[name]) if name in groups else None
            for name in ("all", *section.outline.groups)
        ]
        rows.append((*pair, len(found), better, worse, len(found) - better - worse, *means))
    counts = ReportTable(
        stem(section.conditions, "comparisons-by-algorithm"),
        f"{experiment}: {compared}, by algorithm",
        f"On how many instances the {measure} with one representation are significantly "
        "better (5 %, adjusted by Holm over all tests), and the mean of A12 over the "
        f"instances, above 0.5 in favour of {first}.",
        (
            *("algorithm", "against", "instances", f"{first} better", "the other better"),
            *(
                "no difference shown",
                "mean A12",
                *(f"on {name}" for name in section.outline.groups),
            ),
        ),
        rows,
    )
    return {("comparisons", ""): tests, ("comparisons", "by algorithm"): counts}


# ECDF


def _ecdf_tables(section: Ecdf) -> SectionTables:
    """Make the tables of levels, of areas by group, and of who leads when."""
    conditions = section.conditions
    experiment, first = conditions.experiment, conditions.representations[0]
    largest = len(str(conditions.budget)) - 1  # the largest power of ten that is not above
    powers = [10**exponent for exponent in range(max(1, largest - _POWERS + 1), largest + 1)]
    areas = {
        pair: [section.area(curves[pair]) for curves in section.by_group.values()]
        for pair in section.curves
    }
    leads: list[Row] = []
    for pair, found in section.leads.items():
        leads += [
            (*pair, first if lead.first else pair[1], lead.begin, lead.end - 1, lead.gap)
            for lead in found
        ] or [(*pair, "neither", None, None, None)]
    return {
        ("levels", ""): ReportTable(
            stem(conditions, "levels"),
            f"{experiment}: share of the targets reached",
            f"Of all targets in {counted(conditions.runs, 'run')} on each of "
            f"{counted(len(section.instances), 'instance')}: the share reached in the end "
            f"({conditions.budget:,} evaluations), on average over the logarithm of "
            "evaluations (area), and after some powers of ten.",
            ("rank", *Pair._fields, "final", "area", *(f"at {power_of_ten(n)}" for n in powers)),
            [
                (rank, *pair, curve.final, areas[pair][0], *curve.at(powers).tolist())
                for rank, (pair, curve) in enumerate(reversed([*section.curves.items()]), start=1)
            ],
        ),
        ("areas", ""): ReportTable(
            stem(conditions, "areas"),
            f"{experiment}: area under the curves, by group of instances",
            "The share of the targets reached on average over the logarithm of evaluations: "
            "of all instances, and of each group of them. Higher is better.",
            (*Pair._fields, "all instances", *(f"on {name}" for name in [*section.by_group][1:])),
            [
                (*pair, *areas[pair])
                for pair in sorted(areas, key=lambda pair: -areas[pair][0])
                if len(section.by_group) > 1
            ],
        ),
        ("leads", ""): ReportTable(
            stem(conditions, "leads"),
            f"{experiment}: which representation leads when",
            f"For each algorithm, {against(conditions.representations)}: the representation whose "
            "curve is higher by more than 1 % of the targets, from and to which number of "
            "evaluations (between two leads, where the curves cross), and the largest difference.",
            ("algorithm", "against", "ahead", "from", "to", "largest difference"),
            leads,
        ),
    }


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
            found.append(f"of {counted(total, noun)} {', '.join(phrases)}")
    if counts["not measured"]:
        found.append(f"{counted(counts['not measured'], 'part')} not measured")
    return "; ".join(found)


def _against_us(parts: Sequence[Part]) -> frozenset[int]:
    return frozenset(
        row for row, part in enumerate(parts) if part.verdict in ("contradicted", "disagrees")
    )


def _statement_tables(reference: Reference | None) -> SectionTables:
    """Make the table of all statements, and that of all their parts."""
    if reference is None:
        return {}
    statements = reference.statements
    counts = [Counter(part.verdict for part in one.parts) for one in statements]
    return {
        ("statements", ""): ReportTable(
            "statements",
            "What the publication says, and what our runs say",
            f"The statements of {reference.source}, in our words, and the verdicts on their "
            f"parts: {verdict_counts(statements)}. Bold: a part is contradicted or disagrees.",
            ("statement", "where", "sentence", *VERDICTS, "note"),
            [
                (one.id, one.where, one.sentence, *(found[name] for name in VERDICTS), one.note)
                for one, found in zip(statements, counts, strict=True)
            ],
            frozenset(row for row, one in enumerate(statements) if _against_us(one.parts)),
        ),
        ("statement-parts", ""): ReportTable(
            "statement-parts",
            "The statements part by part",
            "The verdict on each part, what our runs show, and the p-value of the test, "
            "adjusted by Holm over the statement, or the tolerance of a figure. Bold: "
            "contradicted or disagrees.",
            ("statement", "part", "verdict", "finding", "adjusted p", "tolerance"),
            [
                (one.id, part.about, part.verdict, part.reason, part.p, part.tolerance)
                for one in statements
                for part in one.parts
            ],
            _against_us([part for one in statements for part in one.parts]),
        ),
    }


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
    return ReportTable(
        f"statement-{safe_name(statement.id)}",
        f"{statement.id}, part by part",
        statement.test,
        tuple(known),
        list(zip(*known.values(), strict=True)),
        _against_us(parts),
    )


def _published_table(experiment: str, table: PublishedTable) -> ReportTable:
    """Compare every value of a published table with ours."""
    short = safe_name(table.name).removeprefix(f"{safe_name(experiment)}-")
    kind, _, subject = short.partition("-")
    lines = [line for row in table.rows for line in (row.ours, row.published) if line]
    with_success = any(line.success_percent is not None for line in lines)
    figures = (*Summary._fields, *(["success"] if with_success else []))
    rows: list[Row] = []
    for row in table.rows:
        both = [
            [None] * (len(figures) + 1)
            if line is None
            else [line.rank, *line.summary, line.success_percent][: len(figures) + 1]
            for line in (row.ours, row.published)
        ]
        (ours, theirs), *others = zip(*both, strict=True)
        beside = [cell for couple in others for cell in couple]
        rows.append((ours, theirs, *row.pair, *beside, ", ".join(row.different)))
    return ReportTable(
        f"{safe_name(experiment)}-published-{short}",
        f"{experiment}: {f'{kind} ({subject})' if subject else kind} beside the published table",
        "Our figures, each with the published one after it. The last column names the figures "
        "that differ by more than chance (5 %, adjusted by Holm over the table). Bold: any does.",
        (
            *("rank", "published rank", *Pair._fields),
            *(title for name in figures for title in (name, f"published {name}")),
            "differ",
        ),
        rows,
        frozenset(number for number, row in enumerate(table.rows) if row.different),
    )


# How it was run


def _condition_tables(experiments: Sequence[Conditions]) -> SectionTables:
    """List how the experiments were run, by what code on what machine, and missing runs."""
    machine = dict.fromkeys(
        part for one in experiments for session in one.sessions for part in session.machine
    )
    tables = [
        ReportTable(
            "conditions",
            "How the experiments were run",
            "Runs of each pair on each instance, runs done of all, and their cost: computing "
            "time is summed over the runs, elapsed time is from the first to the last run, "
            "pauses included. Bold: not complete.",
            (
                *("experiment", "instances", "pairs", "budget", "target", "runs", "seed"),
                *("done", "of", "failed", "evaluations", "computing (s)", "elapsed (s)"),
            ),
            [
                (
                    *(one.experiment, len(one.instances), len(one.pairs), one.budget, one.target),
                    *(one.runs, str(one.seed), one.done, one.total, one.failed, one.evaluations),
                    one.seconds,
                    one.finished - one.began if one.began and one.finished else None,
                )
                for one in experiments
            ],
            frozenset(row for row, one in enumerate(experiments) if not one.complete),
        ),
        ReportTable(
            "sessions",
            "Sessions: code and machine",
            "When each session began (UTC), how many runs it made, with which version and "
            "sources of catcube, and on what machine.",
            ("experiment", "began", "runs", "version", "sources", *machine),
            [
                (
                    *(one.experiment, moment(session.began), session.runs, session.version),
                    *(session.sources, *(session.machine.get(part) for part in machine)),
                )
                for one in experiments
                for session in one.sessions
            ],
        ),
        ReportTable(
            "missing",
            "Missing runs",
            "How many runs of each pair on each instance are not done.",
            ("experiment", "instance", *Pair._fields, "missing runs"),
            [
                (one.experiment, missing.instance, *missing.pair, missing.runs)
                for one in experiments
                for missing in one.missing
            ],
        ),
    ]
    return {(table.name, ""): table for table in tables}
