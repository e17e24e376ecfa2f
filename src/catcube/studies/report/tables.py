"""The tables of a study."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from catcube.statistics import Comparison, Line, Pair, Summary, Table
from catcube.studies.analysis.model import (
    FIGURES,
    LEVEL,
    TESTED,
    VERDICTS,
    Beside,
    Conditions,
    Ecdf,
    Effect,
    FixedBudget,
    FixedTarget,
    Group,
    Part,
    PublishedTable,
    Reference,
    Section,
    Statement,
    Study,
)
from catcube.studies.report.table import (
    PAIR,
    RANKED,
    SUMMARY,
    Column,
    ReportTable,
    SectionTables,
    TableKey,
    ranked,
)
from catcube.studies.report.text import (
    Cell,
    Kind,
    UniqueNames,
    against,
    cell_text,
    counted,
    file_name,
    moment,
    p_value,
    safe_name,
)

_FEW = 3  # figures beside which words fit
_POWERS = 5
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
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
    tables = _ranking_tables(section)
    return tables if section.conditions.chosen else tables | _published(study, section.conditions)


def stem(conditions: Conditions, *parts: str) -> str:
    """Return the stem of the files of a section, which names a budget or target that was chosen."""
    chosen = []
    if conditions.chosen:
        chosen = [
            f"budget-{conditions.budget}"
            if conditions.target is None
            else f"target-{safe_name(f'{conditions.target:g}')}"
        ]
    return file_name(conditions.experiment, *chosen, *parts)


def headlines(study: Study) -> list[str]:
    """Say what each section shows: the winner, and the effect of the representation."""
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
        sentences = [f"{winner.first} is first, then {winner.second}: {_effect(winner)}."]
        sentences += [
            f"{one.first} against {one.second}, over all algorithms: {_effect(one)}."
            for one in section.effects
            if not one.subject
        ]
        found.append(f"{name}: {' '.join(sentences)}")
    return found


def _effect(one: Effect) -> str:
    """Write an effect with its interval, if there are several instances, and its p-value."""
    mean, low, high = (f"{number:+.2f}".replace("-", "−") for number in one.effect[:3])
    text = f"Cliff’s delta {mean}"
    if one.effect.units > 1:
        text += f" (95 %: {low} to {high}, over {counted(one.effect.units, 'instance')})"
    return text if one.p != one.p else f"{text}, {p_value(one.p)}"


# Ranks, values and runtimes


def _ranking_tables(section: FixedBudget | FixedTarget) -> SectionTables:
    """Make the tables of ranks, of effects and tests, and of each instance."""
    conditions = section.conditions
    target = isinstance(section, FixedTarget)
    by_instance = section.runtimes if isinstance(section, FixedTarget) else section.values
    tables: SectionTables = {}
    for group, lines in section.ranks.items():
        instances = _complete(lines, by_instance, section.groups.get(group))
        on = f" on {section.groups[group].described}" if group in section.groups else ""
        caption = (
            f"How many of {counted(conditions.runs, 'run')} on each of "
            f"{counted(instances, 'instance')} reach {_aim(conditions)}, rounded down, and the "
            f"ranks of the pairs by success and runtime. Sorted by success, then {_ORDER}."
            if target
            else f"Ranks of the pairs by their values after {conditions.budget:,} evaluations, "
            f"over {counted(instances, 'instance')} with {counted(conditions.runs, 'run')} each. "
            f"Sorted by {_ORDER}."
        )
        suffix = [] if group == "all" and not target else [safe_name(group)]
        tables["ranks", group] = ReportTable(
            name=stem(conditions, "ranks", *suffix),
            title=f"{conditions.experiment}: ranks{on or ' on all instances'}",
            caption=caption,
            columns=(*RANKED, *SUMMARY, *([Column("success", "percent")] if target else [])),
            rows=[
                [*ranked(line), *line.summary, *([line.success_percent] if target else [])]
                for line in lines
            ],
        )
    measure = "runtimes" if target else "final values"
    tables |= _block_tables(section)
    tables |= _effect_table(section, measure)
    tables |= _comparison_tables(conditions, section.comparisons, measure, section.groups)
    for instance, lines in by_instance.items():
        make = _runtimes if isinstance(section, FixedTarget) else _values
        kind = "runtimes" if target else "values"
        tables[kind, instance] = make(section, instance, lines)  # type: ignore[arg-type]
    return tables


def _complete(ranks: Table, tables: Mapping[str, Table], group: Group | None = None) -> int:
    """Count the instances on which all ranked pairs have all their runs."""
    pairs = {line.pair for line in ranks}
    return sum(
        bool(pairs) and pairs <= {line.pair for line in lines}
        for instance, lines in tables.items()
        if group is None or instance in group.instances
    )


def _aim(conditions: Conditions) -> str:
    """Say which value a run must reach, and with how many evaluations."""
    target = cell_text(conditions.target, "number")
    return f"the value {target} within {conditions.budget:,} evaluations"


def _values(section: FixedBudget, instance: str, lines: Table) -> ReportTable:
    conditions, means = section.conditions, section.means.get(instance, {})
    rows = []
    for line in lines:
        mean = means.get(line.pair)
        cells: list[Cell] = [mean.mean, *mean.interval] if mean else [None, None, None]
        rows.append([*ranked(line), *line.summary, *cells])
    return ReportTable(
        name=stem(conditions, "values", safe_name(instance)),
        title=f"{conditions.experiment}: values on {instance}",
        caption=(
            f"Values found with {conditions.budget:,} evaluations in "
            f"{counted(conditions.runs, 'run')}, lower is better; the mean with its 95 % bootstrap "
            "interval."
        ),
        columns=(
            *(*RANKED, *SUMMARY, Column("mean", "number")),
            *(Column("mean from", "number"), Column("mean to", "number")),
        ),
        rows=rows,
    )


def _runtimes(section: FixedTarget, instance: str, lines: Table) -> ReportTable:
    conditions = section.conditions
    medians = section.medians.get(instance, {})
    expected = section.expected_running_times.get(instance, {})
    penalized = section.penalized.get(instance, {})
    rows: list[list[Cell]] = [
        [
            *(*ranked(line), *line.summary, *medians.get(line.pair, (None, None))),
            *(expected.get(line.pair), penalized.get(line.pair), line.success_percent),
        ]
        for line in lines
    ]
    return ReportTable(
        name=stem(conditions, "runtimes", safe_name(instance)),
        title=f"{conditions.experiment}: runtimes on {instance}",
        caption=(
            f"Evaluations of the successful ones of {counted(conditions.runs, 'run')}, which reach "
            f"{_aim(conditions)}; the 95 % bootstrap interval of the median; the expected "
            "running time (ERT): the evaluations of all runs divided by the number of successes; "
            "and PAR-10: the mean runtime, with ten budgets for a run that fails."
        ),
        columns=(
            *(*RANKED, *SUMMARY),
            *(Column("median from", "number"), Column("median to", "number")),
            *(Column("ERT", "number"), Column("PAR-10", "number"), Column("success", "percent")),
        ),
        rows=rows,
    )


# Effects and tests


def _block_tables(section: FixedBudget | FixedTarget) -> SectionTables:
    """List the mean ranks of representations and of algorithms."""
    tables: SectionTables = {}
    experiment = section.conditions.experiment
    others = {"representation": "algorithm", "algorithm": "representation"}
    for factor, test in section.blocks.items():
        letters: dict[str, list[str]] = {name: [] for name in test.mean_ranks}
        for number, group in enumerate(test.groups):
            for name in group:
                letters[name].append(chr(ord("a") + number % 26))
        tables["blocks", factor] = ReportTable(
            name=stem(section.conditions, f"{factor}-ranks"),
            title=f"{experiment}: mean ranks of {factor}s",
            caption=(
                f"Ranks of the medians within each {others[factor]} on each instance "
                f"({counted(test.blocks, 'block')}), on average; Friedman’s test: "
                f"χ² = {test.statistic:.1f}, {p_value(test.p)}. Those that share a letter differ "
                f"by no more than Nemenyi’s critical difference (5 %), "
                f"{test.critical_difference:.2f}."
            ),
            columns=(Column(factor), Column("mean rank", "number"), Column("group")),
            rows=[[name, rank, " ".join(letters[name])] for name, rank in test.mean_ranks.items()],
        )
    return tables


def _effect_table(section: FixedBudget | FixedTarget, measure: str) -> SectionTables:
    if not section.effects:
        return {}
    representations = section.conditions.representations
    table = ReportTable(
        name=stem(section.conditions, "effects"),
        title=f"{section.conditions.experiment}: effect of the representation",
        caption=(
            f"{against(representations)}: Cliff’s delta of the {measure}, on average over the "
            f"instances; above 0 {representations[0]} is better. The interval (95 %) and p are "
            "Student’s, from the spread of the instances; p is adjusted by Holm. Equivalent: the "
            "p-value of an effect beyond ±0.147, which is negligible."
        ),
        columns=(
            *(Column("algorithm"), Column("against"), Column("delta", "number")),
            *(Column("from", "number"), Column("to", "number"), Column("adjusted p", "p")),
            *(Column("equivalent", "p"), Column("instances", "integer")),
        ),
        rows=[
            [
                *(one.subject or "all algorithms", one.second, *one.effect[:3], one.p),
                *(one.effect.equivalence, one.effect.units),
            ]
            for one in section.effects
        ],
        marked=frozenset(n for n, one in enumerate(section.effects) if one.p <= LEVEL),
    )
    return {("effects", ""): table}


def _comparison_tables(
    conditions: Conditions,
    comparisons: Sequence[Comparison],
    measure: str,
    groups: Mapping[str, Group],
) -> SectionTables:
    """List the tests of the first representation against the others, and count their outcomes."""
    if not comparisons:
        return {}
    first = comparisons[0].first
    others = list(dict.fromkeys(one.second for one in comparisons))
    several = len(others) > 1
    compared = against([first, *others])
    second = (Column("against"),) if several else ()
    tests = ReportTable(
        name=stem(conditions, "comparisons"),
        title=f"{conditions.experiment}: {compared}",
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
    by_pair: dict[Pair, list[Comparison]] = {}
    for one in comparisons:
        by_pair.setdefault(Pair(one.algorithm, one.second), []).append(one)
    rows: list[list[Cell]] = []
    for pair, found in by_pair.items():
        deltas = [one.delta for one in found if one.adjusted <= LEVEL]
        better, worse = sum(delta > 0 for delta in deltas), sum(delta < 0 for delta in deltas)
        effects = {one.instance: one.a12 for one in found}
        chosen = [
            [effects[name] for name in group.instances if name in effects]
            for group in groups.values()
        ]
        rows.append(
            [
                *(*(pair if several else pair[:1]), len(found), better, worse),
                *(len(found) - better - worse, fmean(effects.values())),
                *(fmean(one) if one else None for one in chosen),
            ]
        )
    counts = ReportTable(
        name=stem(conditions, "comparisons-by-algorithm"),
        title=f"{conditions.experiment}: {compared}, by algorithm",
        caption=(
            f"On how many instances the {measure} with one representation are significantly "
            "better (5 %, adjusted by Holm over all tests), and the mean of A12 over the "
            f"instances, above 0.5 in favour of {first}."
        ),
        columns=(
            *(Column("algorithm"), *second, Column("instances", "integer")),
            *(Column(f"{first} better", "integer"),),
            Column(f"{'the other' if several else others[0]} better", "integer"),
            *(Column("no difference shown", "integer"), Column("mean A12", "number")),
            *(Column(f"on {name}", "number") for name in groups),
        ),
        rows=rows,
    )
    return {("comparisons", ""): tests, ("comparisons", "by algorithm"): counts}


# ECDF


def _ecdf_tables(section: Ecdf) -> SectionTables:
    """Make the tables of levels, of areas by group, and of who leads when."""
    conditions = section.conditions
    experiment = conditions.experiment
    tables: SectionTables = {}
    if section.curves:
        largest = len(str(conditions.budget)) - 1  # the largest power of ten that is not above
        exponents = range(max(1, largest - _POWERS + 1), largest + 1)
        tables["levels", ""] = ReportTable(
            name=stem(conditions, "levels"),
            title=f"{experiment}: share of the targets reached",
            caption=(
                f"Of all targets in {counted(conditions.runs, 'run')} on each of "
                f"{counted(len(section.instances), 'instance')}: the share reached in the end "
                f"({conditions.budget:,} evaluations), on average over the logarithm of "
                "evaluations (area), and after some powers of ten."
            ),
            columns=(
                *(*RANKED, Column("final", "number"), Column("area", "number")),
                *(
                    Column(f"at 10{str(exponent).translate(_SUPERSCRIPTS)}", "number")
                    for exponent in exponents
                ),
            ),
            rows=[
                [
                    *(rank, *pair, curve.final, section.areas.get(pair)),
                    *curve.at([10**exponent for exponent in exponents]).tolist(),
                ]
                for rank, (pair, curve) in enumerate(
                    reversed(list(section.curves.items())), start=1
                )
            ],
        )
    if section.group_areas:
        tables["areas", ""] = ReportTable(
            name=stem(conditions, "areas"),
            title=f"{experiment}: area under the curves, by group of instances",
            caption=(
                "The share of the targets reached on average over the logarithm of evaluations: "
                "of all instances, and of each group of them. Higher is better."
            ),
            columns=(
                *(*PAIR, Column("all instances", "number")),
                *(Column(f"on {name}", "number") for name in section.group_areas),
            ),
            rows=[
                [
                    *(*pair, section.areas[pair]),
                    *(areas[pair] for areas in section.group_areas.values()),
                ]
                for pair in sorted(section.areas, key=lambda pair: -section.areas[pair])
            ],
        )
    if section.leads:
        tables["leads", ""] = _leads(section)
    return tables


def _leads(section: Ecdf) -> ReportTable:
    conditions = section.conditions
    first, *others = conditions.representations
    several = len(others) > 1
    rows: list[list[Cell]] = []
    for pair, leads in section.leads.items():
        names = [*pair] if several else [pair.algorithm]
        if not leads:
            rows.append([*names, "neither", None, None, None])
        for lead in leads:
            ahead = first if lead.first else pair.representation
            rows.append([*names, ahead, lead.begin, lead.end - 1, lead.gap])
    return ReportTable(
        name=stem(conditions, "leads"),
        title=f"{conditions.experiment}: which representation leads when",
        caption=(
            f"For each algorithm, {against(conditions.representations)}: the representation whose "
            "curve is higher by more than 1 % of the targets, from and to which number of "
            "evaluations (between two leads, where the curves cross), and the largest difference."
        ),
        columns=(
            *(Column("algorithm"), *((Column("against"),) if several else ())),
            *(Column("ahead"), Column("from", "integer")),
            *(Column("to", "integer"), Column("largest difference", "number")),
        ),
        rows=rows,
    )


# What a study is held against


def _parts(statements: Sequence[Statement]) -> list[Part]:
    return [part for statement in statements for part in statement.parts]


def verdict_counts(statements: Sequence[Statement]) -> str:
    """Count the parts by verdict, in words: what was tested, and what is a figure, apart.

    >>> parts = [Part("sa", "holds", ""), Part("ga", "agrees", "")]
    >>> verdict_counts([Statement("B1", "", "", "", "", parts)])
    'of 1 tested part 1 holds; of 1 figure 1 agrees within its tolerance'
    """
    counts = Counter(part.verdict for part in _parts(statements))
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
    if reference is None or not reference.statements:
        return {}
    statements = reference.statements
    tables = [
        ReportTable(
            name="statements",
            title="What the publication says, and what our runs say",
            caption=(
                f"The statements of {reference.source}, in our words, and the verdicts on their "
                f"parts: {verdict_counts(statements)}. Bold: a part is contradicted or disagrees."
            ),
            columns=(
                *(Column("statement"), Column("where"), Column("sentence")),
                *(Column(verdict, "integer") for verdict in VERDICTS),
                Column("note"),
            ),
            rows=[
                [
                    *(one.id, one.where, one.sentence),
                    *(sum(part.verdict == verdict for part in one.parts) for verdict in VERDICTS),
                    one.note,
                ]
                for one in statements
            ],
            marked=frozenset(row for row, one in enumerate(statements) if _against_us(one.parts)),
        ),
        ReportTable(
            name="statement-parts",
            title="The statements part by part",
            caption=(
                "The verdict on each part, what our runs show, and the p-value of the test, "
                "adjusted by Holm over the statement, or the tolerance of a figure. Bold: "
                "contradicted or disagrees."
            ),
            columns=(
                *(Column("statement"), Column("part"), Column("verdict"), Column("finding")),
                *(Column("adjusted p", "p"), Column("tolerance")),
            ),
            rows=[
                [one.id, part.about, part.verdict, part.reason, part.p, part.tolerance]
                for one in statements
                for part in one.parts
            ],
            marked=_against_us(_parts(statements)),
        ),
    ]
    return {(table.name, ""): table for table in tables}


def parts_table(statement: Statement) -> ReportTable:
    """Make the table of the parts of one statement, with the figures behind the verdicts."""
    tested = any(part.p is not None for part in statement.parts)
    tolerated = any(part.tolerance for part in statement.parts)
    in_words = len(statement.columns) <= _FEW or not tested
    shown: list[tuple[Column, Sequence[Cell]]] = [
        (Column("part"), [part.about for part in statement.parts]),
        (Column("verdict"), [part.verdict for part in statement.parts]),
    ]
    for index, title in enumerate(statement.columns):
        cells = [part.figures[index] for part in statement.parts]
        kind: Kind = "text" if any(isinstance(cell, str) for cell in cells) else "number"
        if any(cell is not None for cell in cells):
            shown.append((Column(title, kind), cells))
    if tested:
        shown.append((Column("adjusted p", "p"), [part.p for part in statement.parts]))
    if in_words:
        shown.append((Column("finding"), [part.reason for part in statement.parts]))
    if tolerated:
        shown.append((Column("tolerance"), [part.tolerance for part in statement.parts]))
    return ReportTable(
        name=f"statement-{safe_name(statement.id)}",
        title=f"{statement.id}, part by part",
        caption=statement.test,
        columns=[column for column, _ in shown],
        rows=list(zip(*(cells for _, cells in shown), strict=True)),
        marked=_against_us(statement.parts),
    )


def _published(study: Study, conditions: Conditions) -> SectionTables:
    """Put the published tables of an experiment beside ours."""
    reference = study.reference
    tables = reference.tables.get(conditions.experiment, ()) if reference else ()
    return {("published", table.name): _published_table(conditions, table) for table in tables}


def _published_table(conditions: Conditions, table: PublishedTable) -> ReportTable:
    """Put every figure of a published table beside ours."""
    short = safe_name(table.name).removeprefix(f"{safe_name(conditions.experiment)}-")
    kind, _, subject = short.partition("-")
    lines = [line for row in table.rows for line in (row.ours, row.published) if line]
    with_success = any(line.success_percent is not None for line in lines)
    figures = [*Summary._fields, *(["success"] if with_success else [])]
    columns = [Column("rank", "integer"), Column("published rank", "integer"), *PAIR]
    for name in figures:
        shown: Kind = "percent" if name == "success" else "number"
        columns += [Column(name, shown), Column(f"published {name}", shown)]
    subject = f"{kind} ({subject})" if subject else kind
    return ReportTable(
        name=file_name(conditions.experiment, "published", short),
        title=f"{conditions.experiment}: {subject} beside the published table",
        caption=(
            "Our figures, each with the published one after it. The last column names the figures "
            "that differ by more than chance (5 %, adjusted by Holm over the table). Bold: any "
            "does."
        ),
        columns=[*columns, Column("differ")],
        rows=[_published_row(row, figures) for row in table.rows],
        marked=frozenset(number for number, row in enumerate(table.rows) if row.different),
    )


def _published_row(row: Beside, figures: Sequence[str]) -> list[Cell]:
    both = (row.ours, row.published)
    cells: list[Cell] = [*(line and line.rank for line in both), *row.pair]
    for name in figures:
        cells += [_figure(line, name) for line in both]
    return [*cells, ", ".join(row.different)]


def _figure(line: Line | None, name: str) -> Cell:
    if line is None:
        return None
    return line.success_percent if name == "success" else getattr(line.summary, name)


# How it was run


def _condition_tables(experiments: Sequence[Conditions]) -> SectionTables:
    """List how the experiments were run, by what code on what machine, and missing runs."""
    machine = dict.fromkeys(
        part for one in experiments for session in one.sessions for part in session.machine
    )
    tables = [
        ReportTable(
            name="conditions",
            title="How the experiments were run",
            caption=(
                "Runs of each pair on each instance, runs done of all, and their cost: computing "
                "time is summed over the runs, elapsed time is from the first to the last run, "
                "pauses included. Bold: not complete."
            ),
            columns=(
                Column("experiment"),
                *(Column(name, "integer") for name in ("instances", "pairs", "budget")),
                *(Column("target", "number"), Column("runs", "integer"), Column("seed")),
                *(Column(name, "integer") for name in ("done", "of", "failed", "evaluations")),
                *(Column("computing (s)", "number"), Column("elapsed (s)", "number")),
            ),
            rows=[
                [
                    *(one.experiment, len(one.instances), len(one.pairs), one.budget, one.target),
                    *(one.runs, str(one.seed), one.done, one.total, one.failed, one.evaluations),
                    one.seconds,
                    None if one.began is None or one.finished is None else one.finished - one.began,
                ]
                for one in experiments
            ],
            marked=frozenset(row for row, one in enumerate(experiments) if not one.complete),
        ),
        ReportTable(
            name="sessions",
            title="Sessions: code and machine",
            caption=(
                "When each session began (UTC), how many runs it made, with which version and "
                "sources of catcube, and on what machine."
            ),
            columns=(
                *(Column("experiment"), Column("began"), Column("runs", "integer")),
                *(Column("version"), Column("sources"), *(Column(part) for part in machine)),
            ),
            rows=[
                [
                    *(one.experiment, moment(session.began), session.runs, session.version),
                    *(session.sources, *(session.machine.get(part) for part in machine)),
                ]
                for one in experiments
                for session in one.sessions
            ],
        ),
        ReportTable(
            name="missing",
            title="Missing runs",
            caption="How many runs of each pair on each instance are not done.",
            columns=(
                *(Column("experiment"), Column("instance"), *PAIR),
                Column("missing runs", "integer"),
            ),
            rows=[
                [one.experiment, missing.instance, *missing.pair, missing.runs]
                for one in experiments
                for missing in one.missing
            ],
        ),
    ]
    return {(table.name, ""): table for table in tables}
