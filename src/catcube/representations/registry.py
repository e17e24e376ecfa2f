"""The registry of families of representations.

A family is a function from a number of categories N (and parameters of the family) to a
`Representation`. It registers itself under its name with one line about it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from catcube.base.registry import Registry
from catcube.base.text import quoted, unknown_name_message
from catcube.errors import BadType, BadValue
from catcube.representations.representation import Representation


class Family(NamedTuple):
    """A family of representations: its name, one line about it, and how to build a member."""

    name: str
    description: str
    build: Callable[..., Representation]
    parse: Callable[[str], dict[str, Any]] | None  # of the parameters in "name:parameters"


families: Registry[Family] = Registry("representation")
_SHIPPED = "direct gray linear balanced compact unary vt product covering"
for _name in _SHIPPED.split():
    families.promise(_name, "catcube.representations.constructions")

NATIVE = "native"
"""The name of the search on the categories themselves, without a representation."""

NATIVE_DESCRIPTION = "no bits: the algorithm works on the categories themselves"

MOST_CATEGORIES = 2**16  # some families have as many bits, and are checked word by word

Build = Callable[..., Representation]


def family(
    name: str, description: str, parse: Callable[[str], dict[str, Any]] | None = None
) -> Callable[[Build], Build]:
    """Register the decorated function as a family; a name that is taken is an error.

    The function takes N and keyword parameters. `parse`, for families with parameters, turns the
    part after the colon in "product:2+2" into these keywords.
    """

    def register(build: Build) -> Build:
        if name == NATIVE:
            raise BadValue(f"the name {NATIVE!r} is reserved for searches without bits")
        families.add(name, Family(name, description, build, parse), build.__module__)
        return build

    return register


def representation(name: str, N: int, **parameters: Any) -> Representation:
    """Return the representation of N categories from the family of that name.

    Parameters of a family are given by keyword, or in the name after a colon.

    >>> representation("linear", 9)
    Representation('linear', bits=15, categories=9)
    >>> representation("product", 16, blocks=(3, 1)) == representation("product:3+1", 16)
    True
    >>> representation("covering:3", 256).bits
    14
    >>> list(families)[:3]
    ['direct', 'gray', 'linear']
    """
    if isinstance(N, bool) or not isinstance(N, int | np.integer) or N < 1:
        raise BadValue(f"expected an integer number of categories of at least 1, got {quoted(N)}")
    if N > MOST_CATEGORIES:
        raise BadValue(f"expected at most {MOST_CATEGORIES:,} categories, got {quoted(N)}")
    if not isinstance(name, str):
        raise BadType(f"expected the name of a representation, got {quoted(name)}")
    base, colon, suffix = name.partition(":")
    if base == NATIVE:
        raise BadValue(
            "expected a representation with bits, got 'native': it is a search on the categories "
            "themselves and has none"
        )
    if base not in families:
        known = sorted([*families, NATIVE])
        raise BadValue(unknown_name_message("representation", base, known))
    found = families[base]
    if found.parse is None and (colon or parameters):
        got = repr(suffix) if colon else ", ".join(parameters)
        raise BadValue(f"expected no parameters of the representation {base!r}, got {got}")
    if found.parse and colon:
        parameters = {**found.parse(suffix), **parameters}
    built = found.build(int(N), **parameters)
    built.description = built.description or found.description
    return built
