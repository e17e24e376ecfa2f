"""The runs of a store as a folder that IOHanalyzer and iohinspector read (IOHprofiler's format).

Their terms mean:

- *algorithm*: an algorithm with a representation, such as "sa linear"; each has a folder.
- *function*: an instance of an experiment, such as a board. Their numbers count the instances of
  the plan, experiment after experiment, so that the same board in two experiments is two
  functions, and runs with other budgets or parameters are never mixed. *suite* is the name of the
  experiment.
- *dimension*: the number of variables. It is the same for all representations, which is what makes
  them comparable there; the number of bits is an attribute of the experiment.
- *instance*: always 1, since an instance of ours is a function. The number of each run in the store
  is its attribute `run`.
- *raw_y*: the best value so far. There is a row for the first evaluation, each strict improvement
  and the last evaluation. A store keeps no points, so `x` of the best one is empty.

iohinspector evaluates attributes of an experiment as Python, so names are quoted literals. Loading
with its `monotonic=True` omits the first row of a run where the run before ended at the same value;
`monotonic=False` returns every row.
"""

import json
import os
import re
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from catcube.errors import BadValue
from catcube.experiments.configuration import Configuration
from catcube.experiments.plan import problem_of
from catcube.experiments.store.store import Store, StoredRun
from catcube.representations.layout import bits_of
from catcube.space import Space

FORMAT = "0.3.22"  # the version of IOHexperimenter that writes such files
LARGEST = 65535  # number of a function or variables: the reader has 16 bits for them
# Marks and describes a folder of ours. IOHanalyzer reads .txt and .csv as other formats.
MARK = "catcube-export"
COLUMNS = ("evaluations", "raw_y")

_TITLE = "Runs exported by catcube in the format of IOHprofiler."


def write_ioh(store: Store, folder: str | os.PathLike[str]) -> None:
    """Write all finished runs, as a complete folder or not at all.

    The folder must be new, empty, or an earlier export, which is replaced.
    """
    target = Path(folder).absolute()
    _check_target(target)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as temporary:
        new, old = Path(temporary, "new"), Path(temporary, "old")
        new.mkdir()
        _write(store, new)
        if target.exists():
            os.rename(target, old)
        try:
            os.rename(new, target)
        except OSError:
            if old.exists():
                os.rename(old, target)
            raise


def _check_target(target: Path) -> None:
    """Raise a ValueError if the folder holds other files."""
    if not target.parent.is_dir():
        raise BadValue(f"{target.parent}: no such folder")
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise BadValue(f"{target}: not a folder")
    if target.exists():
        marked = not any(target.iterdir()) or (target / MARK).is_file()
        if not marked or any(not _is_ours(path) for path in target.rglob("*")):
            raise BadValue(
                f"{target}: the folder holds other files; name a new one, or an earlier export"
            )


def _is_ours(path: Path) -> bool:
    return path.is_dir() or path.name == MARK or path.name.startswith("IOHprofiler_f")


def _write(store: Store, folder: Path) -> None:
    configurations = store.configurations()
    by_names = {_names(configuration): configuration for configuration in configurations}
    if len(by_names) < len(configurations):
        raise BadValue(f"{store.path}: two configurations of the store have the same names")
    searched = dict.fromkeys(
        (configuration.experiment, configuration.instance) for configuration in configurations
    )
    functions = {names: number for number, names in enumerate(searched, 1)}
    folders = _folders(dict.fromkeys(configuration.pair for configuration in configurations))
    is_empty = True
    for names, runs in groupby(store.runs(), key=_names):
        configuration = by_names.get(names)
        if configuration is None:
            raise BadValue(f"{store.path}: the store is damaged ({names[1]!r} has two names)")
        subfolder = folder / folders[configuration.pair]
        subfolder.mkdir(exist_ok=True)
        _write_runs(
            configuration,
            functions[configuration.experiment, configuration.instance],
            runs,
            subfolder,
            store.path,
        )
        is_empty = False
    if is_empty:
        raise BadValue(f"{store.path}: the store has no finished run yet")
    (folder / MARK).write_text(_description(functions, folders), encoding="utf-8")


def _names(configuration: Configuration | StoredRun) -> tuple[str, str, str, str]:
    return (
        configuration.experiment,
        configuration.instance,
        configuration.algorithm,
        configuration.representation,
    )


