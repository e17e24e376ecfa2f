"""What a claim is, what it is checked against, and what comes out."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from catcube.statistics import Curve, Pair, Table, by_pair

ALGORITHMS = (
    *("rls", "hc", "sa", "ea-1p1", "ea-10p1", "ga"),
    *("pbil", "umda", "mimic", "ltga", "p3"),
)
"""The algorithms of the paper; its pairs are these with both representations."""

Outcome = Literal["confirmed", "refuted", "undecided"]


@dataclass(frozen=True)
class Findings:
    """The tables and curves of complete experiments; what is not complete is left out."""

    budget_ranks: Table = ()
    budget_values: Mapping[str, Table] = field(default_factory=dict)  # by instance
    target_ranks: Mapping[str, Table] = field(default_factory=dict)  # all, low, medium
    target_runtimes: Mapping[str, Table] = field(default_factory=dict)  # by instance
    curves: Mapping[Pair, Curve] = field(default_factory=dict)
    curves_budget: int = 0


@dataclass(frozen=True)
class Verdict:
    """Whether a claim holds, why, and the figures behind it, by algorithm or instance.

    It is undecided if data are missing.
    """

    outcome: Outcome
    reason: str
    figures: Mapping[str, tuple[float, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Claim:
    """A statement of the paper in our own words, and the function that checks it."""

    id: str
    experiment: Literal["fixed-budget", "fixed-target", "ecdf"]
    sentence: str
    check: Callable[[Findings], Verdict]


def decided(holds: bool, reason: str, figures: Mapping[str, tuple[float, ...]]) -> Verdict:
    """A verdict from a truth value.

    >>> decided(2 < 1, "two is more than one", {"numbers": (2, 1)}).outcome
    'refuted'
    """
    return Verdict("confirmed" if holds else "refuted", reason, figures)


def undecided(missing: str) -> Verdict:
    """The verdict where something is not there.

    >>> undecided("the table of ranks").reason
    'missing: the table of ranks'
    """
    return Verdict("undecided", f"missing: {missing}")


def absent_pairs(present: Iterable[Pair], algorithms: Iterable[str] = ALGORITHMS) -> str:
    """The pairs of these algorithms that are not there, in words; nothing if all are.

    >>> absent_pairs([Pair("sa", "linear")], ["sa"])
    'sa-direct'
    """
    wanted = [Pair(name, own) for name in algorithms for own in ("linear", "direct")]
    present = set(present)
    return ", ".join("-".join(pair) for pair in wanted if pair not in present)


def dominance(table: Table, without: tuple[str, ...] = ()) -> Verdict:
    """Whether linear is ranked before direct for all algorithms but exactly those `without`.

    The figures are the places of linear and direct. An algorithm of `without` for which linear is
    ahead after all refutes too: the claim names the exceptions.
    """
    lines = by_pair(table)
    absent = absent_pairs(lines)
    if absent:
        return undecided(absent)
    places: dict[str, tuple[float, ...]] = {
        name: (lines[Pair(name, "linear")].rank, lines[Pair(name, "direct")].rank)
        for name in ALGORITHMS
    }
    ahead = {name for name, (linear, direct) in places.items() if linear < direct}
    behind = [name for name in ALGORITHMS if name not in ahead and name not in without]
    unexpected = [name for name in without if name in ahead]
    parts = [f"linear is ranked before direct for {len(ahead)} of {len(ALGORITHMS)} algorithms"]
    for word, names in (("not", behind), ("also", unexpected)):
        if names:
            told = (f"{name} (places {places[name][0]} and {places[name][1]})" for name in names)
            parts.append(f"{word} for {', '.join(told)}")
    return decided(not behind and not unexpected, "; ".join(parts), places)
