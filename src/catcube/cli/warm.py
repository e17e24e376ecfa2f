"""`catcube warm`: compile all algorithms in parallel, instead of each at its first use."""

from argparse import Namespace

from catcube.algorithms import algorithm, names
from catcube.engine.compiled.jit import CACHE_FOLDER
from catcube.experiments.kernels import available_cores, compile_kernels, small_run
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
    ordered = sorted(names(), key=lambda name: name != "sa")
    return [
        small_run(name, code)
        for code in ("linear", NATIVE)
        if representation is None or (representation == NATIVE) == (code == NATIVE)
        for name in ordered
        if code != NATIVE or algorithm(name).native
    ]


def command(arguments: Namespace) -> int:
    """Compile the kernels that are not compiled yet."""
    jobs = arguments.jobs or available_cores()
    kernels = configurations(arguments.representation)
    print(f"compiling {len(kernels)} kernels with {jobs} processes at most", flush=True)
    compile_kernels(kernels, jobs)
    if arguments.representation in (None, NATIVE):
        # What the surrogate calls, by a short search that calls all of it.
        space = Space.repeat("x", range(3), 4)
        minimize(lambda point: sum(point.values()), space, algorithm="surrogate", budget=30, seed=1)
    print(f"the kernels are ready in {CACHE_FOLDER}")
    return 0
