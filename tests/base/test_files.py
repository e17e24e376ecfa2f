"""Atomic writing replaces files and links to files, and nothing else."""

import os
import stat

import pytest

from catcube.base.files import replace_file
from catcube.cli.main import main

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path):
    path = tmp_path / "new" / "a.txt"
    for content in (b"first", b"second"):
        assert replace_file(path, content).read_bytes() == content
    assert [other.name for other in path.parent.iterdir()] == ["a.txt"]


@needs_pipes
@pytest.mark.parametrize("linked", [False, True])
def test_a_pipe_or_a_device_stays_what_it_is(linked, tmp_path):
    pipe = path = tmp_path / "pipe"
    os.mkfifo(pipe)
    if linked:  # as /dev/stdout is
        path = tmp_path / "link"
        path.symlink_to(pipe)
    with pytest.raises(ValueError, match="expected a file or a new name, got a device or a pipe"):
        replace_file(path, b"")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert path.is_symlink() == linked


@needs_pipes
def test_solve_refuses_a_pipe_before_the_search(tmp_path, capsys):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert main(["solve", "12..34122143432.", "--out", str(pipe)]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.endswith("pipe: expected a file or a new name, got a device or a pipe\n")
