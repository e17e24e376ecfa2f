"""`catcube check`: whether a store is whole, and what can be rescued of one that is not."""

import sys
from argparse import Namespace

from catcube.base.text import visible
from catcube.campaigns.store.rescue import FAULTS, examined, rescue
from catcube.campaigns.store.store import Store
from catcube.cli import FAILED
from catcube.cli.input import checking


def command(arguments: Namespace) -> int:
    """Read everything, tell what is wrong, and copy what is whole if that is wished."""
    with checking(), Store(arguments.store) as store:
        found = examined(store)
        count = None if arguments.rescue is None else rescue(store, arguments.rescue)
    standing = f"{found.whole:,} of {found.planned:,} runs are done"
    if found.failed:
        standing += f", {found.failed:,} failed"
    if not found.faults:
        print(f"{arguments.store}: the store is whole; {standing}")
    for fault in found.faults[:FAULTS]:
        print(f"catcube: damaged: {visible(fault)}", file=sys.stderr)  # it may come from anybody
    if len(found.faults) > FAULTS:
        print(f"catcube: {len(found.faults) - FAULTS} more are damaged", file=sys.stderr)
    if found.faults:
        print(f"{arguments.store}: the store is damaged; {found.whole:,} runs are whole")
    if count is not None:
        print(f"{arguments.rescue}: {count:,} of {found.planned:,} runs rescued")
    elif found.faults:
        print(
            f"catcube: catcube check {arguments.store} --rescue NEW copies the whole runs into a "
            "new store, with which catcube study goes on",
            file=sys.stderr,
        )
    return FAILED if found.faults else 0
