"""`catcube campaign`: run the experiments of a plan, or resume them."""

from argparse import Namespace
from pathlib import Path

from catcube.cli import FAILED
from catcube.cli.execution import resumable, run_and_print, workers
from catcube.cli.output import note
from catcube.experiments.plan import Plan
from catcube.experiments.plan_file import read_plan, shipped_plan, shipped_plans
from catcube.experiments.writer import Writer


def command(arguments: Namespace) -> int:
    """Make the runs that the store lacks; explain how to resume if interrupted."""
    plan = named_plan(arguments.plan)
    if arguments.only is not None:
        plan.check_experiment(arguments.only)
    for sentence in plan.notes():
        note(sentence)
    path = Path(f"{plan.name}.sqlite") if arguments.out is None else Path(arguments.out)
    with resumable(path), workers(arguments) as options, Writer(path, plan) as writer:
        progress = run_and_print(writer, plan, only=arguments.only, **options)
    return FAILED if progress.failed else 0


def named_plan(name: str) -> Plan:
    """Return the built-in plan of this name, or the plan in a file."""
    if name in shipped_plans() or (not Path(name).exists() and not Path(name).suffix):
        return shipped_plan(name)
    return read_plan(name)
