"""Claims about the runs that solve boards with one to ten erased cells."""

from functools import partial

from catcube.paper.boards import erased_cells
from catcube.paper.claims.claim import (
    Claim,
    Findings,
    Verdict,
    absent_pairs,
    decided,
    dominance,
    undecided,
)
from catcube.statistics import Pair, by_pair

ERASED = 6
"""Up to so many erased cells, all runs are said to succeed."""


def local_search_is_first(findings: Findings) -> Verdict:
    """RLS-linear has place 1 over all instances, alone; the figure is its place."""
    lines = by_pair(findings.target_ranks.get("all", ()))
    own = lines.get(Pair("rls", "linear"))
    absent = absent_pairs(lines)
    if own is None or absent:
        return undecided(absent)
    shared = sum(line.rank == own.rank for line in lines.values()) > 1
    return decided(
        own.rank == 1 and not shared,
        f"rls-linear has place {own.rank}" + (", not alone" if shared else ""),
        {"rls": (own.rank,)},
    )


def linear_dominates(findings: Findings, group: str, without: tuple[str, ...]) -> Verdict:
    """In the table of ranks of a group of instances."""
    if group not in findings.target_ranks:
        return undecided(f"the ranks over {group} instances")
    return dominance(findings.target_ranks[group], without)


def only_annealing_fails(findings: Findings) -> Verdict:
    """On every board with up to six erased cells all runs succeed, but not all of SA.

    The figures are the lowest success percents of each algorithm, with linear and with direct.
    One run of another algorithm that fails is enough to refute; to confirm, all 24 boards must
    be there, with all pairs.
    """
    tables = {
        instance: {
            line.pair: line.success_percent for line in table if line.success_percent is not None
        }
        for instance, table in findings.target_runtimes.items()
        if (erased_cells(instance) or ERASED + 1) <= ERASED
    }
    lowest: dict[Pair, int] = {}
    for percents in tables.values():
        for pair, percent in percents.items():
            lowest[pair] = min(lowest.get(pair, 100), percent)
    figures: dict[str, tuple[float, ...]] = {
        name: tuple(lowest.get(Pair(name, own), float("nan")) for own in ("linear", "direct"))
        for name in dict.fromkeys(pair.algorithm for pair in lowest)
    }
    failed = sorted({pair.algorithm for pair, percent in lowest.items() if percent < 100} - {"sa"})
    if failed:
        worst = {
            name: min(own for pair, own in lowest.items() if pair[0] == name) for name in failed
        }
        told = (f"{name} ({percent} % on its worst board)" for name, percent in worst.items())
        return decided(False, f"not all runs succeed of {', '.join(told)}", figures)
    wanted = [f"small-dimension-{r}-{letter}" for r in range(1, ERASED + 1) for letter in "abcd"]
    absent = [name for name in wanted if absent_pairs(tables.get(name, ()))]
    if absent:
        return undecided(
            f"complete runtimes on {len(absent)} of {len(wanted)} boards, such as {absent[0]}"
        )
    fails = min(figures["sa"]) < 100
    return decided(fails, "SA's runs " + ("alone fail" if fails else "succeed, too"), figures)


def _dominance_claim(group: str, where: str, without: tuple[str, ...]) -> Claim:
    names = [name.upper() for name in without]
    return Claim(
        f"target-linear-dominates-{group}",
        "fixed-target",
        f"To a fixed target, linear is ranked before direct {where} for all algorithms but "
        f"{', '.join(names[:-1])} and {names[-1]}.",
        partial(linear_dominates, group=group, without=without),
    )


CLAIMS = (
    Claim(
        "target-rls-linear-first",
        "fixed-target",
        "To a fixed target, random local search with linear is first over all instances.",
        local_search_is_first,
    ),
    _dominance_claim("all", "over all instances", ("ga", "mimic")),
    _dominance_claim("low", "on one to five erased cells", ("ga", "pbil", "umda", "mimic")),
    _dominance_claim("medium", "on six to ten erased cells", ("ga", "mimic")),
    Claim(
        "target-only-sa-fails",
        "fixed-target",
        "Up to six erased cells, all runs succeed except some of simulated annealing.",
        only_annealing_fails,
    ),
)
