"""Optimise functions of categorical variables, from 50 expensive calls to 10^9 cheap ones.

The public names are loaded when they are first used, so that `import catcube` and
`catcube --help` start without numpy and numba.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from catcube import problems
    from catcube.algorithms.surrogate.proposals import propose
    from catcube.errors import CatcubeError
    from catcube.problems import compiled
    from catcube.problems.bit_problem import BitProblem
    from catcube.problems.problem import Problem
    from catcube.representations import Representation, representation
    from catcube.search.constraints import forbid
    from catcube.search.minimize import maximize, minimize
    from catcube.search.optimizer import Optimizer
    from catcube.search.result import History, Result
    from catcube.search.study import Study
    from catcube.search.watch import Progress
    from catcube.space import Space
    from catcube.studies.compare import compare

__version__ = "0.2.0"

__all__ = [
    "BitProblem",
    "CatcubeError",
    "History",
    "Optimizer",
    "Problem",
    "Progress",
    "Representation",
    "Result",
    "Space",
    "Study",
    "__version__",
    "compare",
    "compiled",
    "forbid",
    "maximize",
    "minimize",
    "problems",
    "propose",
    "representation",
]

# Public name -> the module that defines it. No public name may be the name of a module of this
# package (importing the module would replace it), hence the plural `representations`.
_HOMES = {
    "BitProblem": "catcube.problems.bit_problem",
    "CatcubeError": "catcube.errors",
    "History": "catcube.search.result",
    "Optimizer": "catcube.search.optimizer",
    "Problem": "catcube.problems.problem",
    "Progress": "catcube.search.watch",
    "Representation": "catcube.representations",
    "Result": "catcube.search.result",
    "Space": "catcube.space",
    "Study": "catcube.search.study",
    "compare": "catcube.studies.compare",
    "compiled": "catcube.problems",
    "forbid": "catcube.search.constraints",
    "maximize": "catcube.search.minimize",
    "minimize": "catcube.search.minimize",
    "propose": "catcube.algorithms.surrogate.proposals",
    "representation": "catcube.representations",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        value = getattr(_loaded(_HOMES[name]), name)
    elif name == "problems":
        value = _loaded("catcube.problems")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def _loaded(module: str) -> ModuleType:
    """Import a module; Ctrl-C waits, because numba cannot be imported again after half of it."""
    from catcube.search.interrupt import postpone_interrupt

    with postpone_interrupt():
        return import_module(module)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
