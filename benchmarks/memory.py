"""The memory that a run takes.

    python -m benchmarks.memory INSTANCE ALGORITHM BUDGET SEED

makes one run and prints the peak of its memory in bytes.
"""

import os
import re
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.cost import Effort
from benchmarks.page import number, table
from catcube import minimize
from catcube.algorithms import names
from catcube.experiments.kernels import available_cores
from catcube.problems import Sudoku

INSTANCE = "sudoku-17hint-64"
EVALUATIONS = 1_000_000
EVALUATIONS_LONG = 10_000_000


def section(effort: Effort) -> str:
    """Return the peak of each algorithm, beyond that of a run with a single evaluation."""
    budgets = [effort.evaluations(EVALUATIONS)] + [EVALUATIONS_LONG] * effort.long
    algorithms = ["rls", "ltga"] if effort.quick else names()
    with ThreadPoolExecutor(available_cores()) as executor:
        peaks = {
            (name, budget): executor.submit(_peak, name, budget, effort.seed)
            for name in reversed(algorithms)  # the slowest are the last
            for budget in [1, *budgets]
        }
    rows = []
    for name in algorithms:
        first, *others = (peaks[name, budget].result() / 2**20 for budget in [1, *budgets])
        growth = [f"{max(peak - first, 0.1):.1f}" for peak in others]
        rows.append([name, *growth, number(max(others))])
    heads = ["algorithm", *(f"{budget:,} evaluations, MB" for budget in budgets), "total peak, MB"]
    return f"""\
The table has the peak memory of a process that makes one run on {INSTANCE} with linear
(960 bits) and the settings of the paper, minus that of a process that makes one evaluation (Python,
numpy, numba and the compiled kernel); 0.1 means 0.1 or less.

{table(heads, rows)}"""


def _peak(name: str, budget: int, seed: int) -> int:
    """Return the peak in bytes, of a separate process."""
    command = [sys.executable, "-m", "benchmarks.memory", INSTANCE, name]
    command += [str(budget), str(seed)]
    probe = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)
    return int(probe.stdout)


def peak() -> int:
    """Return the most memory this process ever had.

    Linux counts in ru_maxrss also what the parent had when it started this process.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s*(\d+) kB", status.read_text(encoding="ascii"))
        assert found is not None
        return 1024 * int(found.group(1))
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    """Make the run that the arguments name: instance, algorithm, budget, seed."""
    instance, algorithm, budget, seed = sys.argv[1:]
    problem = Sudoku.instance(instance)
    minimize(problem, algorithm=algorithm, preset="paper", budget=int(budget), seed=int(seed))
    print(peak())


if __name__ == "__main__":
    main()
