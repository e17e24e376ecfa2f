"""`catcube status`: show the progress of a campaign, also while it runs."""

import json
import time
from argparse import Namespace
from collections import defaultdict
from typing import Any

from catcube.base.text import visible
from catcube.cli.input import checking
from catcube.experiments.store import Store


def command(arguments: Namespace) -> int:
    """Print the progress of a campaign by pair, and its failures."""
    with checking(), Store(arguments.store) as store:
        found = store.overview()
    print(json.dumps(found, indent=2) if arguments.format == "json" else text(found))
    return 0


def text(found: dict[str, Any]) -> str:
    """Format the overview as text."""
    done, runs = found["done"], found["runs"]
    lines = [f"{found['plan']}: {done:,} of {runs:,} runs done"]
    for name in ("failed", "missing"):
        if found[name]:
            lines[0] += f", {found[name]:,} {name}"
    if found["running"]:
        lines.append("a process is running it now")
    if found["last_activity"] is not None:
        lines.append(f"last activity: {_moment(found['last_activity'])}")
    for session in found["sessions"]:
        lines += [
            f"session {session['session']}: {_moment(session['began'])}, "
            f"catcube {session['version']}, sources {session['sources']}, {session['runs']:,} runs",
            "    {processor}, {cores} cores, {system}; Python {python}, numpy {numpy}, "
            "numba {numba}".format_map(defaultdict(lambda: "?", session["machine"])),
        ]
    names = ("experiment", "algorithm", "representation")
    widths = [max(len(name), *(len(pair[name]) for pair in found["pairs"])) for name in names]
    titles = [f"{name:{width}}" for name, width in zip(names, widths, strict=True)]
    lines += ["", "  ".join([*titles, f"{'done':>9}", f"{'runs':>9}", f"{'ns':>7}"])]
    for pair in found["pairs"]:
        cells = [f"{pair[name]:{width}}" for name, width in zip(names, widths, strict=True)]
        cost = f"{1e9 * pair['seconds'] / pair['evaluations']:.0f}" if pair["evaluations"] else "-"
        lines.append("  ".join([*cells, f"{pair['done']:9,}", f"{pair['runs']:9,}", f"{cost:>7}"]))
    lines += ["", "ns: per evaluation"]
    for failure in found["failures"]:
        where = ", ".join(failure[name] for name in ("experiment", "instance", *names[1:]))
        lines.append(
            f"failed: {where}, run {failure['run']}: {failure['message'].partition(chr(10))[0]}"
        )
    return "\n".join(map(visible, lines))  # a store may be untrusted


def _moment(seconds: float) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
    except (OverflowError, ValueError, OSError):  # a store may be untrusted
        return f"{seconds:g} s"
