"""Shared code of the commands that run plans: the workers, the progress, the outcome."""

import re
from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from catcube.base.text import visible
from catcube.cli.output import complain, note
from catcube.cli.ticker import duration
from catcube.errors import BadValue
from catcube.experiments.execute import Progress
from catcube.experiments.origin import versions
from catcube.experiments.store.store import Store

SHOWN_FAILURES = 10  # the others are counted


@contextmanager
def executor(arguments: Namespace) -> Iterator[tuple[Executor | None, int | None]]:
    """Yield an executor, None for threads of this process, and its number of simultaneous runs."""
    if arguments.cluster is None:
        yield None, arguments.jobs
        return
    try:
        import distributed
    except ImportError as error:
        raise BadValue("--cluster needs dask: pip install '.[cluster]'") from error
    # A client with an invalid address would never let the process end.
    if not re.fullmatch(r"((tcp|tls|ws|wss|ucx)://)?[^/\s]+:\d+/?", arguments.cluster):
        raise BadValue(
            f"--cluster: expected an address such as tcp://10.0.0.1:8786, got {arguments.cluster!r}"
        )
    connect: Any = distributed.Client
    with connect(arguments.cluster, set_as_default=False) as client:
        cores = sum(client.ncores().values())
        # A run that is retried must be made again, not looked up.
        yield client.get_executor(pure=False), arguments.jobs or cores or None


def described(progress: Progress) -> str:
    """Describe the progress of a campaign in one line.

    >>> described(Progress(12, 4400, 0, 3_600_000, 2.0, 100.0))
    '12 of 4,400 runs, 1.8 million evaluations/s, 1:40 left'
    """
    rate = progress.evaluations / progress.seconds / 1e6 if progress.seconds else 0.0
    line = f"{progress.done:,} of {progress.total:,} runs, {rate:.3g} million evaluations/s"
    if progress.seconds_left is not None:
        line += f", {duration(progress.seconds_left)} left"
    if progress.failed:
        line += f", {progress.failed} failed"
    return line


def share_done(progress: Progress) -> float:
    """Return the part of the runs of a campaign that are done.

    >>> share_done(Progress(1100, 4400, 0, 3_600_000, 2.0, 100.0))
    0.25
    """
    return progress.done / max(progress.total, 1)


def print_outcome(progress: Progress, path: Path) -> None:
    """Print the number of finished runs of a store, and notes about them."""
    with Store(path) as store:
        failures = store.failures()
        sources = versions(session[3] for session in store.sessions())
    if sources > 1:
        note(
            f"the runs were made by {sources} different versions of the code (see catcube status "
            f"{path})"
        )
    print(
        f"{path}: {progress.done:,} of {progress.total:,} runs done, "
        f"{progress.evaluations:,} evaluations in {progress.seconds:.1f} s"
    )
    if progress.failed:
        for *names, number, message in failures[:SHOWN_FAILURES]:
            first = message.partition("\n")[0]
            sentence = visible(f"{', '.join(names)}, run {number}: {first}")
            complain(f"failed: {sentence}")
        complain(
            f"{progress.failed} runs failed (see catcube status {path}); run the same command "
            "again to repeat them"
        )
