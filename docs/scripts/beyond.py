"""Make docs/beyond and the generated parts of docs/beyond.md, from the data in docs/beyond/data.

`python docs/scripts/beyond.py` does so; `... STORE [STORE ...]` first takes these stores (at rest,
named by their plan, as beyond-families.sqlite) in place of what is there.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import beyond_figures as figures
import numpy as np
from beyond_data import Measured, pack, read
from beyond_page import is_other, is_power, sections, swept
from beyond_study import effects

from catcube.statistics import Pair
from catcube.studies.scales import BEYOND

DOCS = Path(__file__).parent.parent
PAGE = DOCS / "beyond.md"
FOLDER = DOCS / "beyond"
DATA = FOLDER / "data"


def study(names: Sequence[str] = tuple(BEYOND["full"].sizes)) -> dict[str, Measured]:
    """Read the packed runs of these plans."""
    paths = [DATA / f"{name}.npz" for name in names]
    return read(np.load(path) for path in paths if path.exists())


def draw(measured: Mapping[str, Measured], folder: Path) -> None:
    """Draw all figures whose experiments are there."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.svg"):
        old.unlink()
    drawn = {}
    with figures.figure_style():
        if "families" in measured:
            one = measured["families"]
            direct = effects(one.values, "linear", "direct")
            drawn["ranks"] = figures.rank_map(one)
            drawn["effects"] = figures.forest(
                {
                    "linear against direct": direct,
                    "against native, N = 2ᵏ": effects(
                        one.values, "linear", "native", is_power(one)
                    ),
                    "against native, other N": effects(
                        one.values, "linear", "native", is_other(one)
                    ),
                }
            )
            drawn["families"] = figures.family_map(
                {
                    "linear against direct": direct,
                    "linear against native": effects(one.values, "linear", "native"),
                }
            )
        if "size" in measured:
            couples = (("direct:7", "direct"), ("linear:3", "linear"), ("linear:3", "direct:7"))
            drawn["size"] = figures.forest(
                {f"{a} against {b}": effects(measured["size"].values, a, b) for a, b in couples}
            )
        if "categories" in measured:
            drawn["categories"] = _by_categories(measured["categories"])
        sizes = {
            next(iter(one.facts.values())).variables: one
            for name, one in reversed(measured.items())
            if name.startswith("variables") and one.values
        }
        if sizes:
            groups = {n: (sizes[n].values, lambda _: True) for n in sorted(sizes)}
            algorithms = measured["variables-10"].algorithms
            drawn["variables"] = figures.growth(groups, algorithms, "variables")
        for prefix, label in (("mutation-", "mutation rate · bits"), ("population-", "population")):
            sweep = swept(measured, prefix)
            if len(sweep) > 1:
                drawn[prefix.rstrip("-")] = _sweep(sweep, label)
        for name, figure in drawn.items():
            figures.save(figure, folder / f"{name}.svg")


def _by_categories(one: Measured) -> object:
    sizes = sorted({facts.categories for facts in one.facts.values()})
    groups = {
        size: (one.values, lambda name, size=size: one.facts[name].categories == size)
        for size in sizes
    }
    return figures.growth(groups, one.algorithms, "categories")


def _sweep(sweep: Mapping[float, Measured], label: str) -> object:
    """Average losses over instances; 0 is the best value of all settings."""
    some = next(iter(sweep.values()))
    lost: dict[float, dict[Pair, list[float]]] = {setting: {} for setting in sweep}
    for instance in some.values:
        values = {setting: one.values[instance] for setting, one in sweep.items()}
        least = min(sample.min() for found in values.values() for sample in found.values())
        worst = max(sample.max() for sample in some.first[instance].values())
        for setting, found in values.items():
            for pair, sample in found.items():
                part = (sample.mean() - least) / ((worst - least) or 1.0)
                lost[setting].setdefault(pair, []).append(float(part))
    means = {
        setting: {pair: float(np.mean(parts)) for pair, parts in found.items()}
        for setting, found in lost.items()
    }
    return figures.sweep(means, some.algorithms, label)


def written(page: str, parts: Mapping[str, str]) -> str:
    """Return the page with these parts between their marks."""
    for name, text in parts.items():
        begin, end = f"<!-- generated: {name} -->", f"<!-- end: {name} -->"
        pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
        page = pattern.sub(lambda _, block=f"{begin}\n\n{text}\n\n{end}": block, page)
    return page


def main(stores: Sequence[Path]) -> None:
    """Write everything."""
    DATA.mkdir(parents=True, exist_ok=True)
    for store in stores:
        pack(store, DATA)
    measured = study()
    draw(measured, FOLDER / "figures")
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(written(page, sections(measured)), encoding="utf-8")


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
