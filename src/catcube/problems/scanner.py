"""Reading of instance files as words, with line and column in error messages.

No file can cause unbounded allocations: the length of files and the range of numbers are limited,
and arrays are not longer than the number of words.
"""

import math
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import BinaryIO, NamedTuple

from catcube.base.text import escape, expect_known, quote
from catcube.errors import BadValue

LONGEST_FILE = 2**24
"""Maximum number of bytes of an instance file."""


class FileError(BadValue):
    """An instance file is invalid; the message names the file, the line and the column."""


class TextFile(NamedTuple):
    """A file: its name and its text."""

    name: str
    text: str

    @classmethod
    def read(cls, path: "Source") -> "TextFile":
        """Read a file, unless it is a TextFile; raise a FileError if it is not text."""
        if isinstance(path, TextFile):
            return path
        return cls(os.fsdecode(path), read_text(path))

    def fault(self, sentence: str) -> FileError:
        """Return an error about the file as a whole."""
        return FileError(f"{escape(self.name)}: {sentence}")

    def expect(self, condition: object, expected: str, found: object) -> None:
        """Raise an error about the file as a whole unless a condition is true."""
        if not condition:
            raise self.fault(f"expected {expected}, got {found}")

    @property
    def stem(self) -> str:
        """The name without folders and suffix."""
        return os.path.splitext(os.path.basename(self.name))[0]


Source = str | os.PathLike[str] | TextFile
"""A file, given by its path or as a TextFile."""


def read_text(path: str | os.PathLike[str], longest: int = LONGEST_FILE) -> str:
    """Read a file of UTF-8 text; raise a FileError if it is a device, too long or not text."""
    name = os.fsdecode(path)
    is_file = stat.S_ISREG(os.stat(path).st_mode) or os.path.isdir(path)
    TextFile(name, "").expect(is_file, "a file", "a device or a pipe")
    with open(path, "rb") as file:
        return read_stream(file, name, longest)


def read_stream(stream: BinaryIO, name: str, longest: int = LONGEST_FILE) -> str:
    """Read UTF-8 text from a stream; raise a FileError if it is too long or not text.

    >>> import io
    >>> read_stream(io.BytesIO(b"12 34"), "standard input")
    '12 34'
    >>> read_stream(io.BytesIO(b"12 34"), "standard input", longest=4)
    Traceback (most recent call last):
    catcube.problems.scanner.FileError: standard input: expected at most 4 bytes, got more
    """
    content = stream.read(longest + 1)
    TextFile(name, "").expect(len(content) <= longest, f"at most {longest:,} bytes", "more")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        raise TextFile(name, "").fault(
            f"line {line}, column {column}: expected UTF-8 text, "
            f"got byte 0x{content[error.start]:02x}"
        ) from None


@contextmanager
def reading(source: Source) -> Iterator[TextFile]:
    """Yield the content of a file; errors in the block become FileErrors that name it.

    >>> with reading(TextFile("mine.uai", "")) as file:
    ...     raise BadValue("expected an entry > 0, got none")
    Traceback (most recent call last):
    catcube.problems.scanner.FileError: mine.uai: expected an entry > 0, got none
    """
    file = TextFile.read(source)
    try:
        yield file
    except FileError:
        raise
    except (ValueError, TypeError) as error:
        raise file.fault(str(error)) from error


class Word(NamedTuple):
    """A word of a file, with its line and column, counted from 1."""

    text: str
    line: int
    column: int


