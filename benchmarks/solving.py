"""How often and how fast does `catcube solve` solve the shipped puzzles?

python -m benchmarks.solving --write docs/problems/sudoku.md
"""

import argparse
import statistics
from pathlib import Path

from benchmarks.page import number, replaced, table
from catcube import minimize
from catcube.problems.sudoku import instances
from catcube.problems.sudoku.problem import Sudoku

LARGE = ("sudoku16x16-100", "sudoku16x16-130")


def row(name: str, seeds: int, time_limit: float) -> list[str]:
    """Solve a puzzle with each seed; return its line of the table."""
    problem = Sudoku(instances.load(name), name, reduced=True)
    found = [
        minimize(problem, target=0, time_limit=time_limit, seed=seed)
        for seed in range(1, seeds + 1)
    ]
    seconds = [run.seconds for run in found if run.fun == 0]
    values = [run.fun for run in found]
    return [
        name,
        f"{len(seconds)} of {seeds}",
        number(statistics.median(seconds)) if seconds else "",
        number(max(seconds)) if seconds else "",
        number(statistics.median(values)),
    ]


def main() -> None:
    """Solve all puzzles and write the table."""
    parser = argparse.ArgumentParser("python -m benchmarks.solving", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    arguments = parser.parse_args()
    rows = []
    for name in (*instances.names("high"), *LARGE):
        rows.append(row(name, arguments.seeds, arguments.seconds))
        print(*rows[-1], sep=", ", flush=True)
    heads = ["puzzle", "solved", "median seconds", "most seconds", "median value"]
    text = table(heads, rows)
    if arguments.write is not None:
        page = arguments.write.read_text(encoding="utf-8")
        arguments.write.write_text(replaced(page, "solving", text), encoding="utf-8")


if __name__ == "__main__":
    main()
