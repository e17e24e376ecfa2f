"""Compare with the searches of other packages: make what is missing, and bring pages up to date.

    make peers
    python -m benchmarks.peers --seeds 3 --write docs

Results are kept in benchmarks/data/peers.csv; existing runs are reused.
"""

import argparse
from pathlib import Path

from benchmarks.families.parts import PARTS, one_per_family
from benchmarks.page import replaced
from benchmarks.peers import runs, tables
from benchmarks.peers.figure import draw
from benchmarks.peers.methods import METHODS
from benchmarks.peers.results import read

BUDGETS = (50, 100, 200, 400, 1_000, 2_000, 10_000)


PAGES = {"surrogate.md": ("surrogate",)}
"""Sections of other pages; all others are those of the comparison."""


def main() -> None:
    """Make the runs that are missing, and write the pages."""
    arguments = parser().parse_args()
    tasks = one_per_family(arguments.part)
    if not arguments.only_tables:
        works = runs.planned(arguments.methods, tasks, arguments.budgets, arguments.seeds)
        runs.make(works, arguments.file, arguments.limit)
    rows = [row for row in read(arguments.file) if row.task in {task.name for task in tasks}]
    sections = tables.sections(rows, tasks, BUDGETS)
    for name, text in sections.items():
        print(f"## {name}\n\n{text}\n")
    if arguments.write is not None:
        for page, names in PAGES.items():
            write(arguments.write / page, {name: sections.pop(name) for name in names})
        write(arguments.write / "comparison.md", sections)
        draw(rows, tasks, BUDGETS, arguments.write / "figures" / "comparison.svg")


def write(path: Path, sections: dict[str, str]) -> None:
    """Bring the generated sections of a page up to date."""
    page = path.read_text(encoding="utf-8")
    for name, text in sections.items():
        page = replaced(page, name, text)
    path.write_text(page, encoding="utf-8")


def parser() -> argparse.ArgumentParser:
    """Return the arguments."""
    made = argparse.ArgumentParser("python -m benchmarks.peers", description=__doc__)
    made.add_argument("--part", choices=PARTS, default="validation")
    made.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    made.add_argument("--budgets", nargs="+", type=int, default=list(BUDGETS))
    made.add_argument("--seeds", type=int, default=10, help="runs of each search")
    made.add_argument("--limit", type=float, default=1_000, help="CPU seconds per run")
    made.add_argument("--file", type=Path, default=Path("benchmarks/data/peers.csv"))
    made.add_argument("--only-tables", action="store_true", help="make no runs")
    made.add_argument("--write", type=Path, metavar="DOCS", help="the folder of the pages")
    return made


if __name__ == "__main__":
    main()
