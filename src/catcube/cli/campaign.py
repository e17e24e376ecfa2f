"""`catcube campaign`: run the experiments of a plan, or resume them."""

from argparse import Namespace
from pathlib import Path

from catcube.cli import FAILED, INTERRUPTED, InputError
from catcube.cli.execution import described, executor, print_outcome, share_done
from catcube.cli.input import checking, noted_problem
from catcube.cli.output import complain, note
from catcube.cli.ticker import Ticker
from catcube.experiments.execute import run_campaign
from catcube.experiments.plan import Plan
from catcube.experiments.plan_file import read_plan, shipped_plan, shipped_plans
from catcube.experiments.store.errors import StoreError
from catcube.experiments.store.store import Store
from catcube.experiments.store.writer import WriteError
from catcube.experiments.workers import CampaignError


def command(arguments: Namespace) -> int:
    """Make the runs that the store lacks; explain how to resume if interrupted."""
    with checking():
        plan = plan_of(arguments.plan, arguments.out)
        for experiment in plan.experiments:
            for name, board in experiment.boards.items():
                for sentence in noted_problem(name, board)[1]:
                    note(sentence)
    path = Path(f"{plan.name}.sqlite") if arguments.out is None else Path(arguments.out)
    ticker = Ticker(described, interval=5, share=share_done)
    try:
        with checking(), executor(arguments) as (workers, jobs):
            progress = run_campaign(
                plan, path, workers, jobs, ticker, arguments.only, arguments.timeout
            )
    except KeyboardInterrupt:
        ticker.clear()
        complain(f"interrupted; run the same command again to resume {path}")
        return INTERRUPTED
    except (CampaignError, InputError) as error:
        ticker.clear()
        if isinstance(error, InputError) and not isinstance(error.__cause__, WriteError):
            raise
        complain(f"{error}; run the same command again to resume {path}")
        return FAILED
    ticker.clear()
    print_outcome(progress, path)
    return FAILED if progress.failed else 0


def plan_of(name: str, out: str | None = None) -> Plan:
    """Return the shipped plan of this name, or the plan in a file.

    Missing files of instances are taken from the store to be resumed.
    """
    if name in shipped_plans() or (not Path(name).exists() and not Path(name).suffix):
        return shipped_plan(name)
    store = Path(f"{Path(name).stem}.sqlite" if out is None else out)
    if not store.is_file() or store.stat().st_size == 0:
        return read_plan(name)
    try:
        with Store(store) as stored:
            known = stored.contents()
    except StoreError:  # reported when it is opened for writing
        known = {}
    return read_plan(name, known)
