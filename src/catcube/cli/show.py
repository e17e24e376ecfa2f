"""`catcube show`: compare the representations of N categories."""

import json
from argparse import Namespace

from catcube.errors import BadValue
from catcube.representations import comparison as show

LARGEST = 1024
"""Categories whose representations are compared within about ten seconds."""


def command(arguments: Namespace) -> int:
    """Print the table, and draw the cube if asked to."""
    if arguments.categories > LARGEST:
        raise BadValue(
            f"expected at most {LARGEST:,} categories to compare, got {arguments.categories:,}"
        )
    shown = (
        json.dumps(show.data(arguments.categories), indent=2, ensure_ascii=False)
        if arguments.format == "json"
        else show.text(arguments.categories)
    )
    if arguments.figure is not None:  # first: if this fails, no table is shown
        show.figure(arguments.categories, arguments.figure)
    print(shown)
    return 0
