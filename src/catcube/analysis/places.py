"""What is known of each instance and pair, in one mapping or by instance."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias, TypeVar

from catcube.statistics import Pair

Place: TypeAlias = tuple[str, Pair]
"""An instance and a pair."""

Known = TypeVar("Known")


def by_place(known: Mapping[str, Mapping[Pair, Known]]) -> dict[Place, Known]:
    """What is known by instance, as one mapping.

    >>> by_place({"easy": {Pair("sa", "linear"): 1}})
    {('easy', Pair(algorithm='sa', representation='linear')): 1}
    """
    return {(name, pair): own for name, pairs in known.items() for pair, own in pairs.items()}


def by_instance(
    known: Mapping[Place, Known], instances: Iterable[str] = ()
) -> dict[str, dict[Pair, Known]]:
    """The same, by instance; those that are named are there though nothing is known of them.

    >>> by_instance({("easy", Pair("sa", "linear")): 1}, ["hard"])
    {'hard': {}, 'easy': {Pair(algorithm='sa', representation='linear'): 1}}
    """
    found: dict[str, dict[Pair, Known]] = {name: {} for name in instances}
    for (name, pair), own in known.items():
        found.setdefault(name, {})[pair] = own
    return found
