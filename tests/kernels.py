"""Compile every kernel that is not in the cache, on all cores: python -m tests.kernels.

The processes of a suite would compile each of them once per process.
"""

import os

from catcube.algorithms import algorithm, names
from catcube.campaigns.compilation import compile_kernels
from catcube.campaigns.plan import Experiment


def configurations():
    native = [name for name in names() if algorithm(name).native is not None]
    for representation, chosen in (("linear", names()), ("native", native)):
        boards = {"match:3,2": None}
        experiment = Experiment("all", boards, chosen, (representation,), budget=10, runs=1)
        yield from experiment.configurations()


if __name__ == "__main__":
    compile_kernels(configurations(), os.cpu_count())
