"""`catcube campaign`: run the experiments of a plan, or resume them."""

from argparse import Namespace
from pathlib import Path

from catcube.base.database import DatabaseError
from catcube.cli import FAILED, INTERRUPTED, InputError
from catcube.cli.execution import executor, run_and_print
from catcube.cli.input import checking
from catcube.cli.output import complain, note
from catcube.experiments.campaign import CampaignError
from catcube.experiments.plan import Plan
from catcube.experiments.plan_file import read_plan, shipped_plan, shipped_plans
from catcube.experiments.store import Store
from catcube.experiments.writer import WriteError, Writer


def command(arguments: Namespace) -> int:
    """Make the runs that the store lacks; explain how to resume if interrupted."""
    with checking():
        plan = plan_of(arguments.plan, arguments.out)
        if arguments.only is not None:
            plan.check_experiment(arguments.only)
        for sentence in plan.notes():
            note(sentence)
    path = Path(f"{plan.name}.sqlite") if arguments.out is None else Path(arguments.out)
    try:
        with checking(), executor(arguments) as (workers, jobs), Writer(path, plan) as writer:
            progress = run_and_print(
                writer, plan, workers, jobs, arguments.timeout, only=arguments.only
            )
    except KeyboardInterrupt:
        complain(f"interrupted; run the same command again to resume {path}")
        return INTERRUPTED
    except (CampaignError, InputError) as error:
        if isinstance(error, InputError) and not isinstance(error.__cause__, WriteError):
            raise
        complain(f"{error}; run the same command again to resume {path}")
        return FAILED
    return FAILED if progress.failed else 0


def plan_of(name: str, out: str | None = None) -> Plan:
    """Return the built-in plan of this name, or the plan in a file.

    Missing files of instances are taken from the store to be resumed.
    """
    if name in shipped_plans() or (not Path(name).exists() and not Path(name).suffix):
        return shipped_plan(name)
    try:
        return read_plan(name)
    except ValueError:
        store = Path(f"{Path(name).stem}.sqlite" if out is None else out)
        if not store.is_file() or store.stat().st_size == 0:
            raise
        try:
            with Store(store) as stored:
                known = stored.contents()
        except DatabaseError:  # reported when it is opened for writing
            known = {}
    return read_plan(name, known)
