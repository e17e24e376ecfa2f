"""`catcube show`: compare the representations of N categories."""

import json
from argparse import Namespace

from catcube.base.text import expect
from catcube.representations import comparison as show

LARGEST = 1024
"""Categories whose representations are compared within about ten seconds."""


def command(arguments: Namespace) -> int:
    """Print the table, and draw the cube if asked to."""
    N, is_json = arguments.categories, arguments.format == "json"
    expect(N <= LARGEST, f"at most {LARGEST:,} categories to compare", N)
    shown = json.dumps(show.data(N), indent=2, ensure_ascii=False) if is_json else show.text(N)
    if arguments.figure is not None:  # first: if this fails, no table is shown
        show.figure(N, arguments.figure)
    print(shown)
    return 0