class Scanner:
    """The words of a file, in order.

    >>> words = Scanner(TextFile("mine.dat", "3\\n1 x"))
    >>> words.integer("the size", 1, 100), words.integer("a flow")
    (3, 1)
    >>> words.integer("a flow")
    Traceback (most recent call last):
    catcube...FileError: mine.dat: line 2, column 3: expected a flow (an integer), got 'x'

    Words are the matches of `pattern`; `comment` is the sign that starts a comment.
    """

    def __init__(self, file: TextFile, pattern: str = r"\S+", comment: str | None = None) -> None:
        self.file = file
        self._pattern = re.compile(pattern)
        self._comment = comment
        self._begin(enumerate(file.text.splitlines(), start=1), "the end of the file")

    def _begin(self, lines: Iterable[tuple[int, str]], end: str) -> None:
        """Begin to scan numbered lines; `end` names their end in messages."""
        self._words = self._scan(lines)
        self._next: Word | None = None
        self._last = self._end = Word("", 1, 1)
        self._end_name = end

    def _scan(self, lines: Iterable[tuple[int, str]]) -> Iterator[Word]:
        """Yield the words of numbered lines."""
        for number, line in lines:
            self._end = Word("", number, len(line) + 1)
            for match in self._pattern.finditer(self._without_comment(line)):
                yield Word(match[0], number, match.start() + 1)

    def _without_comment(self, line: str) -> str:
        return line.partition(self._comment)[0] if self._comment else line

    def lines(self) -> "Iterator[Scanner]":
        """Yield a scanner of each line that contains words."""
        for number, text in enumerate(self.file.text.splitlines(), start=1):
            if text and self._pattern.search(self._without_comment(text)):
                yield self.line(number, text)

    def line(self, number: int, text: str) -> "Scanner":
        """Return a scanner of one line."""
        line = copy(self)
        line._begin([(number, text)], "the end of the line")
        return line

    def peek(self) -> str:
        """Return the next word without consuming it; an empty text at the end."""
        if self._next is None:
            self._next = next(self._words, None)
        return "" if self._next is None else self._next.text

    def word(self, expected: str) -> str:
        """Consume the next word and return it."""
        self.peek()
        if self._next is None:
            self._last = self._end
            raise self.fault(expected, self._end_name)
        self._last, self._next = self._next, None
        return self._last.text

    def one_of(self, *texts: str) -> str:
        """Consume the next word, which must be one of the given texts, and return it."""
        expected = " or ".join(map(quote, texts))
        self.expect(self.word(expected) in texts, expected)
        return self._last.text

    def phrase(self, *texts: str) -> None:
        """Consume words that must be the given texts."""
        for text in texts:
            self.one_of(text)

    def skip(self, text: str) -> None:
        """Consume all words up to and including the given text."""
        while self.word(quote(text)) != text:
            pass

    def integer(self, expected: str, low: int = -(2**53), high: int = 2**53) -> int:
        """Consume the next word and return it as an integer in a range."""
        text = self.word(expected)
        # `int` would also convert 10_000, and a million digits.
        if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
            raise self.fault(f"{expected} (an integer)")
        if not low <= int(text) <= high:
            allowed = f"an integer in {low}..{high}" if low < high else low
            raise self.fault(f"{expected} ({allowed})")
        return int(text)

    def real(self, expected: str, low: float = -math.inf) -> float:
        """Consume the next word and return it as a finite number, at least `low`."""
        text = self.word(expected)
        number = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
        if re.fullmatch(number, text) and low <= float(text) < math.inf:
            return float(text)
        raise self.fault(f"{expected} (a number{'' if low == -math.inf else f' >= {low:g}'})")

    def end(self) -> None:
        """Raise an error if another word follows."""
        if self.peek():
            self.word(self._end_name)
            raise self.fault(self._end_name)

    def expect(self, condition: object, expected: str, found: str | None = None) -> None:
        """Raise an error about the last word unless a condition is true."""
        if not condition:
            raise self.fault(expected, found)

    def fault(self, expected: str, found: str | None = None) -> FileError:
        """Return an error about the last word, the one that was consumed last."""
        where = f"line {self._last.line}, column {self._last.column}"
        found = found or quote(self._last.text)
        return self.file.fault(f"{where}: expected {expected}, got {found}")


def builtin_names(problem: str) -> list[str]:
    """Return the names of the built-in instance files of a problem.

    >>> builtin_names("match")
    []
    """
    return list(_files(problem))


def builtin_file(problem: str, name: str) -> TextFile:
    """Return a built-in instance file."""
    expect_known("instance", name, _files(problem))
    file = _files(problem)[name]
    return TextFile(file.name, file.read_text(encoding="utf-8"))


@cache
def _files(problem: str) -> dict[str, Traversable]:
    """Return the built-in instance files of a problem by name."""
    folder = files("catcube").joinpath("data", "instances", problem)
    if not folder.is_dir():
        return {}
    found = sorted(folder.iterdir(), key=lambda file: file.name)
    return {file.name.partition(".")[0]: file for file in found}
