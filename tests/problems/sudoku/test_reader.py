"""Boards as text: every common form is read, every error is reported with its row and column."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube.problems.sudoku import Board
from tests.problems.sudoku.board_examples import PUZZLE, boards

BOARD = Board(PUZZLE)
ONE_LINE = PUZZLE.replace("\n", "")
WITH_SEPARATORS = """\
+-------+-------+-------+
| 5 3 . | . 7 . | . . . |
| 6 . . | 1 9 5 | . . . |
| . 9 8 | . . . | . 6 . |
+-------+-------+-------+
| 8 . . | . 6 . | . . 3 |
| 4 . . | 8 . 3 | . . 1 |
| 7 . . | . 2 . | . . 6 |
+=======+=======+=======+
| . 6 . | . . . | 2 8 . |
| . . . | 4 1 9 | . . 5 |
| . . . | . 8 . | . 7 9 |
+-------+-------+-------+
"""


def line_with(number, line):
    """The puzzle with another line in place of the one of this number, from 1."""
    lines = PUZZLE.split("\n")
    lines[number - 1] = line
    return "\n".join(lines)


@pytest.mark.parametrize(
    "text",
    [
        PUZZLE,
        PUZZLE + "\n",
        PUZZLE.replace(".", "0"),
        PUZZLE.replace("\n", "\r\n") + "\r\n",
        PUZZLE.replace("\n", "\r"),
        PUZZLE.replace("\n", "  \t\n\n"),
        "\ufeff" + PUZZLE,
        ONE_LINE,
        ONE_LINE.replace(".", "0"),
        "|".join(PUZZLE.split("\n")),
        WITH_SEPARATORS,
    ],
)
def test_common_forms(text, tmp_path):
    assert Board(text) == Board.parse(text) == Board.read(text) == BOARD
    file = tmp_path / "board.txt"
    file.write_bytes(text.encode())
    assert Board.read(file) == Board.read(str(file)) == BOARD


@given(boards, st.data())
def test_reading_back_what_a_person_might_have_written(board, data):
    between = st.text(" \t|", max_size=3)
    unknown, fold = data.draw(st.sampled_from(".0")), data.draw(st.booleans())
    end = data.draw(st.sampled_from(["\n", "\r\n", "\r"]))
    rule = st.sampled_from(["", "-----+-----", "===", " - - + - - "])
    text = data.draw(st.sampled_from(["", "\ufeff"]))
    for line in str(board).replace(".", unknown).split("\n"):
        text += data.draw(rule) + end + data.draw(between)
        text += "".join(symbol + data.draw(between) for symbol in line) + end
    assert Board.parse(text.lower() if fold else text) == board


@given(boards)
def test_every_printed_form_is_read_back(board):
    assert Board(str(board)) == board
    assert Board(str(board).replace("\n", "")) == board
    assert Board(board.pretty()) == board


@pytest.mark.parametrize(
    ("text", "culprit"),
    [
        (line_with(3, ".98.x..6."), r"line 3, column 5: .* 1-9, .* got 'x'"),
        (line_with(3, ". 9 8 - . ."), r"line 3, column 7: .* got '-'"),
        (line_with(1, "53..７...."), r"line 1, column 5: .* got '７'"),
        (line_with(9, "\0...8..79"), r"line 9, column 1: .* got '\\x00'"),
        (WITH_SEPARATORS.replace("2", "_"), r"line 8, column 13: .* got '_'"),
        ("1234\n3412\n2153\n4321", r"line 3, column 3: .* 1-4, .* got '5'"),
        ("H" + "." * 255, r"line 1, column 1: .* A-G, .* got 'H'"),
        ("." * 624 + "q", r"line 1, column 625: .* A-P, .* got 'q'"),
        (line_with(3, ".98....6"), r"line 3: expected 9 cells, got 8"),
        (line_with(3, ".98....6.."), r"line 3: expected 9 cells, got 10"),
        (PUZZLE[:-10], r"81 cells .* got 72"),
        (PUZZLE + "\n" + PUZZLE, r"81 cells .* got 162"),
        ("\n".join([ONE_LINE[:27], ONE_LINE[27:54], ONE_LINE[54:]]), r"line 1: .* got 27"),
        ("12\n34", r"line 1: .* got 2"),
        ("\n" + ONE_LINE[:-1], r"81 cells .* got 80"),
        ("", "no cells"),
        ("\ufeff \r\n\t\n", "no cells"),
        ("------+------", "no cells"),
    ],
)
def test_an_error_is_reported_with_row_and_column(text, culprit):
    with pytest.raises(ValueError, match=culprit):
        Board(text)
    with pytest.raises(ValueError, match=rf"^mine\.txt: .*{culprit}"):
        Board.parse(text, source="mine.txt")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "expected a board"),
        (b"53..7\xff\xfe", "column 6: expected UTF-8 text"),
        (b"\x00" * 100, "line 1, column 1: expected a digit .* got '.x00'"),
        (b"." * 100_000, "at most 65,536 bytes"),
    ],
)
def test_a_file_that_is_no_board(tmp_path, content, sentence):
    file = tmp_path / "junk"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=sentence) as caught:
        Board.read(file)
    assert str(caught.value).startswith(f"{file}: ")


def test_ordinary_errors_for_files_that_cannot_be_read(tmp_path):
    for missing in (tmp_path / "none.txt", str(tmp_path / "none.txt"), "none.txt", Path(ONE_LINE)):
        with pytest.raises(FileNotFoundError):
            Board.read(missing)
    with pytest.raises(OSError, match=r"directory|Permission"):  # Windows denies permission
        Board.read(tmp_path)


def test_a_file_goes_before_text_of_the_same_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    BOARD.write("1..4..1..1..4..1")
    assert Board.read("1..4..1..1..4..1") == BOARD
    assert Board.read("1..4..1..1..4..2") == Board("1..4 ..1. .1.. 4..2")


def test_one_line_with_a_slip_is_not_taken_for_a_file():
    with pytest.raises(ValueError, match=r"line 1, column 1: expected a digit 1-9, .* got 'x'"):
        Board.read("x" + ONE_LINE[1:])
    with pytest.raises(ValueError, match="expected 81 cells of a 9×9 board, got 80"):
        Board.read(ONE_LINE[1:])


def test_pretty_in_colour_makes_givens_bold_and_clashes_red():
    board = Board("1..4 ..1. .1.. 4..1")
    lines = board.pretty(board.with_values([2, 3, 3, 4, 2, 2, 4, 3, 2, 3]), color=True).split("\n")
    assert lines[0] == "\x1b[1m1\x1b[0m \x1b[31m2\x1b[0m | \x1b[31m3\x1b[0m \x1b[1m4\x1b[0m"
    assert lines[1] == "3 4 | \x1b[1m1\x1b[0m 2"
    assert lines[2] == "----+----"


@pytest.mark.parametrize("solution", [Board("2143 3412 1234 4321"), BOARD])
def test_pretty_refuses_what_is_not_a_solution_of_the_board(solution):
    with pytest.raises(ValueError, match="a solution that has all givens"):
        Board("1..4 ..1. .1.. 4..1").pretty(solution)
