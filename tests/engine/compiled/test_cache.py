"""Compiled code is kept: a second start compiles nothing, another source compiles afresh."""

import importlib
import os
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core.dispatcher import Dispatcher

import catcube
from catcube.engine.compiled.jit import COMPILED_ROOMS

pytestmark = pytest.mark.compiled

START = """
from numba.core import event

compilations = event.RecordingListener()
passes = event.RecordingListener()
event.register("numba:compile", compilations)
event.register("numba:run_pass", passes)

import catcube
from catcube.engine.compiled.jit import CACHE_FOLDER
from catcube.problems import Match, Sudoku

settings = {"algorithm": "rls", "budget": 100, "seed": 1}
results = [
    catcube.minimize(Match(9, 9, seed=1), **settings),
    catcube.minimize(Sudoku("1..." + "...." * 3), representation="balanced", **settings),
    catcube.minimize(lambda point: point["a"] == "x", {"a": "xyz"}, **settings),
]
print(catcube.__file__)
print(CACHE_FOLDER)
print(len(compilations.buffer), len(passes.buffer))
print([result.fun for result in results])
"""

FOLDER = "from catcube.engine.compiled.jit import CACHE_FOLDER; print(CACHE_FOLDER)"


def started(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **{name: str(value) for name, value in environment.items()}},
    )


def start(package, cache):
    """Folder of the cache, how much was compiled, the results, and the files of the cache."""
    run = started(START, PYTHONPATH=package, NUMBA_CACHE_DIR=cache)
    assert run.returncode == 0, run.stderr
    where, folder, counts, values = run.stdout.splitlines()
    assert Path(where).is_relative_to(package)
    files = {path: path.stat().st_mtime_ns for path in cache.rglob("*") if path.is_file()}
    compilations, passes = map(int, counts.split())
    return Path(folder), compilations, passes, values, files


def copied(target):
    """A copy of the package's sources."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(catcube.__file__).parent, target / "catcube", ignore=ignored)
    return target


@pytest.mark.long
def test_a_second_start_compiles_nothing(tmp_path):
    package, cache = copied(tmp_path / "package"), tmp_path / "cache"
    folder, compilations, passes, values, files = start(package, cache)
    assert folder.parent == cache
    assert compilations > 0
    assert passes > 0
    assert any(path.suffix == ".nbc" and path.is_relative_to(folder) for path in files)

    assert start(package, cache) == (folder, 0, 0, values, files)


@pytest.mark.long  # the usual run sees that the folder is another one, below
def test_a_changed_source_compiles_everything(tmp_path):
    package, cache = copied(tmp_path / "package"), tmp_path / "cache"
    folder, compilations, _, values, _ = start(package, cache)
    # numba would not notice: kernels are inlined from other files than their own.
    with open(package / "catcube" / "engine" / "rng.py", "a") as source:
        source.write("# a comment\n")
    changed_folder, changed, _, changed_values, _ = start(package, cache)
    assert changed_folder != folder
    assert changed == compilations
    assert changed_values == values


def test_every_source_and_setting_counts(tmp_path):
    """Any file with compiled code or below it, and numba's own settings; not where the cache is."""
    package = copied(tmp_path / "package")
    code = """
import os
import pathlib
from catcube.base.provenance import package_hash
from catcube.engine.compiled.jit import code_hash

def tell():
    package_hash.cache_clear()  # it is that of when it was first asked for
    print(code_hash())

tell()
os.environ["NUMBA_CACHE_DIR"] = "elsewhere"
tell()
os.environ["NUMBA_OPT"] = "1"
tell()
import catcube
for name in ("space.py", "algorithms/rls.py", "problems/sudoku/problem.py"):
    with open(pathlib.Path(catcube.__file__).parent / name, "a") as source:
        source.write("\\n")
    tell()
with open(pathlib.Path(catcube.__file__).parent / "cli/main.py", "a") as source:
    source.write("\\n")
tell()
"""
    run = started(code, PYTHONPATH=package, NUMBA_CACHE_DIR=tmp_path / "cache")
    assert run.returncode == 0, run.stderr
    hashes = run.stdout.split()
    assert hashes[0] == hashes[1]
    assert hashes[-1] == hashes[-2]
    assert len(set(hashes[1:-1])) == len(hashes[1:-1]) == 5


def test_all_compiled_functions_stand_where_sources_count():
    for module in pkgutil.walk_packages(catcube.__path__, "catcube."):
        if module.name.split(".")[1] not in ("integrations", "__main__"):
            importlib.import_module(module.name)
    rooms = tuple(f"catcube.{part.removesuffix('.py')}" for part in COMPILED_ROOMS)
    compiled = {
        part.__module__
        for module in list(sys.modules.values())
        for part in vars(module).values()
        if isinstance(part, Dispatcher) and part.__module__.startswith("catcube")
    }
    assert len(compiled) > 30
    assert all(name.startswith(rooms) for name in compiled), compiled


def test_a_folder_that_cannot_be_written(tmp_path):
    file, spare = tmp_path / "file", tmp_path / "spare"
    file.write_text("no folder")
    spare.mkdir()
    environment = {"NUMBA_CACHE_DIR": file / "cache", "TMPDIR": spare, "USER": "somebody"}
    run = started(FOLDER, **environment)
    assert run.returncode == 0, run.stderr
    assert Path(run.stdout.strip()).parent == spare / "catcube-somebody"

    shutil.rmtree(spare / "catcube-somebody")
    (spare / "catcube-somebody").write_text("no folder either")
    run = started(FOLDER, **environment)
    assert run.returncode != 0
    assert "expected a writable folder for compiled code" in run.stderr
    assert "NUMBA_CACHE_DIR" in run.stderr
