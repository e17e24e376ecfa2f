"""The algorithms by name, one file each."""

from importlib import import_module

from catcube.algorithms.algorithm import Algorithm
from catcube.base.registry import Registry
from catcube.base.text import expect, expect_known
from catcube.errors import BadType

PAPER = ["rls", "hc", "sa", "ea-1p1", "ea-10p1", "ga", "pbil", "mimic", "umda", "ltga", "p3"]
FURTHER = ["surrogate"]

# The modules of the built-in algorithms, imported on use.
MODULES = {name: name.replace("-", "_") for name in [*PAPER, *FURTHER]} | {"umda": "pbil"}

registered: Registry[str | Algorithm] = Registry("algorithm")
for _name, _module in MODULES.items():
    registered.add(_name, f"{__name__}.{_module}", f"{__name__}.{_module}")


def register(algorithm: Algorithm) -> Algorithm:
    """Register an algorithm of another package.

    Parameters
    ----------
    algorithm
        The algorithm; a name that is taken is an error.

    Returns
    -------
    Algorithm
        The same algorithm.

    Examples
    --------
    >>> register(algorithm("rls"))
    Traceback (most recent call last):
    catcube.errors.BadValue: the algorithm 'rls' of catcube is already registered by catcube
    """
    expect(isinstance(algorithm, Algorithm), "an Algorithm", algorithm, BadType)
    algorithm.describe()  # raises an error for invalid parameters
    registered.add(algorithm.name, algorithm, algorithm.kernel.__module__)
    return algorithm


def names() -> list[str]:
    """Return the names of the eleven algorithms of the paper, in its order.

    Returns
    -------
    list of str
        The names; `registered` contains all others, too.

    Examples
    --------
    >>> names()[:3]
    ['rls', 'hc', 'sa']
    """
    return list(PAPER)


def algorithm(name: str) -> Algorithm:
    """Return an algorithm by name.

    Parameters
    ----------
    name
        The name, in `registered`.

    Returns
    -------
    Algorithm
        The algorithm.

    Examples
    --------
    >>> algorithm("rls").title
    'random local search with restart'
    """
    expect_known("algorithm", name, registered)
    found = registered[name]
    if isinstance(found, str):
        module = vars(import_module(found)).values()
        return next(one for one in module if isinstance(one, Algorithm) and one.name == name)
    return found
