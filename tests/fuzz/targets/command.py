"""The command line: any list of arguments ends with an exit code, never with a traceback."""

import contextlib
import io
import os
import sys

from catcube.cli.main import main
from catcube.cli.parser import COMMANDS
from tests.fuzz.draws import Draws
from tests.fuzz.oracle import LONGEST, ensure, folder
from tests.fuzz.targets.store import store
from tests.untrusted_examples import PLAN

CODES = (0, 1, 2, 130)
_OPTIONS = (
    "-a", "--algorithm", "-r", "--representation", "-b", "--budget", "-t", "--time-limit", "-s",
    "--seed", "-n", "--runs", "--target", "--preset", "-p", "--parameter", "-j", "--jobs", "--csv",
    "--scale", "--out", "--only", "--json", "--format", "--out", "--figure", "--help",
    "--version", "--", "-", "--no-seconds", "--budge", "-bx", "--seed=", "--cluster", "--check",
)  # fmt: skip
_WORDS = (
    "tiny.txt", "bad.txt", "plan.toml", "bad.toml", "tiny.sqlite", "bad.sqlite", "folder", "absent",
    "absent.toml", "match:3,2", "match:3", "match:1e9,1e9", "match:x", "small-dimension-1-a",
    "small-dimension-*", "*", "[", "12..34122143432.", "12x.34122143432.", "rls", "sa", "all",
    "rls,sa", "rls,,sa", "linear", "linear,direct", "covering:2", "product:9+9", "none", "paper",
    "textbook", "transitions=5", "transitions=nan", "x=1", "=", "0", "1", "2", "3", "9", "-1",
    "1e3", "1e400", "nan", "inf", "9" * 30, "9" * 5000, "0x10", "1_0", "٣", "csv", "parquet", "ioh",
    "smoke", "tcp://", "localhost:1/x y", "out.csv", "out", "out.xyz", "/dev/zero", "/dev/null",
    ".", "..", "", " ",
)  # fmt: skip
_BOARD = "12..34122143432."


def seeds() -> list[bytes]:
    """Each command with a few arguments."""
    return [
        bytes([command, count, *range(first, first + 2 * count)])
        for command in range(9)
        for count in (1, 3)
        for first in range(0, 120, 24)
    ]


def check(data: bytes) -> None:
    """The exit code is one of ours, and a refusal is one line."""
    arguments = _arguments(Draws(data))
    before = os.getcwd()
    with folder() as directory:
        (directory / "tiny.txt").write_text(_BOARD)
        (directory / "bad.txt").write_bytes(b"\xff\0")
        (directory / "plan.toml").write_text(PLAN.format(runs=2))
        (directory / "bad.toml").write_text("[[experiment]]\nbudget = [")
        (directory / "tiny.sqlite").write_bytes(store())
        (directory / "bad.sqlite").write_bytes(store()[:-2000])
        (directory / "folder").mkdir()
        os.chdir(directory)
        try:
            code, said = _run(arguments)
        finally:
            os.chdir(before)
    shown = f"catcube {arguments!r}"
    ensure(code in CODES, f"{shown}: exit code {code}")
    ensure("Traceback" not in said, f"{shown}: a traceback")
    ensure("\x1b" not in said, f"{shown}: a command to the terminal")
    if code == 2:
        lines = [line for line in said.splitlines() if not line.startswith("catcube: note: ")]
        ensure(len(lines) == 1, f"{shown}: a refusal of {len(lines)} lines: {said!r}")
        ensure(lines[0].startswith("catcube: "), f"{shown}: {said!r}")
        ensure(len(said) < 2 * LONGEST, f"{shown}: a refusal of {len(said)} characters")


def _run(arguments: list[str]) -> tuple[int, str]:
    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    errors = io.StringIO()
    standard_input = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(_BOARD.encode()), encoding="utf-8")
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            return main(arguments), errors.getvalue()
    finally:
        sys.stdin = standard_input


def _arguments(draws: Draws) -> list[str]:
    """A command and some words; what would take long has limits."""
    command = draws.choice([*COMMANDS, "", "none", "-h", "--version"])
    words = [
        draws.choice(_OPTIONS) if draws.byte() % 3 == 0 else _word(draws)
        for _ in range(draws.integer(0, 6))
    ]
    limits = {
        "solve": ["-b", "20", "-t", "1"],
        "run": ["-b", "20", "-n", "1", "-j", "1"],
        "campaign": ["-j", "1"],
        "reproduce": ["--none"],  # a whole study takes a minute
    }
    if command == "report":  # one that is made takes seconds; analysis is in the target 'store'
        words = [word for word in words if word not in ("tiny.sqlite", ".", "..")]
    if command == "campaign":  # so do the shipped plans
        words = [word for word in words if word not in ("--cluster", "tcp://", "localhost:1/x y")]
    words = [word for word in words if word != "all" and not word.startswith("small-dimension-*")]
    if command == "run":
        words = [word for word in words if word != "*"]
    return [command, *words, *limits.get(command, [])]


def _word(draws: Draws) -> str:
    return draws.text(4) if draws.byte() % 5 == 0 else draws.choice(_WORDS)
