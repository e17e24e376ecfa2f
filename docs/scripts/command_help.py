"""A hook of mkdocs: the page of the command has what `catcube COMMAND --help` prints."""

import argparse
import os
from typing import Any

from catcube.cli import parser as cli

PLACE = "<!-- the help of every command -->"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the help of all commands in its place."""
    return markdown.replace(PLACE, sections()) if PLACE in markdown else markdown


def sections() -> str:
    """Return a section for every command."""
    os.environ["COLUMNS"] = "80"  # of the terminal for which argparse breaks lines
    (commands,) = (
        action
        for action in cli.build_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    return "\n\n".join(
        f"## catcube {name}\n\n```text\n{parser.format_help().rstrip()}\n```"
        for name, parser in commands.choices.items()
    )
