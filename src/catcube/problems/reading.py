"""Reading instance files: words with their places, so that a fault is told by line and column.

No file can make a reader allocate without bound: a file has a greatest length, a number that is
read has a range, and arrays are as long as the words that were really there.
"""

import math
import os
import re
from collections.abc import Iterable, Iterator
from copy import copy
from typing import NamedTuple

from catcube.base.text import quoted

LONGEST_FILE = 2**24
"""Bytes of an instance file."""


class FileError(ValueError):
    """What is wrong with an instance file: the file, the place, what was expected and found."""


class TextFile(NamedTuple):
    """The name of a file, as it was given, and the text in it."""

    name: str
    text: str

    @classmethod
    def read(cls, path: "str | os.PathLike[str] | TextFile") -> "TextFile":
        """Read a file, unless that has been done; a ValueError if it cannot be an instance."""
        if isinstance(path, TextFile):
            return path
        name = os.fsdecode(path)
        with open(path, "rb") as file:
            content = file.read(LONGEST_FILE + 1)
        if len(content) > LONGEST_FILE:
            raise FileError(f"{name}: expected at most {LONGEST_FILE:,} bytes, got more")
        try:
            return cls(name, content.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            column = error.start - content.rfind(b"\n", 0, error.start)
            raise FileError(
                f"{name}: line {line}, column {column}: expected UTF-8 text, "
                f"got byte 0x{content[error.start]:02x}"
            ) from None

    @property
    def stem(self) -> str:
        """The name without folders and suffix."""
        return os.path.splitext(os.path.basename(self.name))[0]


class Word(NamedTuple):
    """A word of a file and where it stands, both from 1."""

    text: str
    line: int
    column: int


class Scanner:
    """The words of a file, one after the other.

    >>> words = Scanner(TextFile("mine.dat", "3\\n1 x"))
    >>> words.integer("the size", 1, 100), words.integer("a flow")
    (3, 1)
    >>> words.integer("a flow")
    Traceback (most recent call last):
    catcube...FileError: mine.dat: line 2, column 3: expected a flow (an integer), got 'x'

    A word is what `pattern` matches; what stands after a `comment` sign in a line is left out.
    """

    def __init__(self, file: TextFile, pattern: str = r"\S+", comment: str | None = None) -> None:
        self.file = file
        self._pattern = re.compile(pattern)
        self._comment = comment
        self._begin(enumerate(file.text.splitlines(), start=1), "the end of the file")

    def _begin(self, lines: Iterable[tuple[int, str]], end: str) -> None:
        self._words = self._scan(lines)
        self._next: Word | None = None
        self._end = Word("", 1, 1)
        self._end_name = end

    def _scan(self, lines: Iterable[tuple[int, str]]) -> Iterator[Word]:
        for number, line in lines:
            kept = line.partition(self._comment)[0] if self._comment else line
            self._end = Word("", number, len(line) + 1)
            for match in self._pattern.finditer(kept):
                yield Word(match[0], number, match.start() + 1)

    def lines(self) -> "Iterator[Scanner]":
        """Yield the words of each line that has some."""
        for numbered in enumerate(self.file.text.splitlines(), start=1):
            own = copy(self)
            own._begin([numbered], "the end of the line")
            if own.peek():
                yield own

    def peek(self) -> Word | None:
        """Return the next word, which stays there; None at the end."""
        if self._next is None:
            self._next = next(self._words, None)
        return self._next

    def word(self, expected: str) -> Word:
        """Return the next word."""
        own = self.peek()
        if own is None:
            raise self.fault(self._end, expected, self._end_name)
        self._next = None
        return own

    def exactly(self, text: str) -> Word:
        """Return the next word, which must be this one."""
        own = self.word(quoted(text))
        if own.text != text:
            raise self.fault(own, quoted(text))
        return own

    def integer(self, expected: str, low: int = -(2**53), high: int = 2**53) -> int:
        """Return the next word as an integer in a range."""
        own = self.word(expected)
        # Neither 10_000 nor a number of a million digits is converted.
        if not re.fullmatch(r"[+-]?[0-9]{1,18}", own.text):
            raise self.fault(own, f"{expected} (an integer)")
        value = int(own.text)
        if not low <= value <= high:
            raise self.fault(own, f"{expected} (an integer in {low}..{high})")
        return value

    def real(self, expected: str) -> float:
        """Return the next word as a finite number."""
        own = self.word(expected)
        if re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", own.text):
            value = float(own.text)
            if math.isfinite(value):
                return value
        raise self.fault(own, f"{expected} (a number)")

    def end(self) -> None:
        """Nothing more may follow."""
        own = self.peek()
        if own is not None:
            raise self.fault(own, self._end_name)

    def fault(self, word: Word, expected: str, found: str | None = None) -> FileError:
        """Return what is wrong with a word, in a sentence."""
        place = f"{self.file.name}: line {word.line}, column {word.column}"
        return FileError(f"{place}: expected {expected}, got {found or quoted(word.text)}")
