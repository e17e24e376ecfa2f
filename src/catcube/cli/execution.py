"""Shared code of the commands that make runs: the workers, the progress and the outcome."""

import re
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tqdm.std import tqdm

from catcube.base.optional import import_optional
from catcube.base.text import count, escape, expect
from catcube.cli.output import complain, note
from catcube.errors import BadValue
from catcube.experiments.campaign import Progress, run_campaign
from catcube.experiments.origin import versions
from catcube.experiments.plan import Plan
from catcube.experiments.writer import CampaignError, Writer

SHOWN_FAILURES = 10  # the others are counted
BAR = "{l_bar}{bar}| {n_fmt}/{total_fmt} [{elapsed}{postfix}]"  # without the time left of tqdm
CONNECTING, JOINING = 5, 2  # seconds to reach a scheduler, and for its first worker to join


@contextmanager
def resumable(where: Path) -> Iterator[None]:
    """Add to an interruption or failure how to resume, and how to see what is done."""
    try:
        yield
    except (KeyboardInterrupt, CampaignError) as error:
        error.add_note(
            f"run the same command again to resume {where}; catcube report {where} shows the runs"
        )
        raise


@contextmanager
def workers(arguments: Namespace) -> Iterator[dict[str, Any]]:
    """Yield the options of `run_campaign` about who makes the runs: this machine, or a cluster."""
    options = {"jobs": arguments.jobs, "timeout": arguments.timeout}
    if arguments.cluster is None:
        yield options
        return
    connect: Any = import_optional("distributed").Client
    # A client with an invalid address would never let the process end.
    is_address = re.fullmatch(r"((tcp|tls|ws|wss|ucx)://)?[^/\s]+:\d+/?", arguments.cluster)
    expected = "an address such as tcp://10.0.0.1:8786"
    expect(is_address, expected, arguments.cluster, where="--cluster: ")
    with connect(arguments.cluster, set_as_default=False, timeout=CONNECTING) as client:
        try:
            client.wait_for_workers(1, timeout=JOINING)
        except TimeoutError:
            raise BadValue(f"--cluster: {arguments.cluster} has no workers") from None
        # A run that is retried must be made again, not looked up.
        options["executor"] = client.get_executor(pure=False)
        yield options | {"jobs": arguments.jobs or sum(client.ncores().values()) or None}


def run_and_print(
    writer: Writer, plan: Plan, label: str = "", later: int = 0, **options: Any
) -> Progress:
    """Run a campaign with a bar, and print the number of finished runs and notes about them.

    The options are those of `run_campaign`.
    """
    with bar(label, bar_format="{desc}") as shown:  # until there is progress
        shows: Any = {"on_progress": follow(shown, label, later)}
        shows["on_compile"] = say_compiling(shown)
        progress = run_campaign(plan, writer, **shows, **options)
    path: Path = writer.path
    sources = versions(session[3] for session in writer.sessions())
    if sources > 1:
        note(
            f"the runs were made by {sources} different versions of the code (see catcube status "
            f"{path})"
        )
    print(
        f"{escape(str(path))}: {progress.done:,} of {count(progress.total, 'run')} done, "
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
def bar(label: str = "", **options: Any) -> Iterator[Any]:
    """Yield a bar of tqdm that counts runs; it is erased in the end."""
    options |= {"unit": " runs", "disable": None, "leave": False, "dynamic_ncols": True}
    with tqdm(desc=label or None, **options) as shown:
        yield shown


def follow(shown: Any, label: str = "", later: int = 0) -> Callable[[Progress], None]:
    """Return a function that shows the progress of a campaign in a bar.

    The time left is that of its own runs, and of `later` evaluations of other campaigns; that of
    tqdm is by the number of runs, of which some take a thousand times as long as others.
    """
    shown.bar_format = BAR

    def update(progress: Progress) -> None:
        shown.total = progress.total
        shown.set_description(label or None, refresh=False)
        rate = progress.evaluations / progress.seconds if progress.seconds else 0.0
        failed = f", {progress.failed:,} failed" if progress.failed else ""
        left = shown.format_interval(progress.remaining + (later / rate if rate else 0.0))
        shown.set_postfix_str(f"about {left} left{failed}", refresh=False)
        shown.update(progress.done - shown.n)

    return update


def say_compiling(shown: Any) -> Callable[[int], None]:
    """Return a function that says that kernels are compiled first: in the bar, or in a line."""
    say = note if shown.disable else shown.set_description
    return lambda kernels: say(f"compiling {count(kernels, 'kernel')}")
