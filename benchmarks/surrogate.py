"""The figure of a model, and what the surrogate takes per call.

python -m benchmarks.surrogate figure docs/figures/model.svg
python -m benchmarks.surrogate cost
"""

import sys
import time
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from benchmarks.families import pipeline
from benchmarks.page import number, table
from catcube import Space, minimize
from catcube.algorithms.surrogate.proposals import Proposals

NAMES = ("scaler", "degree", "kept", "components", "model", "strength", "size")
VARIABLES, CATEGORIES = 60, 12
AT = (400, 2_000)
CALLS, GROUP = 60, 10  # timed before each number of evaluations, and the size of a group


def figure(path: Path) -> None:
    """Search, and draw the model."""
    space = Space(dict(zip(NAMES, pipeline.CHOICES, strict=True)))
    result = minimize(
        lambda rows: [pipeline.error(row) for row in rows],
        space,
        algorithm="surrogate",
        budget=60,
        seed=1,
        vectorized=True,
    )
    drawn = Figure(figsize=(9, 3.6), layout="constrained")
    for axes in result.model.plot(tuple(drawn.subplots(1, 2))):
        axes.spines[["top", "right"]].set_visible(False)
    # Without random names and the date, so that the file changes with the figures alone.
    with matplotlib.rc_context({"svg.hashsalt": "catcube"}):
        drawn.savefig(path, metadata={"Date": None})
    print(result.fun, result.model.importance())


def cost() -> None:
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
    figure(Path(sys.argv[2])) if sys.argv[1] == "figure" else cost()
