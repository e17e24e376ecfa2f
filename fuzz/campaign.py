"""A tiny finished campaign, whose store strangers then change."""

import sqlite3
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from catcube.campaigns.execute import run_campaign
from catcube.campaigns.plan import Experiment, Plan
from catcube.problems.sudoku import Board
from fuzz.place import folder

_SEALED = Path(__file__).parent.parent / "tests" / "sealed.py"

TABLES = {
    "metadata": ("name", "value"),
    "configuration": (
        "id", "experiment", "instance", "algorithm", "representation", "runs", "digest", "body",
    ),
    "session": ("id", "began", "version", "sources", "machine"),
    "run": (
        "configuration", "number", "session", "finished", "seed", "value", "evaluations_to_best",
        "evaluations", "iterations", "ending", "seconds", "trace",
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
    with folder() as place:
        run_campaign(plan, place / "tiny.sqlite", jobs=1)
        return (place / "tiny.sqlite").read_bytes()


@cache
def _sealed() -> Any:
    """The module of the tests that makes checksums fit; another package may be named tests."""
    found = spec_from_file_location("sealed", _SEALED)
    assert found is not None
    assert found.loader is not None
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module


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
        _sealed().seal(path)
    except Exception:  # what cannot even be summed up stays without fitting checksums
        return False
    return True
