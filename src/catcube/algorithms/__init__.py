"""The metaheuristics by name, one file each."""

from importlib import import_module

from catcube.algorithms.algorithm import Algorithm
from catcube.base.registry import Registry
from catcube.base.text import unknown_name_message
from catcube.errors import BadType, BadValue

# The built-in ones, in the paper's order; the modules are loaded on use.
MODULES = {
    "rls": "catcube.algorithms.rls",
    "hc": "catcube.algorithms.hc",
    "sa": "catcube.algorithms.sa",
    "ea-1p1": "catcube.algorithms.ea_1p1",
    "ea-10p1": "catcube.algorithms.ea_10p1",
    "ga": "catcube.algorithms.ga",
    "pbil": "catcube.algorithms.pbil",
    "mimic": "catcube.algorithms.mimic",
    "umda": "catcube.algorithms.pbil",
    "ltga": "catcube.algorithms.ltga",
    "p3": "catcube.algorithms.p3",
}

# Others than the metaheuristics of the paper.
FURTHER = {"surrogate": "catcube.algorithms.surrogate"}


registered: Registry[str | Algorithm] = Registry("algorithm")
for _name, _module in {**MODULES, **FURTHER}.items():
    registered.add(_name, _module, _module)


def register(algorithm: Algorithm) -> Algorithm:
    """Register an algorithm of another package and return it; a name that is taken is an error."""
    if not isinstance(algorithm, Algorithm):
        raise BadType(f"expected an Algorithm, got {algorithm!r}")
    algorithm.described()  # raises an error for invalid parameters
    registered.add(algorithm.name, algorithm, algorithm.kernel.__module__)
    return algorithm


def names() -> list[str]:
    """Return the names of the paper's eleven algorithms, in its order; `registered` has all."""
    return list(MODULES)


def algorithm(name: str) -> Algorithm:
    """Return the algorithm with this name.

    >>> algorithm("rls").title
    'random local search with restart'
    """
    if name not in registered:
        raise BadValue(unknown_name_message("algorithm", name, registered))
    found = registered[name]
    if isinstance(found, str):
        module = vars(import_module(found)).values()
        return next(one for one in module if isinstance(one, Algorithm) and one.name == name)
    return found
