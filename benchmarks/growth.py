"""How the cost of an evaluation grows with the number of variables and of categories."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from benchmarks.cost import EVALUATIONS, OTHERWISE, Cost, Effort, compile_first, cost, paper_run
from benchmarks.page import number, table
from catcube.algorithms import names
from catcube.base.seeds import derive_seed
from catcube.problems import Match
from catcube.representations.layout import build_layout, count_bits

VARIABLES = (10, 30, 100, 300, 1000)
CATEGORIES = (2, 4, 16, 64, 256)
OF_EACH = 4  # categories where the number of variables grows
OF_ALL = 20  # variables where the number of categories grows
REPRESENTATIONS = ("linear", "native")
LIMIT = 3.0  # seconds for one figure
ENOUGH = 0.5  # of the budget: in a run that was stopped before its start counts too much


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
OTHER_LINE = ("#7f7f7f", ".", "-")


class Growth(NamedTuple):
    """The cost for each algorithm at each size."""

    what: str
    representation: str
    sizes: tuple[int, ...]
    bits: tuple[int, ...]
    costs: dict[str, list[Cost | None]]  # None: too slow to tell


def measure(effort: Effort) -> list[Growth]:
    """Both ways to grow."""
    variables = VARIABLES[:3] if effort.quick else VARIABLES
    categories = CATEGORIES[:3] if effort.quick else CATEGORIES
    more = {variable: Match(variable, OF_EACH, seed=effort.seed) for variable in variables}
    larger = {category: Match(OF_ALL, category, seed=effort.seed) for category in categories}
    return [
        _growth(what, representation, problems, effort)
        for what, problems in (("variables", more), ("categories", larger))
        for representation in REPRESENTATIONS
    ]


def budget(name: str, effort: Effort) -> int:
    """Return the evaluations of a run; ltga has long generations."""
    full = EVALUATIONS.get(name, OTHERWISE)
    return effort.evaluations(full if name == "ltga" else full // 5)


def _growth(what: str, representation: str, problems: dict[int, Match], effort: Effort) -> Growth:
    layouts = {
        size: build_layout(problem.space, representation) for size, problem in problems.items()
    }
    costs: dict[str, list[Cost | None]] = {}
    for name in names():
        costs[name] = []
        for size, problem in problems.items():
            seed = derive_seed(effort.seed, what, name, size)
            run = paper_run(problem, layouts[size], name, budget(name, effort), seed)
            if not costs[name]:
                compile_first(run)
            spent = cost(run, effort.seconds / 3, LIMIT)
            costs[name].append(spent if spent.evaluations >= ENOUGH * run.budget else None)
    bits = tuple(count_bits(problem.space, representation) for problem in problems.values())
    return Growth(what, representation, tuple(problems), bits, costs)


def section(effort: Effort, figure: Path | None = None) -> str:
    """Return the tables, and the figure if a file for it is given."""
    growths = measure(effort)
    if figure is not None:
        draw([growth for growth in growths if growth.representation == "linear"], figure)
    budgets = ", ".join(f"{name} {budget(name, effort):,}" for name in names())
    tables = [_table(growth) for growth in growths]
    return f"""\
The tables have nanoseconds of CPU time per evaluation on Match (the number of variables that differ
from a hidden assignment), with the settings of the paper. A run is repeated for at least
{number(effort.seconds / 3, 1)} s. A star marks runs that were stopped after {LIMIT:g} s, and –
those that had made less than half of their evaluations by then.
Evaluations per run: {budgets}.

Variables of {OF_EACH} categories, linear:

{tables[0]}

Variables of {OF_EACH} categories, native:

{tables[1]}

{OF_ALL} variables, linear:

{tables[2]}

{OF_ALL} variables, native:

{tables[3]}"""


def _table(growth: Growth) -> str:
    heads = ["algorithm"]
    heads += [
        f"{size:,} {growth.what}" + (f" ({bits:,} bits)" if bits else "")
        for size, bits in zip(growth.sizes, growth.bits, strict=True)
    ]
    rows = [[name, *(_cell(cost) for cost in costs)] for name, costs in growth.costs.items()]
    return table(heads, rows)


def _cell(cost: Cost | None) -> str:
    if cost is None:
        return "–"
    return number(cost.nanoseconds) + ("\\*" if cost.cut else "")


def draw(growths: Sequence[Growth], path: Path) -> None:
    """Two panels with logarithmic axes, the lines named beside them from high to low."""
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    panels = figure.subplots(1, len(growths), sharey=True)
    for growth, panel in zip(growths, panels, strict=True):
        for name, costs in growth.costs.items():
            colour, marker, style = LINES.get(name, OTHER_LINE)
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
