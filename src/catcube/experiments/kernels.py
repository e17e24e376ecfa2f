"""Compilation of the kernels of a campaign before its first run.

numba compiles one function at a time in a process, and all kernels of a fresh installation take a
minute. So several processes compile a share of them each into the common cache, from which this
one loads them. If the others fail, this process compiles all kernels.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import lru_cache

from catcube.engine.compiled.jit import JIT, is_cached
from catcube.experiments.plan import Configuration, Experiment, algorithm_named
from catcube.representations.registry import NATIVE
from catcube.search.run import Execution, Run
from catcube.search.watch import Watch

MAX_PROCESSES = 4  # for compilation; each takes about 300 MB


@lru_cache(maxsize=256)
def prepare(configuration: Configuration) -> Run:
    """Return the run of a configuration, without a seed, after compiling its kernel."""
    run = configuration.build_run()
    Execution(replace(run, budget=1), Watch(threaded=False), quiet=True)  # compiles if necessary
    return run


def compile_kernels(
    configurations: Iterable[Configuration],
    jobs: int,
    on_compile: Callable[[int], object] | None = None,
) -> None:
    """Compile the kernels of all configurations, or load them from the cache.

    `on_compile` is called with the number of kernels to compile, if there are any.
    """
    kernels = {(one.algorithm, one.representation == NATIVE): one for one in configurations}
    new = [key for key in kernels if not _is_compiled(key[0])]
    if new and on_compile is not None:
        on_compile(len(new))
    for key in new[:1]:  # alone, so that the others load from the cache what all kernels share
        prepare(kernels[key])
    rest = new[:0:-1]  # the slowest, at the end of the list of algorithms, go first
    processes = min(jobs, MAX_PROCESSES, len(rest))
    with ExitStack() as stack:
        for number in range(1, processes):
            stack.enter_context(_compile_in_process(rest[number::processes]))
        for key in rest[:: max(processes, 1)]:
            prepare(kernels[key])
    for configuration in kernels.values():
        prepare(configuration)


def _is_compiled(algorithm: str) -> bool:
    """Return whether the kernel of an algorithm is in the cache, or needs no compilation."""
    method = algorithm_named(algorithm)
    return not JIT or not method.compiled or is_cached(method.kernel)


@contextmanager
def _compile_in_process(kernels: Sequence[tuple[str, bool]]) -> Iterator[None]:
    """Compile kernels in another process while the block runs; wait for it at the end."""
    names = [text for name, native in kernels for text in (name, NATIVE if native else "linear")]
    program = [sys.executable, "-P", "-m", "catcube.experiments.kernels", *names]
    nothing = subprocess.DEVNULL
    with subprocess.Popen(program, stdin=nothing, stdout=nothing, stderr=nothing) as process:
        try:
            yield
            process.wait()
        finally:
            process.kill()


def tiny_configuration(algorithm: str, representation: str) -> Configuration:
    """Return a configuration with one evaluation, to compile the kernel of an algorithm."""
    named = (algorithm,), (representation,)
    return Experiment("kernels", {"match:4,4": None}, *named, budget=1, runs=1).configurations()[0]


def available_cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


if __name__ == "__main__":
    for kernel in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        prepare(tiny_configuration(*kernel))
