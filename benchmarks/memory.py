"""The memory that a run takes."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from benchmarks.effort import Effort
from benchmarks.markdown import number, table
from catcube.algorithms import names
from catcube.experiments.kernels import available_cores

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
    heads = ["algorithm", *(f"{budget:,} evaluations, MB" for budget in budgets), "whole peak, MB"]
    return f"""\
The peak of the memory of a process that makes one run on {INSTANCE}, linear (960 bits), settings of
the paper, minus that of a process that makes one evaluation (Python, numpy, numba and the compiled
kernel); 0.1 stands for what is too little to be seen.

{table(heads, rows)}"""


def _peak(name: str, budget: int, seed: int) -> int:
    """Return the peak in bytes, of a separate process."""
    command = [sys.executable, "-m", "benchmarks.memory_probe", INSTANCE, name]
    command += [str(budget), str(seed)]
    probe = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)
    return int(probe.stdout)
