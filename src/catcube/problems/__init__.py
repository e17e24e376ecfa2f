"""Problems: built-in ones, those of plug-ins, and functions of the user.

The names are loaded on first use.

>>> from catcube.problems import make
>>> make("match:20,9,seed=3").hidden["x0"]
7
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from catcube.problems.colouring import Colouring as Colouring
    from catcube.problems.compilation import Compiled as Compiled
    from catcube.problems.compilation import CompiledProblem as CompiledProblem
    from catcube.problems.compilation import compiled as compiled
    from catcube.problems.csp import Csp as Csp
    from catcube.problems.ehrlich import Ehrlich as Ehrlich
    from catcube.problems.factors import Factors as Factors
    from catcube.problems.hiff import Hiff as Hiff
    from catcube.problems.latin import Latin as Latin
    from catcube.problems.nk import NK as NK
    from catcube.problems.objective import PythonProblem as PythonProblem
    from catcube.problems.onemax import LeadingOnes as LeadingOnes
    from catcube.problems.onemax import Match as Match
    from catcube.problems.onemax import OneMax as OneMax
    from catcube.problems.pest import Pest as Pest
    from catcube.problems.potts import Potts as Potts
    from catcube.problems.problem import Problem as Problem
    from catcube.problems.qap import Qap as Qap
    from catcube.problems.registry import is_problem as is_problem
    from catcube.problems.registry import kind as kind
    from catcube.problems.registry import kinds as kinds
    from catcube.problems.registry import make as make
    from catcube.problems.sudoku.problem import Sudoku as Sudoku
    from catcube.problems.suites import Suite as Suite
    from catcube.problems.suites import suite as suite
    from catcube.problems.trap import Trap as Trap
    from catcube.problems.words import Words as Words

_SAME = "Colouring Csp Ehrlich Factors Hiff Latin NK OneMax Pest Potts Problem Qap Trap Words"
_HOMES = {name: name.lower() for name in _SAME.split()}
_HOMES |= dict.fromkeys(["LeadingOnes", "Match"], "onemax")
_HOMES |= dict.fromkeys(["Compiled", "CompiledProblem", "compiled"], "compilation")
_HOMES |= dict.fromkeys(["is_problem", "kind", "kinds", "make"], "registry")
_HOMES |= dict.fromkeys(["Suite", "suite"], "suites")
_HOMES |= {"PythonProblem": "objective", "Sudoku": "sudoku.problem"}
__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
