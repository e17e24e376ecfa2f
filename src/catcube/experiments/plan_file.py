"""Reading of plans from TOML files.

    # mine.toml
    [[experiment]]
    name = "pilot"                       # by default the name of the file
    instances = ["sudoku-easy-*", "boards/mine.txt"]
    algorithms = ["rls", "sa"]           # or "all"; ["auto"] chooses one for each instance
    representations = ["linear", "direct"]  # or "all"; ["auto"] chooses one for each algorithm
    budget = 300_000                     # evaluations per run
    runs = 20
    seed = 1                             # optional (default: 1): seeds of runs are derived from it
    target = 0                           # optional: a run ends when it reaches this value
    restart = 50_000                     # optional: see `catcube.minimize`
    preset = "paper"                     # optional
    parameters = { patience = 20 }       # optional: passed to each algorithm that has them
    shuffled = true                      # optional: permute the categories of each variable

A file contains one or more such tables with different names. Instances are names of built-in ones,
shell patterns for them, files, or problems such as `match:20,9` and `colouring:queen8_8.col,9`.
Files are relative to the folder of the plan.

A plan may be untrusted: reading it executes no code, and takes little time and memory.
"""

import math
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from catcube import algorithms
from catcube.base.text import FORMULA_SIGNS, expect, expect_known, quote, shorten, validate_name
from catcube.errors import BadValue
from catcube.experiments.plan import Experiment, Plan, Unsigned
from catcube.problems.instances import Content, find_instances
from catcube.problems.scanner import TextFile
from catcube.representations.registry import families
from catcube.search.arguments import as_count
from catcube.search.auto import AUTO, MODEL_PREFIX

MAX_FILE_SIZE = 2**20
"""The maximum size of a plan file in bytes: enough for ten thousand instance names."""

MAX_EXPERIMENTS = 1000
MAX_MESSAGE = 1500  # characters

