"""`catcube status`: show the progress of a campaign, even while it is running."""

import json
import textwrap
import time
from argparse import Namespace
from collections import defaultdict
from typing import Any

from catcube.base.text import count, escape, format_columns
from catcube.cli.output import bold, terminal_width
from catcube.experiments.store import Store


def command(arguments: Namespace) -> int:
    """Print the progress, sessions and failures of a campaign."""
    with Store(arguments.store) as store:
        found = store.overview()
    print(json.dumps(found, indent=2) if arguments.format == "json" else text(found))
    return 0


def text(found: dict[str, Any]) -> str:
    """Format the overview of a store as text."""
    lines = [f"{found['plan']}: {found['done']:,} of {count(found['runs'], 'run')} done"]
    lines[0] += "".join(
        f", {found[name]:,} {name}" for name in ("failed", "missing") if found[name]
    )
    if found["running"]:
        lines.append("it is running now")
    if found["last_activity"] is not None:
        lines.append(f"last activity: {_format_time(found['last_activity'])}")
    for session in found["sessions"]:
        described = (
            f"session {session['session']}: {_format_time(session['began'])}, "
            f"{count(session['runs'], 'run')}, catcube {session['version']}, "
            f"sources {session['sources']}; "
            + "{processor}, {cores} cores, {system}; Python {python}, numpy {numpy}, "
            "numba {numba}".format_map(defaultdict(lambda: "?", session["machine"]))
        )
        lines += textwrap.wrap(described, terminal_width(), subsequent_indent="    ")
    names = ("experiment", "algorithm", "representation")
    table: list[tuple[str, ...]] = [(*names, "done", "runs", "ns")]
    for pair in found["pairs"]:
        cost = f"{1e9 * pair['seconds'] / pair['evaluations']:.0f}" if pair["evaluations"] else "-"
        counts = f"{pair['done']:,}", f"{pair['runs']:,}", cost
        table.append((*(escape(pair[name]) for name in names), *counts))
    lines += ["", *format_columns(table, right=(3, 4)).split("\n"), "", "ns: per evaluation"]
    for failure in found["failures"]:
        where = ", ".join(failure[name] for name in ("experiment", "instance", *names[1:]))
        message = failure["message"].partition("\n")[0]
        lines.append(f"failed: {where}, run {failure['run']}: {message}")
    first, *others = map(escape, lines)  # a store may be untrusted
    return "\n".join([bold(first), *others])


def _format_time(seconds: float) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
    except (OverflowError, ValueError, OSError):  # a store may be untrusted
        return f"{seconds:g} s"
