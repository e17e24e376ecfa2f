"""The figure of growing costs."""

import math
from collections.abc import Sequence
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from benchmarks.growth import OF_ALL, OF_EACH, Growth

TITLES = {
    "variables": f"variables of {OF_EACH} categories",
    "categories": f"categories of {OF_ALL} variables",
}
# Algorithms that work alike look alike: flips, whole points, linkage.
LINES = {
    "rls": ("#1f77b4", "o", "-"),
    "hc": ("#1f77b4", "s", "--"),
    "sa": ("#1f77b4", "^", ":"),
    "ea-1p1": ("#17becf", "o", "-"),
    "ea-10p1": ("#17becf", "s", "--"),
    "ga": ("#2ca02c", "D", "-"),
    "pbil": ("#ff7f0e", "o", "-"),
    "umda": ("#ff7f0e", "s", "--"),
    "mimic": ("#d62728", "v", "-"),
    "ltga": ("#9467bd", "P", "-"),
    "p3": ("#000000", "X", "-"),
}
OTHERWISE = ("#7f7f7f", ".", "-")


def draw(growths: Sequence[Growth], path: Path) -> None:
    """Two panels with logarithmic axes, the lines named beside them from high to low."""
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    panels = figure.subplots(1, len(growths), sharey=True)
    for growth, panel in zip(growths, panels, strict=True):
        for name, costs in growth.costs.items():
            colour, marker, style = LINES.get(name, OTHERWISE)
            heights = [math.nan if cost is None else cost.nanoseconds for cost in costs]
            panel.loglog(
                growth.sizes, heights, color=colour, marker=marker, ls=style, ms=5, label=name
            )
        panel.set_xlabel(TITLES[growth.what])
        panel.set_xticks(growth.sizes, [f"{size:,}" for size in growth.sizes])
        panel.xaxis.set_minor_formatter(NullFormatter())
        panel.minorticks_off()
        panel.grid(alpha=0.3)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("nanoseconds per evaluation")
    handles, labels = panels[0].get_legend_handles_labels()
    order = sorted(zip(handles, labels, strict=True), key=lambda pair: -_last(growths[0], pair[1]))
    figure.legend(*zip(*order, strict=True), loc="outside right center", frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Without random names and the date, so that the file changes with the figures alone.
    with matplotlib.rc_context({"svg.hashsalt": "catcube"}):
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)


def _last(growth: Growth, name: str) -> float:
    """Return the cost at the largest size; what is too slow to tell stands above all."""
    last = growth.costs[name][-1]
    return math.inf if last is None else last.nanoseconds
