"""Studies of made-up results, for the tests of reports: whole, under way, and with nasty names."""

from functools import cache

import numpy as np

from catcube.statistics import Pair, ecdf
from catcube.studies.analysis.model import (
    VERDICTS,
    Conditions,
    Missing,
    Part,
    PublishedRow,
    PublishedTable,
    Reference,
    Session,
    Statement,
)
from catcube.studies.analysis.sections import Ecdf, FixedBudget, FixedTarget, Study
from catcube.studies.paper.comparison import align_tables
from catcube.studies.paper.published import ALGORITHMS, paper_outline, published_table
from tests.statistics.traces import traced

PAIRS = tuple(
    Pair(name, representation) for name in ALGORITHMS for representation in ("linear", "direct")
)
NASTY_EXPERIMENT = "../<b>&_%$ #{~^} \\end{table}|`x`\nü"
NASTY_INSTANCES = ("<script>alert('1_%')</script>", "../../a|b&c", "..\\..\\a|b&c", "∞ été", "")
"""The second and the third have the same safe name; the last has none."""

FEW = (Pair("rls", "linear"), Pair("rls", "direct"), Pair("sa", "linear"), Pair("sa", "direct"))
MACHINE = {"python": "3.11.4", "system": "Linux 6.1", "cores": "2"}


def _quality(pair):
    """Small is good: made up, but like the paper's."""
    order = ("sa", "ga", "p3", "ltga", "hc", "ea-1p1", "rls", "ea-10p1", "pbil", "umda", "mimic")
    return 4 + 4 * order.index(pair.algorithm) + (6 if pair.representation == "direct" else 0)


def _conditions(experiment, instances, pairs, budget, target, runs, missing=(), failed=0):
    total = len(instances) * len(pairs) * runs
    done = total - sum(one.runs for one in missing)
    session = Session(1_700_000_000.0, "0.1.0", "0123456789abcdef", MACHINE, done)
    return Conditions(
        *(experiment, tuple(instances), tuple(pairs), budget, target, runs, 1, done, total, failed),
        *(
            done * budget // 3,
            done * 0.25,
            *((session.began, 1_700_003_600.0) if done else [None] * 2),
        ),
        *(tuple(missing), (session,) if done else ()),
    )


def _fixed_budget(experiment, instances, pairs, runs, missing=()):
    draw = np.random.default_rng(5)
    samples = {
        instance: {pair: 2.0 * draw.poisson(_quality(pair) / 2, runs) for pair in pairs}
        for instance in instances
    }
    for one in missing:
        del samples[one.instance][one.pair]
    conditions = _conditions(experiment, instances, pairs, 300_000, None, runs, missing)
    return FixedBudget(conditions, samples)


def _course(experiment, instances, pairs, runs, budget):
    draw = np.random.default_rng(6)
    curves = {}
    for instance in instances:
        traces = []
        for pair in pairs:
            for run in range(1, runs + 1):
                final = _quality(pair) + draw.integers(0, 8)
                steps = np.unique(np.geomspace(1, budget, 60).astype(np.int64))
                # Direct begins faster and ends higher, so that the curves cross.
                speed = 0.9 if pair.representation == "direct" else 0.6
                levels = final + (160 - final) * np.exp(-speed * np.log(steps) ** 1.2 / 3)
                levels = np.unique(np.round(levels))[::-1]
                traces.append(traced(instance, *pair, run, steps[: len(levels)], levels))
        curves[instance] = ecdf(traces)
    return Ecdf(_conditions(experiment, instances, pairs, budget, None, runs), curves)


def _fixed_target(experiment, instances, pairs, runs):
    draw = np.random.default_rng(7)
    samples = {}
    for number, instance in enumerate(instances):
        samples[instance] = {
            pair: 1 + np.floor(draw.exponential(_quality(pair) * 2 ** (number + 1), runs))
            for pair in pairs
        }
    samples[instances[-1]][Pair("mimic", "direct")][:] = np.inf
    spent = {
        instance: {pair: np.minimum(sample, 10_000) for pair, sample in found.items()}
        for instance, found in samples.items()
    }
    conditions = _conditions(experiment, instances, pairs, 10_000, 0.0, runs)
    return FixedTarget(conditions, samples, paper_outline(experiment, instances, 0.0), spent)


@cache
def example_study():
    """The paper's three experiments, smaller, and one of a user whose names need escaping."""
    budget = _fixed_budget(
        "fixed-budget", ("sudoku-easy-56", "sudoku-expert-55", "sudoku-17hint-64"), PAIRS, 8
    )
    course = _course("ecdf", ("sudoku-easy-56", "sudoku-expert-55"), PAIRS, 3, 10_000_000)
    boards = [f"small-dimension-{erased}-{letter}" for erased in (1, 3, 6) for letter in "ab"]
    target = _fixed_target("fixed-target", boards, PAIRS, 8)
    nasty = _fixed_budget(NASTY_EXPERIMENT, NASTY_INSTANCES, FEW, 5)
    return Study((budget, course, target, nasty), _reference(budget, target))


def _published(ours, name):
    """Medians that differ the more, the further apart the ranks are."""
    rows = [
        PublishedRow(
            *(row.pair, row.ours, row.published),
            {"median": min(1.0, 0.01 * (1 + abs(row.ours.rank - row.published.rank))), "max": 1.0},
        )
        for row in align_tables(ours, published_table(name), {})
    ]
    return PublishedTable(name, rows, [f"Something is systematic in {name}."])


def _reference(budget, target):
    """Statements with every verdict, and published tables of which some figures differ."""
    return Reference(
        source="A. Berny (2021)",
        title="The experiments <repeated>",
        introduction="The experiments of a paper.",
        notices=["Something to be noticed."],
        scales={"ecdf": "The paper: 10 instances."},
        statements=[
            Statement(
                *(f"B{number}", "Fixed budget", "a table", "Linear & direct differ."),
                "Tested by Wilcoxon.",
                [
                    Part(
                        *(name, verdict, "as seen", (0.5, None)),
                        *((None, "a tenth") if "agrees" in verdict else (0.01,)),
                    )
                    for name, verdict in zip(ALGORITHMS, VERDICTS[:number] * 3, strict=False)
                ],
                ("difference", "other"),
                "The paper’s table disagrees." if number == 3 else "",
            )
            for number in range(1, 7)
        ],
        basis=["A margin is one target of fifty."],
        tables={
            "fixed-budget": [
                _published(budget.ranks["all"], "fixed-budget-ranks"),
                _published(budget.tables["sudoku-easy-56"], "fixed-budget-values-easy-56"),
            ],
            "fixed-target": [
                *(
                    _published(ranks, f"fixed-target-ranks-{group}")
                    for group, ranks in target.ranks.items()
                ),
                _published(target.tables["small-dimension-3-a"], "fixed-target-runtimes-3-a"),
            ],
        },
        about_tables="How the tables were compared.",
    )


@cache
def unfinished_study():
    """Sections that lack pairs, instances, or everything."""
    instances = ("sudoku-easy-56", "sudoku-expert-55")
    missing = [Missing("sudoku-expert-55", PAIRS[-1], 8)]
    nothing = [Missing(instance, pair, 3) for instance in instances for pair in PAIRS]
    target = _conditions("fixed-target", instances, PAIRS, 10**6, 0.0, 3, nothing, failed=2)
    return Study(
        (
            _fixed_budget("fixed-budget", instances, PAIRS, 8, missing),
            Ecdf(_conditions("ecdf", instances, PAIRS, 10**7, None, 3, nothing), {}),
            FixedTarget(target, {}),
        )
    )
