"""The figure of a model, what the surrogate takes per call, and how often `predict` is right.

python -m benchmarks.surrogate figure docs/figures/model.svg
python -m benchmarks.surrogate cost
"""

import math
import sys
import time
from dataclasses import replace
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from benchmarks.families import designed, pipeline, practice
from benchmarks.families.task import Task
from benchmarks.page import number, table
from catcube import Space, minimize
from catcube.algorithms.surrogate.model import SurrogateModel
from catcube.algorithms.surrogate.proposals import Proposals

NAMES = ("scaler", "degree", "kept", "components", "model", "strength", "size")
VARIABLES, CATEGORIES = 60, 12
AT = (400, 2_000)
UNSEEN = 60  # points at which predictions are judged
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


def calibration() -> None:
    """Print how many values lie within two deviations, at random points and near the best one."""
    plain = [*designed.tasks(), *practice.tasks()]
    heavy = [
        replace(task, name=f"exp {task.name}", function=lambda x, t=task: math.exp(t(x) / 10))
        for task in plain
        if task.name in ("grid-36x5", "network-36")
    ]
    lines, shares = [], []
    for task in [*plain[::2], *heavy]:
        for calls, failing in ((60, 0.0), (120, 0.2)):
            random, proposals = np.random.default_rng(1), Proposals(task.cardinalities, seed=1)
            while len(proposals.values) < calls:
                point = proposals.ask(1)
                value = math.nan if random.random() < failing else task(point[0])
                proposals.tell(point, np.array([value]))
            points, values = proposals.points.astype(np.int64), proposals.values.copy()
            model = SurrogateModel(task.space, points, values)
            anywhere = random.integers(task.cardinalities, size=(UNSEEN, points.shape[1]))
            near = np.where(
                random.random(anywhere.shape) < 2.5 / points.shape[1],
                anywhere,
                points[np.nanargmin(values)],
            )
            found = [_within(model, task, rows) for rows in (anywhere, near)]
            shares.append(found)
            lines.append([task.name, str(calls), f"{failing:g}", *(f"{s:.2f}" for s in found)])
    lines.append(["mean", "", "", *(f"{share:.3f}" for share in np.mean(shares, axis=0))])
    print(table(["function", "calls", "failing", "anywhere", "near the best"], lines))


def _within(model: SurrogateModel, task: Task, rows: np.ndarray) -> float:
    predicted = [model.predict(task.space.decode(row)) for row in rows]
    errors = [abs(mean - task(row)) for row, (mean, _) in zip(rows, predicted, strict=True)]
    return float(np.mean([e <= 2 * d for e, (_, d) in zip(errors, predicted, strict=True)]))


if __name__ == "__main__":
    {"figure": figure, "cost": cost, "calibration": calibration}[sys.argv[1]](
        *map(Path, sys.argv[2:])
    )
