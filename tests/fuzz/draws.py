"""Choices made by bytes: any bytes are some choices, so that a fuzzer can change them."""

from collections.abc import Sequence
from typing import TypeVar

Thing = TypeVar("Thing")

# What has broken readers of texts before: controls, quotes, markup, signs of formulas and paths.
SIGNS = (
    "a", "Z", "0", "9", " ", "", "\0", "\x1b[2J", "\n", "\r\n", "\t", "\x9b", "\x7f", "\ufeff",
    "\u202e", "\u2028", "é", "𝟗", "数", "\ud800", "'", '"', "`", "\\", "/", "../", "..", ".", ":",
    ",", ";", "=", "+", "-", "@", "*", "?", "[", "]", "{", "}", "(", ")", "<", ">", "&", "%", "$",
    "#", "|", "~", "^", "_", "</script>", "<b>", "{0}", "%s", "CON", "nul", "NaN", "1e999", "-0",
    "\\end{table}", "x" * 300,
)  # fmt: skip


class Draws:
    """Choices from bytes; when these are used up, every choice is the first one.

    >>> draws = Draws(bytes([1, 2, 3]))
    >>> draws.choice("abc"), draws.integer(10, 19), draws.left
    ('b', 12, 1)
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0

    @property
    def left(self) -> int:
        """How many bytes have not been used."""
        return len(self.data) - self.position

    def byte(self) -> int:
        """The next byte."""
        if not self.left:
            return 0
        self.position += 1
        return self.data[self.position - 1]

    def integer(self, low: int, high: int) -> int:
        """An integer from low to high."""
        size = max(1, ((high - low).bit_length() + 7) // 8)
        drawn = int.from_bytes(bytes(self.byte() for _ in range(size)), "little")
        return low + drawn % (high - low + 1)

    def choice(self, things: Sequence[Thing]) -> Thing:
        """One of these."""
        return things[self.integer(0, len(things) - 1)]

    def several(self, things: Sequence[Thing], most: int) -> list[Thing]:
        """A few of these."""
        return [self.choice(things) for _ in range(self.integer(0, most))]

    def rest(self) -> bytes:
        """All bytes that are left."""
        rest, self.position = self.data[self.position :], len(self.data)
        return rest

    def text(self, most: int = 8) -> str:
        """A text of strange signs."""
        return "".join(self.several(SIGNS, most))

    def value(self) -> object:
        """What may replace something in a file."""
        return self.choice(
            (
                None, True, False, 0, 1, -1, 2, 3, 7, 2**31, 2**53, 2**62, 2**63, -(2**63), 10**30,
                0.0, -0.0, 0.5, 1e308, float("inf"), -float("inf"), float("nan"), "", "1", "rls",
                "linear", "sa", "direct", "match:3,2", self.text(), [], [1], {}, {"a": 1}, [[]],
                b"", b"\0\xff", "x" * 5000,
            )
        )  # fmt: skip
