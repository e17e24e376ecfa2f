"""Shared code of the commands that execute campaigns: workers, progress and summary."""

import re
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tqdm.std import tqdm

from catcube.base.optional import import_optional
from catcube.base.text import count, escape, expect
from catcube.cli.output import print_error, print_note
from catcube.errors import BadValue
from catcube.experiments.campaign import CampaignProgress, run_campaign
from catcube.experiments.origin import count_versions
from catcube.experiments.plan import Plan
from catcube.experiments.writer import CampaignError, Writer

MAX_FAILURES_SHOWN = 10  # the others are counted
BAR = "{l_bar}{bar}| {n_fmt}/{total_fmt} [{elapsed}{postfix}]"  # without the time left of tqdm
CONNECTING, JOINING = 5, 2  # seconds to reach a scheduler, and for its first worker to join


@contextmanager
def add_resume_hint(where: Path) -> Iterator[None]:
    """Add a note on how to resume to an interruption or a CampaignError."""
    try:
        yield
    except (KeyboardInterrupt, CampaignError) as error:
        error.add_note(
            f"run the same command again to resume {where}; catcube report {where} shows the runs"
        )
        raise


@contextmanager
def worker_options(arguments: Namespace) -> Iterator[dict[str, Any]]:
    """Yield the options of `run_campaign` that select its workers: this machine, or a cluster."""
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
        # Not pure: a retried run must be executed again, not looked up.
        options["executor"] = client.get_executor(pure=False)
        yield options | {"jobs": arguments.jobs or sum(client.ncores().values()) or None}


def run_and_print(
    writer: Writer, plan: Plan, label: str = "", later: int = 0, **options: Any
) -> CampaignProgress:
    """Run a campaign with a progress bar and print a summary, failures and notes.

    The options are those of `run_campaign`.
    """
    with progress_bar(label, bar_format="{desc}") as shown:  # until there is progress
        shows: Any = {"on_progress": show_progress(shown, label, later)}
        shows["on_compile"] = report_compiling(shown)
        progress = run_campaign(plan, writer, **shows, **options)
    path: Path = writer.path
    sources = count_versions(session[3] for session in writer.sessions())
    if sources > 1:
        print_note(f"runs of {sources} versions of the code (see catcube status {path})")
    print(
        f"{escape(str(path))}: {progress.done:,} of {count(progress.total, 'run')} done, "
        f"{count(progress.evaluations, 'evaluation')} in {progress.seconds:.1f} s"
    )
    if progress.failed:
        for *names, number, message in writer.failures()[:MAX_FAILURES_SHOWN]:
            first = message.partition("\n")[0]
            print_error(f"failed: {', '.join(names)}, run {number}: {first}")
        print_error(
            f"{count(progress.failed, 'run')} failed (see catcube status {path}); run the same "
            "command again to repeat them"
        )
    return progress


@contextmanager
def progress_bar(label: str = "", **options: Any) -> Iterator[Any]:
    """Yield a bar of tqdm that counts runs and is erased at the end."""
    options |= {"unit": " runs", "disable": None, "leave": False, "dynamic_ncols": True}
    with tqdm(desc=label or None, **options) as shown:
        yield shown


def show_progress(
    shown: Any, label: str = "", later: int = 0
) -> Callable[[CampaignProgress], None]:
    """Return a function that shows the progress of a campaign in a bar.

    The remaining time is that of its own runs plus `later` evaluations of other campaigns. tqdm
    would estimate it from the number of runs, although some take a thousand times longer.
    """
    shown.bar_format = BAR

    def update(progress: CampaignProgress) -> None:
        shown.total = progress.total
        shown.set_description(label or None, refresh=False)
        rate = progress.evaluations / progress.seconds if progress.seconds else 0.0
        failed = f", {progress.failed:,} failed" if progress.failed else ""
        left = shown.format_interval(progress.remaining + (later / rate if rate else 0.0))
        shown.set_postfix_str(f"about {left} left{failed}", refresh=False)
        shown.update(progress.done - shown.n)

    return update


def report_compiling(shown: Any) -> Callable[[int], None]:
    """Return a function that reports the compilation of kernels, in the bar or as a note."""
    say = print_note if shown.disable else shown.set_description
    return lambda kernels: say(f"compiling {count(kernels, 'kernel')}")
