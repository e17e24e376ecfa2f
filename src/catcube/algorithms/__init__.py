"""The metaheuristics by name, one file each."""

from importlib import import_module

from catcube.algorithms.algorithm import Algorithm
from catcube.names import unknown_name_message

# Name of an algorithm and the module that holds it; loaded when asked for.
MODULES = {
    "rls": "catcube.algorithms.rls",
    "sa": "catcube.algorithms.sa",
}


def names() -> list[str]:
    """The names of all algorithms, in the paper's order."""
    return list(MODULES)


def algorithm(name: str) -> Algorithm:
    """The algorithm of this name.

    >>> algorithm("rls").title
    'random local search with restart'
    """
    if name not in MODULES:
        raise ValueError(unknown_name_message("algorithm", name, MODULES))
    found: Algorithm = import_module(MODULES[name]).ALGORITHM
    return found
