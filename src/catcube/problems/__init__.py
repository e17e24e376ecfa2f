"""Problems: shipped ones, those of plug-ins, and a user's own function.

>>> from catcube.problems import problem
>>> problem("match:20,9,seed=3").hidden["x0"]
7
"""

from catcube.problems.callback import PythonProblem
from catcube.problems.compilation import Compiled, CompiledProblem, compiled
from catcube.problems.kinds import is_problem, kind, kinds, problem
from catcube.problems.match import Match
from catcube.problems.problem import Problem
from catcube.problems.sudoku import Sudoku

__all__ = [
    "Compiled",
    "CompiledProblem",
    "Match",
    "Problem",
    "PythonProblem",
    "Sudoku",
    "compiled",
    "is_problem",
    "kind",
    "kinds",
    "problem",
]

kind(Sudoku.name, Sudoku.title)(Sudoku)
kind(Match.name, Match.title, instances=["20,9", "100,4"])(Match)
