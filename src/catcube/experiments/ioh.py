"""Export of a store to a folder in the format of IOHprofiler, for IOHanalyzer and iohinspector.

The terms of this format are used as follows:

- *algorithm*: an algorithm with a representation, such as "sa linear". Each has a folder.
- *function*: an instance of an experiment, such as a board. Functions are numbered through all
  experiments of the plan, so a board in two experiments counts as two functions, and runs with
  different budgets or parameters are never mixed. *suite* is the name of the experiment.
- *dimension*: the number of variables. It is the same for all representations, so they can be
  compared; bits, budget and the number of categories are attributes.
- *instance*: always 1, since our instances are functions. The attribute `run` is the number of the
  run in the store.
- *raw_y*: the best value so far. There is a row for the first evaluation, each strict improvement
  and the last evaluation. `x` of the best point are its category indices.

iohinspector evaluates the attributes of an experiment as Python, so names are quoted literals. With
`monotonic=True` it omits the first row of a run if the previous run ended at the same value; with
`monotonic=False` it returns every row.
"""

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from catcube.base.text import expect
from catcube.experiments.export import UniqueNames, dimensions_of, improvements_of
from catcube.experiments.plan import Configuration
from catcube.experiments.store import Store

FORMAT = "0.3.22"  # the version of IOHexperimenter that writes this format
MAX_NUMBER = 65535  # of functions and of variables, for which the reader has 16 bits
# The file that marks and describes an export. IOHanalyzer reads .txt and .csv as other formats.
MARKER = "catcube-export"
COLUMNS = ("evaluations", "raw_y")

_TITLE = "Runs exported by catcube in the format of IOHprofiler."


def write_ioh(store: Store, folder: str | os.PathLike[str]) -> None:
    """Write all finished runs to a folder, completely or not at all.

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
        os.rename(new, target)


def _check_target(target: Path) -> None:
    """Raise a ValueError if the folder contains other files than those of an export."""
    expect(target.parent.is_dir(), "a new folder within an existing one", str(target))
    if target.is_symlink() or target.exists():
        found = [path.name for path in target.rglob("*") if not path.is_dir()]
        ours = all(name == MARKER or name.startswith("IOHprofiler_f") for name in found)
        ours = ours and (not found or MARKER in found)
        ours = ours and target.is_dir() and not target.is_symlink()
        wanted = "a new or empty folder, or an earlier export"
        expect(ours, wanted, "other files", where=f"{target}: ")


def _write(store: Store, folder: Path) -> None:
    configurations = store.configurations()
    searched = dict.fromkeys(configuration.names[:2] for configuration in configurations)
    functions = {names: number for number, names in enumerate(searched, 1)}
    unique = UniqueNames()  # also where case is ignored
    pairs = dict.fromkeys(configuration.pair for configuration in configurations)
    folders = {pair: unique(safe_name("-".join(pair)).casefold()) for pair in pairs}
    with store.snapshot():
        done = [index for index, runs in sorted(store.counts().items()) if runs]
        expect(done, "a store with finished runs", "none", where=f"{store.path}: ")
        for index in done:
            configuration = configurations[index]
            subfolder = folder / folders[configuration.pair]
            subfolder.mkdir(exist_ok=True)
            function = functions[configuration.names[:2]]
            _write_runs(store, configuration, function, store.runs_of(index), subfolder)
    (folder / MARKER).write_text(_describe(functions, folders), encoding="utf-8")


def safe_name(name: str) -> str:
    """Convert a name to a part of a file name: letters, digits and hyphens.

    >>> safe_name("sudoku-easy-56"), safe_name("../Mein Brett")
    ('sudoku-easy-56', '_Mein_Brett')
    """
    return re.sub(r"[^A-Za-z0-9-]+", "_", name)[:80]


def _write_runs(
    store: Store, configuration: Configuration, function: int, runs: Iterable[Any], folder: Path
) -> None:
    """Write the JSON file and the data file of an algorithm on a function."""
    size = dimensions_of(configuration)
    most = f"at most {MAX_NUMBER} instances and {MAX_NUMBER} variables"
    where = f"{store.path}: {configuration.instance}: "
    expect(max(function, size.n) <= MAX_NUMBER, most, (function, size.n), where=where)
    name = safe_name(configuration.instance)
    data = Path(f"data_f{function}_{name}", f"IOHprofiler_f{function}_DIM{size.n}.dat")
    (folder / data).parent.mkdir()
    described = []
    with (folder / data).open("x", encoding="ascii", newline="") as file:
        for run in runs:
            evaluations, values = improvements_of(store, run)
            file.writelines(_data_lines(evaluations.tolist(), values.tolist(), run.evaluations))
            best = {"evals": run.evaluations_to_best, "y": run.value, "x": run.categories.tolist()}
            described.append(
                {"instance": 1, "evals": run.evaluations, "best": best, "run": run.run}
            )
    attributes = {
        "representation": repr(configuration.representation),
        "bits": str(size.bits),
        "budget": str(configuration.budget),
        "categories": str(size.N),
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
        "scenarios": [{"dimension": size.n, "path": data.as_posix(), "runs": described}],
    }
    path = folder / f"IOHprofiler_f{function}_{name}.json"
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="ascii")


def _data_lines(evaluations: list[int], values: list[float], last: int) -> Iterator[str]:
    """Yield the header and the rows of a run."""
    yield " ".join(COLUMNS) + "\n"
    for evaluation, value in zip(evaluations, values, strict=True):
        yield f"{evaluation} {value!r}\n"
    if last > evaluations[-1]:
        yield f"{last} {values[-1]!r}\n"


def _settings(configuration: Configuration) -> str:
    """Format target, restart and parameters, if any."""
    settings: dict[str, Any] = {"target": configuration.target, "restart": configuration.restart}
    settings |= dict(configuration.parameters)
    return ", ".join(f"{key}={value}" for key, value in settings.items() if value is not None)


def _describe(functions: dict[tuple[str, str], int], folders: dict[tuple[str, str], str]) -> str:
    """Return a text that explains the numbers of functions and the names of folders."""
    lines = [_TITLE, "", "function: experiment, instance"]
    lines += [f"{number}: {', '.join(names)}" for names, number in functions.items()]
    lines += ["", "folder: algorithm, representation"]
    lines += [f"{folder}: {', '.join(pair)}" for pair, folder in folders.items()]
    return "\n".join(lines) + "\n"
