"""`catcube campaign`: run the experiments of a plan, or resume them."""

from argparse import Namespace
from pathlib import Path

from catcube.cli import FAILED
from catcube.cli.execution import add_resume_hint, run_and_print, worker_options
from catcube.cli.output import print_note
from catcube.experiments.plan import Plan
from catcube.experiments.plan_file import read_plan, shipped_plan, shipped_plans
from catcube.experiments.writer import Writer


def command(arguments: Namespace) -> int:
    """Execute the runs that are not in the store yet."""
    plan = find_plan(arguments.plan)
    if arguments.only is not None:
        plan.check_experiment(arguments.only)
    for sentence in plan.notes():
        print_note(sentence)
    path = Path(f"{plan.name}.sqlite") if arguments.out is None else Path(arguments.out)
    with add_resume_hint(path), worker_options(arguments) as options, Writer(path, plan) as writer:
        progress = run_and_print(writer, plan, only=arguments.only, **options)
    return FAILED if progress.failed else 0


def find_plan(name: str) -> Plan:
    """Return a built-in plan by name, or read a plan from a file."""
    if name in shipped_plans() or (not Path(name).exists() and not Path(name).suffix):
        return shipped_plan(name)
    return read_plan(name)
