"""Shared code of the commands that run plans: the workers and the outcome."""

import re
from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from catcube.base.optional import optional
from catcube.base.text import count, visible
from catcube.cli.output import complain, note
from catcube.cli.progress import bar, follow, say_compiling
from catcube.errors import BadValue
from catcube.experiments.campaign import Progress, run_campaign
from catcube.experiments.origin import versions
from catcube.experiments.writer import Writer

SHOWN_FAILURES = 10  # the others are counted
CONNECTING = 10  # seconds


@contextmanager
def executor(arguments: Namespace) -> Iterator[tuple[Executor | None, int | None]]:
    """Yield an executor, None for workers of this machine, and its number of simultaneous runs."""
    if arguments.cluster is None:
        yield None, arguments.jobs
        return
    distributed = optional("distributed")
    # A client with an invalid address would never let the process end.
    if not re.fullmatch(r"((tcp|tls|ws|wss|ucx)://)?[^/\s]+:\d+/?", arguments.cluster):
        raise BadValue(
            f"--cluster: expected an address such as tcp://10.0.0.1:8786, got {arguments.cluster!r}"
        )
    connect: Any = distributed.Client
    with connect(arguments.cluster, set_as_default=False, timeout=CONNECTING) as client:
        try:
            client.wait_for_workers(1, timeout=CONNECTING)
        except TimeoutError:
            raise BadValue(f"--cluster: {arguments.cluster} has no workers") from None
        cores = sum(client.ncores().values())
        # A run that is retried must be made again, not looked up.
        yield client.get_executor(pure=False), arguments.jobs or cores or None


def run_and_print(
    writer: Writer,
    plan: Any,
    workers: Executor | None,
    jobs: int | None,
    timeout: float | None,
    label: str = "",
    only: str | None = None,
    later: int = 0,
) -> Progress:
    """Run a campaign with a bar, and print the number of finished runs and notes about them."""
    with bar(label) as shown:
        progress = run_campaign(
            plan,
            writer,
            workers,
            jobs,
            on_progress=follow(shown, label, later),
            only=only,
            timeout=timeout,
            on_compile=say_compiling(shown),
        )
    path: Path = writer.path
    sources = versions(session[3] for session in writer.sessions())
    if sources > 1:
        note(
            f"the runs were made by {sources} different versions of the code (see catcube status "
            f"{path})"
        )
    print(
        f"{visible(str(path))}: {progress.done:,} of {count(progress.total, 'run')} done, "
        f"{count(progress.evaluations, 'evaluation')} in {progress.seconds:.1f} s"
    )
    if progress.failed:
        for *names, number, message in writer.failures()[:SHOWN_FAILURES]:
            first = message.partition("\n")[0]
            complain(f"failed: {', '.join(names)}, run {number}: {first}")
        complain(
            f"{count(progress.failed, 'run')} failed (see catcube status {path}); run the same "
            "command again to repeat them"
        )
    return progress
