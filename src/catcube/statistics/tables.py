"""Tables of pairs, best first, and the tables of ranks made of them."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from catcube.errors import BadValue
from catcube.statistics.results import Pair
from catcube.statistics.summaries import Summary, summary

Name = TypeVar("Name", bound=Hashable)


class Line(NamedTuple):
    """One pair in a table: its rank, and the summary of its values, runtimes or ranks."""

    algorithm: str
    representation: str
    rank: int
    summary: Summary
    success_percent: int | None = None  # whole, rounded down: 100 only if every run succeeded

    @property
    def pair(self) -> Pair:
        """The algorithm and the representation."""
        return Pair(self.algorithm, self.representation)


Table = Sequence[Line]
"""Lines by rank; equal ones in the order in which they came."""


def ranks(keys: Mapping[Name, Any]) -> dict[Name, int]:
    """Rank keys: one more than the number of smaller keys, as 1, 2, 2, 4; the smallest first.

    >>> ranks({"a": 5, "b": 3, "c": 5, "d": 9})
    {'b': 1, 'a': 2, 'c': 2, 'd': 4}
    """
    order = sorted(keys, key=lambda name: keys[name])
    found: dict[Name, int] = {}
    for index, name in enumerate(order):
        tied = index > 0 and keys[name] == keys[order[index - 1]]
        found[name] = found[order[index - 1]] if tied else index + 1
    return found


def table(
    summaries: Mapping[Pair, Summary], successes: Mapping[Pair, tuple[int, int]] | None = None
) -> list[Line]:
    """Rank pairs by rate of success (if given successful runs and all runs), then by summary.

    >>> first, second = Summary(0, 1, 2, 3, 4), Summary(0, 0, 3, 3, 3)
    >>> [line.rank for line in table({("sa", "direct"): second, ("sa", "linear"): first})]
    [1, 2]
    """
    if successes is None:
        found = ranks({pair: numbers.key for pair, numbers in summaries.items()})
        return [Line(*pair, rank, summaries[pair]) for pair, rank in found.items()]
    # Sorted by the exact rate: two pairs with the same whole percent need not be equal.
    rates = {pair: successes[pair][0] / successes[pair][1] for pair in summaries}
    found = ranks({pair: (-rates[pair], numbers.key) for pair, numbers in summaries.items()})
    return [
        Line(*pair, rank, summaries[pair], whole_percent(*successes[pair]))
        for pair, rank in found.items()
    ]


def whole_percent(successes: int, runs: int) -> int:
    """Round a percentage down, in integers: 0.29 * 100 is less than 29.

    >>> whole_percent(29, 100), whole_percent(3999, 4000)
    (29, 99)
    """
    return successes * 100 // runs


def rank_summaries(tables: Iterable[Table]) -> dict[Pair, Summary]:
    """Summarise the ranks of each pair in several tables, all with the same pairs.

    >>> line = Line("sa", "linear", 1, Summary(0, 0, 0, 0, 0))
    >>> rank_summaries([[line], [line._replace(rank=2)]])[("sa", "linear")].median
    1.5
    """
    found: dict[Pair, list[int]] = {}
    tables = list(tables)
    for one in tables:
        for line in one:
            found.setdefault(line.pair, []).append(line.rank)
    for pair, pair_ranks in found.items():
        if len(pair_ranks) != len(tables):
            raise BadValue(f"{'-'.join(pair)} is in {len(pair_ranks)} of {len(tables)} tables")
    return {pair: summary(pair_ranks) for pair, pair_ranks in found.items()}


def by_pair(lines: Table) -> dict[Pair, Line]:
    """Return the lines of a table by their pair.

    >>> by_pair([Line("sa", "linear", 1, Summary(0, 0, 0, 0, 0))])[("sa", "linear")].rank
    1
    """
    return {line.pair: line for line in lines}
