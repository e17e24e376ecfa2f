"""A campaign of a million tiny runs: what it takes, and what its report, status and exports take.

    python -m benchmarks.load                        # some half an hour on two quiet cores
    python -m benchmarks.load --runs 10000           # to see that all works
    python -m benchmarks.load --shape boards --out load --write docs/performance.md

Every figure is of a separate process, the command that a user would give. What was measured is
kept beside the store, so that the campaign is made once; all else is measured again.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.page import number, replaced, stamp, table

BUDGET = 50  # evaluations per run
MOMENT = 0.05  # seconds between two looks at the memory of a process
MEGABYTE = 1e6


@dataclass(frozen=True)
class Shape:
    """What a million runs can be divided into."""

    boards: int
    algorithms: tuple[str, ...]
    target: float | None = None

    def sizes(self, total: int) -> tuple[int, int]:
        """Boards, and runs of each pair on each: fewer boards if there are few runs."""
        pairs = 2 * len(self.algorithms)
        boards = min(self.boards, max(2, total // (10 * pairs)))
        return boards, max(2, round(total / (boards * pairs)))


ALL = ("rls", "hc", "sa", "ea-1p1", "ea-10p1", "ga", "pbil", "mimic", "umda", "ltga", "p3")
SHAPES = {
    "boards": Shape(1000, ALL[:5]),
    "pairs": Shape(455, ALL),
    "target": Shape(455, ALL, target=0.0),
    "runs": Shape(2, ALL[:2]),
}


@dataclass(frozen=True)
class Measured:
    """What a process took; the memory is its own, in bytes."""

    seconds: float
    processor_seconds: float
    start: int  # memory when the first runs were made, or at the first look
    end: int  # at the last look
    most: int


def main() -> None:
    """Measure each shape, print Markdown, and with --write bring a page up to date."""
    arguments = parser().parse_args()
    shapes = arguments.shape or list(SHAPES)
    began = time.perf_counter()
    context = tempfile.TemporaryDirectory() if arguments.out is None else nullcontext(arguments.out)
    with context as folder:
        found = {name: measured(name, arguments, Path(folder, name)) for name in shapes}
    text = section(found, arguments.runs)
    text += "\n\n" + stamp(arguments.seed, time.perf_counter() - began)
    print(text)
    if arguments.write is not None:
        page = arguments.write.read_text(encoding="utf-8")
        arguments.write.write_text(replaced(page, "load", text), encoding="utf-8")


def measured(name: str, arguments: argparse.Namespace, folder: Path) -> dict[str, object]:
    """Return the figures of a shape, by name."""
    write_plan(name, arguments.runs, arguments.seed, folder)
    store, kept = folder / "load.sqlite", folder / "campaign.json"
    if not kept.exists():
        announce(f"{name}: the campaign")
        study = command("campaign", folder / "load.toml", "--out", store)
        kept.write_text(json.dumps(asdict(study)), encoding="utf-8")
    study = Measured(**json.loads(kept.read_text(encoding="utf-8")))
    found: dict[str, object] = {"study": study, "store": store.stat().st_size}
    for kind, words in {
        "status": ("status", store),
        "report": ("report", store, "--out", folder / "report"),
        "csv": ("export", store, "--format", "csv", "--out", folder / "runs.csv"),
        "parquet": ("export", store, "--format", "parquet", "--out", folder / "runs.parquet"),
        "ioh": ("export", store, "--format", "ioh", "--out", folder / "ioh"),
    }.items():
        announce(f"{name}: {kind}")
        found[kind] = command(*words)
    found["page"] = (folder / "report" / "report.html").stat().st_size
    found["files"] = sum(path.is_file() for path in (folder / "report").rglob("*"))
    found["sizes"] = SHAPES[name].sizes(arguments.runs)
    return found


def write_plan(name: str, total: int, seed: int, folder: Path) -> None:
    """Write a plan and its boards: one solution of which other cells are erased."""
    from catcube.problems.sudoku.solver import complete_board, erase

    shape = SHAPES[name]
    count, runs = shape.sizes(total)
    boards = folder / "boards"
    boards.mkdir(parents=True, exist_ok=True)
    full = complete_board(seed=seed)
    for board in range(count):
        path = boards / f"board-{board:04d}.txt"
        path.write_text(f"{erase(full, 5 + board % 30, seed=board)}\n", encoding="utf-8")
    settings = {
        "name": "load",
        "instances": [f"boards/board-{board:04d}.txt" for board in range(count)],
        "algorithms": list(shape.algorithms),
        "representations": ["linear", "direct"],
        "budget": BUDGET,
        "runs": runs,
        "seed": seed,
    } | ({} if shape.target is None else {"target": shape.target})
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    text = "\n".join(["[[experiment]]", *lines, ""])
    (folder / "load.toml").write_text(text, encoding="utf-8")


def command(*arguments: object) -> Measured:
    """Run a command of catcube in a separate process, and watch its memory."""
    began = time.perf_counter()
    before = os.times()
    process = subprocess.Popen(
        [sys.executable, "-m", "catcube", *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    looks: list[int] = []
    start: int | None = None
    assert process.stderr is not None
    os.set_blocking(process.stderr.fileno(), False)
    said = b""
    while process.poll() is None:
        looks += memory_of(process.pid)
        said += process.stderr.read() or b""
        if start is None and b" runs, " in said and looks:  # a line of progress
            start = looks[-1]
        time.sleep(MOMENT)
    said += process.stderr.read() or b""
    process.stderr.close()
    if process.returncode:
        raise SystemExit(
            f"catcube {arguments[0]} ended with {process.returncode}: {said.decode().strip()}"
        )
    after = os.times()
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    return Measured(
        time.perf_counter() - began,
        used,
        looks[0] if start is None else start,
        looks[-1],
        max(looks),
    )


def memory_of(process: int) -> list[int]:
    """Return the bytes of a process in memory, a list; empty if unknown or if it has ended."""
    try:
        pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return []
    return [size] if (size := int(pages) * os.sysconf("SC_PAGE_SIZE")) else []


def section(found: Mapping[str, Mapping[str, object]], total: int) -> str:
    """Return all figures as two tables."""
    return f"""\
