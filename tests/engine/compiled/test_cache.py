"""Compiled code is kept: a second start compiles nothing, another source compiles afresh."""

import importlib
import os
import pkgutil
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from numba.core import event
from numba.core.dispatcher import Dispatcher

import catcube
from catcube.engine.compiled.jit import COMPILED_LAYERS, compile_for, njit

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

SMALL = """
from catcube.engine.compiled.jit import njit

@njit
def kernel(number):
    return number + 1

kernel(1)
"""

FOLDER = "from catcube.engine.compiled.jit import CACHE_FOLDER; print(CACHE_FOLDER)"


def started(code, cwd=None, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
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
    layers = tuple(f"catcube.{part.removesuffix('.py')}" for part in COMPILED_LAYERS)
    compiled = {
        part.__module__
        for module in list(sys.modules.values())
        for part in vars(module).values()
        if isinstance(part, Dispatcher) and part.__module__.startswith("catcube")
    }
    assert len(compiled) > 30
    assert all(name.startswith(layers) for name in compiled), compiled


def folder_of(**environment):
    """The folder of the cache of a new process, started where `cwd` says."""
    run = started(FOLDER, **environment)
    assert run.returncode == 0, run.stderr
    return Path(run.stdout.strip())


def test_a_file_in_the_current_folder_does_not_move_the_cache(tmp_path):
    """numba reads ./.numba_config.yaml; the pickles in a cache that it names would be executed."""
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    (tmp_path / ".numba_config.yaml").write_text(f"cache_dir: {hostile}\n")
    settings = {"HOME": tmp_path / "home", "XDG_CACHE_HOME": tmp_path / "home" / "cache"}
    folder = folder_of(cwd=tmp_path, NUMBA_CACHE_DIR="", **settings)
    assert folder.parent == tmp_path / "home" / "cache" / "catcube"
    (tmp_path / "small.py").write_text(SMALL)
    run = started("import small", cwd=tmp_path, NUMBA_CACHE_DIR=tmp_path / "mine")
    assert run.returncode == 0, run.stderr
    assert list(hostile.iterdir()) == []
    assert list((tmp_path / "mine").rglob("*.nbi"))


@pytest.fixture
def no_other_folder(tmp_path):
    """A cache folder that cannot be made, and the temporary directory."""
    file, spare = tmp_path / "file", tmp_path / "spare"
    file.write_text("no folder")
    spare.mkdir()
    return spare, {"NUMBA_CACHE_DIR": file / "cache", "TMPDIR": spare}


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders of users are those of POSIX")
def test_a_folder_that_cannot_be_written(no_other_folder):
    spare, environment = no_other_folder
    own = spare / f"catcube-{os.getuid()}"
    for _ in range(2):
        assert folder_of(**environment).parent == own
        assert own.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders of users are those of POSIX")
@pytest.mark.parametrize("attack", ["writable", "link", "file"])
def test_a_temporary_folder_of_somebody_else_is_not_used(no_other_folder, tmp_path, attack):
    spare, environment = no_other_folder
    own = spare / f"catcube-{os.getuid()}"
    if attack == "writable":
        own.mkdir()
        own.chmod(0o777)
    elif attack == "link":
        (tmp_path / "theirs").mkdir(mode=0o700)
        own.symlink_to(tmp_path / "theirs")
    else:
        own.write_text("no folder")
    folder = folder_of(**environment)
    assert folder.parent.parent == spare
    assert folder.parent != own
    assert not folder.exists()  # it was removed when the process ended


def test_two_threads_compile_a_kernel_once():
    compilations = event.RecordingListener()

    @njit
    def kernel(number):
        return number + 1

    for file in Path(kernel.stats.cache_path).glob("*.kernel-*"):
        file.unlink()  # of an earlier run of this test
    threads = [threading.Thread(target=compile_for, args=(kernel, 1)) for _ in range(2)]
    with event.install_listener("numba:compile", compilations):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    started = [one for _, one in compilations.buffer if one.is_start]
    assert len(started) == 1
    assert kernel(2) == 3


@pytest.mark.long  # everything is compiled, in the slow way
def test_a_numba_without_the_private_parts_gives_the_same_results(tmp_path):
    program = """
from numba.core.options import DefaultOptions
{}
import catcube
from catcube.engine.compiled import jit
from catcube.problems import Match
result = catcube.minimize(Match(9, 9, seed=1), algorithm="rls", budget=100, seed=1)
print(jit.pipeline is None, result.fun, result.trace.evaluations.tolist())
"""
    lacking = "from numba.core import codegen; del codegen.JITCodeLibrary\n"
    lacking += "del DefaultOptions._nrt, DefaultOptions.forceinline"
    told = []
    for number, change in enumerate(["", lacking]):
        run = started(program.format(change), NUMBA_CACHE_DIR=tmp_path / str(number))
        assert run.returncode == 0, run.stderr
        told.append(run.stdout.split(maxsplit=1))
    assert [without for without, _ in told] == ["False", "True"]
    assert told[0][1] == told[1][1]
