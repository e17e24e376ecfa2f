"""The work of a worker: a few runs of one configuration.

A task and its report are plain data and `perform` is a function of a module, so that any executor
can send them to another thread, process or machine.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import cache, lru_cache
from multiprocessing import parent_process
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from catcube import __version__, algorithms
from catcube.base.provenance import OURS, machine, package_hash
from catcube.engine.compiled.jit import JIT, is_cached
from catcube.experiments.plan import Configuration, algorithm_named
from catcube.problems import kinds
from catcube.problems.instance_files import InstanceFiles
from catcube.representations import families
from catcube.representations.registry import NATIVE
from catcube.search.result import Result
from catcube.search.run import Execution, Run, execute
from catcube.search.watch import Watch

PROCESSES = 4  # that compile, at most: each takes about 300 MB
HANGS = 124  # the exit code of a worker that ends itself, as of timeout(1)
GRACE = 2.0  # seconds in which a run stops after a request, unless it hangs


class Origin(NamedTuple):
    """The version of the package, the hash of its sources, and the machine as a JSON object.

    Plug-ins that a run needs follow with theirs: `0.1.0 + mine 1.2`, `3f… + my_package:9a…`.
    """

    version: str
    sources: str
    machine: str


class Task(NamedTuple):
    """Runs to make; `position` is that of the configuration in the plan."""

    position: int
    configuration: Configuration
    numbers: tuple[int, ...]
    attempt: int = 1
    before: str = ""  # the failure of the previous attempt

    def again(self, number: int, message: str) -> "Task":
        """Return the task of one of the runs, after it has failed."""
        return self._replace(numbers=(number,), attempt=self.attempt + 1, before=message)


class Report(NamedTuple):
    """The result of a task: runs, and the numbers and messages of failed ones."""

    runs: list[Result]
    failures: list[tuple[int, str]]
    seconds: float
    origin: Origin


class Cancellation:
    """The running runs of threads of this process; `stop` stops them all."""

    def __init__(self) -> None:
        self.stopped = False
        self._running: set[Watch] = set()

    @contextmanager
    def watch(self) -> Iterator[Watch]:
        """Yield a watch for a run that `stop` stops."""
        watch = Watch(threaded=False)
        self._running.add(watch)
        if self.stopped:  # checked after the watch is added, so that no run is missed
            watch.stop("interrupt")
        try:
            yield watch
        finally:
            self._running.discard(watch)

    def stop(self) -> None:
        """Stop all runs after their current evaluation."""
        self.stopped = True
        for watch in list(self._running):
            watch.stop("interrupt")


def perform(
    task: Task, cancellation: Cancellation | None = None, timeout: float | None = None
) -> Report:
    """Make the runs of a task; stopped runs are omitted.

    >>> from catcube.experiments.plan_file import shipped_plan
    >>> configuration = shipped_plan("fixed-target").configurations()[0]
    >>> report = perform(Task(0, configuration, (1, 2)))
    >>> [(run.run, run.value) for run in report.runs]
    [(1, 0.0), (2, 0.0)]
    """
    cancellation = cancellation or Cancellation()
    run = prepare(task.configuration)
    began = time.perf_counter()
    runs, failures = [], []
    for number in task.numbers:
        try:
            made = make(task.configuration, run, number, cancellation, timeout)
        except Exception as error:
            failures.append((number, in_words(error)))
        else:
            if made.ending == "time" and timeout is not None:
                failures.append((number, too_late(timeout)))
            elif made.ending != "interrupt":
                runs.append(made)
    return Report(runs, failures, time.perf_counter() - began, origin_of(task.configuration))


def make(
    configuration: Configuration,
    run: Run,
    number: int,
    cancellation: Cancellation,
    timeout: float | None = None,
) -> Result:
    """Make the run of this number; raise the exception with which its objective failed."""
    seed = configuration.run_seed(number)
    with cancellation.watch() as watch, _limit(watch, timeout):
        result = execute(replace(run, seed=seed), watch)
    if result.failure is not None:
        raise result.failure
    return replace(result, instance=configuration.instance, run=number, model=None, history=None)


def _limit(watch: Watch, timeout: float | None) -> Any:
    """Stop the run inside the block after the time limit.

    A run that does not stop after a request, because its problem hangs, ends its process, if that
    is a worker.
    """
    if timeout is None:
        return nullcontext()
    over = threading.Event()

    def wait() -> None:
        if over.wait(timeout):
            return
        watch.stop("time")
        if not over.wait(GRACE) and parent_process() is not None:
            os._exit(HANGS)

    @contextmanager
    def limited() -> Iterator[None]:
        threading.Thread(target=wait, daemon=True).start()
        try:
            yield
        finally:
            over.set()

    return limited()


def too_late(timeout: float | None) -> str:
    """Return the message about a run that has taken longer.

    >>> too_late(5.0)
    'no result in 5 s'
    """
    return f"no result in {timeout:g} s"


def in_words(error: BaseException) -> str:
    """Return the type and the message of an exception.

    >>> in_words(ValueError("no")), in_words(MemoryError())
    ('ValueError: no', 'MemoryError')
    """
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


@lru_cache(maxsize=256)
def prepare(configuration: Configuration) -> Run:
    """Return a run of the configuration without its seed, with its kernel compiled."""
    run = configuration.make_run()
    Execution(replace(run, budget=1), Watch(threaded=False))  # compiles what is not compiled yet
    return run


# Compilation on several cores. numba compiles one function at a time in a process, and all kernels
# of a fresh installation take a minute: so other processes compile a share each into the common
# cache, and this one loads theirs in the end. If they fail, this process compiles all kernels.
# The first kernel is compiled before they start: most of its code is shared by all kernels, and the
# others load that from the cache.


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
        [sys.executable, "-P", "-m", "catcube.experiments.worker", claims],
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


# The origin of runs: the code that made them, and the machine.

_SOURCES = package_hash(OURS)  # of the loaded code, even if the files change later
_SIGN = " + "


@cache
def origin() -> Origin:
    """Return the origin of the runs of this process.

    >>> json.loads(origin().machine) == machine()
    True
    """
    return Origin(__version__, _SOURCES, json.dumps(machine(), ensure_ascii=False))


def origin_of(configuration: Configuration) -> Origin:
    """Return the origin of runs of a configuration, with the plug-ins that it needs.

    >>> mine = Configuration("mine", "match:3,2", "", "rls", "linear", (), 1, None, None, 1, 1)
    >>> origin_of(mine) == origin()
    True
    """
    owners = set()
    if configuration.algorithm in algorithms.registered:
        owners.add(algorithms.registered.owner(configuration.algorithm))
    if configuration.representation != NATIVE:
        owners.add(families.owner(configuration.representation.partition(":")[0]))
    if not configuration.board or InstanceFiles.is_text_of(configuration.board):
        owners.add(kinds.owner(configuration.instance.partition(":")[0]))
    plugins = sorted(owner for owner in owners if owner.package != OURS)
    return origin()._replace(
        version=_SIGN.join([__version__, *map(str, plugins)]),
        sources=_SIGN.join(
            [_SOURCES, *(f"{owner.package}:{package_hash(owner.package)}" for owner in plugins)]
        ),
    )


def versions(sources: Iterable[str]) -> int:
    """Count the versions of the code: the most of the package or of one plug-in.

    >>> versions(["3f", "3f + mine:9a", "3f + mine:9b"]), versions(["3f", "3f + mine:9a"])
    (2, 1)
    """
    found: dict[str, set[str]] = defaultdict(set)
    for source in sources:
        for part in source.split(_SIGN):
            found[part.rpartition(":")[0]].add(part)
    return max((len(hashes) for hashes in found.values()), default=0)


def available_cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def safe_path() -> Iterator[None]:
    """Start processes that import nothing from the current folder."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


if __name__ == "__main__":
    lines = sys.stdin.buffer.read().decode().split("\n")
    _compile_unclaimed(list(map(Configuration.from_json, lines)), sys.argv[1])
