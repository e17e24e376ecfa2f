"""Make docs/results and docs/results.md anew, from the stores in docs/results/data.

`python docs/scripts/results.py` does so; `... STORE [STORE ...]` first takes these stores (at rest,
named by their experiment, as ecdf.sqlite) in place of those that are there.
"""

import json
import lzma
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from results_page import results_page

from catcube.studies import analyse
from catcube.studies.analysis.model import FIGURES, TESTED
from catcube.studies.analysis.sections import Study
from catcube.studies.report.write import FILES, write_report

DOCS = Path(__file__).parent.parent
RESULTS = DOCS / "results"
DATA = RESULTS / "data"


def take(stores: Sequence[Path]) -> None:
    """Compress stores into the folder of data."""
    for store in stores:
        packed = lzma.compress(store.read_bytes(), preset=9 | lzma.PRESET_EXTREME)
        (DATA / f"{store.name}.xz").write_bytes(packed)


def results_study(folder: Path) -> Study:
    """Analyse the stores, unpacked into a folder."""
    stores = []
    for packed in sorted(DATA.glob("*.sqlite.xz")):
        store = folder / packed.stem
        store.write_bytes(lzma.decompress(packed.read_bytes()))
        stores.append(store)
    return analyse(stores)


def summary(study: Study) -> dict[str, Any]:
    """Count what other pages say of the results: what was tested, and figures, apart."""
    assert study.reference is not None
    statements = study.reference.statements
    verdicts = [part.verdict for statement in statements for part in statement.parts]
    rows = [
        row for tables in study.reference.tables.values() for table in tables for row in table.rows
    ]
    tested, figures = (
        {name: verdicts.count(name) for name in names} for names in (TESTED, FIGURES)
    )
    return {
        "statements": len(statements),
        "parts": len(verdicts),
        "tested": {"parts": sum(tested.values()), **tested},
        "figures": {"parts": sum(figures.values()), **figures},
        "contradicted": _named(study, "contradicted"),
        "disagrees": _named(study, "disagrees"),
        "published figures": {
            "compared": sum(len(row.adjusted) for row in rows),
            "differ": sum(len(row.different) for row in rows),
        },
        "runs": sum(one.done for one in study.conditions),
        "evaluations": sum(one.evaluations for one in study.conditions),
        "hours on two cores": round(sum(one.seconds for one in study.conditions) / 7200, 1),
    }


def _named(study: Study, verdict: str) -> list[str]:
    assert study.reference is not None
    return [
        f"{statement.id}, {part.about}"
        for statement in study.reference.statements
        for part in statement.parts
        if part.verdict == verdict
    ]


def main(stores: Sequence[Path]) -> None:
    """Write everything; what is left of earlier reports goes."""
    take(stores)
    with tempfile.TemporaryDirectory() as folder:
        study = results_study(Path(folder))
    for name in ("tables", "figures"):
        shutil.rmtree(RESULTS / name, ignore_errors=True)
    write_report(study, RESULTS, ("csv", "svg"))
    (RESULTS / FILES).unlink()
    (RESULTS / "summary.json").write_text(json.dumps(summary(study), indent=2) + "\n", "utf-8")
    (DOCS / "results.md").write_text(results_page(study), encoding="utf-8")


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
