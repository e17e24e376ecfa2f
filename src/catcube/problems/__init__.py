"""Problems: shipped ones, those of plug-ins, and functions of the user.

The names are loaded on first use: reading a board does not need numba.

>>> from catcube.problems import make
>>> make("match:20,9,seed=3").hidden["x0"]
7
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from catcube.problems.colouring import Colouring
    from catcube.problems.compilation import Compiled, CompiledProblem, compiled
    from catcube.problems.csp import Csp
    from catcube.problems.ehrlich import Ehrlich
    from catcube.problems.factors.problem import Factors
    from catcube.problems.hiff import Hiff
    from catcube.problems.latin import Latin
    from catcube.problems.nk import NK
    from catcube.problems.objective import PythonProblem
    from catcube.problems.onemax import LeadingOnes, Match, OneMax
    from catcube.problems.pest import Pest
    from catcube.problems.potts import Potts
    from catcube.problems.problem import Problem
    from catcube.problems.qap import Qap
    from catcube.problems.registry import is_problem, kind, kinds, make
    from catcube.problems.sudoku.problem import Sudoku
    from catcube.problems.suites import Suite, suite
    from catcube.problems.trap import Trap
    from catcube.problems.words import Words

__all__ = [
    "NK",
    "Colouring",
    "Compiled",
    "CompiledProblem",
    "Csp",
    "Ehrlich",
    "Factors",
    "Hiff",
    "Latin",
    "LeadingOnes",
    "Match",
    "OneMax",
    "Pest",
    "Potts",
    "Problem",
    "PythonProblem",
    "Qap",
    "Sudoku",
    "Suite",
    "Trap",
    "Words",
    "compiled",
    "is_problem",
    "kind",
    "kinds",
    "make",
    "suite",
]

_MODULES = {
    "colouring": ("Colouring",),
    "compilation": ("Compiled", "CompiledProblem", "compiled"),
    "csp": ("Csp",),
    "ehrlich": ("Ehrlich",),
    "factors.problem": ("Factors",),
    "hiff": ("Hiff",),
    "suites": ("Suite", "suite"),
    "latin": ("Latin",),
    "nk": ("NK",),
    "objective": ("PythonProblem",),
    "onemax": ("LeadingOnes", "Match", "OneMax"),
    "pest": ("Pest",),
    "potts": ("Potts",),
    "problem": ("Problem",),
    "qap": ("Qap",),
    "registry": ("is_problem", "kind", "kinds", "make"),
    "sudoku.problem": ("Sudoku",),
    "trap": ("Trap",),
    "words": ("Words",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
