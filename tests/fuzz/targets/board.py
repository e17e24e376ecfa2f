"""Boards: as files and as texts."""

from catcube.problems.sudoku import Board
from catcube.problems.sudoku.board import is_board_text
from tests.fuzz.oracle import ensure, folder, refusing


def seeds() -> list[bytes]:
    """Boards of several sizes, plain and decorated."""
    small = b"12|34\n34|12\n--+--\n21|4.\n43|2."
    nine = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    rows = b"\r\n".join(nine[start : start + 9] for start in range(0, 81, 9))
    return [b"", small, nine, rows, b"\xef\xbb\xbf" + small, b"1" * 256, b"." * 625, b"0" * 16]


def check(data: bytes) -> None:
    """What is read is a board that reads the same when it is written; all else is refused."""
    with folder() as directory:
        path = directory / "board.txt"
        path.write_bytes(data)
        with refusing(path):
            _same(Board.read(path))
    text = data.decode("utf-8", "surrogateescape")
    with refusing():
        is_board_text(text)
        _same(Board.parse(text))


def _same(board: Board) -> None:
    ensure(Board.parse(str(board)) == board, "a board is another when it is read again")
    ensure(len(board.conflicts()) >= 0, "the conflicts of a board cannot be counted")
