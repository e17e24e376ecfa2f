"""Statements about the values found with 300,000 evaluations."""

import numpy as np

from catcube.statistics import Pair, by_pair, cliffs_delta, mann_whitney
from catcube.studies.paper.published import published
from catcube.studies.paper.significance import permuted_means, rate_above
from catcube.studies.paper.statements import ranks
from catcube.studies.paper.statements.evidence import Evidence, both, rank
from catcube.studies.paper.statements.statement import (
    ALGORITHMS,
    Condition,
    Outcome,
    PaperStatement,
    all_of,
    percent,
)

FIGURE = "sudoku-intermediate-54"
"""The instance of the paper's figure 2."""
SHOWN = "sudoku-easy-56"
"""The instance whose values are published."""
SELDOM = 0.05
"""What happens in at most so many of the runs happens almost never."""
FIRST = Pair("sa", "linear")
_TOPIC = "Fixed budget"


def improves_mean(evidence: Evidence, algorithm: str) -> Outcome:
    """Check that linear has the smaller mean value; for MIMIC, that it has not."""
    linear, direct = (evidence.budget_section.samples[FIGURE][pair] for pair in both(algorithm))
    means = float(linear.mean()), float(direct.mean())
    found = Condition(means[0] < means[1], permuted_means(linear, direct))
    return Outcome(
        found.negated() if algorithm == "mimic" else found,
        means,
        f"mean {means[0]:.2f} with linear, {means[1]:.2f} with direct",
    )


def profits(evidence: Evidence, algorithm: str) -> Outcome:
    """Check that linear is ranked before direct on the instance; for MIMIC, that it is not."""
    section = evidence.budget_section
    linear, direct = both(algorithm)
    values = section.samples[SHOWN]
    positions = [rank(section.values[SHOWN], pair) for pair in (linear, direct)]
    delta = cliffs_delta(values[linear], values[direct])
    true = positions[0] < positions[1]
    p = mann_whitney(values[linear], values[direct]) if (delta > 0) == true else 1.0
    medians = [float(np.median(values[pair])) for pair in (linear, direct)]
    found = Condition(true, p)
    return Outcome(
        found.negated() if algorithm == "mimic" else found,
        (*positions, *medians),
        f"rank {positions[0]} with linear, {positions[1]} with direct",
    )


def linear_dominates(evidence: Evidence, algorithm: str) -> Outcome:
    """Check the table of ranks over the ten instances."""
    section = evidence.budget_section
    return ranks.dominance(algorithm, section.ranks["all"], list(section.values.values()), ())


def is_first(evidence: Evidence, _: str) -> Outcome:
    """Check that SA-linear has rank 1 on every instance, against every other pair."""
    section = evidence.budget_section
    conditions = {}
    for instance, table in section.values.items():
        samples = section.samples[instance]
        for pair in samples:
            if pair != FIRST:
                true = rank(table, FIRST) <= rank(table, pair)
                delta = cliffs_delta(samples[FIRST], samples[pair])
                p = mann_whitney(samples[FIRST], samples[pair]) if (delta > 0) == true else 1.0
                conditions[instance, pair] = Condition(true, p)
    found = [rank(table, FIRST) for table in section.values.values()]
    closest = max(conditions, key=lambda key: conditions[key].p)
    first = sum(position == 1 for position in found)
    return Outcome(
        all_of(list(conditions.values())),
        (first, max(found)),
        f"rank 1 on {first} of {len(found)} instances; the closest is {'-'.join(closest[1])} on "
        f"{closest[0]}",
    )


def seldom_optimal(evidence: Evidence, _: str) -> Outcome:
    """Check how many of all runs find an optimum."""
    samples = evidence.budget_section.samples
    by_pair: dict[Pair, int] = {}
    total = 0
    for pairs in samples.values():
        for pair, values in pairs.items():
            by_pair[pair] = by_pair.get(pair, 0) + int((values == 0).sum())
            total += values.size
    count = sum(by_pair.values())
    true = count <= SELDOM * total
    most = max(by_pair, key=lambda pair: by_pair[pair])
    return Outcome(
        Condition(true, 0.0 if true else rate_above(count, total, SELDOM)),
        (count, total, 100 * count / total),
        f"{count:,} of {total:,} runs find an optimum ({100 * count / total:.1f} %), "
        f"{by_pair[most]:,} of them with {'-'.join(most)}",
    )


def _published_first(_: str) -> str:
    line = by_pair(published("fixed-budget-ranks"))[FIRST]
    return "" if line.summary.max == 1 else f"its worst rank is {line.summary.max:g}"


STATEMENTS = (
    PaperStatement(
        "B1",
        _TOPIC,
        "figure 2, intermediate-54",
        "All algorithms but MIMIC have a smaller mean value with linear.",
        ALGORITHMS,
        ("fixed-budget",),
        ("mean with linear", "mean with direct"),
        f"Means of 20 runs on {FIGURE}; the test exchanges runs between the two samples (9,999 "
        "permutations) and compares the difference of the means.",
        improves_mean,
    ),
    PaperStatement(
        "B2",
        _TOPIC,
        "table of values, easy-56",
        "Only MIMIC does not profit from linear.",
        ALGORITHMS,
        ("fixed-budget",),
        ("rank of linear", "rank of direct", "median with linear", "median with direct"),
        f"Ranks in the table of values on {SHOWN}; the test is that of Mann and Whitney on the 20 "
        "values of each pair.",
        profits,
        ranks.published_dominance("fixed-budget-values-easy-56", ("mimic",)),
    ),
    PaperStatement(
        "B3",
        _TOPIC,
        "table of ranks over ten instances",
        "Linear dominates direct, for every algorithm.",
        ALGORITHMS,
        ("fixed-budget",),
        ranks.COLUMNS,
        ranks.TEST,
        linear_dominates,
        ranks.published_dominance("fixed-budget-ranks", ()),
    ),
    PaperStatement(
        "B4",
        _TOPIC,
        "table of ranks over ten instances",
        "SA with linear is first, on every instance.",
        ("sa-linear",),
        ("fixed-budget",),
        ("instances with rank 1", "worst rank"),
        "Mann–Whitney tests of its values against those of every other pair on every instance; "
        "all have to be significant.",
        is_first,
        _published_first,
    ),
    PaperStatement(
        "B5",
        _TOPIC,
        "introduction of the fixed target",
        "An optimum is almost never found with 300,000 evaluations.",
        ("all pairs",),
        ("fixed-budget",),
        ("runs with an optimum", "runs", "percent"),
        f"Holds if at most {percent(SELDOM)} of all runs find an optimum, since “almost never” is "
        "no figure; contradicted if a binomial test says that more do.",
        seldom_optimal,
    ),
)
