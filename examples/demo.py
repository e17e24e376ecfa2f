"""The main job at small scale: what a representation is, a solved Sudoku, and the comparison.

`make demo` prints what it does and writes into results/demo, with a page to read it all on.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from time import perf_counter

from demo_comparison import PUBLISHED, Comparison, Settings, compare, table, write_csv
from demo_figure import draw
from demo_page import page

from catcube import algorithms, restarts, show
from catcube.commands import INTERRUPTED
from catcube.problems import Sudoku

INTRODUCTION = """\
A category is what a bit vector decodes to. In the direct representation it is the binary number
that the bits write, so some categories are several flips apart.

In the linear representation (A. Berny, arXiv:2106.07095) it is A·x over the field of two elements,
where the columns of A are all non-zero words of k bits: the parity-check matrix of a Hamming code.
A flip of bit i adds column i, so from every bit vector every other category is one flip away."""

WRITTEN = (
    "cube.png",
    "solved.txt",
    "comparison.csv",
    "comparison.png",
    "comparison.svg",
    "index.html",
)


def main(
    folder: Path = Path("results/demo"),
    instance: str = "sudoku-easy-56",
    methods: Sequence[str] = tuple(algorithms.names()),
    budget: int = 100_000,
    runs: int = 5,
    seed: int = 1,
) -> None:
    """Do everything, and name the files written."""
    began = perf_counter()
    folder.mkdir(parents=True, exist_ok=True)
    problem = Sudoku.instance(instance)

    heading("1  The linear representation")
    print(f"{INTRODUCTION}\n\n{show.text(9)}")
    show.figure(4, folder / "cube.png")

    heading(f"2  {instance}: simulated annealing with restarts, linear representation")
    print("compiling sa (or loading it, if it was used before), then searching …", flush=True)
    found = restarts.search(problem, seed=seed, time_limit=60)
    if found.best is None or found.ending == "interrupt":
        raise KeyboardInterrupt
    solution, search = problem.complete(found.best.x), outcome(found)
    print(f"\n{problem.board.pretty(solution, color=in_colour())}\n\n{search}")
    print("bold: given" if in_colour() else "': found")
    solved = f"{problem.board.pretty(solution)}\n\n{search}\n"
    (folder / "solved.txt").write_text(solved, encoding="utf-8")

    heading(f"3  All algorithms, linear and direct: {budget:,} evaluations, {runs} runs each")
    print("The first use of an algorithm compiles it: some seconds each, most for ltga and p3.")
    comparison = compare(problem, Settings(instance, methods, budget, runs, seed))
    print_table(comparison)
    write_csv(comparison, folder / "comparison.csv")
    draw(comparison, folder / "comparison.png")
    draw(comparison, folder / "comparison.svg")

    seconds = perf_counter() - began
    text = page(INTRODUCTION, problem.board, solution, search, comparison, seconds)
    (folder / "index.html").write_text(text, encoding="utf-8")
    heading(f"Done in {seconds:.0f} s")
    for name in WRITTEN:
        print(f"wrote {folder / name}")
    print(f"\nopen {folder / WRITTEN[-1]}")


def heading(text: str) -> None:
    """Begin a part."""
    print(f"\n{text}\n{'-' * len(text)}", flush=True)


def in_colour() -> bool:
    """Whether the screen can show bold digits."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def outcome(found: restarts.Found) -> str:
    """What the search found and what it took."""
    assert found.best is not None
    ending = "solved" if found.ending == "target" else f"not solved, value {found.best.fun:g}"
    runs = "1 run" if found.runs == 1 else f"{found.runs} runs"
    return f"{ending} after {found.evaluations:,} evaluations in {runs}, {found.seconds:.2f} s"


def print_table(comparison: Comparison) -> None:
    """The mean values and, beside them, the published medians."""
    columns = "{:9} {:>7} {:>7}  {:>8} {:>7}"
    print(f"\n{'':9} {'mean here':>15}  {'published *':>16}")
    print(columns.format("algorithm", *["linear", "direct"] * 2))
    for line in table(comparison):
        print(columns.format(*line))
    print("\n" + fill(f"* medians {PUBLISHED}", 80))
    print(f"\n{comparison.summary()}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
