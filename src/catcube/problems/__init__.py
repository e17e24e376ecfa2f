"""Problems: built-in ones, those of plug-ins, and functions of users.

>>> from catcube.problems import make
>>> make("match:20,9,seed=3").hidden["x0"]
7
"""

from catcube.problems.colouring import Colouring as Colouring
from catcube.problems.csp import Csp as Csp
from catcube.problems.ehrlich import Ehrlich as Ehrlich
from catcube.problems.factors import Factors as Factors
from catcube.problems.functions import Compiled as Compiled
from catcube.problems.functions import CompiledProblem as CompiledProblem
from catcube.problems.functions import PythonProblem as PythonProblem
from catcube.problems.functions import compiled as compiled
from catcube.problems.hiff import Hiff as Hiff
from catcube.problems.latin import Latin as Latin
from catcube.problems.nk import NK as NK
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
