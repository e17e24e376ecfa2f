"""Tables of a study, and their files."""

import csv
import io
import math
import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from catcube.statistics import Pair
from catcube.studies import analyse
from catcube.studies.analysis.model import PublishedTable
from catcube.studies.analysis.sections import Study
from catcube.studies.report.table import (
    ReportTable,
    csv_text,
    escape_latex,
    latex_text,
    table_files,
)
from catcube.studies.report.tables import headlines, report_tables
from catcube.studies.report.text import cell_text, safe_name
from tests.studies.analysis.analysis_stores import experiment, finding, write
from tests.studies.report.study_examples import (
    NASTY_EXPERIMENT,
    PAIRS,
    example_study,
    unfinished_study,
)

BUDGET, COURSE, TARGET, OWN = range(4)


def tables(study=None):
    return {table.name: table for table in report_tables(study or example_study()).values()}


def cells(table, *titles):
    places = [table.titles.index(title) for title in titles]
    return [tuple(row[place] for place in places) for row in table.rows]


def nasty_table(**changes):
    rows = [("[a] & b|c_d%$#{}~^\\\n<x>`'\"--*", 1 / 3, 1e-9), ("", math.inf, None)]
    titles, marked = ("name", "number", "p"), frozenset([1])
    table = ReportTable("nasty", "A_title", "50 % & more", titles, rows, marked)
    return replace(table, **changes)


def test_every_part_of_a_study_has_its_tables():
    names = list(tables())
    expected = [
        *(
            "statements",
            "statement-parts",
            "fixed-budget-ranks",
            "fixed-budget-representation-ranks",
        ),
        *("fixed-budget-comparisons", "fixed-budget-comparisons-by-algorithm"),
        "fixed-budget-values-sudoku-easy-56",
        *("fixed-budget-published-ranks", "fixed-budget-published-values-easy-56"),
        *("ecdf-levels", "ecdf-leads"),
        *("fixed-target-ranks-all", "fixed-target-ranks-low", "fixed-target-ranks-medium"),
        *("fixed-target-representation-ranks", "fixed-target-effects", "fixed-target-comparisons"),
        "fixed-target-runtimes-small-dimension-3-a",
        "fixed-target-published-runtimes-3-a",
        *("conditions", "sessions"),
    ]
    assert [name for name in names if name in expected] == expected
    assert "missing" not in names


def test_rows_have_a_cell_for_each_column_and_marks_a_row():
    for table in tables().values():
        assert table.rows
        assert all(len(row) == len(table.titles) for row in table.rows)
        assert table.marked <= set(range(len(table.rows)))
        assert table.title
        assert table.caption.endswith(".")


def test_names_are_safe_and_different_whatever_the_names_in_the_study():
    names = [table.name for table in report_tables(example_study()).values()]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)
    stem = safe_name(NASTY_EXPERIMENT)
    assert f"{stem}-values-a-b-c" in names
    assert f"{stem}-values-a-b-c-2" in names
    assert f"{stem}-values-unnamed" in names


def test_the_same_section_twice_has_other_names():
    section = example_study().sections[COURSE]
    study = Study((section, section))
    names = [table.name for key, table in report_tables(study).items() if key.section is not None]
    assert names == ["ecdf-levels", "ecdf-leads", "ecdf-levels-2", "ecdf-leads-2"]
    assert len(tables(study)["conditions"].rows) == 1


def test_ranks_and_values_are_those_of_the_section():
    section = example_study().sections[BUDGET]
    ranks = tables()["fixed-budget-ranks"]
    assert cells(ranks, "rank", "algorithm", "representation", "q3") == [
        (line.rank, line.algorithm, line.representation, line.summary.q3)
        for line in section.ranks["all"]
    ]
    values = tables()["fixed-budget-values-sudoku-easy-56"]
    means = section.means["sudoku-easy-56"]
    assert cells(values, "mean", "mean from", "mean to") == [
        (means[line.pair].mean, *means[line.pair].interval)
        for line in section.tables["sudoku-easy-56"]
    ]
    assert len(values.rows) == len(PAIRS)


def test_comparisons_are_marked_and_counted_where_significant():
    section = example_study().sections[BUDGET]
    found = tables()
    table = found["fixed-budget-comparisons"]
    adjusted = [row[0] for row in cells(table, "adjusted p")]
    assert table.marked == {row for row, p in enumerate(adjusted) if p <= 0.05}
    counts = found["fixed-budget-comparisons-by-algorithm"]
    better = sum(sum(row) for row in cells(counts, "linear better", "the other better"))
    assert better == len(table.marked) == sum(one.adjusted <= 0.05 for one in section.comparisons)


