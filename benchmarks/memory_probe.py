"""A process that makes one run and prints the peak of its memory in bytes."""

import re
import resource
import sys
from pathlib import Path

from catcube import minimize
from catcube.problems import Sudoku


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
