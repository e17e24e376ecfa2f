"""Plans as TOML files: every key is checked, and what is wrong is told in one sentence.

    # mine.toml
    [[experiment]]
    name = "pilot"                       # by default the name of the file
    instances = ["sudoku-easy-*", "boards/mine.txt"]
    algorithms = ["rls", "sa"]           # or "all"
    representations = ["linear", "direct"]  # or "all"
    budget = 300_000                     # evaluations a run
    runs = 20
    seed = 1                             # the seed of a run is derived from it; 1 by default
    target = 0                           # optional: a run ends when it reaches this value
    restart = 50_000                     # optional: as in `catcube.minimize`
    preset = "paper"                     # optional
    parameters = { patience = 20 }       # optional: for each algorithm that has them
    shuffled = true                      # optional: permute the categories of each variable

A file holds one such table or several of different names. Instances are shipped ones, shell
patterns of their names, files relative to the folder of the plan, or problems such as `match:20,9`
and `colouring:queen8_8.col,9`, whose files are relative to that folder too.

A plan may come from anybody: reading it runs nothing, and takes neither long nor much memory.
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
from catcube.campaigns.plan import Experiment, Plan
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
"""Bytes of a plan, at most: room for ten thousand names of boards."""

MOST_EXPERIMENTS = 1000
LONGEST_REFUSAL = 1500  # characters, of which most may be what was given
LONGEST_PATH = 4096  # characters of the name of an instance, which may be that of a file

# Python's reader takes the square of the number of parts of a key that has dots.
_MANY_DOTS = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){50}""")


def shipped_plans() -> list[str]:
    """The names of the plans that come with the package.

    >>> [name for name in shipped_plans() if not name.startswith("beyond")]
    ['ecdf', 'fixed-budget', 'fixed-target']
    """
    folder = files("catcube").joinpath("data", "plans")
    return sorted(Path(file.name).stem for file in folder.iterdir() if file.name.endswith(".toml"))


def shipped_plan(name: str) -> Plan:
    """The shipped plan of this name."""
    if name not in shipped_plans():
        raise ValueError(unknown_name_message("plan", name, shipped_plans()))
    with as_file(files("catcube").joinpath("data", "plans", f"{name}.toml")) as path:
        return read_plan(path)


def read_plan(path: str | os.PathLike[str], known: Mapping[str, Content] | None = None) -> Plan:
    """The plan in a file; a ValueError says what is wrong with it.

    `known` are instances by name that take the place of files that are no longer there, such as
    those of a store that the plan was made for.
    """
    path = Path(path)
    text = read_text(path, LONGEST_FILE, "a plan").removeprefix("\ufeff")
    try:
        if _MANY_DOTS.search(text):
            raise ValueError("a key has more than 50 parts")
        content = tomllib.loads(text)
    except ValueError as error:
        raise ValueError(f"{path}: not a TOML file: {error}") from error
    except RecursionError:
        raise ValueError(f"{path}: not a TOML file: its brackets are nested too deeply") from None
    try:
        return _plan(content, path, known or {})
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path}: {shortened(str(error), LONGEST_REFUSAL)}") from error


def _plan(content: Mapping[str, Any], path: Path, known: Mapping[str, Content]) -> Plan:
    for key in content:
        if key != "experiment":
            raise ValueError(
                f"key {quoted(key)} stands outside of [[experiment]], the only thing a plan "
                "consists of"
            )
    tables = content.get("experiment", [])
    if not isinstance(tables, list) or not tables:
        raise ValueError("a plan needs a table [[experiment]] (in double brackets)")
    if len(tables) > MOST_EXPERIMENTS:
        raise ValueError(f"{len(tables):,} experiments; at most {MOST_EXPERIMENTS:,} are accepted")
    experiments: dict[str, Experiment] = {}
    boards: dict[str, Content] = {}
    for number, table in enumerate(tables, 1):
        place = f"experiment {number}"
        if not isinstance(table, dict):
            raise ValueError(f"{place}: expected a table, got {quoted(table)}")
        experiment = _experiment(table, place, path, known)
        if experiment.name in experiments:
            raise ValueError(f"two experiments are named {experiment.name!r}")
        for name, board in experiment.boards.items():
            if boards.setdefault(name, board) != board:
                raise ValueError(f"two different instances are named {name!r}")
        experiments[experiment.name] = experiment
    plan = Plan(path.stem, tuple(experiments.values()))
    for number, experiment in enumerate(plan.experiments, 1):
        try:
            experiment.configurations()
        except (ValueError, TypeError) as error:
            raise ValueError(f"experiment {number}: {error}") from error
    return plan


