"""Problems: shipped ones, and a user's own function."""

from catcube.problems.callback import PythonProblem
from catcube.problems.compilation import Compiled, CompiledProblem, compiled
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
]
