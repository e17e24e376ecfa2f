"""`catcube show`: the representations of N categories side by side."""

import json
from argparse import Namespace

from catcube.cli import InputError
from catcube.cli.input import checking
from catcube.representations import comparison as show

LARGEST = 1024
"""Categories: to compare the representations of so many takes some ten seconds."""


def command(arguments: Namespace) -> int:
    """Print the table, and draw the cube if a figure is wanted."""
    with checking():
        if arguments.categories > LARGEST:
            raise ValueError(
                f"{arguments.categories:,} categories are too many to be compared; at most "
                f"{LARGEST:,} are accepted"
            )
        shown = (
            json.dumps(show.data(arguments.categories), indent=2, ensure_ascii=False)
            if arguments.json
            else show.text(arguments.categories)
        )
        if arguments.figure is not None:  # before the table, which is not shown if this fails
            try:
                show.figure(arguments.categories, arguments.figure)
            except ImportError:
                raise InputError(
                    "a figure needs matplotlib (pip install 'catcube[study]')"
                ) from None
    print(shown)
    return 0
