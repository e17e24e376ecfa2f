"""Make docs/results and docs/results.md anew, from the stores in docs/results/data.

`python docs/scripts/results.py` does so; `... STORE [STORE ...]` first takes these stores (at rest,
named by their experiment, as ecdf.sqlite) in place of those that are there.
"""

import lzma
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from results_page import results_page

from catcube.studies.analysis.model import Study
from catcube.studies.paper.study import paper_study
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
    return paper_study(stores)


def main(stores: Sequence[Path]) -> None:
    """Write everything; what is left of earlier reports goes, and pictures are SVG only."""
    take(stores)
    with tempfile.TemporaryDirectory() as folder:
        study = results_study(Path(folder))
    for name in ("tables", "figures"):
        shutil.rmtree(RESULTS / name, ignore_errors=True)
    write_report(study, RESULTS)
    (RESULTS / FILES).unlink()
    for image in (RESULTS / "figures").glob("*.png"):
        image.unlink()
    (DOCS / "results.md").write_text(results_page(study), encoding="utf-8")


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
