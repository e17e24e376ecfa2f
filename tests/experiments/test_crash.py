"""Commands that are killed at any moment, or have no room left: nothing that was done is lost."""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from catcube.experiments.campaign import run_campaign
from catcube.experiments.plan_file import read_plan
from tests import ROOT
from tests.cli import call

PLAN = """
[[experiment]]
name = "tiny"
instances = ["small-dimension-2-a", "small-dimension-3-a"]
algorithms = ["rls", "sa"]
representations = ["linear", "direct"]
budget = 30
runs = 100
seed = 5
"""
RUNS = 800
# Kernels are not what is tested, and compiled ones would take long to load in each process. So the
# processes are interpreted in any case, and one run of the suite is enough.
pytestmark = pytest.mark.compiled
INTERPRETED = os.environ | {"NUMBA_DISABLE_JIT": "1"}


def killed(what, count, delay, log, *command):
    """Whether the command was killed, or ended before; if it did it ended well."""
    argv = [
        sys.executable,
        "-m",
        "tests.experiments.crash_examples",
        what,
        count,
        f"{delay:.6f}",
        log,
        *command,
    ]
    process = subprocess.run(
        [str(argument) for argument in argv],
        cwd=ROOT,
        env=INTERPRETED,
        capture_output=True,
        text=True,
    )
    if process.returncode == -signal.SIGKILL:
        return True
    assert process.returncode == 0, process.stderr
    return False


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The store of a campaign that nothing disturbed."""
    path = tmp_path_factory.mktemp("whole") / "whole.sqlite"
    plan = path.with_suffix(".toml")
    plan.write_text(PLAN, encoding="utf-8")
    run_campaign(read_plan(plan), path, jobs=1)
    return path


@pytest.fixture
def undisturbed(whole, capsys):
    """The rows without their seconds."""
    return exported(whole, capsys)


def exported(store, capsys):
    code, out, err = call(capsys, "export", store)
    assert code == 0
    assert re.fullmatch(r"(catcube: note: \d+ of \d+ runs are done\n)?", err)
    return [line.rpartition(",")[0] for line in out.splitlines()]


def check_kills(plan, undisturbed, folder, capsys, kills, seed):
    """Kill a study so many times, then let it end; how many runs were there after each kill."""
    store, log = folder / "killed.sqlite", folder / "log"
    moments = random.Random(seed)
    done = []
    for number in range(kills):
        # The first ones while the store is made, then anywhere in what makes up to 50 runs; in and
        # between statements.
        count = moments.randrange(1, 25 if number < kills / 5 else 200)
        delay = moments.choice([0.0, 0.0, moments.uniform(0, 0.003), moments.uniform(0, 0.05)])
        if number == 0:  # at a statement, not after some time: before any run, however fast it is
            count, delay = 3, 0.0
        log.write_text("")
        command = ("campaign", plan, "--out", store, "--jobs", 1)
        was_killed = killed("statement", count, delay, log, *command)
        written = sum(map(int, log.read_text().split()))
        code, out, err = call(capsys, "check", store)
        if code == 2:  # there is nothing yet
            assert not done or done[-1] == 0
            assert written == 0
            assert err.count("\n") == 1
            done.append(0)
            continue
        assert (code, err) == (0, ""), (number, count, delay)
        done.append(int(out.partition("intact; ")[2].split()[0]))
        assert done[-1] >= (done[-2] if len(done) > 1 else 0) + written
        rows = exported(store, capsys)
        assert len(rows) == 1 + done[-1]
        assert set(rows) <= set(undisturbed)
        if not was_killed:
            assert done[-1] == RUNS
    code, out, _ = call(capsys, "campaign", plan, "--out", store, "--jobs", 1)
    assert code == 0
    assert f"{RUNS} of {RUNS} runs done" in out
    assert exported(store, capsys) == undisturbed
    assert {path.name for path in folder.glob("killed.*")} == {
        "killed.sqlite",
        "killed.sqlite-lock",
    }
    return done


@pytest.mark.parametrize(
    ("kills", "seed"),
    [(3, 2), *(pytest.param(50, seed, marks=pytest.mark.long) for seed in (3, 4))],
)
def test_killed_again_and_again_a_study_ends_with_the_same_rows(
    plan, undisturbed, tmp_path, capsys, kills, seed
):
    done = check_kills(plan, undisturbed, tmp_path, capsys, kills, seed)
    assert done[0] == 0 < done[-1]
    assert len(set(done)) > kills / 5  # it was killed in many states


@pytest.mark.long
def test_killed_at_each_statement_of_a_short_study(plan, tmp_path, capsys):
    """Also the last ones, with which the store becomes one plain file."""
    plan.write_text(PLAN.replace("runs = 100", "runs = 1"), encoding="utf-8")
    whole, log = tmp_path / "whole.sqlite", tmp_path / "log"
    assert call(capsys, "campaign", plan, "--out", whole, "--jobs", 1)[0] == 0
    store = tmp_path / "killed.sqlite"
    count, going_on = 0, True
    while going_on:
        count += 1
        for name in ("", "-wal", "-shm", "-journal"):
            Path(f"{store}{name}").unlink(missing_ok=True)
        log.write_text("")
        going_on = killed("statement", count, 0, log, "campaign", plan, "--out", store, "--jobs", 1)
        written = sum(map(int, log.read_text().split()))
        code, _, err = call(capsys, "status", store)
        assert code == 0 or (written == 0 and code == 2 and err.count("\n") == 1)
        if code == 0:
            assert len(exported(store, capsys)) >= 1 + written
        assert call(capsys, "campaign", plan, "--out", store, "--jobs", 1)[0] == 0
        assert exported(store, capsys) == exported(whole, capsys)
    assert count > 50


@pytest.mark.long
def test_killed_while_kernels_are_compiled(plan, tmp_path, capsys, undisturbed):
    """What is left in the cache of compiled code must be whole, or not be used."""
    store = tmp_path / "a.sqlite"
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "catcube", "campaign", str(plan), "--out", str(store)]
    moments = random.Random(5)
    for _ in range(3):
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        try:
            process.wait(moments.uniform(1, 15))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    assert subprocess.run(command, env=environment, stdout=subprocess.DEVNULL).returncode == 0
    assert exported(store, capsys) == undisturbed


# Reports


REPRODUCE = """
import sys
from pathlib import Path
from tests.experiments import crash_examples
from catcube.cli.reproduce import reproduce
from catcube.experiments.plan_file import Scale
from catcube.studies.scales import PAPER