# Python's parser takes quadratic time in the number of parts of a dotted key.
_MANY_DOTS = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){50}""")


class ExperimentTable(msgspec.Struct):
    """The keys of an experiment in a file."""

    instances: list[str]
    algorithms: list[str] | Literal["all"]
    representations: list[str] | Literal["all"]
    budget: int | float
    runs: int | float
    name: str | None = None
    seed: Unsigned = 1
    target: float | None = None
    restart: int | float | None = None
    preset: str | None = None
    parameters: dict[str, Any] = {}
    shuffled: bool = False


class _File(msgspec.Struct):
    experiment: Annotated[list[Any], msgspec.Meta(min_length=1, max_length=MAX_EXPERIMENTS)]


@dataclass(frozen=True)
class Scale:
    """A scale of the built-in plans: their full size, or a few minutes of them.

    A size, given by the name of the plan, limits the numbers of runs, evaluations and instances. A
    number that is None or missing is that of the plan.

    >>> Scale("tiny", {"ecdf": (1, None, 2)}).plan("ecdf").total_runs
    44
    """

    name: str
    sizes: Mapping[str, Sequence[int | None]]

    def plan(self, name: str) -> Plan:
        """Return the built-in plan at this scale."""
        return shipped_plan(name).scaled(*self.sizes[name])


def shipped_plans() -> list[str]:
    """Return the names of the built-in plans.

    Returns
    -------
    list of str
        The names, in alphabetical order.

    Examples
    --------
    >>> [name for name in shipped_plans() if not name.startswith("beyond")]
    ['ecdf', 'fixed-budget', 'fixed-target']
    """
    folder = files("catcube").joinpath("data", "plans")
    return sorted(Path(file.name).stem for file in folder.iterdir() if file.name.endswith(".toml"))


@cache
def shipped_plan(name: str) -> Plan:
    """Return the built-in plan of this name.

    Parameters
    ----------
    name
        The name of the plan, one of `shipped_plans()`.

    Returns
    -------
    Plan
        The plan; it is read only once.

    Examples
    --------
    >>> shipped_plan("ecdf").total_runs
    4400
    """
    expect_known("plan", name, shipped_plans())
    with as_file(files("catcube").joinpath("data", "plans", f"{name}.toml")) as path:
        return read_plan(path, check=False)


def read_plan(path: str | os.PathLike[str], check: bool = True) -> Plan:
    """Read a plan from a file; raise a ValueError if it is invalid.

    Parameters
    ----------
    path
        The TOML file. Files of instances are relative to its folder.
    check
        Whether to build all configurations. With `check=False`, errors in configurations are raised
        only when they are built.

    Returns
    -------
    Plan
        The plan, with the name of the file without its ending.

    Examples
    --------
    >>> import tempfile
    >>> table = 'instances = ["match:6,5"], algorithms = ["rls", "sa"], budget = 999, runs = 5'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "mine.toml")
    ...     text = f'experiment = [{{ {table}, representations = ["linear"] }}]'
    ...     written = path.write_text(text)
    ...     plan = read_plan(path)
    >>> plan.name, plan.total_runs
    ('mine', 10)
    """
    path = Path(path)
    text = TextFile.read(path).text
    try:
        tables = _parse(text)
        experiments: list[Experiment] = []
        contents: dict[str, Content] = {}
        for number, table in enumerate(tables, 1):
            try:
                experiment = _read_experiment(table, path)
                if check:
                    experiment.configurations()
            except OSError as error:
                reason = f"{quote(error.filename)}: {(error.strerror or str(error)).lower()}"
                raise BadValue(f"experiment {number}: {reason}") from error
            except (ValueError, TypeError, OverflowError, msgspec.ValidationError) as error:
                raise BadValue(f"experiment {number}: {error}") from error
            merge_instances(contents, experiment.instances)
            experiments.append(experiment)
        return Plan(path.stem, tuple(experiments))
    except (ValueError, msgspec.ValidationError) as error:
        raise BadValue(f"{path}: {shorten(str(error), MAX_MESSAGE)}") from error


def _parse(text: str) -> list[Any]:
    """Return the tables of a file."""
    expect(len(text) <= MAX_FILE_SIZE, f"at most {MAX_FILE_SIZE} characters", len(text))
    try:
        expect(not _MANY_DOTS.search(text), "at most 50 parts in a key", "more")
        content = tomllib.loads(text)
    except ValueError as error:
        raise BadValue(f"not a TOML file: {error}") from error
    except RecursionError:
        raise BadValue("not a TOML file: its brackets are nested too deeply") from None
    file: _File = read_keys(content, _File)
    return file.experiment


def read_keys(content: Any, kind: type[msgspec.Struct]) -> Any:
    """Convert a table of a file; raise an error for a key that is unknown, or of another type.

    Parameters
    ----------
    content
        The table, as read from a file.
    kind
        The class to which it is converted; its fields are the known keys.

    Returns
    -------
    object
        An object of this class.

    Examples
    --------
    >>> class Size(msgspec.Struct):
    ...     width: int
    ...     height: int = 1
    >>> read_keys({"width": 3}, Size).height
    1
    >>> read_keys({"widht": 3}, Size)
    Traceback (most recent call last):
    catcube.errors.BadValue: unknown key 'widht', did you mean 'width'? (known: ...)
    """
    for key in content if isinstance(content, dict) else ():
        expect_known("key", key, kind.__struct_fields__)
    return msgspec.convert(content, kind)


def _read_experiment(content: Any, path: Path) -> Experiment:
    table: ExperimentTable = read_keys(content, ExperimentTable)
    contents: dict[str, Content] = {}
    for text in _check_distinct("instances", table.instances):
        merge_instances(contents, find_instances(text, path.parent))
    finite = table.target is None or math.isfinite(table.target)
    expect(finite, "a finite number", table.target, where="target: ")
    # Without the characters that begin a formula in a spreadsheet.
    name = path.stem.lstrip(FORMULA_SIGNS) if table.name is None else table.name
    settings = msgspec.structs.asdict(table) | {
        "name": validate_name("experiment", name),
        "instances": contents,
        "algorithms": check_algorithms(table.algorithms),
        "representations": check_representations(table.representations),
        "budget": as_count("budget", table.budget),
        "runs": as_count("runs", table.runs),
        "restart": as_count("restart", table.restart),
    }
    return Experiment(**settings)


def merge_instances(contents: dict[str, Content], new: Mapping[str, Any]) -> None:
    """Add instances; raise an error if two different ones have the same name.

    Parameters
    ----------
    contents
        The contents of the instances so far, by name; the new ones are added to it.
    new
        The contents of the new instances, by name.

    Examples
    --------
    >>> contents = {"match:6,5": None}
    >>> merge_instances(contents, {"match:6,5": None, "match:7,5": None})
    >>> list(contents)
    ['match:6,5', 'match:7,5']
    """
    for name, content in new.items():
        validate_name("instance", name)
        if contents.setdefault(name, content) != content:
            raise BadValue(f"two different instances are named {name!r}")


def check_algorithms(chosen: list[str] | Literal["all"]) -> tuple[str, ...]:
    """Return checked names of algorithms; "all" stands for all except the surrogate.

    Parameters
    ----------
    chosen
        The names, or "all". A name may be "auto", or begin with "surrogate+".

    Returns
    -------
    tuple of str
        The names. An unknown name is an error, as are equal names, or none.

    Examples
    --------
    >>> check_algorithms(["sa", "auto"]), len(check_algorithms("all"))
    (('sa', 'auto'), 11)
    """
    names = algorithms.names() if chosen == "all" else _check_distinct("algorithms", chosen)
    for name in names:
        single = name.removeprefix(MODEL_PREFIX)
        if name != AUTO and single not in algorithms.registered:  # the list of all loads plug-ins
            expect_known("algorithm", name, [*algorithms.registered, AUTO])
    return tuple(names)


def check_representations(chosen: list[str] | Literal["all"]) -> tuple[str, ...]:
    """Return checked names of representations; "all" stands for all built-in ones.

    Parameters
    ----------
    chosen
        The names, or "all".

    Returns
    -------
    tuple of str
        The names. Equal names, or none, are an error; an unknown name is one only when a
        configuration is built.

    Examples
    --------
    >>> check_representations(["linear", "direct"]), check_representations("all")[:2]
    (('linear', 'direct'), ('direct', 'gray'))
    """
    names = families.builtin() if chosen == "all" else _check_distinct("representations", chosen)
    return tuple(names)


def _check_distinct(key: str, names: list[str]) -> list[str]:
    """Return the names; raise an error if there are none, or duplicates."""
    different = all(map(str.strip, names)) and 0 < len({*names}) == len(names)
    expect(different, "one or more different names", names, where=f"{key}: ")
    return names
