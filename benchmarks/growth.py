"""How the cost of an evaluation grows with the number of variables and of categories."""

from pathlib import Path
from typing import NamedTuple

from benchmarks.cost import EVALUATIONS, OTHERWISE, Cost, compile_first, cost, paper_run
from benchmarks.effort import Effort
from benchmarks.markdown import number, table
from catcube.algorithms import names
from catcube.base.seeds import derived_seed
from catcube.problems import Match
from catcube.representations.layout import bits_of, layout_for

VARIABLES = (10, 30, 100, 300, 1000)
CATEGORIES = (2, 4, 16, 64, 256)
OF_EACH = 4  # categories where the number of variables grows
OF_ALL = 20  # variables where the number of categories grows
REPRESENTATIONS = ("linear", "native")
LIMIT = 3.0  # seconds for one figure
ENOUGH = 0.5  # of the budget: in a run that was stopped before its start counts too much


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
        size: layout_for(problem.space, representation) for size, problem in problems.items()
    }
    costs: dict[str, list[Cost | None]] = {}
    for name in names():
        costs[name] = []
        for size, problem in problems.items():
            seed = derived_seed(effort.seed, what, name, size)
            run = paper_run(problem, layouts[size], name, budget(name, effort), seed)
            if not costs[name]:
                compile_first(run)
            spent = cost(run, effort.seconds / 3, LIMIT)
            costs[name].append(spent if spent.evaluations >= ENOUGH * run.budget else None)
    bits = tuple(bits_of(problem.space, representation) for problem in problems.values())
    return Growth(what, representation, tuple(problems), bits, costs)


def section(effort: Effort, figure: Path | None = None) -> str:
    """Return the tables, and the figure if a file for it is given."""
    growths = measure(effort)
    if figure is not None:
        from benchmarks.growth_figure import draw

        draw([growth for growth in growths if growth.representation == "linear"], figure)
    budgets = ", ".join(f"{name} {budget(name, effort):,}" for name in names())
    tables = [_table(growth) for growth in growths]
    return f"""\
Nanoseconds of CPU time per evaluation on Match (how many variables differ from a hidden
assignment), settings of the paper. A run is repeated until
{number(effort.seconds / 3, 1)} s are spent, and stopped after {LIMIT:g} s, which is marked with a
star; – if it had made less than half of its evaluations by then: its start would count too much.
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
