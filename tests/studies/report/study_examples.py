"""Studies of made-up results, for the tests of reports: whole, under way, and with nasty names."""

import math
from functools import cache

import numpy as np

from catcube.statistics import (
    Interval,
    Pair,
    PlainResult,
    Trace,
    compare_representations,
    complete,
    ecdf,
    expected_running_time,
    fixed_budget_ranks,
    fixed_target_ranks,
    grouped,
    leads,
    performance_profiles,
    runtime_tables,
    runtime_to,
    samples_of,
    value_of,
    value_tables,
)
from catcube.studies.analysis.model import (
    VERDICTS,
    Beside,
    Conditions,
    Ecdf,
    FixedBudget,
    FixedTarget,
    Mean,
    Missing,
    Part,
    PublishedTable,
    Reference,
    Session,
    Statement,
    Study,
)
from catcube.studies.analysis.study import blocked_ranks, representation_effects, winner_of
from catcube.studies.paper.beside import beside
from catcube.studies.paper.published import ALGORITHMS, outline, published

PAIRS = tuple(
    Pair(name, representation) for name in ALGORITHMS for representation in ("linear", "direct")
)
NASTY_EXPERIMENT = "../<b>&_%$ #{~^} \\end{table}|`x`\nü"
NASTY_INSTANCES = ("<script>alert('1_%')</script>", "../../a|b&c", "..\\..\\a|b&c", "∞ été", "")
"""The second and the third have the same safe name; the last has none."""

FEW = (Pair("rls", "linear"), Pair("rls", "direct"), Pair("sa", "linear"), Pair("sa", "direct"))


def _quality(pair):
    """Small is good: made up, but like the paper's."""
    order = ("sa", "ga", "p3", "ltga", "hc", "ea-1p1", "rls", "ea-10p1", "pbil", "umda", "mimic")
    return 4 + 4 * order.index(pair.algorithm) + (6 if pair.representation == "direct" else 0)


def _session(runs):
    machine = {
        "python": "3.11.4",
        "numpy": "2.1.0",
        "numba": "0.61.0",
        "system": "Linux 6.1",
        "processor": "x86_64",
        "cores": "2",
    }
    return Session(1_700_000_000.0, "0.1.0", "0123456789abcdef", machine, runs)


def _conditions(experiment, instances, pairs, budget, target, runs, missing=(), failed=0):
    total = len(instances) * len(pairs) * runs
    done = total - sum(one.runs for one in missing)
    return Conditions(
        experiment=experiment,
        instances=tuple(instances),
        pairs=tuple(pairs),
        budget=budget,
        target=target,
        runs=runs,
        seed=1,
        done=done,
        total=total,
        failed=failed,
        evaluations=done * budget // 3,
        seconds=done * 0.25,
        began=1_700_000_000.0 if done else None,
        finished=1_700_003_600.0 if done else None,
        missing=tuple(missing),
        sessions=(_session(done),) if done else (),
    )


def _values(instances, pairs, runs, random):
    return [
        PlainResult(
            instance, *pair, run, float(2 * random.poisson(_quality(pair) / 2)), 200_000, 300_000
        )
        for instance in instances
        for pair in pairs
        for run in range(1, runs + 1)
    ]


def _interval(values):
    """Not the bootstrap: quick, and as good for a table."""
    half = 1.96 * np.std(values) / math.sqrt(len(values))
    return Interval(float(np.mean(values) - half), float(np.mean(values) + half))


def _beside(ours, name):
    """Medians that differ the more, the further apart the ranks are."""
    rows = []
    for row in beside(ours, published(name), {}):
        if row.ours and row.published:
            p = min(1.0, 0.01 * (1 + abs(row.ours.rank - row.published.rank)))
            row = Beside(row.pair, row.ours, row.published, {"median": p, "max": 1.0})
        rows.append(row)
    return PublishedTable(name, rows, [f"Something is systematic in {name}."])


def _fixed_budget(experiment, instances, pairs, runs, missing=()):
    results = [
        result
        for result in _values(instances, pairs, runs, np.random.default_rng(5))
        if (result.instance, Pair(result.algorithm, result.representation))
        not in {(one.instance, one.pair) for one in missing}
    ]
    whole = complete(results, runs)
    values = value_tables(results)
    ranked = fixed_budget_ranks(whole)
    conditions = _conditions(experiment, instances, pairs, 300_000, None, runs, missing)
    ranks = {"all": ranked} if ranked else {}
    samples = samples_of(whole, value_of)
    return FixedBudget(
        conditions=conditions,
        values=values,
        ranks=ranks,
        means={
            instance: {
                pair: Mean(
                    float(np.mean([result.value for result in found])),
                    _interval([result.value for result in found]),
                    len(found),
                )
                for pair, found in by_pair.items()
            }
            for instance, by_pair in grouped(results).items()
        },
        comparisons=compare_representations(results),
        blocks=blocked_ranks(conditions, samples),
        effects=representation_effects(conditions, samples),
        winner=winner_of(ranks, samples),
    )


