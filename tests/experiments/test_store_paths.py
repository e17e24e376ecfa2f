"""Paths of stores: names of files, links, what is not a file, what may only be read."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from catcube.base.database import DatabaseError
from catcube.experiments.writer import Writer
from tests.experiments.damage_examples import PLAN, call, content


@pytest.mark.parametrize(
    "name",
    [
        "a b.sqlite",
        "ünï ∞.sqlite",
        "a?mode=memory#x%20y&z.sqlite",
        "'; DROP TABLE run; --",
        ":memory:",
        "x" * 200 + ".sqlite",
        "%2e%2e%2f.sqlite",
        "file:a.sqlite",
        "-wal",
    ],
)
def test_any_name_of_a_file_will_do(whole, tmp_path, capsys, name, expected):
    folder = tmp_path / "a folder # with ? and %41" / ("y" * 100)
    folder.mkdir(parents=True)
    path = folder / name
    with Writer(path, PLAN) as writer:
        assert writer.counts() == {}
    assert sorted(path.name for path in folder.iterdir()) == sorted([name, f"{name}-lock"])
    shutil.copy(whole, path)
    assert content(path) == expected
    assert call(capsys, "status", path)[0] == 0
    assert call(capsys, "check", path)[0] == 0


def test_what_is_no_file(tmp_path, capsys):
    pipe, folder, missing = tmp_path / "pipe", tmp_path / "folder", tmp_path / "missing"
    os.mkfifo(pipe)
    folder.mkdir()
    lost = tmp_path / "lost"
    lost.symlink_to(lost)
    empty = tmp_path / "empty"
    empty.touch()
    sentences = {
        pipe: "expected a file",
        folder: "expected a file",
        missing: "no such file",
        lost: "too many levels of symbolic links",
        empty: "the file is empty",
        "/dev/null": "expected a file",
        tmp_path / ("x" * 300): "file name too long",
    }
    for path, sentence in sentences.items():
        for name in ("status", "export", "check"):
            code, _, err = call(capsys, name, path)
            assert code == 2
            assert err.startswith(f"catcube: {path}: {sentence}"), name
        if path not in (missing, empty):
            with pytest.raises(DatabaseError, match=r"expected a file|symbolic links|too long"):
                Writer(path, PLAN)
    assert empty.read_bytes() == b""


AS_ANYBODY = """
import os, sys
from catcube.cli.main import main
from catcube.cli import campaign, check, export, status
from catcube.experiments.plan_file import read_plan
for command in sys.argv[1:]:
    if command.startswith("campaign"):
        read_plan(command.split("|")[1])  # all that is imported on the way
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
print([main(command.split("|")) for command in sys.argv[1:]])
"""


def as_anybody(*commands):
    """The exit codes and the errors of commands by a user who may not do everything."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    call = [sys.executable, "-c", AS_ANYBODY, *commands]
    process = subprocess.run(call, capture_output=True, text=True, env=environment)
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout.splitlines()[-1]), process.stderr


@pytest.fixture
def open_folder(tmp_path):
    """A folder that everybody can look into."""
    folder = tmp_path
    while folder != folder.parent:
        if not folder.stat().st_mode & 0o005 and folder.stat().st_uid == os.getuid():
            folder.chmod(folder.stat().st_mode | 0o055)
        folder = folder.parent
    return tmp_path


def test_a_store_that_may_only_be_read(whole, open_folder):
    folder = open_folder / "read-only"
    folder.mkdir()
    path = folder / "a.sqlite"
    shutil.copy(whole, path)
    path.chmod(0o444)
    shutil.copy(whole, folder / "hidden.sqlite")
    (folder / "hidden.sqlite").chmod(0o000)
    folder.chmod(0o555)
    plan = open_folder / "plan.toml"
    plan.write_text(
        '[[experiment]]\ninstances = ["small-dimension-1-a"]\nalgorithms = ["rls"]\n'
        'representations = ["linear"]\nbudget = 10\nruns = 1\n'
    )
    plan.chmod(0o444)
    new, hidden = folder / "new.sqlite", folder / "hidden.sqlite"
    commands = (
        *(f"{command}|{path}" for command in ("status", "export", "check")),
        *(f"campaign|{plan}|--out|{file}" for file in (path, new)),
        f"status|{hidden}",
    )
    try:
        codes, err = as_anybody(*commands)
        assert codes == [0, 0, 0, 2, 2, 2]
        refused = "the store cannot be opened (permission denied)"
        assert err.splitlines()[:3] == [
            "catcube: note: 200 of 240 runs are done",
            *(f"catcube: {file}: {refused}" for file in (path, new)),
        ]
        assert f"{hidden}: permission denied" in err
    finally:
        folder.chmod(0o755)
