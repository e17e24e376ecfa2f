"""`catcube study`: make the runs of a plan, or go on with them."""

import re
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from catcube.commands import INTERRUPTED, InputError
from catcube.commands.input import checking, sudoku
from catcube.experiments.execute import Standing, run_campaign
from catcube.experiments.plan import Plan
from catcube.experiments.plan_file import read_plan, shipped_plan, shipped_plans
from catcube.experiments.store import Store
from catcube.experiments.workers import CampaignError
from catcube.experiments.writer import WriteError

FAILED = 1


def command(arguments: Namespace) -> int:
    """Make the runs that the store lacks; tell how to go on if that is interrupted."""
    with checking():
        plan = given_plan(arguments.plan)
        for experiment in plan.experiments:
            for name, board in experiment.boards.items():
                for note in sudoku(name, board)[1]:
                    print(f"catcube: note: {note}", file=sys.stderr)
    path = Path(f"{plan.name}.sqlite") if arguments.out is None else Path(arguments.out)
    ticker = Ticker()
    try:
        with checking(), executor(arguments) as (workers, jobs):
            standing = run_campaign(plan, path, workers, jobs, ticker, arguments.only)
    except KeyboardInterrupt:
        ticker.clear()
        print(f"catcube: interrupted; the same command goes on with {path}", file=sys.stderr)
        return INTERRUPTED
    except (CampaignError, InputError) as error:
        ticker.clear()
        if isinstance(error, InputError) and not isinstance(error.__cause__, WriteError):
            raise
        print(f"catcube: {error}; the same command goes on with {path}", file=sys.stderr)
        return FAILED
    ticker.clear()
    return _told(standing, path)


def given_plan(given: str) -> Plan:
    """A plan that is shipped, by name, or the one in a file."""
    if given in shipped_plans() or (not Path(given).exists() and not Path(given).suffix):
        return shipped_plan(given)
    return read_plan(given)


@contextmanager
def executor(arguments: Namespace) -> Iterator[tuple[Executor | None, int | None]]:
    """Threads of this process (None), or a cluster; and how many runs it makes at a time."""
    if arguments.cluster is None:
        yield None, arguments.jobs
        return
    try:
        import distributed
    except ImportError as error:
        raise ValueError("--cluster needs dask: pip install 'catcube[cluster]'") from error
    # A client that cannot read its address would never let the process end.
    if not re.fullmatch(r"((tcp|tls|ws|wss|ucx)://)?[^/\s]+:\d+/?", arguments.cluster):
        raise ValueError(
            f"--cluster wants an address such as tcp://10.0.0.1:8786, not {arguments.cluster!r}"
        )
    connect: Any = distributed.Client
    with connect(arguments.cluster, set_as_default=False) as client:
        cores = sum(client.ncores().values())
        # A run that is tried again must be made again, not looked up.
        yield client.get_executor(pure=False), arguments.jobs or cores or None


def _told(standing: Standing, path: Path) -> int:
    """What came of it."""
    with Store(path) as store:
        failures = store.failures()
        sources = store.query("SELECT COUNT(DISTINCT sources) FROM session")[0][0]
    if sources > 1:
        print(
            f"catcube: note: the runs were made by {sources} different versions of the code (see "
            "catcube status)",
            file=sys.stderr,
        )
    print(
        f"{path}: {standing.done:,} of {standing.total:,} runs done, "
        f"{standing.evaluations:,} evaluations in {standing.seconds:.1f} s"
    )
    if not standing.failed:
        return 0
    for *names, number, message in failures[:10]:
        first = message.splitlines()[0]
        print(f"catcube: failed: {', '.join(names)}, run {number}: {first}", file=sys.stderr)
    print(
        f"catcube: {standing.failed} runs failed (see catcube status); the same command tries them "
        "again",
        file=sys.stderr,
    )
    return FAILED


class Ticker:
    """Shows progress on standard error: on a terminal in one line, else in ever rarer ones."""

    def __init__(self) -> None:
        self.rewrites = sys.stderr.isatty()
        self.interval = 0.0 if self.rewrites else 5.0
        self.last: float | None = None
        self.width = 0
        if self.rewrites:
            self.write("starting (the first time an algorithm is compiled, which takes a while)")

    def __call__(self, standing: Standing) -> None:
        """Show how far it is, if it is time to."""
        now = time.monotonic()
        if self.last is None:  # compiling does not count
            self.last = now
        if now - self.last < self.interval:
            return
        self.last = now
        self.write(described(standing))

    def write(self, line: str) -> None:
        """Show a line, in the place of the last one if that can be."""
        if self.rewrites:
            print(f"\r{line:{self.width}}", end="", file=sys.stderr, flush=True)
            self.width = len(line)
        else:
            print(line, file=sys.stderr, flush=True)
            self.interval = min(2 * self.interval, 600)

    def clear(self) -> None:
        """Wipe the line of progress away."""
        if self.width:
            print(f"\r{'':{self.width}}\r", end="", file=sys.stderr, flush=True)
            self.width = 0


def described(standing: Standing) -> str:
    """A line of progress.

    >>> described(Standing(12, 4400, 0, 3_600_000, 2.0, 100.0))
    '12 of 4,400 runs, 1.8 million evaluations/s, 1:40 left'
    """
    rate = standing.evaluations / standing.seconds / 1e6 if standing.seconds else 0.0
    line = f"{standing.done:,} of {standing.total:,} runs, {rate:.3g} million evaluations/s"
    if standing.seconds_left is not None:
        line += f", {duration(standing.seconds_left)} left"
    if standing.failed:
        line += f", {standing.failed} failed"
    return line


def duration(seconds: float) -> str:
    """A time in minutes and seconds, or with hours.

    >>> duration(100), duration(3 * 3600 + 62)
    ('1:40', '3:01:02')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
