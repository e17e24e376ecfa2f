"""Write the table of the page "Bits or categories?", from 660 runs (some ten minutes on two cores).

`python docs/scripts/native_table.py` makes the runs and brings the part between
`<!-- generated: table -->` and `<!-- end: table -->` up to date; files given as arguments are
read instead, as `catcube run ... --csv` writes them.
"""

import csv
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import mean

from parameters import replaced

from catcube.algorithms import names

PAGE = Path(__file__).parents[1] / "bits-or-categories.md"
COMMAND = (
    "run sudoku-easy-56 --algorithm all --representation native,linear,direct --preset paper "
    "--budget 300000 --runs 20 --csv"
)
REPRESENTATIONS = ("native", "linear", "direct")


def rows(files: list[str]) -> Iterator[dict[str, str]]:
    """Return the runs of these files, or those of the command."""
    if not files:
        made = subprocess.run(
            [sys.executable, "-m", "catcube", *COMMAND.split()],
            check=True,
            capture_output=True,
            text=True,
        )
        yield from csv.DictReader(made.stdout.splitlines())
    for file in files:
        with open(file, newline="", encoding="utf-8") as opened:
            yield from csv.DictReader(opened)


def table(runs: Iterable[dict[str, str]]) -> str:
    """Return the mean value of each pair."""
    values = defaultdict(list)
    for run in runs:
        values[run["algorithm"], run["representation"]].append(float(run["value"]))
    lines = [f"| | {' | '.join(REPRESENTATIONS)} |", "|---|" + "---:|" * len(REPRESENTATIONS)]
    for name in names():
        means = [f"{mean(values[name, representation]):.1f}" for representation in REPRESENTATIONS]
        lines.append(f"| [{name}](algorithms/{name}.md) | {' | '.join(means)} |")
    return "\n".join(lines)


def main(files: list[str]) -> None:
    """Bring the page up to date."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(replaced(page, "table", table(rows(files))), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
