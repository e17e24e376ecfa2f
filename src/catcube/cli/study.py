"""`catcube study`: make the runs of a plan, or go on with them."""

import sys
from argparse import Namespace
from pathlib import Path

from catcube.campaigns.execute import run_campaign
from catcube.campaigns.plan import Plan
from catcube.campaigns.plan_file import read_plan, shipped_plan, shipped_plans
from catcube.campaigns.store.writer import WriteError
from catcube.campaigns.workers import CampaignError
from catcube.cli import FAILED, INTERRUPTED, InputError
from catcube.cli.campaign import described, executor, tell_outcome
from catcube.cli.input import checking, noted_problem
from catcube.cli.ticker import Ticker


def command(arguments: Namespace) -> int:
    """Make the runs that the store lacks; tell how to go on if that is interrupted."""
    with checking():
        plan = given_plan(arguments.plan)
        for experiment in plan.experiments:
            for name, board in experiment.boards.items():
                for note in noted_problem(name, board)[1]:
                    print(f"catcube: note: {note}", file=sys.stderr)
    path = Path(f"{plan.name}.sqlite") if arguments.out is None else Path(arguments.out)
    ticker = Ticker(described, interval=5)
    try:
        with checking(), executor(arguments) as (workers, jobs):
            standing = run_campaign(
                plan, path, workers, jobs, ticker, arguments.only, arguments.timeout
            )
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
    tell_outcome(standing, path)
    return FAILED if standing.failed else 0


def given_plan(given: str) -> Plan:
    """A plan that is shipped, by name, or the one in a file."""
    if given in shipped_plans() or (not Path(given).exists() and not Path(given).suffix):
        return shipped_plan(given)
    return read_plan(given)
