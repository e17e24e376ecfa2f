"""The results in docs: their tables are what the code makes of their data."""

import lzma
from pathlib import Path

import pytest

from catcube.analysis import analyse
from catcube.campaigns.store.store import Store
from catcube.report.tables.formats import write_tables
from catcube.report.tables.report_tables import report_tables
from tests import ROOT

RESULTS = ROOT / "docs" / "results"


def unpacked(packed: Path, folder: Path) -> Path:
    store = folder / packed.stem
    store.write_bytes(lzma.decompress(packed.read_bytes()))
    return store


def test_tables_of_the_fixed_budget_are_made_of_its_store(tmp_path):
    store = unpacked(RESULTS / "data" / "fixed-budget.sqlite.xz", tmp_path)
    tables = report_tables(analyse([store])).values()
    names = [own.name for own in tables if own.name.startswith("fixed-budget")]
    assert len(names) >= 15
    write_tables(tables, tmp_path / "tables")
    for name in names:
        written = (tmp_path / "tables" / f"{name}.csv").read_text(encoding="utf-8")
        assert written == (RESULTS / "tables" / f"{name}.csv").read_text(encoding="utf-8"), name


@pytest.mark.parametrize(
    ("path", "runs"),
    [
        ("data/fixed-budget.sqlite.xz", 4_400),
        ("data/fixed-target.sqlite.xz", 88_000),
        ("data/ecdf.sqlite.xz", 4_400),
        ("ten-million/data/ecdf.sqlite.xz", 2_313),
    ],
)
def test_all_runs_are_in_the_data(path, runs, tmp_path):
    with Store(unpacked(RESULTS / path, tmp_path)) as store:
        assert store.query("SELECT COUNT(*) FROM run") == [(runs,)]
