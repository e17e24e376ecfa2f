"""The problems of the study: families to tune with, and others to confirm with."""

from catcube.problems import Problem, Sudoku, is_problem, make

TUNING = {
    "nk": ["nk:30,2,4,random", "nk:64,4,2,random,seed=2", "nk:40,3,3,adjacent,seed=3"],
    "colouring": ["colouring:random,60,0.13,4", "colouring:queen,8,colours=9"],
    "onemax": ["onemax:20,9,ring", "onemax:50,4,hamming,seed=2"],
    "pest": ["pest:21", "pest:25,seed=3"],
}

VALIDATION = {
    "potts": ["potts:torus,7,7,3", "potts:random,40,0.2,5,gaussian,seed=2"],
    "latin": ["latin:holes,10,42"],
    "ehrlich": ["ehrlich:15,4,2,4", "ehrlich:32,8,4,4"],
    "factors": ["factors:random,30,3,60", "factors:random,50,6,120,seed=2"],
    "words": ["words:16,5,4"],
    "sudoku": ["small-dimension-8-a", "sudoku-easy-54"],
}

PARTS = {"tuning": TUNING, "validation": VALIDATION}
BUDGETS = (100, 400, 2_000, 10_000, 100_000, 1_000_000)


def family_of(instance: str) -> str:
    """Return the family that an instance belongs to."""
    for families in PARTS.values():
        for family, instances in families.items():
            if instance in instances:
                return family
    raise ValueError(f"expected an instance of the study, got {instance!r}")


def made(instance: str) -> Problem:
    """Return the problem of an instance."""
    return make(instance) if is_problem(instance) else Sudoku.instance(instance)
