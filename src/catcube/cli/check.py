"""`catcube check`: verify a store, and copy the intact runs of a damaged one."""

from argparse import Namespace

from catcube.base.text import visible
from catcube.cli import FAILED
from catcube.cli.campaign import plan_of
from catcube.cli.input import checking
from catcube.cli.output import complain
from catcube.experiments.configuration import Configuration
from catcube.experiments.plan_file import shipped_plans
from catcube.experiments.store.first_page import opened_for_rescue
from catcube.experiments.store.rescue import FAULTS, examined, rescue
from catcube.experiments.store.store import Store


def command(arguments: Namespace) -> int:
    """Verify the store, report what is damaged, and copy the intact runs if asked to."""
    with checking(), opened_for_rescue(arguments.store) as (store, repaired):
        planned = _planned(store, arguments.plan)
        found = examined(store, planned)
        count = None if arguments.rescue is None else rescue(store, arguments.rescue, planned)
    found = found._replace(faults=[*repaired, *found.faults])
    progress = f"{found.whole:,} of {found.planned:,} runs are done"
    if found.failed:
        progress += f", {found.failed:,} failed"
    if not found.faults:
        print(f"{arguments.store}: the store is intact; {progress}")
    for fault in found.faults[:FAULTS]:
        complain(f"damaged: {visible(fault)}")  # a store may be untrusted
    if len(found.faults) > FAULTS:
        complain(f"{len(found.faults) - FAULTS} more are damaged")
    if found.faults:
        print(f"{arguments.store}: the store is damaged; {found.whole:,} runs are intact")
    if count is not None:
        print(f"{arguments.rescue}: {count:,} of {found.planned:,} runs rescued")
    elif found.faults:
        complain(
            f"catcube check {arguments.store} --rescue NEW copies the intact runs into a new "
            "store, which catcube campaign can resume"
        )
    if found.lost:
        complain(
            f"{found.lost:,} of {store.size:,} configurations are lost, and their runs with them; "
            "--plan PLAN recovers them if it is the plan of the campaign"
        )
    return FAILED if found.faults else 0


def _planned(store: Store, plan: str | None) -> list[Configuration]:
    """Return the configurations of this plan, or of the shipped one that the store names."""
    name = store.metadata["plan"]
    if plan is None and name not in shipped_plans():
        return []
    return plan_of(name if plan is None else plan).configurations()
