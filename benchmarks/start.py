"""The time to start: CPU seconds of fresh processes, with and without compiled code at hand."""

import os
import resource
import subprocess
import sys
import tempfile
from statistics import median

from benchmarks.cost import Effort
from benchmarks.page import number, table
from catcube.algorithms import names

INSTANCE = "sudoku-easy-56"
CATCUBE = [sys.executable, "-m", "catcube"]
EACH = """
import sys
from catcube import minimize
from catcube.problems import Sudoku
problem = Sudoku.instance(sys.argv[1])
for name in sys.argv[2:]:
    minimize(problem, algorithm=name, budget=10, seed=1)
"""


LIGHT = {
    "`python -c pass`, for comparison": [sys.executable, "-c", "pass"],
    "`import catcube`": [sys.executable, "-c", "import catcube"],
    "`catcube --help`": [*CATCUBE, "--help"],
    "`import numba`, for comparison": [sys.executable, "-c", "import numba"],
}


def section(effort: Effort) -> str:
    """Importing, asking for help, solving, and all algorithms."""
    repeats = 1 if effort.quick else 3
    rows = [
        [name, "–", number(_warm(command, None, repeats)), "–"] for name, command in LIGHT.items()
    ]
    solve = [*CATCUBE, "solve", INSTANCE, "--seed", "1"]
    rows.append([f"`catcube solve {INSTANCE} --seed 1`", *_both(solve, repeats), "20; 2"])
    if not effort.quick:
        each = [sys.executable, "-c", EACH, INSTANCE, *names()]
        title = f"the first use of all {len(names())} algorithms"
        rows.append([title, *_both(each, repeats), "60; 1 and `import numba`"])
    heads = ["what", "cold, s", "warm, s", "goals, s: cold; warm"]
    return f"""\
The table has CPU seconds of a process, including the start of Python. Cold means with an empty
cache, so that everything is compiled; warm means afterwards (median of {repeats}). Each algorithm
makes 10 evaluations of {INSTANCE}.

{table(heads, rows)}"""


def _both(command: list[str], repeats: int) -> list[str]:
    """Cold and warm."""
    with tempfile.TemporaryDirectory() as cache:
        cold = cpu_seconds(command, cache)
        return [number(cold), number(_warm(command, cache, repeats))]


def _warm(command: list[str], cache: str | None, repeats: int) -> float:
    return median(cpu_seconds(command, cache) for _ in range(repeats))


def cpu_seconds(command: list[str], cache: str | None) -> float:
    """User and system time of a process and its children; its compiled code is kept in `cache`."""
    environment = dict(os.environ)
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = cache
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
