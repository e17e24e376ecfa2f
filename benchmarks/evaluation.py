"""The cost of an evaluation for every algorithm, beside that of the paper's own framework."""

from statistics import median

from benchmarks.cost import EVALUATIONS, OTHERWISE, compile_first, cost, paper_run, repeated
from benchmarks.draws import draws
from benchmarks.effort import Effort
from benchmarks.framework import FRAMEWORK
from benchmarks.markdown import number, pair, table
from catcube.algorithms import names
from catcube.base.seeds import derived_seed
from catcube.problems import Sudoku
from catcube.representations.layout import layout_of, representations_of

INSTANCE = "sudoku-easy-56"
REPRESENTATIONS = ("linear", "direct")


def section(effort: Effort) -> str:
    """The table of all algorithms."""
    problem = Sudoku.instance(INSTANCE)
    layouts = {name: layout_of(representations_of(problem.space, name)) for name in REPRESENTATIONS}
    figures = {
        name: [_figures(problem, layouts[own], own, name, effort) for own in REPRESENTATIONS]
        for name in names()
    }
    # After the algorithms, when the processor is as busy as it was with them.
    yardstick = draws(effort)
    rows = []
    for name, costs in figures.items():
        medians = [median(own) for own in costs]
        theirs = [float(FRAMEWORK[name][own]) for own in REPRESENTATIONS if name in FRAMEWORK]
        faster = [their / our for their, our in zip(theirs, medians, strict=False)]
        rows.append(
            [
                name,
                *(f"{number(own[0])} ({number(median(own))})" for own in costs),
                pair([own / median(yardstick) for own in medians], 2),
                " / ".join(f"{their:,.0f}" for their in theirs) or "–",
                pair(faster, 2) if faster else "–",
            ]
        )
    bits = " / ".join(str(layouts[own].first_bit[-1]) for own in REPRESENTATIONS)
    heads = [
        "algorithm",
        "linear, ns",
        "direct, ns",
        "in random draws",
        "the paper's C++ framework, ns",
        "times faster",
    ]
    return f"""\
Nanoseconds of CPU time an evaluation on {INSTANCE}, one thread, settings of the paper:
the least and (in brackets) the median of {effort.repeats} repeats with different seeds. Two
figures with a stroke are linear / direct ({bits} bits), from the medians.

{table(heads, rows)}

One random draw of 64 bits took {number(yardstick[0])} ns ({number(median(yardstick))}). The
figures of the C++ framework were measured with its 2021 release on the same kind of machine."""


def _figures(problem, layout, representation, name, effort):
    budget = effort.evaluations(EVALUATIONS.get(name, OTHERWISE))

    def once(repeat: int) -> float:
        seed = derived_seed(effort.seed, INSTANCE, name, representation, repeat)
        return cost(paper_run(problem, layout, name, budget, seed), effort.seconds).nanoseconds

    compile_first(paper_run(problem, layout, name, budget, effort.seed))
    return repeated(once, effort.repeats)
