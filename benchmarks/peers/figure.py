"""The figure of the comparison: how many targets each search has reached after so many calls."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from benchmarks.families.task import Task
from benchmarks.peers.results import Row
from benchmarks.peers.tables import AUTO, OURS, Values, values_of

TARGETS = 20
START = "random search"


def shares(
    values: Values, tasks: Sequence[Task], budgets: Sequence[int], budget: int
) -> dict[str, float]:
    """Return the share of targets that a run reaches, of the searches that have all instances.

    The targets of an instance go in equal steps from what random search finds with the smallest
    budget, in the mean, to the best value that any run has found.
    """
    reached: dict[str, list[float]] = {}
    used = [task for task in tasks if task.most >= budget]
    used = [task for task in used if START in values.get((task.name, min(budgets)), {})]
    for task in used:
        cells = {k: cell for (name, k), cell in values.items() if name == task.name}
        best = min(min(sample) for cell in cells.values() for sample in cell.values())
        start = float(np.mean(cells[min(budgets)][START]))
        targets = np.linspace(start, best, TARGETS + 1)[1:]
        for name, sample in cells.get(budget, {}).items():
            hits = np.array(sample)[:, None] <= targets + 1e-9 * abs(best)
            reached.setdefault(name, []).append(float(hits.mean()))
    return {
        name: float(np.mean(shares)) for name, shares in reached.items() if len(shares) == len(used)
    }


def draw(rows: Sequence[Row], tasks: Sequence[Task], budgets: Sequence[int], path: Path) -> None:
    """Draw one line per search, the default's thick, those of this package solid."""
    values = values_of(rows)
    columns = {budget: shares(values, tasks, budgets, budget) for budget in budgets}
    names = list(dict.fromkeys(name for means in columns.values() for name in means))
    colours = matplotlib.colormaps["tab20"].colors
    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    for index, name in enumerate(names):
        points = [(budget, means[name]) for budget, means in columns.items() if name in means]
        axes.semilogx(
            *zip(*points, strict=True),
            "o-" if name in OURS else "s--",
            color="black" if name == AUTO else colours[index % len(colours)],
            lw=3 if name == AUTO else 1.3,
            ms=4,
            label=name,
        )
    axes.set_xlabel("calls")
    axes.set_ylabel("share of targets reached")
    axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    handles, labels = axes.get_legend_handles_labels()
    order = sorted(range(len(labels)), key=lambda k: -handles[k].get_ydata()[-1])
    if not names:
        figure.text(0.5, 0.5, "no results yet")
    figure.legend(
        [handles[k] for k in order],
        [labels[k] for k in order],
        loc="outside right center",
        frameon=False,
        fontsize=8,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    # Without random names and the date, so that the file changes with the figures alone.
    with matplotlib.rc_context({"svg.hashsalt": "catcube"}):
        figure.savefig(path, metadata={"Date": None})