def _folders(pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Name a folder for each pair; the names differ also where case is ignored."""
    found: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    for pair in pairs:
        name = plain = safe_name("-".join(pair))
        count = 1
        while name.casefold() in taken:
            count += 1
            name = f"{plain}_{count}"
        taken.add(name.casefold())
        found[pair] = name
    return found


def safe_name(name: str) -> str:
    """Convert a name to a part of a file name: letters, digits and hyphens.

    >>> safe_name("sudoku-easy-56"), safe_name("../Mein Brett")
    ('sudoku-easy-56', '_Mein_Brett')
    """
    return re.sub(r"[^A-Za-z0-9-]+", "_", name)[:80]


def _write_runs(
    configuration: Configuration,
    function: int,
    runs: Iterable[StoredRun],
    folder: Path,
    source: Path,
) -> None:
    """Write the JSON file and the data file of one algorithm on one function."""
    try:
        space = _space(configuration.board, configuration.instance)
        bits = bits_of(space, configuration.representation)
    except (ValueError, TypeError) as error:  # a forged store
        raise BadValue(f"{source}: {error}") from error
    if function > LARGEST or len(space) > LARGEST:
        raise BadValue(
            f"{source}: expected at most {LARGEST} instances and {LARGEST} variables, got "
            f"{configuration.instance!r} as number {function} with {len(space)} variables"
        )
    name = safe_name(configuration.instance)
    data = Path(f"data_f{function}_{name}", f"IOHprofiler_f{function}_DIM{len(space)}.dat")
    (folder / data).parent.mkdir()
    described = []
    with (folder / data).open("x", encoding="ascii", newline="") as file:
        for run in runs:
            file.writelines(_lines(run, source))
            best = {"evals": run.evaluations_to_best, "y": run.value, "x": []}
            described.append(
                {"instance": 1, "evals": run.evaluations, "best": best, "run": run.run}
            )
    attributes = {
        "representation": repr(configuration.representation),
        "bits": str(bits),
        "budget": str(configuration.budget),
    }
    content = {
        "version": FORMAT,
        "suite": configuration.experiment,
        "function_id": function,
        "function_name": configuration.instance,
        "maximization": False,
        "algorithm": {"name": " ".join(configuration.pair), "info": _settings(configuration)},
        "experiment_attributes": [{key: value} for key, value in attributes.items()],
        "run_attributes": ["run"],
        "attributes": list(COLUMNS),
        "scenarios": [{"dimension": len(space), "path": data.as_posix(), "runs": described}],
    }
    path = folder / f"IOHprofiler_f{function}_{name}.json"
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="ascii")


@lru_cache(maxsize=1)
def _space(board: str, instance: str) -> Space:
    """Return the space of an instance, once for all its pairs: a board is slow to build."""
    return problem_of(board, instance).space


def _lines(run: StoredRun, source: Path) -> Iterator[str]:
    """Yield the header that begins a run, and its rows."""
    evaluations, values = _improvements(run, source)
    yield " ".join(COLUMNS) + "\n"
    for evaluation, value in zip(evaluations, values, strict=True):
        yield f"{evaluation} {value!r}\n"
    if run.evaluations > evaluations[-1]:
        yield f"{run.evaluations} {values[-1]!r}\n"


def _improvements(run: StoredRun, source: Path) -> tuple[list[int], list[float]]:
    """Return evaluations and values, checked; readers count runs by evaluation 1."""
    try:
        evaluations, values = run.trace
        whole = (
            evaluations[0] == 1
            and (np.diff(evaluations) > 0).all()
            and evaluations[-1] == run.evaluations_to_best <= run.evaluations
            and (np.diff(values) < 0).all()
            and values[-1] == run.value
        )
    except (zlib.error, ValueError, IndexError):
        whole = False
    if not whole:
        raise BadValue(
            f"{source}: the improvements of run {run.run} of {run.algorithm!r}, "
            f"{run.representation!r} on {run.instance!r} are damaged"
        )
    return evaluations.tolist(), values.tolist()


def _settings(configuration: Configuration) -> str:
    """Format target, restart and parameters, if any."""
    settings: dict[str, Any] = {"target": configuration.target, "restart": configuration.restart}
    settings |= dict(configuration.parameters)
    return ", ".join(f"{key}={value}" for key, value in settings.items() if value is not None)


def _description(functions: dict[tuple[str, str], int], folders: dict[tuple[str, str], str]) -> str:
    """Explain the numbers and folders in a text."""
    lines = [_TITLE, "", "function: experiment, instance"]
    lines += [f"{number}: {', '.join(names)}" for names, number in functions.items()]
    lines += ["", "folder: algorithm, representation"]
    lines += [f"{folder}: {', '.join(pair)}" for pair, folder in folders.items()]
    return "\n".join(lines) + "\n"
