"""`catcube warm`: compile all algorithms in parallel, instead of each at its first use."""

import os
from argparse import Namespace

from catcube.algorithms import algorithm, names
from catcube.cli.input import checking
from catcube.engine.compiled.jit import CACHE_FOLDER
from catcube.experiments.kernels import compile_kernels
from catcube.experiments.plan import Configuration
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
    representations = ("linear", NATIVE) if representation is None else (representation,)
    return [
        Configuration(
            experiment="warm",
            instance="match:4,4",
            content="",
            algorithm=name,
            representation=one,
            parameters=tuple(
                sorted(algorithm(name).recorded(algorithm(name).resolve(None, {})).items())
            ),
            budget=1,
            target=None,
            restart=None,
            seed=1,
            runs=1,
        )
        for name in sorted(names(), key=lambda name: name != "sa")
        for one in representations
        if one != NATIVE or algorithm(name).native is not None
    ]


def compile_surrogate() -> None:
    """Compile what the surrogate calls, by a short search that calls all of it."""
    space = Space.repeat("x", range(3), 4)
    minimize(lambda point: sum(point.values()), space, algorithm="surrogate", budget=30, seed=1)


def command(arguments: Namespace) -> int:
    """Compile the kernels that are not compiled yet."""
    kernels = configurations(arguments.representation)
    jobs = arguments.jobs or os.cpu_count() or 1
    print(f"compiling {len(kernels)} kernels with {jobs} processes at most", flush=True)
    with checking():
        compile_kernels(kernels, jobs)
    if arguments.representation in (None, NATIVE):
        compile_surrogate()
    print(f"the kernels are ready in {CACHE_FOLDER}")
    return 0