def test_names_share_a_letter_if_they_are_in_a_group():
    test = example_study().sections[TARGET].blocks["algorithm"]
    rows = cells(tables()["fixed-target-algorithm-ranks"], "algorithm", "group")
    letters = {name: set(groups.split()) for name, groups in rows}
    for first in letters:
        for second in letters:
            together = any(first in group and second in group for group in test.groups)
            if first != second:
                assert bool(letters[first] & letters[second]) == together


def test_every_published_figure_is_beside_ours():
    [*_, published] = example_study().reference.tables["fixed-target"]
    table = tables()["fixed-target-published-runtimes-3-a"]
    names = ("min", "q1", "median", "q3", "max")
    titles = [title for name in names for title in (name, f"published {name}")]
    assert cells(table, "rank", "published rank", "success", "published success", "differ") == [
        (
            row.ours.rank,
            row.published.rank,
            row.ours.success_percent,
            row.published.success_percent,
            ", ".join(row.different),
        )
        for row in published.rows
    ]
    assert cells(table, *titles) == [
        tuple(getattr(line.summary, name) for name in names for line in (row.ours, row.published))
        for row in published.rows
    ]
    assert table.marked == {index for index, row in enumerate(published.rows) if row.different}
    assert "success" not in tables()["fixed-budget-published-ranks"].titles


def test_a_pair_that_is_not_ours_is_empty_in_the_published_table():
    study = example_study()
    row = replace(study.reference.tables["fixed-budget"][0].rows[0], ours=None, adjusted={})
    only = {"fixed-budget": [PublishedTable("fixed-budget-ranks", [row])]}
    table = tables(replace(study, reference=replace(study.reference, tables=only)))[
        "fixed-budget-published-ranks"
    ]
    assert cells(table, "rank", "median", "differ") == [(None, None, "")]
    assert not table.marked


def test_levels_are_those_of_the_curves_best_first():
    section = example_study().sections[COURSE]
    table = tables()["ecdf-levels"]
    assert list(table.titles)[5:] == ["at 10³", "at 10⁴", "at 10⁵", "at 10⁶", "at 10⁷"]
    finals = [row[0] for row in cells(table, "final")]
    assert finals == sorted(finals, reverse=True)
    for *pair, area, level in cells(table, "algorithm", "representation", "area", "at 10⁴"):
        assert area == section.area(section.curves[Pair(*pair)])
        assert level == section.curves[Pair(*pair)].at([10_000])[0]


def test_leads_end_with_the_last_evaluation_of_the_lead():
    section = example_study().sections[COURSE]
    rows = [row for row in tables()["ecdf-leads"].rows if row[0] == "sa"]
    assert rows == [
        ("sa", "direct", "linear" if lead.first else "direct", lead.begin, lead.end - 1, lead.gap)
        for lead in section.leads["sa", "direct"]
    ]
    assert rows[-1][4] == section.conditions.budget


def test_runtimes_of_a_pair_without_success_are_infinite():
    table = tables()["fixed-target-runtimes-small-dimension-6-b"]
    [row] = [row for row in table.rows if row[1:3] == ("mimic", "direct")]
    assert [*row[3:]] == [*[math.inf] * 5, None, None, math.inf, 100_000.0, 0]


def test_all_statements_and_parts_are_there_and_contradicted_ones_are_marked():
    reference = example_study().reference
    parts = [(statement.id, part) for statement in reference.statements for part in statement.parts]
    table = tables()["statement-parts"]
    assert cells(table, "statement", "part", "verdict", "adjusted p") == [
        (name, part.about, part.verdict, part.p) for name, part in parts
    ]
    against = {
        row for row, (_, part) in enumerate(parts) if part.verdict in ("contradicted", "disagrees")
    }
    assert table.marked == against
    whole = tables()["statements"]
    assert [row[0] for row in whole.rows] == [one.id for one in reference.statements]
    assert whole.marked == {2, 3, 4, 5}
    contradicted = sum(part.verdict == "contradicted" for _, part in parts)
    assert f"{contradicted} are contradicted; of " in whole.caption
    assert "statements" not in tables(replace(example_study(), reference=None))


