"""The registry of families of representations.

A family is a function of the number of categories N, and of parameters, that returns a
`Representation`. It is registered with a name and a description.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from catcube.base.registry import Registry
from catcube.base.text import expect, expect_known
from catcube.errors import BadType
from catcube.representations.representation import Representation


class Family(NamedTuple):
    """A family of representations: its name and description, its function and a parser."""

    name: str
    description: str
    build: Callable[..., Representation]
    parse: Callable[[str], dict[str, Any]] | None  # of the parameters in "name:parameters"


families: Registry[Family] = Registry("representation")
_BUILTIN = "direct gray linear balanced compact unary vt product covering"
for _name in _BUILTIN.split():
    families.declare(_name, "catcube.representations.constructions")

NATIVE = "native"
"""The name of the search on categories, without a representation."""

NATIVE_DESCRIPTION = "no bits: the algorithm works on the categories themselves"

MOST_CATEGORIES = 2**16  # some families have as many bits

Build = Callable[..., Representation]


def family(
    name: str, description: str, parse: Callable[[str], dict[str, Any]] | None = None
) -> Callable[[Build], Build]:
    """Register the decorated function as a family of representations.

    Parameters
    ----------
    name
        The name; a name that is taken is an error.
    description
        A description of one line.
    parse
        For a function with keyword parameters: parses them from text, the part after the colon in
        "product:2+2".

    Returns
    -------
    callable
        The decorator, which returns the function.

    Examples
    --------
    >>> families["gray"].build(4)
    Representation('gray', bits=2, categories=4)
    """

    def register(build: Build) -> Build:
        expect(name != NATIVE, f"another name than {NATIVE!r}, a search without bits", name)
        families.add(name, Family(name, description, build, parse), build.__module__)
        return build

    return register


def representation(name: str, N: int, **parameters: Any) -> Representation:
    """Return a representation of N categories by the name of its family.

    Parameters
    ----------
    name
        The name of a family (see `catcube list representations`), optionally followed by a colon
        and its parameters.
    N
        The number of categories.
    **parameters
        The parameters of the family, such as `blocks` of "product".

    Returns
    -------
    Representation
        The representation, with its exact properties.

    Examples
    --------
    >>> representation("linear", 9)
    Representation('linear', bits=15, categories=9)
    >>> representation("product", 16, blocks=(3, 1)) == representation("product:3+1", 16)
    True
    >>> representation("covering:3", 256).bits
    14
    >>> list(families)[:3]
    ['direct', 'gray', 'linear']
    """
    is_integer = isinstance(N, int | np.integer) and not isinstance(N, bool)
    expected = f"an integer number of categories from 1 to {MOST_CATEGORIES:,}"
    expect(is_integer and 1 <= N <= MOST_CATEGORIES, expected, N)
    expect(isinstance(name, str), "the name of a representation", name, BadType)
    base, colon, suffix = name.partition(":")
    expect(base != NATIVE, "a representation with bits, not a search without them", NATIVE)
    if base not in families:  # which loads the plug-ins
        expect_known("representation", base, sorted([*families, NATIVE]))
    found = families[base]
    if found.parse is None:
        expected = f"no parameters of the representation {base!r}"
        expect(not colon and not parameters, expected, suffix or parameters)
    elif colon:
        parameters = {**found.parse(suffix), **parameters}
    try:
        built = found.build(int(N), **parameters)
        expect(isinstance(built, Representation), "a Representation", built, BadType)
    except Exception as error:
        error.add_note(f"in the representation {base!r} of {N} categories")
        raise
    built.description = built.description or found.description
    return built
