"""`catcube warm`: compile all algorithms in parallel, instead of each on first use."""

from argparse import Namespace
from collections.abc import Sequence

from catcube.algorithms import algorithm, registered
from catcube.engine.compiled.jit import CACHE_FOLDER
from catcube.experiments.kernels import available_cores, compile_kernels, tiny_configuration
from catcube.experiments.plan import Configuration
from catcube.representations.registry import NATIVE


def configurations(codes: Sequence[str] = ("linear", NATIVE)) -> list[Configuration]:
    """Return a run of each algorithm with each of the representations that it supports.

    Simulated annealing, the most frequent default, comes first.

    >>> len(configurations(["linear"])), configurations(["linear"])[0].algorithm
    (11, 'sa')
    """
    methods = [algorithm(name) for name in registered.builtin()]
    return [
        tiny_configuration(method.name, code)
        for code in codes
        for method in sorted(methods, key=lambda method: method.name != "sa")
        if (method.native if code == NATIVE else method.compiled)
    ]


def command(arguments: Namespace) -> int:
    """Compile the kernels that are not in the cache."""
    jobs = arguments.jobs or available_cores()
    chosen = arguments.representation
    kernels = configurations([chosen] if chosen else ["linear", NATIVE])
    print(f"compiling {len(kernels)} kernels, up to {jobs} at a time", flush=True)
    compile_kernels(kernels, jobs)
    print(f"the kernels are ready in {CACHE_FOLDER}")
    return 0
