"""Plans as TOML files; every key is checked.

    # mine.toml
    [[experiment]]
    name = "pilot"                       # by default the name of the file
    instances = ["sudoku-easy-*", "boards/mine.txt"]
    algorithms = ["rls", "sa"]           # or "all"
    representations = ["linear", "direct"]  # or "all"
    budget = 300_000                     # evaluations per run
    runs = 20
    seed = 1                             # the seed of a run is derived from it; 1 by default
    target = 0                           # optional: a run ends when it reaches this value
    restart = 50_000                     # optional: see `catcube.minimize`
    preset = "paper"                     # optional
    parameters = { patience = 20 }       # optional: for each algorithm that has them
    shuffled = true                      # optional: permute the categories of each variable

A file has one such table or several with different names. Instances are shipped ones, shell
patterns of their names, files relative to the folder of the plan, or problems such as `match:20,9`
and `colouring:queen8_8.col,9`, whose files are relative to that folder too.

A plan may be untrusted: reading it executes nothing, and takes little time and memory.
"""

import math
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from catcube import algorithms
from catcube.base.text import FORMULAS, checked_name, quoted, shortened, unknown_name_message
from catcube.errors import BadValue
from catcube.experiments.plan import Experiment, Plan
from catcube.problems.instances import (
    Content,
    is_pattern,
    listed,
    matching_boards,
    matching_problems,
)
from catcube.problems.sudoku import Board
from catcube.problems.sudoku.reader import read_text
from catcube.representations.registry import families
from catcube.search.arguments import checked_count, checked_seed

REQUIRED = ("instances", "algorithms", "representations", "budget", "runs")
KEYS = ("name", *REQUIRED, "seed", "target", "restart", "preset", "parameters", "shuffled")

LONGEST_FILE = 2**20
"""The most bytes of a plan: room for ten thousand names of boards."""

MOST_EXPERIMENTS = 1000
LONGEST_MESSAGE = 1500  # characters
LONGEST_PATH = 4096  # characters of the name of an instance, which may be a path

