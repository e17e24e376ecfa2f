"""The cost of a flip where there are many variables."""

from statistics import median

from benchmarks.cost import Effort, compile_first, cost, paper_run, repeated
from benchmarks.page import number, table
from catcube.base.seeds import derive_seed
from catcube.problems import Match
from catcube.representations.layout import bit_layout, resolve_representations

VARIABLES = (100, 1_000, 10_000, 100_000)
CATEGORIES = 9
EVALUATIONS_PER_BIT = 10


def subsection(effort: Effort) -> str:
    """Random local search, which flips one bit per evaluation."""
    sizes = VARIABLES[:2] if effort.quick else VARIABLES
    figures = {}
    for size in sizes:
        problem = Match(size, CATEGORIES, seed=effort.seed)
        layout = bit_layout(resolve_representations(problem.space, "linear"))
        figures[size] = int(layout.first_bit[-1]), _figures(problem, layout, size, effort)
    first = median(figures[sizes[0]][1])
    rows = [
        [f"{size:,}", f"{bits:,}", number(costs[0]), number(median(costs)), _ratio(costs, first)]
        for size, (bits, costs) in figures.items()
    ]
    heads = ["variables", "bits", "least, ns", "median, ns", f"times that of {sizes[0]}"]
    return f"""\
### A flip

The table has the cost of random local search on Match ({CATEGORIES} categories, linear), which
flips one bit per evaluation. All runs make {EVALUATIONS_PER_BIT} evaluations per bit, so that they
are at the same stage of the search, and are repeated for at least {number(effort.seconds, 1)} s.
The goal is that a flip with 100,000 variables takes at most five times as long as with 100. The
increase is the time to fetch a bit and its variable from memory when they no longer fit into the
processor's caches.

{table(heads, rows)}"""


def _figures(problem, layout, size, effort):
    bits = int(layout.first_bit[-1])
    budget = effort.evaluations(EVALUATIONS_PER_BIT * bits)
    compile_first(paper_run(problem, layout, "rls", budget, effort.seed))

    def once(repeat: int) -> float:
        seed = derive_seed(effort.seed, "flips", size, repeat)
        return cost(paper_run(problem, layout, "rls", budget, seed), effort.seconds).nanoseconds

    return repeated(once, effort.repeats)


def _ratio(costs: list[float], first: float) -> str:
    return number(median(costs) / first, 2)
