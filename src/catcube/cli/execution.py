"""Shared code of the commands that make runs: the workers, the progress and the outcome."""

import re
from argparse import Namespace
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tqdm.std import tqdm

from catcube.base.optional import optional
from catcube.base.text import count, visible
from catcube.cli.output import complain, note
from catcube.errors import BadValue
from catcube.experiments.campaign import Progress, run_campaign
from catcube.experiments.origin import versions
from catcube.experiments.writer import CampaignError, Writer

SHOWN_FAILURES = 10  # the others are counted
CONNECTING = 10  # seconds


@contextmanager
def resumable(where: Path) -> Iterator[None]:
    """Add to an interruption or failure how to resume."""
    try:
        yield
    except (KeyboardInterrupt, CampaignError) as error:
        error.add_note(f"run the same command again to resume {where}")
        raise


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


@contextmanager
def bar(label: str = "", total: int | None = None) -> Iterator[Any]:
    """Yield a bar of tqdm that counts runs; it is erased in the end."""
    with tqdm(
        desc=label or None, total=total, unit=" runs", disable=None, leave=False, dynamic_ncols=True
    ) as shown:
        yield shown


def follow(shown: Any, label: str = "", later: int = 0) -> Callable[[Progress], None]:
    """Return a function that shows the progress of a campaign in a bar.

    The time left is that of its own runs, and of `later` evaluations of other campaigns; that of
    tqdm is by the number of runs, of which some take a thousand times as long as others.
    """
    shown.bar_format = "{l_bar}{bar}| {n_fmt}/{total_fmt} [{elapsed}{postfix}]"

    def update(progress: Progress) -> None:
        shown.total = progress.total
        shown.set_description(label or None, refresh=False)
        rate = progress.evaluations / progress.seconds if progress.seconds else 0.0
        failed = f", {progress.failed:,} failed" if progress.failed else ""
        left = shown.format_interval(progress.remaining + (later / rate if rate else 0.0))
        text = f"{rate / 1e6:.3g} million evaluations/s, about {left} left{failed}"
        shown.set_postfix_str(text, refresh=False)
        shown.update(progress.done - shown.n)

    return update


def say_compiling(shown: Any) -> Callable[[int], None]:
    """Return a function that shows that kernels are compiled first."""
    return lambda count: shown.set_description(f"compiling {count} kernels")