scale = Scale("tiny", {name: (1, 20, 1) for name in PAPER["full"].sizes})
what, count, folder = sys.argv[1:]
if what != "nothing":
    bomb = crash_examples.Bomb(int(count), 0)
    {"statement": crash_examples.watch_statements, "file": crash_examples.watch_files}[what](bomb)
sys.exit(reproduce(scale, ["fixed-target"], Path(folder), jobs=1))
"""


def reproduced(what, count, folder):
    """The exit code of a small reproduction in a process that kills itself at this moment."""
    argv = [sys.executable, "-c", REPRODUCE, what, str(count), str(folder)]
    process = subprocess.run(argv, cwd=ROOT, env=INTERPRETED, capture_output=True, text=True)
    assert process.returncode in (0, -signal.SIGKILL), process.stderr
    return process.returncode


def files_of(folder):
    """All files of a report with what they hold, without what is different each time."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".sqlite" not in path.name and path.suffix != ".part"
    }


def check_reproductions(folder, counts):
    whole = folder / "whole"
    assert reproduced("nothing", 0, whole) == 0
    listed = set(files_of(whole))
    assert {"report.html", "report-files.json"} < listed
    for count in counts:
        killed = folder / f"killed-{count}"
        assert reproduced("file", count, killed) == -signal.SIGKILL
        found = files_of(killed)
        assert (
            "Some files may be of an earlier report" in found.pop("report-unfinished.txt").decode()
        )
        assert set(found) < listed
        # Each file that is there is as whole as those of a report that was not killed.
        for name, content in found.items():
            if name.startswith("tables/") and "session" not in name and "condition" not in name:
                assert content == (whole / name).read_bytes(), name
        assert reproduced("nothing", 0, killed) == 0
        assert set(files_of(killed)) == listed


@pytest.mark.long
def test_killed_at_many_files_of_the_report(tmp_path):
    check_reproductions(tmp_path, [3, 4, 5, 7, 10])


# No room


LIMITED = """
import resource, sys
from catcube.cli.main import main
size = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
sys.exit(main(sys.argv[2:]))
"""


def limited(size, *command):
    """A command that may write no file larger than this: exit code, output, errors."""
    argv = [sys.executable, "-c", LIMITED, str(size), *map(str, command)]
    process = subprocess.run(argv, env=INTERPRETED, capture_output=True, text=True)
    assert "Traceback" not in process.stderr, process.stderr
    return process.returncode, process.stdout, process.stderr


def check_room(size, plan, undisturbed, folder, capsys):
    """A campaign without room says so, loses nothing, and resumes when there is room again."""
    store = folder / f"{size}.sqlite"
    code, out, err = limited(size, "campaign", plan, "--out", store, "--jobs", 1)
    assert (code, out) == (1, "")
    # On a busy machine there is progress before it.
    assert f"run the same command again to resume {store}" in err.splitlines()[-1]
    code, _, _ = call(capsys, "check", store)
    assert code in (0, 2)
    before = len(exported(store, capsys)) - 1 if code == 0 else 0
    code, out, _ = call(capsys, "campaign", plan, "--out", store, "--jobs", 1)
    assert code == 0
    assert f"{RUNS} of {RUNS} runs done" in out
    assert exported(store, capsys) == undisturbed
    return before


SIZES = [0, 100, 4095, 4096, 20_000, 50_000]


@pytest.mark.parametrize(
    "size", [130_000, *(pytest.param(size, marks=pytest.mark.long) for size in SIZES)]
)
def test_a_full_disk(plan, undisturbed, tmp_path, capsys, size):
    before = check_room(size, plan, undisturbed, tmp_path, capsys)
    # 130 kB hold the plan and, in the journal, some runs, not all.
    assert (0 < before < RUNS) == (size == 130_000)


@pytest.mark.long
def test_a_full_disk_while_results_are_written(whole, tmp_path):
    store, output = shutil.copy(whole, tmp_path), tmp_path / "a.csv"
    output.write_text("older")
    code, out, err = limited(2000, "export", store, "--out", output)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "file too large" in err
    assert output.read_text() == "older"
    assert sorted(path.name for path in tmp_path.glob("a.csv*")) == ["a.csv"]
    code, out, err = limited(2000, "report", store, "--out", tmp_path / "report")
    assert (code, out) == (2, "")
    assert "file too large" in err
    assert err.count("\n") == 1
    assert not list(tmp_path.rglob("*.part"))
    assert (tmp_path / "report" / "report-unfinished.txt").exists()
