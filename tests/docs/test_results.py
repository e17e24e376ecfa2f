"""The results in docs: their tables and their page are what the code makes of their data."""

import sys
from pathlib import Path

import pytest

from catcube.campaigns.store.store import Store
from catcube.report.tables.formats import write_tables
from catcube.report.tables.report_tables import report_tables
from tests import ROOT

DOCS = ROOT / "docs"
RESULTS = DOCS / "results"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The unpacked stores, and the study made of them."""
    sys.path.insert(0, str(DOCS / "scripts"))
    try:
        import results
    finally:
        sys.path.pop(0)
    folder = tmp_path_factory.mktemp("results")
    return folder, results.results_study(folder), results


def test_the_tables_of_all_three_experiments_are_made_of_the_stores(made, tmp_path):
    _, study, _ = made
    tables = list(report_tables(study).values())
    for experiment, least in (("fixed-budget", 15), ("ecdf", 2), ("fixed-target", 50)):
        assert sum(own.name.startswith(experiment) for own in tables) >= least
    written = {path.name: path for path in write_tables(tables, tmp_path)}
    committed = {path.name: path for path in (RESULTS / "tables").iterdir()}
    assert sorted(written) == sorted(committed)
    for name, path in written.items():
        assert path.read_bytes() == committed[name].read_bytes(), name


def test_the_page_is_made_of_the_stores(made):
    _, study, results = made
    assert results.results_page(study) == (DOCS / "results.md").read_text(encoding="utf-8")


def test_the_report_shows_the_same_verdicts(made):
    _, study, _ = made
    page = (RESULTS / "report.html").read_text(encoding="utf-8")
    parts = [part for own in study.reference.statements for part in own.parts]
    for verdict in {part.verdict for part in parts}:
        count = sum(part.verdict == verdict for part in parts)
        assert f'<li class="{verdict.replace(" ", "-")}"><strong>{count}</strong>' in page


def test_all_runs_are_in_the_data(made):
    folder, _, _ = made
    runs = {"fixed-budget": 4_400, "ecdf": 4_400, "fixed-target": 88_000}
    assert {path.stem for path in Path(folder).glob("*.sqlite")} == set(runs)
    for name, count in runs.items():
        with Store(folder / f"{name}.sqlite") as store:
            assert store.query("SELECT COUNT(*) FROM run") == [(count,)]