def _course(experiment, instances, pairs, runs, budget):
    random = np.random.default_rng(6)
    traces = []
    for instance in instances:
        for pair in pairs:
            for run in range(1, runs + 1):
                final = _quality(pair) + random.integers(0, 8)
                steps = np.unique(np.geomspace(1, budget, 60).astype(np.int64))
                # Direct begins faster and ends higher, so that the curves cross.
                speed = 0.9 if pair.representation == "direct" else 0.6
                levels = final + (160 - final) * np.exp(-speed * np.log(steps) ** 1.2 / 3)
                levels = np.unique(np.round(levels))[::-1]
                traces.append(Trace(instance, *pair, run, steps[: len(levels)], levels))
    found = ecdf(traces)
    curves = {pair: found[pair] for pair in sorted(found, key=lambda pair: found[pair].final)}
    return Ecdf(
        conditions=_conditions(experiment, instances, pairs, budget, None, runs),
        curves=curves,
        by_instance={
            instance: ecdf([one for one in traces if one.instance == instance])
            for instance in instances
        },
        instances=tuple(instances),
        areas={pair: curve.area(budget) for pair, curve in curves.items()},
        leads={
            pair: leads(curves[Pair(pair.algorithm, "linear")], curves[pair], budget)
            for pair in pairs
            if pair.representation == "direct"
        },
    )


def _fixed_target(experiment, instances, pairs, runs):
    random = np.random.default_rng(7)
    results = []
    for number, instance in enumerate(instances):
        for pair in pairs:
            for run in range(1, runs + 1):
                runtime = 1 + int(random.exponential(_quality(pair) * 2 ** (number + 1)))
                hard = pair == Pair("mimic", "direct") and number == len(instances) - 1
                solved = runtime < 9_000 and not hard
                results.append(
                    PlainResult(
                        instance,
                        *pair,
                        run,
                        0.0 if solved else 2.0,
                        runtime if solved else 77,
                        runtime if solved else 10_000,
                    )
                )
    by_instance = grouped(results)
    known = outline(experiment, instances, 0.0)
    groups = {"all": fixed_target_ranks(results)} | {
        name: fixed_target_ranks(
            [result for result in results if result.instance in group.instances]
        )
        for name, group in known.groups.items()
    }
    runtimes = runtime_tables(results)
    medians = {
        instance: {
            pair: Interval(line.summary.q1, line.summary.q3)
            for pair, line in {line.pair: line for line in lines}.items()
            if line.success_percent
        }
        for instance, lines in runtimes.items()
    }
    conditions = _conditions(experiment, instances, pairs, 10_000, 0.0, runs)
    samples = samples_of(results, runtime_to(0.0))
    expected = {
        instance: {pair: expected_running_time(sample) for pair, sample in by_pair.items()}
        for instance, by_pair in by_instance.items()
    }
    return FixedTarget(
        conditions=conditions,
        runtimes=runtimes,
        ranks=groups,
        expected_running_times=expected,
        medians=medians,
        comparisons=compare_representations(results, runtime_to(0.0)),
        blocks=blocked_ranks(conditions, samples),
        effects=representation_effects(conditions, samples),
        winner=winner_of(groups, samples),
        profiles=performance_profiles(expected),
        groups=known.groups,
        sizes=known.sizes,
        size=known.size,
    )


@cache
def example_study():
    """The paper's three experiments, smaller, and one of a user whose names need escaping."""
    budget = _fixed_budget(
        "fixed-budget", ("sudoku-easy-56", "sudoku-expert-55", "sudoku-17hint-64"), PAIRS, 8
    )
    course = _course("ecdf", ("sudoku-easy-56", "sudoku-expert-55"), PAIRS, 3, 10_000_000)
    target = _fixed_target(
        "fixed-target",
        tuple(f"small-dimension-{erased}-{letter}" for erased in (1, 3, 6) for letter in "ab"),
        PAIRS,
        8,
    )
    nasty = _fixed_budget(NASTY_EXPERIMENT, NASTY_INSTANCES, FEW, 5)
    return Study((budget, course, target, nasty), example_reference(budget, target))


def example_reference(budget, target):
    """Statements with every verdict, and published tables of which some figures differ."""
    return Reference(
        source="A. Berny (2021)",
        title="The experiments <repeated>",
        introduction="The experiments of a paper.",
        notices=["Something to be noticed."],
        scales={"ecdf": "The paper: 10 instances."},
        statements=[
            Statement(
                f"B{number}",
                "Fixed budget",
                "a table",
                "Linear & direct differ.",
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
                _beside(budget.ranks["all"], "fixed-budget-ranks"),
                _beside(budget.values["sudoku-easy-56"], "fixed-budget-values-easy-56"),
            ],
            "fixed-target": [
                *(
                    _beside(ranks, f"fixed-target-ranks-{group}")
                    for group, ranks in target.ranks.items()
                ),
                _beside(target.runtimes["small-dimension-3-a"], "fixed-target-runtimes-3-a"),
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
    return Study(
        (
            _fixed_budget("fixed-budget", instances, PAIRS, 8, missing),
            Ecdf(
                _conditions("ecdf", instances, PAIRS, 10**7, None, 3, nothing), {}, {}, (), {}, {}
            ),
            FixedTarget(
                _conditions("fixed-target", instances, PAIRS, 10**6, 0.0, 3, nothing, failed=2),
                {},
                {},
                {},
                {},
                (),
                {},
            ),
        ),
    )
