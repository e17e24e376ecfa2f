"""The results in docs: their tables and their page are what the code makes of their data."""

import json
from pathlib import Path

import pytest
import results

from catcube.experiments.store import Store
from catcube.studies.paper.published import TABLES
from catcube.studies.report.table import table_files
from catcube.studies.report.tables import report_tables
from tests import ROOT

DOCS = ROOT / "docs"
RESULTS = DOCS / "results"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The unpacked stores, and the study made of them."""
    folder = tmp_path_factory.mktemp("results")
    return folder, results.results_study(folder)


def test_the_tables_of_all_three_experiments_are_made_of_the_stores(made):
    _, study = made
    tables = list(report_tables(study).values())
    for experiment, least in (("fixed-budget", 15), ("ecdf", 2), ("fixed-target", 50)):
        assert sum(table.name.startswith(experiment) for table in tables) >= least
    written = table_files(tables, ["csv"])
    committed = {path.name: path for path in (RESULTS / "tables").iterdir()}
    assert sorted(written) == sorted(committed)
    for name, content in written.items():
        assert content == committed[name].read_bytes(), name


def test_other_pages_read_the_same_counts(made):
    _, study = made
    found = json.loads((RESULTS / "summary.json").read_text(encoding="utf-8"))
    assert found == results.summary(study)
    assert found["tested"]["parts"] + found["figures"]["parts"] == found["parts"] == 120


def test_the_page_is_made_of_the_stores(made):
    _, study = made
    assert results.results_page(study) == (DOCS / "results.md").read_text(encoding="utf-8")


def test_the_report_shows_the_same_verdicts(made):
    _, study = made
    page = (RESULTS / "report.html").read_text(encoding="utf-8")
    parts = [part for statement in study.reference.statements for part in statement.parts]
    for verdict in {part.verdict for part in parts}:
        count = sum(part.verdict == verdict for part in parts)
        assert f'<li class="{verdict.replace(" ", "-")}"><strong>{count}</strong>' in page


def test_published_quartiles_and_rates_come_back_but_for_a_few(made):
    """All seven tables, beside ours: what differs by more than chance is known, and is little."""
    _, study = made
    tables = [table for tables in study.reference.tables.values() for table in tables]
    assert sorted(table.name for table in tables) == sorted(TABLES)
    assert all(
        len(table.rows) == 22 and all(row.adjusted for row in table.rows) for table in tables
    )
    different = {
        (table.name, "-".join(row.pair), figure)
        for table in tables
        for row in table.rows
        for figure in row.different
    }
    assert different == {
        ("fixed-target-ranks-all", "hc-direct", "success"),
        ("fixed-target-ranks-low", "sa-linear", "success"),
        ("fixed-target-ranks-low", "ea-1p1-direct", "success"),
        ("fixed-target-ranks-medium", "ltga-linear", "q3"),
        ("fixed-target-ranks-medium", "pbil-direct", "median"),
        ("fixed-target-ranks-medium", "hc-direct", "success"),
        ("fixed-target-runtimes-3-a", "sa-direct", "max"),
        ("fixed-target-runtimes-3-a", "pbil-linear", "max"),
    }


def test_all_runs_are_in_the_data(made):
    folder, _ = made
    runs = {"fixed-budget": 4_400, "ecdf": 4_400, "fixed-target": 88_000}
    assert {path.stem for path in Path(folder).glob("*.sqlite")} == set(runs)
    for name, count in runs.items():
        with Store(folder / f"{name}.sqlite") as store:
            assert store.query("SELECT COUNT(*) FROM run") == [(count,)]
