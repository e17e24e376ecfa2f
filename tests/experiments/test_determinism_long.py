"""The same bytes on other instruction sets, in the other mode, and after being killed."""

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from catcube.base.database import DatabaseError
from catcube.engine.compiled.jit import JIT
from catcube.experiments.campaign import run_campaign
from catcube.experiments.plan_file import read_plan
from catcube.experiments.store import Store
from tests import ROOT
from tests.experiments.test_determinism import cluster, exported, processes
from tests.golden import make

pytestmark = pytest.mark.long

HASHES = (
    "import json, tests.golden.make as m; print(json.dumps({n: m.HASHES[n]() for n in m.HASHES}))"
)


@pytest.mark.parametrize(
    "settings",
    [
        {"NUMBA_DISABLE_JIT": "1" if JIT else "0"},
        # Compiled for any processor: no FMA, no AVX, vectors of half the width.
        pytest.param({"NUMBA_CPU_NAME": "generic"}, marks=pytest.mark.compiled),
        pytest.param({"NUMBA_OPT": "0"}, marks=pytest.mark.compiled),
        # numpy and the C library choose their code by the processor, too.
        {
            "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3",
            "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX2_Usable,-FMA_Usable",
        },
    ],
    ids=lambda settings: " ".join(f"{name}={value}" for name, value in settings.items())[:40],
)
def test_any_machine_code(settings, tmp_path):
    """The golden hashes, all over again."""
    if "NUMBA_CPU_NAME" in settings or "NUMBA_OPT" in settings:
        settings = settings | {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", HASHES],
        cwd=ROOT,
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        name: json.loads(make.hashes_file(name).read_text()) for name in make.HASHES
    }


LONGER = """
[[experiment]]
name = "longer"
instances = ["small-dimension-6-a", "sudoku-easy-56"]
algorithms = ["rls", "sa", "ga", "umda", "ltga"]
representations = ["linear", "direct"]
budget = {budget}
runs = 12
"""
TOTAL = 2 * 5 * 2 * 12


@pytest.fixture(scope="module")
def longer(tmp_path_factory):
    path = tmp_path_factory.mktemp("longer") / "longer.toml"
    path.write_text(LONGER.format(budget=300_000 if JIT else 300), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def undisturbed(longer):
    path = longer.with_name("undisturbed.sqlite")
    assert run_campaign(read_plan(longer), path).done == TOTAL
    return path


def count(store):
    """How many runs a store has; it may not be there yet."""
    with suppress(DatabaseError), Store(store) as reader:
        return sum(reader.counts().values())
    return 0


def disturbed(plan, store, jobs, kind, more):
    """A campaign that is ended by a signal when so many more runs are done, or by itself."""
    enough = count(store) + more
    process = subprocess.Popen(
        [sys.executable, "-m", "catcube", "campaign", plan, "--out", store, "--jobs", str(jobs)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while process.poll() is None and count(store) < enough:
            time.sleep(0.01)
        process.send_signal(kind)
        process.wait()
    finally:
        process.kill()
        process.wait()
    return process.returncode


def test_killed_and_interrupted_by_turns_with_other_workers(longer, undisturbed, tmp_path):
    """SIGKILL, SIGINT, then processes and a cluster go on: in the end nothing tells."""
    store = tmp_path / "a.sqlite"
    chances = random.Random(2)
    kinds = itertools.cycle([signal.SIGKILL, signal.SIGINT])
    codes = [
        disturbed(longer, store, jobs, next(kinds), chances.randint(1, 25))
        for jobs in (2, 1, 4, 2, 3)
    ]
    assert codes[0] == -signal.SIGKILL
    assert codes[1] == 130
    between = count(store)
    assert 0 < between < TOTAL

    def interrupt(progress):
        if between + 20 <= progress.done < TOTAL - 20:
            raise KeyboardInterrupt

    with processes(2) as executor, pytest.raises(KeyboardInterrupt):
        run_campaign(read_plan(longer), store, executor, jobs=2, on_progress=interrupt)
    assert between < count(store) < TOTAL
    with cluster(2, in_processes=True) as executor:
        assert run_campaign(read_plan(longer), store, executor, jobs=2).done == TOTAL
    assert exported(store) == exported(undisturbed)
