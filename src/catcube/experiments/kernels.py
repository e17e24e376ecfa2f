"""Compilation of new kernels on several cores.

numba compiles one function at a time in a process; all kernels of a fresh installation take a
minute. So other processes compile a share each into the common cache, and this one loads theirs
in the end. If they fail, this process compiles all kernels itself.

The first kernel is compiled before they start: three quarters of it are parts that all kernels
share, and the other processes load them from the cache instead of compiling each its own.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from tempfile import TemporaryDirectory

from catcube.algorithms import algorithm as algorithm_named
from catcube.engine.compiled.jit import JIT, is_cached
from catcube.experiments.plan import Configuration
from catcube.experiments.worker import prepare
from catcube.representations.registry import NATIVE

PROCESSES = 4  # at most: each takes about 300 MB


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
    for configuration in new[:1]:
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
        [sys.executable, "-P", "-m", __name__, claims],
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


if __name__ == "__main__":
    lines = sys.stdin.buffer.read().decode().split("\n")
    _compile_unclaimed(list(map(Configuration.from_json, lines)), sys.argv[1])
