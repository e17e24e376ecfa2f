"""Measure, print Markdown, and with --write bring a page up to date."""

import argparse
import sys
import time
from pathlib import Path

from benchmarks import campaign, evaluation, growth, memory, other, problems, start
from benchmarks.cost import Effort
from benchmarks.page import replaced, stamp

FIGURE = "figures/growth.svg"

TITLES = {
    "evaluation": "Cost of an evaluation",
    "other": "Other costs",
    "problems": "Problems",
    "growth": "Growth",
    "memory": "Memory",
    "start": "Start",
    "campaign": "Campaigns",
}


def main() -> None:
    """Measure the sections asked for."""
    arguments = parser().parse_args()
    effort = Effort(arguments.seed, arguments.quick, arguments.long)
    names = [name for name in TITLES if name in (arguments.only or TITLES)]
    for name in names:
        print(f"measuring: {TITLES[name].lower()} …", file=sys.stderr, flush=True)
        began = time.perf_counter()
        text = measured(name, effort, arguments.write)
        text += "\n\n" + stamp(effort.seed, time.perf_counter() - began)
        print(f"## {TITLES[name]}\n\n{text}\n", flush=True)
        if arguments.write is not None:
            page = arguments.write.read_text(encoding="utf-8")
            arguments.write.write_text(replaced(page, name, text), encoding="utf-8")


def measured(name: str, effort: Effort, page: Path | None) -> str:
    """Return the text of a section; its figure goes beside the page that is written."""
    if name == "growth":
        text = growth.section(effort, None if page is None else page.parent / FIGURE)
        return text if page is None else f"{text}\n\n![Cost of an evaluation by size]({FIGURE})"
    sections = {
        "evaluation": evaluation,
        "other": other,
        "problems": problems,
        "memory": memory,
        "start": start,
        "campaign": campaign,
    }
    return sections[name].section(effort)


def parser() -> argparse.ArgumentParser:
    """Return the arguments."""
    made = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    made.add_argument("--write", type=Path, metavar="PAGE", help="a page with marked sections")
    made.add_argument(
        "--only", nargs="+", choices=TITLES, metavar="SECTION", help=", ".join(TITLES)
    )
    made.add_argument("--quick", action="store_true", help="see in seconds that all works")
    made.add_argument("--long", action="store_true", help="memory also with ten times the budget")
    made.add_argument("--seed", type=int, default=1, help="of all runs (1)")
    return made


if __name__ == "__main__":
    main()