def _experiment(
    table: Mapping[str, Any], place: str, path: Path, known: Mapping[str, Content]
) -> Experiment:
    for key in table:
        if key not in KEYS:
            raise ValueError(f"{place}: {unknown_name_message('key', key, KEYS)}")
    for key in REQUIRED:
        if key not in table:
            raise ValueError(f"{place}: the key {key!r} is missing")

    def read(key: str, reader: Callable[[Any], Any], default: Any = None) -> Any:
        """The value of a key; what is wrong with it is told with the key."""
        try:
            return reader(table[key]) if key in table else default
        except (ValueError, TypeError, OverflowError) as error:
            raise ValueError(f"{place}: {key}: {error}") from error
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ValueError(f"{place}: {key}: {quoted(error.filename)}: {reason}") from error

    return Experiment(
        name=read("name", _name) if "name" in table else _name_of_file(path),
        boards=read("instances", lambda given: _boards(_names(given), path.parent, known)),
        algorithms=read("algorithms", _algorithms),
        representations=read("representations", _representations),
        budget=read("budget", lambda given: checked_count("budget", given)),
        runs=read("runs", lambda given: checked_count("number of runs", given)),
        seed=read("seed", checked_seed, 1),
        target=read("target", _number),
        restart=read("restart", lambda given: checked_count("restart", given)),
        preset=read("preset", _text),
        parameters=read("parameters", _table, {}),
        shuffled=read("shuffled", _truth_value, False),
    )


def _name_of_file(path: Path) -> str:
    """The name of an experiment without one: that of its file, without signs of formulas."""
    try:
        return checked_name("experiment", path.stem.lstrip(FORMULAS))
    except ValueError as error:
        raise ValueError(
            f"the key 'name' is missing, and the file has no usable name: {error}"
        ) from None


def _name(given: Any) -> str:
    return checked_name("experiment", _text(given))


def _text(given: Any) -> str:
    if not isinstance(given, str) or not given.strip():
        raise ValueError(f"expected a string, got {quoted(given)}")
    return given


def _number(given: Any) -> float:
    if not isinstance(given, bool) and isinstance(given, int | float):
        number = float(given)
        if math.isfinite(number):
            return number
    raise ValueError(f"expected a number, got {quoted(given)}")


def _truth_value(given: Any) -> bool:
    if not isinstance(given, bool):
        raise ValueError(f"expected true or false, got {quoted(given)}")
    return given


def _table(given: Any) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise ValueError(f"expected a table of names and values, got {quoted(given)}")
    return given


def _names(given: Any) -> tuple[str, ...]:
    """A list of different texts that is not empty."""
    if not isinstance(given, list):
        raise ValueError(f"expected a list of names, got {quoted(given)}")
    if not given:
        raise ValueError("the list is empty")
    names = tuple(_text(entry) for entry in given)
    known: set[str] = set()
    for name in names:
        if name in known:
            raise ValueError(f"{quoted(name)} is named twice")
        known.add(name)
    return names


def _algorithms(given: Any) -> tuple[str, ...]:
    if given == "all":
        return tuple(algorithms.names())
    for name in (names := _names(given)):
        algorithms.algorithm(name)
    return names


def _representations(given: Any) -> tuple[str, ...]:
    return tuple(families.shipped()) if given == "all" else _names(given)


def _boards(
    given: tuple[str, ...], folder: Path, known: Mapping[str, Content]
) -> dict[str, Content]:
    """Instances by name; a problem that its name describes has no board."""
    found: dict[str, Content] = {}
    for entry in given:
        for name, board in _named(entry, folder, known).items():
            checked_name("instance", name)
            if found.setdefault(name, board) != board:
                raise ValueError(f"two different instances are named {name!r}")
    return found


def _named(given: str, folder: Path, known: Mapping[str, Content]) -> dict[str, Content]:
    """What a name stands for: shipped boards, a file, or problems."""
    if len(given) > LONGEST_PATH:
        raise ValueError(f"{quoted(given)} is longer than {LONGEST_PATH} characters")
    path = folder / given
    if shipped := matching_boards(given):
        return shipped
    if path.is_file():
        return {path.stem: Board.read(path)}
    try:
        if described := matching_problems(given, folder):
            return described
    except FileNotFoundError:
        if given not in known:
            raise
        return {given: known[given]}
    if path.stem in known:
        return {path.stem: known[path.stem]}
    if is_pattern(given):
        raise ValueError(f"no shipped instance matches the pattern {quoted(given)}")
    if "/" in given or os.sep in given or path.suffix:
        raise ValueError(f"no such file: {quoted(str(path))}")
    raise ValueError(unknown_name_message("instance", given, listed()))
