"""Compilation of new kernels on several cores.

numba compiles one function at a time in a process; all kernels of a fresh installation take a
minute. So other processes compile a share each into the common cache, and this one loads theirs
after its share. If they fail, this process compiles all kernels itself.
"""

import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from catcube.algorithms import algorithm as algorithm_named
from catcube.campaigns.configuration import Configuration
from catcube.campaigns.task import prepared
from catcube.engine.compiled.jit import JIT, is_cached
from catcube.representations.registry import NATIVE

PROCESSES = 4  # at most: each takes about 300 MB


def compile_kernels(configurations: Iterable[Configuration], jobs: int) -> None:
    """Compile or load the kernels of all these configurations in this process."""
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
    # In turns: the slowest kernels are neighbours in the list of algorithms.
    count = min(jobs, PROCESSES, len(new))
    shares = [new[number::count] for number in range(count)]
    with ExitStack() as stack:
        processes = [stack.enter_context(_compiling(share)) for share in shares[1:]]
        for configuration in shares[0] if shares else []:
            prepared(configuration)
        for process in processes:
            process.wait()
    for configuration in first.values():
        prepared(configuration)


@contextmanager
def _compiling(share: Sequence[Configuration]) -> Iterator["subprocess.Popen[str]"]:
    """Start a process that compiles the kernels of these configurations; end it with the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )
    try:
        assert process.stdin is not None
        with suppress(BrokenPipeError), process.stdin:  # it may have died at once
            process.stdin.write("\n".join(configuration.to_json() for configuration in share))
        yield process
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    for line in sys.stdin.buffer.read().decode().splitlines():
        prepared(Configuration.from_json(line))
