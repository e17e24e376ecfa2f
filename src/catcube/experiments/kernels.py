"""Compilation of the kernels of a campaign before its first run.

numba compiles one function at a time in a process, and all kernels of a fresh installation take a
minute: so other processes compile a share each into the common cache, and this one loads theirs in
the end. If they fail, this process compiles all kernels.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from tempfile import TemporaryDirectory

from catcube.engine.compiled.jit import JIT, is_cached
from catcube.experiments.plan import Configuration, algorithm_named
from catcube.representations.registry import NATIVE
from catcube.search.run import Execution, Run
from catcube.search.watch import Watch

PROCESSES = 4  # that compile, at most: each takes about 300 MB


@lru_cache(maxsize=256)
def prepare(configuration: Configuration) -> Run:
    """Return a run of the configuration without its seed, with its kernel compiled."""
    run = configuration.make_run()
    Execution(replace(run, budget=1), Watch(threaded=False))  # compiles what is not compiled yet
    return run


def compile_kernels(
    configurations: Iterable[Configuration],
    jobs: int,
    on_compile: Callable[[int], object] | None = None,
) -> None:
    """Compile or load the kernels of all these configurations in this process.

    `on_compile` is called with the number of kernels that are not in the cache, if there are any.
    """
    first = {
        (configuration.algorithm, configuration.representation == NATIVE): configuration
        for configuration in configurations
    }
    methods = {key: algorithm_named(key[0]) for key in first}
    new = [
        configuration
        for (name, native), configuration in first.items()
        if JIT and methods[name, native].compiled
        if not is_cached(methods[name, native].kernel_for(native))
    ]
    if new and on_compile is not None:
        on_compile(len(new))
    for configuration in new[:1]:  # alone: the others load what all kernels share from the cache
        prepare(configuration)
    rest = new[:0:-1]  # the slowest are at the end of the list of algorithms, and go first
    with TemporaryDirectory() as claims, ExitStack() as stack:
        others = [
            stack.enter_context(_compiling(rest, claims))
            for _ in range(min(jobs, PROCESSES, len(rest)) - 1)
        ]
        _compile_unclaimed(rest, claims)
        for process in others:
            process.wait()
    for configuration in first.values():
        prepare(configuration)


def _compile_unclaimed(configurations: Sequence[Configuration], claims: str) -> None:
    """Compile what no other process has begun; a kernel is claimed by a folder of its number."""
    for number, configuration in enumerate(configurations):
        try:
            os.mkdir(os.path.join(claims, str(number)))
        except FileExistsError:
            continue
        prepare(configuration)


@contextmanager
def _compiling(
    configurations: Sequence[Configuration], claims: str
) -> Iterator["subprocess.Popen[str]"]:
    """Start a process that compiles unclaimed ones of these kernels; end it with the block."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "catcube.experiments.kernels", claims],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )
    try:
        assert process.stdin is not None
        with suppress(BrokenPipeError), process.stdin:  # it may have died at once
            process.stdin.write("\n".join(one.to_json() for one in configurations))
        yield process
    finally:
        process.kill()
        process.wait()


def available_cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


if __name__ == "__main__":
    lines = sys.stdin.buffer.read().decode().split("\n")
    _compile_unclaimed(list(map(Configuration.from_json, lines)), sys.argv[1])
