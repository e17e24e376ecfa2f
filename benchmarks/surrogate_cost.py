"""What the surrogate takes per call: python -m benchmarks.surrogate_cost.

60 variables of 12 categories; a run of 2,000 evaluations, whose calls around two numbers of
evaluations are timed. The machine's other work only ever adds, so that the least of a few medians
is shown beside the median of all.
"""

import time

import numpy as np

from benchmarks.markdown import number, table
from catcube.algorithms.surrogate.proposals import Proposals

VARIABLES, CATEGORIES = 60, 12
AT = (400, 2_000)
CALLS, GROUP = 60, 10  # timed before each number of evaluations, and the size of a group


def main() -> None:
    """Time the calls and print a table."""
    random = np.random.default_rng(1)
    single = random.normal(size=(VARIABLES, CATEGORIES))
    pairs = random.normal(size=(VARIABLES - 1, CATEGORIES, CATEGORIES))
    rows, links = np.arange(VARIABLES), np.arange(VARIABLES - 1)
    proposals = Proposals(np.full(VARIABLES, CATEGORIES), seed=1)
    seconds = []
    for _ in range(max(AT)):
        began = time.thread_time()
        point = proposals.ask(1)
        seconds.append(time.thread_time() - began)
        x = point[0]
        proposals.tell(point, np.array([single[rows, x].sum() + pairs[links, x[:-1], x[1:]].sum()]))
    lines = []
    for count in AT:
        times = 1000 * np.array(seconds[count - CALLS : count]).reshape(-1, GROUP)
        least = float(np.median(times, axis=1).min())
        cells = [number(least), number(float(np.median(times))), number(float(times.max()))]
        lines.append([f"{count:,}", *cells])
    print(table(["evaluations", "least median of ten, ms", "median, ms", "longest, ms"], lines))


if __name__ == "__main__":
    main()
