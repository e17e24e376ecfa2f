"""Tables of pairs, best first, and the tables of ranks made of them."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from catcube.statistics.results import Pair
from catcube.statistics.summaries import Summary, summary

Name = TypeVar("Name", bound=Hashable)


class Line(NamedTuple):
    """One pair in a table: its place, and the summary of its values, runtimes or ranks."""

    algorithm: str
    representation: str
    place: int
    summary: Summary
    success_percent: int | None = None  # whole, rounded down: 100 only if every run succeeded

    @property
    def pair(self) -> Pair:
        """The algorithm and the representation."""
        return Pair(self.algorithm, self.representation)


Table = Sequence[Line]
"""Lines by place; equal ones in the order in which they came."""


def ranks(keys: Mapping[Name, Any]) -> dict[Name, int]:
    """One more than the number of smaller keys: 1, 2, 2, 4. The smallest key comes first.

    >>> ranks({"a": 5, "b": 3, "c": 5, "d": 9})
    {'b': 1, 'a': 2, 'c': 2, 'd': 4}
    """
    order = sorted(keys, key=lambda name: keys[name])
    places: dict[Name, int] = {}
    for position, name in enumerate(order):
        tied = position > 0 and keys[name] == keys[order[position - 1]]
        places[name] = places[order[position - 1]] if tied else position + 1
    return places


def table(
    summaries: Mapping[Pair, Summary], successes: Mapping[Pair, tuple[int, int]] | None = None
) -> list[Line]:
    """The pairs by rate of success (if `successes` has successful runs and all runs), then summary.

    >>> first, second = Summary(0, 1, 2, 3, 4), Summary(0, 0, 3, 3, 3)
    >>> [line.place for line in table({("sa", "direct"): second, ("sa", "linear"): first})]
    [1, 2]
    """
    if successes is None:
        places = ranks({pair: own.key for pair, own in summaries.items()})
        return [Line(*pair, place, summaries[pair]) for pair, place in places.items()]
    # Sorted by the exact rate: two pairs with the same whole percent need not be equal.
    rates = {pair: successes[pair][0] / successes[pair][1] for pair in summaries}
    places = ranks({pair: (-rates[pair], own.key) for pair, own in summaries.items()})
    return [
        Line(*pair, place, summaries[pair], whole_percent(*successes[pair]))
        for pair, place in places.items()
    ]


def whole_percent(successes: int, runs: int) -> int:
    """Rounded down, in integers: 0.29 * 100 is less than 29.

    >>> whole_percent(29, 100), whole_percent(3999, 4000)
    (29, 99)
    """
    return successes * 100 // runs


def rank_summaries(tables: Iterable[Table]) -> dict[Pair, Summary]:
    """The summary of the places of each pair in several tables, all with the same pairs.

    >>> line = Line("sa", "linear", 1, Summary(0, 0, 0, 0, 0))
    >>> rank_summaries([[line], [line._replace(place=2)]])[("sa", "linear")].median
    1.5
    """
    places: dict[Pair, list[int]] = {}
    tables = list(tables)
    for one in tables:
        for line in one:
            places.setdefault(line.pair, []).append(line.place)
    for pair, own in places.items():
        if len(own) != len(tables):
            raise ValueError(f"{'-'.join(pair)} is in {len(own)} of {len(tables)} tables")
    return {pair: summary(own) for pair, own in places.items()}


def by_pair(lines: Table) -> dict[Pair, Line]:
    """The lines of a table, to be looked up.

    >>> by_pair([Line("sa", "linear", 1, Summary(0, 0, 0, 0, 0))])[("sa", "linear")].place
    1
    """
    return {line.pair: line for line in lines}
