"""`catcube warm`: compile all algorithms in parallel, instead of each at its first use."""

import os
from argparse import Namespace

from catcube.algorithms import algorithm, names
from catcube.cli.input import checking
from catcube.engine.compiled.jit import CACHE_FOLDER
from catcube.experiments.kernels import compile_kernels
from catcube.experiments.plan import Configuration, Experiment
from catcube.representations.registry import NATIVE
from catcube.search.minimize import minimize
from catcube.space import Space


def configurations(representation: str | None = None) -> list[Configuration]:
    """Return one run of each algorithm, on bits and, if possible, on categories.

    With a representation, return the runs of this one. Simulated annealing, the default of
    `catcube run`, comes first.

    >>> len(configurations("linear")), configurations("linear")[0].algorithm
    (11, 'sa')
    """
    able = [name for name in names() if algorithm(name).native is not None]
    found = []
    for code in ("linear", NATIVE) if representation is None else (representation,):
        methods = tuple(able if code == NATIVE else names())
        found += Experiment("warm", {"match:4,4": None}, methods, (code,), 1, 1).configurations()
    return sorted(found, key=lambda one: one.algorithm != "sa")


def command(arguments: Namespace) -> int:
    """Compile the kernels that are not compiled yet."""
    jobs = arguments.jobs or os.cpu_count() or 1
    with checking():
        kernels = configurations(arguments.representation)
        print(f"compiling {len(kernels)} kernels with {jobs} processes at most", flush=True)
        compile_kernels(kernels, jobs)
    if arguments.representation in (None, NATIVE):
        # What the surrogate calls, by a short search that calls all of it.
        space = Space.repeat("x", range(3), 4)
        minimize(lambda point: sum(point.values()), space, algorithm="surrogate", budget=30, seed=1)
    print(f"the kernels are ready in {CACHE_FOLDER}")
    return 0
