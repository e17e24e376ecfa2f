"""The figure of the comparison: the share of targets that each search reaches, by calls."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from benchmarks.families.task import Task
from benchmarks.peers.methods import PLAIN
from benchmarks.peers.results import Row
from benchmarks.peers.tables import AUTO, OTHERS, Values, values_of

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
    used = [task for task in used if any(START in values.get((task.name, k), {}) for k in budgets)]
    for task in used:
        cells = {k: cell for (name, k), cell in values.items() if name == task.name}
        best = min(min(sample) for cell in cells.values() for sample in cell.values())
        start = float(np.mean(next(cells[k][START] for k in budgets if START in cells.get(k, {}))))
        targets = np.linspace(start, best, TARGETS + 1)[1:]
        for name, sample in cells.get(budget, {}).items():
            hits = np.array(sample)[:, None] <= targets + 1e-9 * abs(best)
            reached.setdefault(name, []).append(float(hits.mean()))
    return {
        name: float(np.mean(shares)) for name, shares in reached.items() if len(shares) == len(used)
    }


def highlighted(columns: dict[int, dict[str, float]]) -> list[str]:
    """Return the searches to label: the default, a plain local search, the best four packages."""
    others = [name for name in OTHERS if name not in (*PLAIN, START)]
    means = {
        name: [shares[name] for shares in list(columns.values())[:2] if name in shares]
        for name in others
    }
    best = sorted((n for n in others if means[n]), key=lambda name: -float(np.mean(means[name])))
    return [AUTO, PLAIN[0], *best[:4]]


def draw(rows: Sequence[Row], tasks: Sequence[Task], budgets: Sequence[int], path: Path) -> None:
    """Draw one line per search: six are labelled at their ends, the others grey."""
    values = values_of(rows)
    columns = {budget: shares(values, tasks, budgets, budget) for budget in budgets}
    names = list(dict.fromkeys(name for means in columns.values() for name in means))
    shown = [name for name in highlighted(columns) if name in names]
    colours = dict(zip(shown, ["black", *matplotlib.colormaps["tab10"].colors], strict=False))
    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    ends = []
    for name in sorted(names, key=lambda name: name in shown):
        points = [(budget, means[name]) for budget, means in columns.items() if name in means]
        axes.semilogx(
            *zip(*points, strict=True),
            "o-" if name in shown else "-",
            color=colours.get(name, "0.8"),
            lw=3 if name == AUTO else 1.6 if name in shown else 1,
            ms=4,
        )
        if name in shown:
            ends.append((*points[-1], name))
    placed: list[tuple[float, float]] = []
    for calls, share, name in sorted(ends, key=lambda end: (end[0], -end[1])):
        height = share
        while any(abs(height - y) < 0.035 for x, y in placed if x == calls):
            height -= 0.005
        placed.append((calls, height))
        axes.text(calls * 1.07, height, name, color=colours[name], va="center", fontsize=9)
    axes.set_xlabel("calls")
    axes.set_ylabel("fraction of targets reached")
    axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
    axes.set_xlim(right=max(budgets) * 3)
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    if not names:
        figure.text(0.5, 0.5, "no results yet")
    path.parent.mkdir(parents=True, exist_ok=True)
    # Without random names and the date, so that the file changes with the figures alone.
    with matplotlib.rc_context({"svg.hashsalt": "catcube"}):
        figure.savefig(path, metadata={"Date": None})
