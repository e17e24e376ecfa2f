"""The same plan gives the same bytes, whoever makes its runs, where, when and with what breaks.

The long tests take minutes: other instruction sets are compiled for, and processes killed.
"""

import io
import itertools
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import pytest

from catcube.algorithms import names
from catcube.cli import main as cli
from catcube.engine.compiled.jit import JIT
from catcube.experiments.campaign import run_campaign
from catcube.experiments.export import COLUMNS, write_csv, write_parquet
from catcube.experiments.plan_file import read_plan
from catcube.experiments.store import Store
from tests import ROOT
from tests.golden import fingerprint, make, spaces

PLAN = """
[[experiment]]
name = "größer"
instances = ["match:7,5"]
algorithms = ["ga", "umda", "ltga"]
representations = ["linear", "direct"]
budget = 50
runs = 2
seed = 11
target = 0
parameters = { population = 10, selection = 3, mu = 8 }

[[experiment]]
name = "course"
instances = ["small-dimension-8-b"]
algorithms = ["rls", "sa"]
representations = ["compact", "unary"]
budget = 200
runs = 5
"""
TOTAL = 3 * 2 * 2 + 2 * 2 * 5


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    path = tmp_path_factory.mktemp("plan") / "same.toml"
    path.write_text(PLAN, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def undisturbed(plan):
    """The store of a campaign that one thread has made."""
    path = plan.with_name("undisturbed.sqlite")
    assert run_campaign(read_plan(plan), path, jobs=1).done == TOTAL
    return path


@pytest.fixture(scope="module")
def wanted(undisturbed):
    return exported(undisturbed)


def exported(path):
    """All that a store exports, byte by byte."""
    with tempfile.TemporaryDirectory() as folder, Store(path) as store:
        file = Path(folder, "runs.parquet")
        write_parquet(store, file, seconds=False)
        parquet = file.read_bytes()
        text = io.StringIO(newline="")
        write_csv(store, text, seconds=False)
    return {"csv": text.getvalue().encode(), "parquet": parquet, "ioh": fingerprint.ioh_bytes(path)}


# What was once found


def written(name):
    return json.loads(make.hashes_file(name).read_text())


@pytest.mark.parametrize("campaign", fingerprint.CAMPAIGNS)
def test_a_campaign_is_what_it_was(campaign):
    assert fingerprint.campaign_hashes(campaign) == written("campaigns")[campaign], (
        "other runs than ever; if that is meant: python -m tests.golden.make campaigns"
    )


@pytest.mark.parametrize("algorithm", names())
def test_a_run_on_any_space_is_what_it_was(algorithm):
    assert spaces.space_hashes(algorithm) == written("spaces")[algorithm], (
        "another run than ever; if that is meant: python -m tests.golden.make spaces"
    )


def test_every_algorithm_and_representation_is_written_down():
    from catcube.representations import families

    assert set(written("campaigns")) == set(fingerprint.CAMPAIGNS)
    assert set(written("spaces")) == set(names())
    planned = [
        configuration
        for name in fingerprint.CAMPAIGNS
        for configuration in fingerprint.plan_of(name).configurations()
    ]
    for representation in ("linear", "direct", "compact"):
        assert {one.algorithm for one in planned if one.representation == representation} >= set(
            names()
        )
    assert {one.representation.partition(":")[0] for one in planned} == set(families.builtin())


HASHES = (
    "import json, tests.golden.make as m; print(json.dumps({n: m.HASHES[n]() for n in m.HASHES}))"
)


@pytest.mark.long
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


# Whoever makes the runs


@contextmanager
def processes(count):
    with ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@contextmanager
def cluster(count, in_processes):
    distributed = pytest.importorskip("distributed")
    import dask

    patient = {  # on a busy machine half a minute is soon over
        "distributed.comm.timeouts.connect": "10 minutes",
        "distributed.comm.timeouts.tcp": "10 minutes",
        "distributed.scheduler.worker-ttl": None,
    }
    with (
        dask.config.set(patient),
        distributed.LocalCluster(
            n_workers=count if in_processes else 1,
            threads_per_worker=1 if in_processes else count,
            processes=in_processes,
            host="127.0.0.1" if in_processes else None,
            dashboard_address=None,
            silence_logs=40,  # nothing but errors
        ) as local,
        distributed.Client(local, set_as_default=False, timeout=600) as client,
    ):
        yield client.get_executor(pure=False)


@pytest.mark.parametrize(
    "workers",
    [
        lambda: nullcontext(None),  # threads
        lambda: processes(2),
        lambda: cluster(2, in_processes=False),
        pytest.param(lambda: cluster(2, in_processes=True), marks=pytest.mark.long),
        pytest.param(lambda: processes(4), marks=pytest.mark.long),
    ],
    ids=[
        "2 threads",
        "2 processes",
        "a cluster of 2 threads",
        "a cluster of 2 processes",
        "4 processes",
    ],
)
def test_any_executor(plan, wanted, tmp_path, workers):
    with workers() as executor:
        done = run_campaign(read_plan(plan), tmp_path / "a.sqlite", executor, jobs=2).done
    assert done == TOTAL
    assert exported(tmp_path / "a.sqlite") == wanted


def test_interrupted_again_and_again_with_other_numbers_of_threads(plan, wanted, tmp_path):
    path, done, interrupted = tmp_path / "a.sqlite", 0, 0
    jobs = itertools.cycle([1, 4, 2, 3])

    def interrupt(progress):
        if done + 5 < progress.done < TOTAL - 5:
            raise KeyboardInterrupt

    while done < TOTAL:
        with suppress(KeyboardInterrupt):
            run_campaign(
                read_plan(plan), path, jobs=next(jobs), on_progress=interrupt, interval=1e-9
            )
        with Store(path) as store:
            before, done = done, sum(store.counts().values())
        assert done > before
        interrupted += 1
    assert interrupted > 2
    assert exported(path) == wanted


# Wherever and however it is called


def shuffled(text):
    """The same plan with the keys of each table in another order."""
    tables = [table.strip().splitlines() for table in text.split("[[experiment]]")[1:]]
    return "\n".join("[[experiment]]\n" + "\n".join(reversed(table)) for table in tables)


ODD = {
    "PYTHONHASHSEED": "4",
    "LC_ALL": "C",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
    "PYTHONIOENCODING": "latin-1",
    "TZ": "Asia/Kathmandu",
    "OMP_NUM_THREADS": "7",
    "NUMBA_NUM_THREADS": "1",
}


def catcube(*argv, cwd, **environment):
    """The bytes that the command prints, in a process with another environment."""
    done = subprocess.run(
        [sys.executable, "-m", "catcube", *map(str, argv)],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def test_any_environment(plan, undisturbed, wanted, tmp_path):
    elsewhere = tmp_path / "same.toml"
    elsewhere.write_text("\ufeff" + shuffled(PLAN), encoding="utf-8", newline="\r\n")
    catcube("campaign", elsewhere.name, "--jobs", 3, cwd=tmp_path, **without_numba(ODD))
    assert exported(tmp_path / "same.sqlite") == wanted
    printed = catcube("export", undisturbed, "--no-seconds", cwd=tmp_path, **ODD)
    assert printed == wanted["csv"]


def without_numba(environment):
    """Numba's settings are part of the name of the cache: with others, all is compiled again."""
    return {name: value for name, value in environment.items() if not name.startswith("NUMBA_")}


# What is exported


def test_only_the_seconds_are_left_out(undisturbed, wanted, tmp_path, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert cli.main(["export", str(undisturbed)]) == 0
    whole = capsys.readouterr().out.splitlines()
    plain = wanted["csv"].decode().splitlines()
    assert whole[0] == ",".join(COLUMNS) == plain[0] + ",seconds"
    assert [line.rpartition(",")[0] for line in whole] == plain
    assert all(re.fullmatch(r"\d+\.\d{6}", line.rpartition(",")[2]) for line in whole[1:])
    with Store(undisturbed) as store:
        write_parquet(store, tmp_path / "whole.parquet")
    (tmp_path / "plain.parquet").write_bytes(wanted["parquet"])
    table, plain_table = (
        parquet.read_table(tmp_path / f"{name}.parquet") for name in ("whole", "plain")
    )
    assert table.drop(["seconds"]) == plain_table


# What is concluded


def report_files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.skipif(not JIT, reason="a report is not compiled: once is enough")
def test_the_report_of_a_store_is_the_same_every_time(undisturbed, tmp_path):
    pytest.importorskip("matplotlib")
    assert cli.main(["report", str(undisturbed), "--out", str(tmp_path / "a")]) == 0
    catcube("report", undisturbed, "--out", "b", cwd=tmp_path, **ODD)
    first, second = report_files(tmp_path / "a"), report_files(tmp_path / "b")
    assert len(first) > 15
    assert first == second
