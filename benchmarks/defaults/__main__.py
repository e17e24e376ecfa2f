"""Which setting for which budget? Run what is missing, print ranks, bring the page up to date.

    python -m benchmarks.defaults --jobs 2 --write docs/which-algorithm.md

Values are kept in benchmarks/data/defaults.csv; the same command makes only what is missing there.
"""

import argparse
from pathlib import Path

from benchmarks.defaults import runs, tables
from benchmarks.defaults.settings import AUTO, SETTINGS
from benchmarks.families.parts import PARTS, tasks
from benchmarks.page import replaced

BUDGETS = (50, 100, 400, 2_000, 10_000, 100_000, 1_000_000)


def main() -> None:
    """Make the runs that are missing, and show the tables."""
    arguments = parser().parse_args()
    sections = {}
    for part in arguments.part:
        instances = [
            task
            for task in tasks(part)
            if not arguments.instance or task.name in arguments.instance
        ]
        for budget in [] if arguments.only_tables else arguments.budget:
            cells = runs.missing(
                arguments.file, arguments.setting, instances, budget, arguments.seeds
            )
            runs.make(arguments.file, cells, arguments.jobs)
        values = runs.read(arguments.file)
        text = tables.rank_table(values, instances, arguments.budget)
        worse = tables.worse_than_plain(values, instances, arguments.budget)
        where = [f"`{name}` with {budget:,} ({best})" for name, budget, best in worse]
        if any(AUTO in samples for samples in values.values()):
            text += "\n\n`auto` is significantly worse than the best plain search on categories "
            text += f"in these cells: {', '.join(where)}." if where else "in no cell."
        text += f"\n\nRuns per instance and setting: {tables.counts(values, instances)}."
        sections[part] = text
        print(f"## {part}\n\n{text}\n")
    if arguments.write is not None:
        page = arguments.write.read_text(encoding="utf-8")
        for part, text in sections.items():
            page = replaced(page, part, text)
        arguments.write.write_text(page, encoding="utf-8")


def parser() -> argparse.ArgumentParser:
    """Return the arguments."""
    made = argparse.ArgumentParser("python -m benchmarks.defaults", description=__doc__)
    made.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS))
    made.add_argument("--budget", nargs="+", type=int, default=list(BUDGETS))
    made.add_argument("--setting", nargs="+", choices=SETTINGS, default=list(SETTINGS))
    made.add_argument("--instance", nargs="+", help="only these, for example pest:21")
    made.add_argument("--seeds", type=int, default=15)
    made.add_argument("--jobs", type=int, default=1)
    made.add_argument("--file", type=Path, default=Path("benchmarks/data/defaults.csv"))
    made.add_argument("--only-tables", action="store_true", help="make no runs")
    made.add_argument("--write", type=Path, metavar="PAGE", help="a page with marked sections")
    return made


if __name__ == "__main__":
    main()
