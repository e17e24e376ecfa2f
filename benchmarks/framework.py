"""The paper's own C++ framework, measured with its 2021 release on the same kind of machine.

Nanoseconds an evaluation of sudoku-easy-56, one thread, with the paper's settings.
"""

FRAMEWORK = {
    "rls": {"linear": 4600, "direct": 850},
    "hc": {"linear": 4600, "direct": 850},
    "sa": {"linear": 4600, "direct": 850},
    "ea-1p1": {"linear": 5100, "direct": 950},
    "ea-10p1": {"linear": 4600, "direct": 1100},
    "ga": {"linear": 10900, "direct": 2800},
    "pbil": {"linear": 10400, "direct": 2400},
    "mimic": {"linear": 110000, "direct": 10000},
    "umda": {"linear": 10400, "direct": 2400},
    "ltga": {"linear": 10000, "direct": 2100},
    "p3": {"linear": 81000, "direct": 11000},
}