# Python's parser takes quadratic time in the number of parts of a dotted key.
_MANY_DOTS = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){50}""")


def shipped_plans() -> list[str]:
    """Return the names of the plans of the package.

    >>> [name for name in shipped_plans() if not name.startswith("beyond")]
    ['ecdf', 'fixed-budget', 'fixed-target']
    """
    folder = files("catcube").joinpath("data", "plans")
    return sorted(Path(file.name).stem for file in folder.iterdir() if file.name.endswith(".toml"))


def shipped_plan(name: str) -> Plan:
    """Return the shipped plan of this name."""
    if name not in shipped_plans():
        raise BadValue(unknown_name_message("plan", name, shipped_plans()))
    with as_file(files("catcube").joinpath("data", "plans", f"{name}.toml")) as path:
        return read_plan(path)


def read_plan(path: str | os.PathLike[str], known: Mapping[str, Content] | None = None) -> Plan:
    """Read a plan from a file; raise a ValueError if it is invalid.

    `known` are instances by name that replace missing files, such as those of a store of the plan.
    """
    path = Path(path)
    text = read_text(path, LONGEST_FILE, "a plan").removeprefix("\ufeff")
    try:
        if _MANY_DOTS.search(text):
            raise BadValue("a key has more than 50 parts")
        content = tomllib.loads(text)
    except ValueError as error:
        raise BadValue(f"{path}: not a TOML file: {error}") from error
    except RecursionError:
        raise BadValue(f"{path}: not a TOML file: its brackets are nested too deeply") from None
    try:
        return _plan(content, path, known or {})
    except (ValueError, TypeError) as error:
        raise BadValue(f"{path}: {shortened(str(error), LONGEST_MESSAGE)}") from error


def _plan(content: Mapping[str, Any], path: Path, known: Mapping[str, Content]) -> Plan:
    for key in content:
        if key != "experiment":
            raise BadValue(
                f"expected only tables [[experiment]], got the key {quoted(key)} outside of them"
            )
    tables = content.get("experiment", [])
    if not isinstance(tables, list) or not tables:
        raise BadValue("expected a table [[experiment]] (in double brackets), got none")
    if len(tables) > MOST_EXPERIMENTS:
        raise BadValue(f"expected at most {MOST_EXPERIMENTS:,} experiments, got {len(tables):,}")
    experiments: dict[str, Experiment] = {}
    boards: dict[str, Content] = {}
    for number, table in enumerate(tables, 1):
        where = f"experiment {number}"
        if not isinstance(table, dict):
            raise BadValue(f"{where}: expected a table, got {quoted(table)}")
        experiment = _experiment(table, where, path, known)
        if experiment.name in experiments:
            raise BadValue(f"two experiments are named {experiment.name!r}")
        for name, board in experiment.boards.items():
            if boards.setdefault(name, board) != board:
                raise BadValue(f"two different instances are named {name!r}")
        experiments[experiment.name] = experiment
    plan = Plan(path.stem, tuple(experiments.values()))
    for number, experiment in enumerate(plan.experiments, 1):
        try:
            experiment.configurations()
        except (ValueError, TypeError) as error:
            raise BadValue(f"experiment {number}: {error}") from error
    return plan


def _experiment(
    table: Mapping[str, Any], where: str, path: Path, known: Mapping[str, Content]
) -> Experiment:
    for key in table:
        if key not in KEYS:
            raise BadValue(f"{where}: {unknown_name_message('key', key, KEYS)}")
    for key in REQUIRED:
        if key not in table:
            raise BadValue(f"{where}: the key {key!r} is missing")

    def read(key: str, reader: Callable[[Any], Any], default: Any = None) -> Any:
        """Return the value of a key; name the key in errors."""
        try:
            return reader(table[key]) if key in table else default
        except (ValueError, TypeError, OverflowError) as error:
            raise BadValue(f"{where}: {key}: {error}") from error
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise BadValue(f"{where}: {key}: {quoted(error.filename)}: {reason}") from error

    return Experiment(
        name=read("name", _name) if "name" in table else _name_of_file(path),
        boards=read("instances", lambda value: _boards(_names(value), path.parent, known)),
        algorithms=read("algorithms", _algorithms),
        representations=read("representations", _representations),
        budget=read("budget", lambda value: checked_count("budget", value)),
        runs=read("runs", lambda value: checked_count("number of runs", value)),
        seed=read("seed", checked_seed, 1),
        target=read("target", _number),
        restart=read("restart", lambda value: checked_count("restart", value)),
        preset=read("preset", _text),
        parameters=read("parameters", _table, {}),
        shuffled=read("shuffled", _truth_value, False),
    )


def _name_of_file(path: Path) -> str:
    """Return the default name of an experiment: that of its file, without signs of formulas."""
    try:
        return checked_name("experiment", path.stem.lstrip(FORMULAS))
    except ValueError as error:
        raise BadValue(
            f"the key 'name' is missing, and the file has no usable name: {error}"
        ) from None


def _name(value: Any) -> str:
    return checked_name("experiment", _text(value))


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise BadValue(f"expected a string, got {quoted(value)}")
    return value


def _number(value: Any) -> float:
    if not isinstance(value, bool) and isinstance(value, int | float):
        number = float(value)
        if math.isfinite(number):
            return number
    raise BadValue(f"expected a number, got {quoted(value)}")


def _truth_value(value: Any) -> bool:
    if not isinstance(value, bool):
        raise BadValue(f"expected true or false, got {quoted(value)}")
    return value


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadValue(f"expected a table of names and values, got {quoted(value)}")
    return value


def _names(value: Any) -> tuple[str, ...]:
    """Check that a value is a non-empty list of different strings."""
    if not isinstance(value, list):
        raise BadValue(f"expected a list of names, got {quoted(value)}")
    if not value:
        raise BadValue("expected at least one name, got an empty list")
    names = tuple(_text(entry) for entry in value)
    known: set[str] = set()
    for name in names:
        if name in known:
            raise BadValue(f"expected different names, got {quoted(name)} twice")
        known.add(name)
    return names


def _algorithms(value: Any) -> tuple[str, ...]:
    if value == "all":
        return tuple(algorithms.names())
    for name in (names := _names(value)):
        algorithms.algorithm(name)
    return names


def _representations(value: Any) -> tuple[str, ...]:
    return tuple(families.shipped()) if value == "all" else _names(value)


def _boards(
    value: tuple[str, ...], folder: Path, known: Mapping[str, Content]
) -> dict[str, Content]:
    """Return instances by name; a problem whose name has all arguments has no board."""
    found: dict[str, Content] = {}
    for entry in value:
        for name, board in _named(entry, folder, known).items():
            checked_name("instance", name)
            if found.setdefault(name, board) != board:
                raise BadValue(f"two different instances are named {name!r}")
    return found


def _named(value: str, folder: Path, known: Mapping[str, Content]) -> dict[str, Content]:
    """Return the instances of a name: shipped boards, a file, or problems."""
    if len(value) > LONGEST_PATH:
        raise BadValue(f"expected at most {LONGEST_PATH} characters, got {quoted(value)}")
    path = folder / value
    if shipped := matching_boards(value):
        return shipped
    if path.is_file():
        return {path.stem: Board.read(path)}
    try:
        if described := matching_problems(value, folder):
            return described
    except FileNotFoundError:
        if value not in known:
            raise
        return {value: known[value]}
    if path.stem in known:
        return {path.stem: known[path.stem]}
    if is_pattern(value):
        raise BadValue(f"no shipped instance matches the pattern {quoted(value)}")
    if "/" in value or os.sep in value or path.suffix:
        raise BadValue(f"no such file: {quoted(str(path))}")
    raise BadValue(unknown_name_message("instance", value, listed()))
