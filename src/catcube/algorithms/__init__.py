"""The metaheuristics by name, one file each."""

from importlib import import_module

from catcube.algorithms.algorithm import Algorithm
from catcube.names import unknown_name_message

# Name of an algorithm and the module that holds it; loaded when asked for.
MODULES = {
    "rls": "catcube.algorithms.rls",
    "hc": "catcube.algorithms.hc",
    "sa": "catcube.algorithms.sa",
    "ea-1p1": "catcube.algorithms.ea_1p1",
    "ea-10p1": "catcube.algorithms.ea_10p1",
    "ga": "catcube.algorithms.ga",
    "pbil": "catcube.algorithms.pbil",
    "mimic": "catcube.algorithms.mimic",
    "umda": "catcube.algorithms.umda",
    "ltga": "catcube.algorithms.ltga",
    "p3": "catcube.algorithms.p3",
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
