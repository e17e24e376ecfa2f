"""Make docs/beyond and the generated parts of docs/beyond.md, from the stores in docs/beyond/data.

`python docs/scripts/beyond.py` does so; `... STORE [STORE ...]` first takes these stores (at rest,
named by their plan, as beyond-families.sqlite) in place of those that are there.
"""

import lzma
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import beyond_figures as figures
from beyond_page import sections
from beyond_study import Measured, read

from catcube.studies.beyond import EXPERIMENTS

DOCS = Path(__file__).parent.parent
PAGE = DOCS / "beyond.md"
FOLDER = DOCS / "beyond"
DATA = FOLDER / "data"


def take(stores: Sequence[Path]) -> None:
    """Compress stores into the folder of data."""
    DATA.mkdir(parents=True, exist_ok=True)
    for store in stores:
        packed = lzma.compress(store.read_bytes(), preset=9 | lzma.PRESET_EXTREME)
        (DATA / f"{store.name}.xz").write_bytes(packed)


def study(folder: Path, names: Sequence[str] = EXPERIMENTS) -> dict[str, Measured]:
    """Read the stores, unpacked into a folder."""
    stores = []
    for name in names:
        packed = DATA / f"{name}.sqlite.xz"
        if packed.exists():
            store = folder / packed.stem
            store.write_bytes(lzma.decompress(packed.read_bytes()))
            stores.append(store)
    return read(stores)


def draw(measured: Mapping[str, Measured], folder: Path) -> None:
    """Draw all figures whose experiments are there."""
    folder.mkdir(parents=True, exist_ok=True)
    with figures.drawing():
        if "families" in measured:
            section = measured["families"]
            couples = [("linear", "direct"), ("linear", "native")]
            figures.save(figures.forest(section, couples), folder / "effects.svg")
            figures.save(figures.rank_map(section), folder / "ranks.svg")
            figures.save(
                figures.curves(section, ("native", "linear", "direct")), folder / "curves.svg"
            )
        if "long" in measured:
            drawn = figures.curves(measured["long"], ("native", "linear", "direct"))
            figures.save(drawn, folder / "curves-long.svg")
        if "size" in measured:
            couples = [("direct:7", "direct"), ("linear:3", "linear"), ("linear:3", "direct:7")]
            figures.save(figures.forest(measured["size"], couples), folder / "size.svg")
        if "categories" in measured:
            section = measured["categories"]
            sizes = sorted({facts.categories for facts in section.facts.values()})
            groups = [
                (
                    size,
                    section,
                    [one for one in section.values if section.facts[one].categories == size],
                )
                for size in sizes
            ]
            _growth(groups, section.algorithms, "categories, N", folder / "categories.svg")
        groups = []
        algorithms: list[str] = []
        for name, section in measured.items():
            if name.startswith("variables") and section.values:
                n = next(iter(section.facts.values())).variables
                groups.append((n, section, list(section.values)))
                algorithms += [one for one in section.algorithms if one not in algorithms]
        if groups:
            _growth(groups, algorithms, "variables, n", folder / "variables.svg")


def _growth(groups: figures.Groups, algorithms: Sequence[str], label: str, path: Path) -> None:
    others = ("linear", "direct", "unary", "vt")
    figures.save(figures.growth(groups, algorithms, others, label), path)
    names = ("native", *others)
    figures.save(
        figures.losses(groups, algorithms, names, label), path.with_stem(f"{path.stem}-losses")
    )


def written(page: str, parts: Mapping[str, str]) -> str:
    """Return the page with these parts between their marks."""
    for name, text in parts.items():
        begin, end = f"<!-- generated: {name} -->", f"<!-- end: {name} -->"
        pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
        page = pattern.sub(lambda _, block=f"{begin}\n\n{text}\n\n{end}": block, page)
    return page


def main(stores: Sequence[Path]) -> None:
    """Write everything."""
    take(stores)
    with tempfile.TemporaryDirectory() as folder:
        measured = study(Path(folder))
    draw(measured, FOLDER / "figures")
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(written(page, sections(measured)), encoding="utf-8")


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
