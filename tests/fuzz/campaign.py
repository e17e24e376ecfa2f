"""A tiny finished campaign, whose store strangers then change."""

import sqlite3
from functools import cache
from pathlib import Path

from catcube.experiments.campaign import run_campaign
from catcube.experiments.plan import Experiment, Plan
from catcube.problems.sudoku import Board
from tests.experiments.sealed import seal
from tests.fuzz.folders import folder

TABLES = {
    "metadata": ("name", "value"),
    "configuration": (
        "id", "experiment", "instance", "algorithm", "representation", "runs", "digest", "body",
    ),
    "session": ("id", "began", "version", "sources", "machine"),
    "run": (
        "configuration", "number", "session", "finished", "seed", "value", "evaluations_to_best",
        "evaluations", "iterations", "ending", "seconds", "trace", "point",
    ),
    "tally": ("configuration", "session", "runs", "evaluations", "seconds", "finished"),
    "failure": ("configuration", "number", "message", "session", "finished"),
}  # fmt: skip


@cache
def store() -> bytes:
    """The store of two experiments, as bytes."""
    boards = {"tiny": Board("12.. 3412 2143 432."), "match:3,2": None}
    plan = Plan(
        "tiny",
        (
            Experiment("budget", boards, ("rls", "sa"), ("linear", "direct"), budget=20, runs=2),
            Experiment("target", boards, ("rls",), ("linear",), budget=20, runs=2, target=0.0),
        ),
    )
    with folder() as directory:
        run_campaign(plan, directory / "tiny.sqlite", jobs=1)
        return (directory / "tiny.sqlite").read_bytes()


def change(path: Path, statement: str, *values: object) -> bool:
    """Change the store by hand and make its checksums fit; whether that could be done."""
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(statement, values)
        connection.commit()
    except (sqlite3.Error, ValueError, OverflowError, TypeError):
        return False
    finally:
        connection.close()
    try:
        seal(path)
    except Exception:  # what cannot even be summed up stays without fitting checksums
        return False
    return True
