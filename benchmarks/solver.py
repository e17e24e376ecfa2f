"""The cost of the exact solver."""

import time
from statistics import median

from benchmarks.cost import Effort
from benchmarks.page import number, table
from catcube.problems.sudoku import instances
from catcube.problems.sudoku.solver import count_solutions, solve

BOARDS = ("sudoku-17hint-64", "sudoku-17hint-64b", "sudoku-easy-56")
CALLS = {"solve": solve, "is the solution unique": count_solutions}


def subsection(effort: Effort) -> str:
    """Return microseconds for some boards."""
    rows = []
    for name in BOARDS:
        board = instances.load(name)
        figures = []
        for call in CALLS.values():
            call(board)
            spent = []
            for _ in range(50 * effort.repeats):
                began = time.perf_counter()  # as CPU time is too coarse for a single call
                call(board)
                spent.append(time.perf_counter() - began)
            figures += [1e6 * min(spent), 1e6 * median(spent)]
        rows.append([name, *(number(figure) for figure in figures)])
    heads = ["board", *(f"{name}: {which}, µs" for name in CALLS for which in ("least", "median"))]
    return f"""\
### The exact solver

The table has microseconds per call from Python, over {50 * effort.repeats} calls.

{table(heads, rows)}"""
