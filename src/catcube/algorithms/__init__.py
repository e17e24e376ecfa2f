"""The metaheuristics by name, one file each."""

from importlib import import_module

from catcube.algorithms.algorithm import Algorithm
from catcube.base.registry import Registry
from catcube.base.text import expect, expect_known
from catcube.errors import BadType

PAPER = ["rls", "hc", "sa", "ea-1p1", "ea-10p1", "ga", "pbil", "mimic", "umda", "ltga", "p3"]
FURTHER = ["surrogate"]

# The modules of the built-in ones, loaded on use.
MODULES = {name: name.replace("-", "_") for name in [*PAPER, *FURTHER]} | {"umda": "pbil"}

registered: Registry[str | Algorithm] = Registry("algorithm")
for _name, _module in MODULES.items():
    registered.add(_name, f"{__name__}.{_module}", f"{__name__}.{_module}")


def register(algorithm: Algorithm) -> Algorithm:
    """Register an algorithm of another package and return it; a name that is taken is an error."""
    expect(isinstance(algorithm, Algorithm), "an Algorithm", algorithm, BadType)
    algorithm.describe()  # raises an error for invalid parameters
    registered.add(algorithm.name, algorithm, algorithm.kernel.__module__)
    return algorithm


def names() -> list[str]:
    """Return the names of the paper's eleven algorithms, in its order; `registered` has all."""
    return list(PAPER)


def algorithm(name: str) -> Algorithm:
    """Return the algorithm with this name.

    >>> algorithm("rls").title
    'random local search with restart'
    """
    expect_known("algorithm", name, registered)
    found = registered[name]
    if isinstance(found, str):
        module = vars(import_module(found)).values()
        return next(one for one in module if isinstance(one, Algorithm) and one.name == name)
    return found
