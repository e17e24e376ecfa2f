"""How much faster two processes are: python -m benchmarks.parallel.

The function sleeps for 10 ms, so that the processor is idle but for the search. Runs with and
without the executor alternate; other work on the machine only ever adds, so that the least time of
each is shown.
"""

import argparse
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import pairwise
from typing import Any

from benchmarks.markdown import number, table
from catcube import Space, minimize

WORKERS = 2
SECONDS = 0.010
SPACE = Space.repeat("x", range(4), 30)

SETTINGS: dict[str, tuple[int, dict[str, Any]]] = {
    "auto": (200, {}),
    "auto, more calls": (2_500, {}),
    "p3, native": (300, {"algorithm": "p3", "representation": "native"}),
    "rls, linear": (300, {"algorithm": "rls"}),
    "ga, linear": (300, {"algorithm": "ga"}),
}


def slow(point: dict[str, int]) -> int:
    """Return a rugged function's value after some time."""
    time.sleep(SECONDS)
    labels = list(point.values())
    return sum((7 * a + 3 * b) % 5 for a, b in pairwise(labels))


def seconds(budget: int, executor: Executor | None, arguments: dict[str, Any]) -> tuple[float, str]:
    """Return the duration of a run, and its algorithm."""
    began = time.perf_counter()
    result = minimize(slow, SPACE, budget=budget, seed=2, executor=executor, **arguments)
    return time.perf_counter() - began, result.algorithm


def main() -> None:
    """Time the runs and print a table."""
    parser = argparse.ArgumentParser("python -m benchmarks.parallel", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--setting", nargs="+", choices=SETTINGS, default=list(SETTINGS))
    options = parser.parse_args()
    lines = []
    with ProcessPoolExecutor(WORKERS) as pool:
        for name in options.setting:
            budget, arguments = SETTINGS[name]
            for executor in (None, pool):  # compiled and started
                minimize(slow, SPACE, budget=budget, target=1e9, executor=executor, **arguments)
            times: dict[bool, list[float]] = {False: [], True: []}
            for _ in range(options.repetitions):
                for executor in (None, pool):
                    duration, algorithm = seconds(budget, executor, arguments)
                    times[executor is not None].append(duration)
            alone, together = min(times[False]), min(times[True])
            cells = [number(alone), number(together), number(alone / together)]
            lines.append([f"{name} ({algorithm})", f"{budget:,}", *cells])
    heads = ["setting", "calls", "alone, s", f"{WORKERS} processes, s", "times as fast"]
    print(table(heads, lines))


if __name__ == "__main__":
    main()
