"""catcube solve: what it prints, when it succeeds, and how it is interrupted."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr
from pathlib import Path

import pytest

from catcube.problems.sudoku import Board, instances
from tests.cli import Terminal, call

FOUR = "1..4 ..1. .1.. 4..1"
# Where can the 9 of row 1 be? Any other puzzle may be solved before a test looks.
UNSOLVABLE = "12345678." + "........9" + 63 * "."


def shown_board(out):
    """The board that was printed; digits of a solution carry a mark."""
    lines = [line for line in out.splitlines() if re.fullmatch(r"[1-9A-P'!| +-]+", line)]
    return Board("\n".join(re.sub("['!]", "", line) for line in lines))


def test_a_string_is_solved(capsys):
    code, out, err = call(capsys, "solve", FOUR, "--seed", "1")
    assert (code, err) == (0, "")
    solution = shown_board(out)
    assert solution.value() == 0
    board = Board(FOUR)
    assert (solution.cells[board.givens] == board.cells[board.givens]).all()
    assert "10 unknown cells, up to 3 candidates each, seed 1" in out
    assert re.search(r"^solved: value 0, the optimum\n[\d,]+ evaluations, \d+\.\d\d s, ", out, re.M)
    assert "algorithm enumeration, representation native" in out


def test_a_file_and_standard_input_are_solved(capsys, tmp_path, monkeypatch):
    path = tmp_path / "mine.txt"
    path.write_text(FOUR)
    code, out, _ = call(capsys, "solve", str(path), "-a", "rls", "-r", "direct")
    assert code == 0
    assert out.startswith("mine: ")
    with path.open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert call(capsys, "solve", "-")[0] == 0


def without_time(out):
    return re.sub(r"\d+\.\d\d s", "", out)


def test_a_drawn_seed_is_printed_and_repeats_the_search(capsys):
    code, out, _ = call(capsys, "solve", FOUR, "--algorithm", "sa")
    seed = re.search(r"seed (\d+)", out)[1]
    assert without_time(
        call(capsys, "solve", FOUR, "--algorithm", "sa", "--seed", seed)[1]
    ) == without_time(out)
    assert code == 0
    assert re.search(r"seed (\d+)", call(capsys, "solve", FOUR, "--algorithm", "sa")[1])[1] != seed


def test_the_budget_is_never_exceeded_and_may_not_suffice(capsys):
    code, out, _ = call(capsys, "solve", UNSOLVABLE, "--seed", "1", "--budget", "500")
    assert code == 1
    value = int(
        re.search(r"^not solved: the budget is used up: value (\d+), .*\n500 ", out, re.M)[1]
    )
    assert value == shown_board(out).value() > 0


def test_the_time_limit_ends_the_search(capsys):
    began = time.perf_counter()
    code, out, _ = call(capsys, "solve", UNSOLVABLE, "--seed", "1", "--time-limit", "0.2")
    assert code == 1
    assert "not solved: the time limit was reached" in out
    assert time.perf_counter() - began < 30  # compiling included


def test_conflicting_givens_are_noted_not_refused(capsys):
    code, out, err = call(capsys, "solve", "11.. .... .... ....", "--budget", "200")
    assert code == 1
    assert err.startswith("catcube: note: board: the givens conflict (row 1 has 1 in columns")
    assert err.count("\n") == 1
    assert shown_board(out).value() > 0


def test_a_complete_board_is_judged(capsys):
    code, out, err = call(capsys, "solve", "1234 3412 2143 4321")
    assert (code, err) == (0, "")
    assert out.endswith("complete and correct: value 0\n")
    code, out, _ = call(capsys, "solve", "1234 3412 2143 4312")
    assert code == 1
    assert "complete but not correct: value 4\n  column 3 has 1 in rows 2 and 4\n" in out


@pytest.mark.compiled
@pytest.mark.parametrize(
    "name", [n for n in instances.names("high") if "simpl" in n or "easy" in n]
)
def test_the_defaults_solve_simple_and_easy_instances(capsys, name):
    began = time.perf_counter()
    code, out, _ = call(capsys, "solve", name, "--seed", "1")
    assert code == 0
    assert shown_board(out).value() == 0
    assert time.perf_counter() - began < 30  # ten on a machine that does nothing else


def test_progress_on_a_terminal_stays_in_one_line(capsys):
    argv = ["solve", UNSOLVABLE, "--seed", "1", "--time-limit"]
    call(capsys, *argv, "0.1")  # compiles, and says so
    with redirect_stderr(Terminal()) as terminal:
        call(capsys, *argv, "0.8")
    assert re.search(r"\rvalue \d+ after [\d,]+ evaluations", terminal.getvalue())
    assert "\n" not in terminal.getvalue()


def cpu_seconds(process):
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


# Under NUMBA_DISABLE_JIT a kernel is slow and holds the GIL, but is interrupted all the same.
def test_control_c_shows_the_best_board_so_far():
    argv = [sys.executable, "-m", "catcube", "solve", UNSOLVABLE, "--seed", "1"]
    command = subprocess.Popen(
        argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    assert "72 unknown cells" in command.stdout.readline()  # the search is about to begin
    before = cpu_seconds(command)
    while cpu_seconds(command) < before + 2.5:  # enough to begin, however busy the machine is
        time.sleep(0.1)
    command.send_signal(signal.SIGINT)
    out, err = command.communicate(timeout=60)
    assert command.returncode == 130
    assert "Traceback" not in err
    assert "not solved: interrupted by the user: value " in out
    solution = shown_board(out)
    givens = Board(UNSOLVABLE)
    assert (solution.cells[givens.givens] == givens.cells[givens.givens]).all()