Each campaign consists of about {total:,} runs of {BUDGET} evaluations. Campaigns, reports and
exports are made by separate processes. The shape *boards* is 5 algorithms × 2 representations on
1,000 boards, *pairs* is all 11 × 2 on 455 boards, *target* is the same with a target, and *runs* is
few configurations with very many runs. Memory is that of the process: at the first runs, at the
end, and at most. Seconds are wall-clock time, and in brackets CPU time.

{table(CAMPAIGN, [campaign_row(name, figures) for name, figures in found.items()])}

{table(REPORT, [report_row(name, figures) for name, figures in found.items()])}"""


CAMPAIGN = [
    *("shape", "boards × pairs × runs", "runs/s", "CPU ms per run"),
    *("memory at first, MB", "in the end, MB", "store, MB", "bytes per run"),
]
REPORT = [
    *("shape", "report, s", "memory, MB", "page, MB", "files", "status, s"),
    *("CSV, s", "Parquet, s", "IOH, s", "most memory of these, MB"),
]


def campaign_row(name: str, found: Mapping[str, object]) -> list[str]:
    """Return the cells of a shape in the first table."""
    study, (boards, runs) = found["study"], found["sizes"]
    pairs = 2 * len(SHAPES[name].algorithms)
    made = boards * pairs * runs
    return [
        *(name, f"{boards:,} × {pairs} × {runs:,}", number(made / study.seconds)),
        number(1e3 * study.processor_seconds / made),
        *(megabytes(study.start), megabytes(study.end), megabytes(found["store"])),
        number(found["store"] / made),
    ]


def report_row(name: str, found: Mapping[str, object]) -> list[str]:
    """Return the cells of a shape in the second table."""
    report, others = found["report"], [found[suffix] for suffix in ("csv", "parquet", "ioh")]
    return [
        *(name, seconds(report), megabytes(report.most), megabytes(found["page"])),
        *(f"{found['files']:,}", seconds(found["status"]), *map(seconds, others)),
        megabytes(max(process.most for process in others)),
    ]


def seconds(measured: Measured) -> str:
    """On the clock and of the processor."""
    return f"{number(measured.seconds, 2)} ({number(measured.processor_seconds, 2)})"


def megabytes(size: int) -> str:
    """Return bytes in megabytes."""
    return number(size / MEGABYTE)


def announce(what: str) -> None:
    """Print what is measured next."""
    print(f"measuring {what} …", file=sys.stderr, flush=True)


def parser() -> argparse.ArgumentParser:
    """Return the arguments."""
    made = argparse.ArgumentParser("python -m benchmarks.load", description=__doc__.splitlines()[0])
    made.add_argument("--runs", type=int, default=1_000_000, help="about so many (1,000,000)")
    made.add_argument("--shape", nargs="+", choices=SHAPES, help="by default all")
    made.add_argument("--seed", type=int, default=1, help="of the boards and all runs (1)")
    made.add_argument("--out", metavar="DIR", help="where all is kept; by default nothing is")
    made.add_argument("--write", type=Path, metavar="PAGE", help="a page with a section for it")
    return made


if __name__ == "__main__":
    main()
