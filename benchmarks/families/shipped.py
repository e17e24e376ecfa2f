"""Instances of the problems that the package has, by family."""

from benchmarks.families.task import Task, compiled_task
from catcube.problems import Sudoku, is_problem, make

TUNING = {
    "nk": ["nk:30,2,4,random", "nk:64,4,2,random,seed=2", "nk:40,3,3,adjacent,seed=3"],
    "colouring": ["colouring:random,60,0.13,4", "colouring:queen,8,colours=9"],
    "onemax": ["onemax:20,9,ring", "onemax:50,4,hamming,seed=2"],
    "pest": ["pest:21", "pest:25,seed=3"],
    "potts": ["potts:torus,7,7,3", "potts:random,40,0.2,5,gaussian,seed=2"],
    "factors": ["factors:random,30,3,60", "factors:random,50,6,120,seed=2"],
    "ehrlich": ["ehrlich:15,4,2,4", "ehrlich:32,8,4,4"],
}

VALIDATION = {
    "latin": ["latin:holes,10,42"],
    "words": ["words:16,5,4"],
    "sudoku": ["small-dimension-8-a", "sudoku-easy-54"],
}


def tasks(families: dict[str, list[str]]) -> list[Task]:
    """Return the instances as tasks."""
    found = []
    for family, names in families.items():
        for name in names:
            problem = make(name) if is_problem(name) else Sudoku.instance(name)
            found.append(compiled_task(name, family, problem))
    return found
