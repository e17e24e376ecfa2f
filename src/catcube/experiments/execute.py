"""Run a plan: make the runs that its store does not hold yet, with any executor."""

import math
import os
from collections.abc import Callable

from catcube.errors import BadValue
from catcube.experiments.campaign import Campaign, Progress
from catcube.experiments.plan import Plan
from catcube.experiments.store.writer import Writer
from catcube.experiments.threads import available_cores
from catcube.experiments.workers import ExecutorChoice, Workers

__all__ = ["Progress", "run_campaign"]


def run_campaign(
    plan: Plan,
    store_path: str | os.PathLike[str],
    executor: ExecutorChoice = None,
    jobs: int | None = None,
    on_progress: Callable[[Progress], object] | None = None,
    only: str | None = None,
    timeout: float | None = None,
) -> Progress:
    """Make the runs of the plan, or of `only` one experiment, that the store does not hold.

    By default `jobs` threads make them, one per core. `executor` is another executor, or a
    function that returns one: then a broken one (a worker was killed) is replaced, and its runs
    are repeated one at a time; a run that breaks it again is recorded as failed. `jobs` is then
    the number of its workers. A run that raises an exception, has no result after `timeout`
    seconds or has an invalid result is tried once more, then recorded as failed; calling
    `run_campaign` again retries it.

    >>> import tempfile
    >>> from catcube.experiments.plan_file import shipped_plan
    >>> from catcube.experiments.store.store import Store
    >>> plan = shipped_plan("fixed-target").scaled(runs=2, budget=100, instances=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     progress = run_campaign(plan, f"{folder}/mine.sqlite")
    ...     with Store(f"{folder}/mine.sqlite") as store:
    ...         runs = list(store.runs())
    >>> progress.done, len(runs), runs[0].instance, runs[0].algorithm, runs[0].representation
    (44, 44, 'small-dimension-1-a', 'rls', 'linear')
    """
    if only is not None:
        plan.checked_experiment(only)
    if timeout is not None and not 0 < timeout < math.inf:
        raise BadValue(f"timeout: expected a number of seconds > 0, got {timeout!r}")
    jobs = jobs or available_cores()
    with Writer(store_path, plan) as writer, Workers(executor, jobs, timeout) as workers:
        campaign = Campaign(writer, workers, jobs, on_progress, only)
        try:
            campaign.run()
        finally:  # after Ctrl-C or an error, finished runs are kept
            workers.stop()
            campaign.receive_ready()
        return campaign.progress()
