"""`catcube show`: compare the representations of N categories."""

import json
from argparse import Namespace

from catcube.base.text import expect
from catcube.representations import comparison as show

MAX_CATEGORIES = 1024
"""The largest number of categories; a comparison takes about ten seconds."""


def command(arguments: Namespace) -> int:
    """Print the table and, on request, draw the cube."""
    N, is_json = arguments.categories, arguments.format == "json"
    expect(N <= MAX_CATEGORIES, f"at most {MAX_CATEGORIES:,} categories to compare", N)
    shown = json.dumps(show.data(N), indent=2, ensure_ascii=False) if is_json else show.text(N)
    if arguments.figure is not None:  # before the table, as it may fail
        show.figure(N, arguments.figure)
    print(shown)
    return 0