def test_of_an_unfinished_study_what_is_there_is_shown():
    study = unfinished_study()
    found = tables(study)
    assert "fixed-budget-ranks" in found
    assert "over 1 instance " in found["fixed-budget-ranks"].caption
    assert len(found["fixed-budget-values-sudoku-expert-55"].rows) == len(PAIRS) - 1
    assert not any(name.startswith(("ecdf", "fixed-target")) for name in found)
    assert found["conditions"].marked == {0, 1, 2}
    assert cells(found["conditions"], "failed", "elapsed (s)") == [
        (0, 3600.0),
        (0, None),
        (2, None),
    ]
    missing = found["missing"]
    assert len(missing.rows) == 1 + 2 * 2 * len(PAIRS)
    assert missing.rows[0] == ("fixed-budget", "sudoku-expert-55", *PAIRS[-1], 8)


def test_csv_holds_the_values_of_the_table():
    rows = list(csv.reader(io.StringIO(csv_text(nasty_table()))))
    assert rows[0] == ["name", "number", "p"]
    assert rows[1] == [nasty_table().rows[0][0], repr(1 / 3), "1e-09"]
    assert rows[2] == ["", "inf", ""]


def test_latex_escapes_everything():
    text = latex_text(nasty_table())
    assert r"\caption{A\_title. 50 \% \& more}" in text
    assert r"\label{tab:nasty}" in text
    assert r"\begin{tabular}{lrr}" in text
    assert r"{[}a{]} \& b$|$c\_d\%\$\#\{\}\textasciitilde{}\textasciicircum{}" in text
    assert r"& 0.3333 & 1e-09 \\" in text
    assert r"& \textbf{$\infty$} &  \\" in text
    assert escape_latex("a--b – −1") == "a-{}-b -- $-$1"
    assert escape_latex("été\t数") == r"été \texttt{U+6570}"


def test_many_rows_are_broken_over_pages_and_long_texts_into_lines():
    row = nasty_table().rows[0]
    assert r"\begin{longtable}" in latex_text(nasty_table(rows=[row] * 46))
    assert r"\begin{longtable}" not in latex_text(nasty_table(rows=[row] * 45))
    long = latex_text(nasty_table(rows=[("word " * 40, 1.0, 1.0)], marked=frozenset()))
    assert r"p{0.3\linewidth}" in long


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_latex_compiles(tmp_path):
    found = table_files([nasty_table(), *tables().values()], ["tex"])
    for name, content in found.items():
        (tmp_path / name).write_bytes(content)
    inputs = [rf"\input{{{name}}}\clearpage" for name in found]
    lines = [r"\documentclass{article}", r"\usepackage{array,booktabs,longtable,graphicx}"]
    lines += [r"\begin{document}", *inputs, r"\end{document}"]
    (tmp_path / "all.tex").write_text("\n".join(lines))
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


def test_files_are_those_of_the_formats_that_are_asked_for():
    found = report_tables(example_study()).values()
    assert set(table_files(found, ["csv", "tex", "svg"])) == {
        f"{table.name}.{ending}" for table in found for ending in ("csv", "tex")
    }
    files = table_files(found, ["csv"])
    assert files["statements.csv"].decode() == csv_text(tables()["statements"])


def test_what_was_found_is_said_first():
    sentences = headlines(example_study())
    assert len(sentences) == 3
    assert sentences[0].startswith("fixed-budget: sa-linear ranks first, ")
    assert re.search(r"delta \+0\.\d\d \(95 %: .* to .*, over 3 instances\), p = ", sentences[0])
    assert "linear against direct, over all algorithms" in sentences[0]
    assert headlines(Study(())) == []


def test_what_is_equally_good_is_named_together(tmp_path):
    alike = experiment(representations=("linear", "direct", "native"))
    store = write(tmp_path / "a.sqlite", [alike], lambda _, run: finding(run, 5.0))
    [said] = headlines(analyse([store]))
    assert said.startswith("mine: rls-linear ranks first, rls-direct too: ")
    assert "linear and direct and native have the best mean rank (2.0" in said


@pytest.mark.parametrize(
    ("cell", "kind", "text"),
    [
        (1_234_567, "number", "1,234,567"),
        (-0.5, "number", "−0.5"),
        (-math.inf, "number", "−∞"),
        (math.nan, "number", "–"),
        (99.995, "number", "100"),
        (0.00001234, "number", "1.2e−05"),
        (1234.56, "number", "1,234.6"),
        (0.0, "number", "0"),
        (0.0004, "p", "4e-04"),
        (1e-17, "p", "<1e-16"),
        (1.0, "p", "1.000"),
    ],
)
def test_cell_text(cell, kind, text):
    assert cell_text(cell, kind) == text
