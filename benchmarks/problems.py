"""The cost of an evaluation on each problem: a flip where changes are counted, else a point."""

from statistics import median

from benchmarks.cost import Effort, compile_first, cost, repeated
from benchmarks.page import number, table
from catcube.algorithms import algorithm
from catcube.base.seeds import derive_seed
from catcube.problems import make
from catcube.representations.layout import bit_layout, resolve_representations
from catcube.search.run import Run

# Instances, and the goal for an evaluation in nanoseconds, where there is one.
INSTANCES = {
    "colouring:random,1000,0.02,10": 60,
    "colouring:random,1000,0.1,20": 60,
    "colouring:random,1000,0.5,85": 60,
    "nk:1000,3,2": 60,
    "nk:1000,3,4": 60,
    "nk:1000,3,4,random": 60,
    "potts:torus,30,30,3": None,
    "factors:random,50,3,100": 150,
    "factors:random,100,4,150,3": 150,
    "latin:holes,30,378": None,
    "qap:nug12": None,
    "words:20,8,4,reverse=true,gc=true": None,
    "onemax:1000,9": None,
    "leadingones:1000,9": None,
    "pest": 5000,
    "ehrlich:32,32,4,4": 5000,
    "ehrlich:128,32,8,8,4": 5000,
}
EVALUATIONS = 1_000_000
WHOLE_EVALUATIONS = 20_000  # where each evaluation is one of a whole point


def section(effort: Effort) -> str:
    """Return a row for each instance."""
    instances = dict(list(INSTANCES.items())[::6]) if effort.quick else INSTANCES
    rows = []
    for text, goal in instances.items():
        problem = make(text)
        layout = bit_layout(resolve_representations(problem.space, "linear"))
        costs = {name: _figures(problem, layout, name, text, effort) for name in ("rls", "sa")}
        kind = "whole point" if problem.change is None else "flip"
        figures = [f"{number(times[0])} ({number(median(times))})" for times in costs.values()]
        rows.append([f"`{text}`", kind, *figures, "–" if goal is None else f"{goal:,}"])
    heads = ["instance", "an evaluation is a", "rls, ns", "sa, ns", "goal, ns"]
    return f"""\
The table has nanoseconds of CPU time per evaluation, with one thread and the linear
representation: the minimum and (in brackets) the median of {effort.repeats} repeats with different
seeds. Runs make {EVALUATIONS:,} evaluations ({WHOLE_EVALUATIONS:,} where each evaluates a whole
point); random local search does not restart. The cost of accepted moves is included: in `colouring`
it is an update for each neighbour. The goals are for rls; sa accepts more moves.

{table(heads, rows)}"""


def _figures(problem, layout, name: str, text: str, effort: Effort) -> list[float]:
    method = algorithm(name)
    parameters = method.resolve(None, {"patience": 10**9} if name == "rls" else {})
    budget = effort.evaluations(WHOLE_EVALUATIONS if problem.change is None else EVALUATIONS)

    def run(seed: int) -> Run:
        return Run(problem, layout, method, parameters, budget, None, seed)

    compile_first(run(0))

    def once(repeat: int) -> float:
        seed = derive_seed(effort.seed, "problems", text, name, repeat)
        return cost(run(seed), effort.seconds).nanoseconds

    return repeated(once, effort.repeats)
