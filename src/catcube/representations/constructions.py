"""The built-in families of representations.

Known columns of covering codes (every word is the XOR of at most R of them), and codes of `compact`
(a label for every word, such that one flip reaches every label), are in `data/representations`, and
verified word by word by the tests. Others are composed from these.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from heapq import heapify, heapreplace
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from catcube.base.text import expect
from catcube.representations.registry import families, family
from catcube.representations.representation import Representation

MOST_WORDS = 2**25  # of a table
MOST_TIMES = 64  # repetitions of the columns of direct and linear


def dimension(N: int) -> int:
    """Return k, the smallest integer with 2^k ≥ N.

    >>> [dimension(N) for N in (1, 2, 3, 4, 5, 9, 16)]
    [0, 1, 2, 2, 3, 4, 4]
    """
    return (N - 1).bit_length()


def _integer(parameter: str, most: int) -> Callable[[str], dict[str, Any]]:
    """Return the parser of a family's only parameter, a positive integer."""

    def parse(text: str) -> dict[str, Any]:
        valid = text.isdecimal() and 1 <= int(text) <= most
        expect(valid, f"an integer {parameter} from 1 to {most}", text)
        return {parameter: int(text)}

    return parse


def _modulo(name: str, N: int, columns: Sequence[int], times: int = 1) -> Representation:
    """Build a representation whose category is the word of k bits modulo N."""
    table = np.arange(1 << dimension(N)) % N
    name = name if times == 1 else f"{name}:{times}"
    return Representation([*columns] * times, table, name=name)


@family("direct", "the binary number, modulo N", _integer("times", MOST_TIMES))
def direct(N: int, times: int = 1) -> Representation:
    """Build the binary code: bit i has the value 2^i; the category is the number modulo N.

    >>> direct(8).decode([1, 0, 1])
    array(5)

    If columns are repeated `times` times, there are more bits with the same effects.

    >>> direct(8, times=7)
    Representation('direct:7', bits=21, categories=8)
    """
    return _modulo("direct", N, [1 << bit for bit in range(dimension(N))], times)


@family("gray", "the reflected Gray code, modulo N: consecutive categories are one flip apart")
def gray(N: int) -> Representation:
    """Build the Gray code: bit j of the number is the XOR of the bits from j upwards.

    >>> gray(4).decode([[0, 0], [1, 0], [1, 1], [0, 1]])
    array([0, 1, 2, 3])
    """
    return _modulo("gray", N, [(2 << bit) - 1 for bit in range(dimension(N))])


@family(
    "linear",
    "the paper's: all non-zero columns, modulo N; every category one flip away",
    _integer("times", MOST_TIMES),
)
def linear(N: int, times: int = 1) -> Representation:
    """Build the representation with columns 1..2^k − 1; the category is A·x modulo N.

    >>> linear(4).columns
    array([1, 2, 3])

    With columns repeated `times` times, it is still isotropic.

    >>> linear(4, times=2).columns, linear(4, times=2).is_isotropic()
    (array([1, 2, 3, 1, 2, 3]), True)
    """
    return _modulo("linear", N, range(1, 1 << dimension(N)), times)


@family("balanced", "linear with the spare words divided evenly: classes differ by at most one")
def balanced(N: int) -> Representation:
    """Build linear with the words y ≥ N divided evenly among all categories.

    Let info be the binary number of the bits whose column is not a power of two. A word y ≥ N
    decodes to ((y − N)·2^(n−k) + info) mod N; for N = 2^k there is no such word. One flip leads to
    every word, and every category has a word, so the representation is locally surjective.

    >>> balanced(3).redundancy(), linear(3).redundancy()
    ((3, 3, 2), (4, 2, 2))
    """
    k = dimension(N)
    columns = np.arange(1, 1 << k)
    if len(columns) == N - 1:
        return Representation(columns, range(N), name="balanced", proved_radius=min(N - 1, 1))
    expected = f"at most {MOST_WORDS:,} words of 'balanced' for {N} categories"
    expect(N << k <= MOST_WORDS, expected, N << k)
    info_bits = columns & (columns - 1) != 0  # the other columns are powers of two
    weights = np.zeros_like(columns)
    weights[info_bits] = [pow(2, rank, N) for rank in range(info_bits.sum())]
    words, sums = np.divmod(np.arange(N << k), N)
    shared = (words - N) % N * pow(2, int(info_bits.sum()), N) + sums
    table = np.where(words < N, words, shared % N)
    return Representation(columns, table, weights, N, name="balanced", proved_radius=1)


@family("compact", "the fewest known bits with every category one flip away")
def compact(N: int) -> Representation:
    """Build a known code, or a doubled one; `balanced` if no smaller code is known.

    >>> [(N, compact(N).bits) for N in (5, 9, 10, 11, 20)]
    [(5, 6), (9, 11), (10, 11), (11, 15), (20, 23)]
    """
    code = compact_code(N)
    if code is None:
        same = balanced(N)
        same.name = "compact"
        same.description = f"{families['compact'].description} (for N = {N} the same as balanced)"
        return same
    return Representation(code.columns, code.labels, name="compact", proved_radius=1)


@family("unary", "the number of ones: category i has the neighbours i − 1 and i + 1")
def unary(N: int) -> Representation:
    """Build N − 1 bits of weight one.

    >>> unary(4).redundancy()
    (1, 3, 3, 1)
    """
    n = N - 1  # also the radius: a flip changes the number of ones by one, and 0..n all occur
    return Representation([0] * n, range(N), [1] * n, N, name="unary", proved_radius=n)


@family("vt", "Varshamov-Tenengolts: the sum of the positions of the ones, modulo N")
def vt(N: int) -> Representation:
    """Build N − 1 bits of weights 1..N − 1.

    One flip never keeps the category, and all categories are within two flips. To see this, let d
    be the wanted change. If neither bit d nor bit −d causes it, both change the sum by −d. A bit
    that changes the sum by 2d would complement one of them; suppose that there is none. Then both
    bits ±2d change it by −2d, and a bit for 3d would complement one of these; and so on through all
    multiples of d up to −d itself, which bits do cause: a contradiction. (If two of these multiples
    coincide, their two bits complement each other.)

    >>> vt(5).decode([1, 0, 0, 1])
    array(0)
    """
    n = N - 1
    return Representation([0] * n, range(N), range(1, N), N, name="vt", proved_radius=min(n, 2))


def _parse_blocks(text: str) -> dict[str, Any]:
    """Parse block sizes such as 2+2."""
    blocks = text.split("+")
    expect(all(map(str.isdecimal, blocks)), "block sizes as in 'product:2+2'", text)
    return {"blocks": tuple(int(block) for block in blocks)}


@family(
    "product", "linear in each of several blocks of the k bits; R blocks: R flips", _parse_blocks
)
def product(N: int, blocks: tuple[int, ...] | None = None) -> Representation:
    """Build blocks of k_1 + … + k_R = k bits, with all non-zero columns of each block.

    The category is the word modulo N. One flip changes a block to any other value, so all
    categories are within R flips. A single block is linear, k blocks of one bit are direct; by
    default, there are two halves.

    >>> product(16).name, product(16).bits, product(16).radius()
    ('product:2+2', 6, 2)
    """
    k = dimension(N)
    if blocks is None:
        blocks = tuple(size for size in (k - k // 2, k // 2) if size)
    valid = sum(blocks) == k and (k == 0 or min(blocks) >= 1)
    expect(valid, f"positive block sizes that sum to {k} for {N} categories", tuple(blocks))
    columns: list[int] = []
    offset = 0
    for size in blocks:
        columns += [word << offset for word in range(1, 1 << size)]
        offset += size
    name = "product:" + ("+".join(str(size) for size in blocks) or "0")
    return _modulo(name, N, columns)


@family(
    "covering", "few columns such that all categories are within R flips", _integer("radius", 64)
)
def covering(N: int, radius: int = 2) -> Representation:
    """Build the fewest known columns for which every word is the XOR of at most `radius`.

    >>> [covering(N).bits for N in (16, 32, 64, 256)]
    [5, 9, 13, 26]
    """
    expect(radius >= 1, "a covering radius of at least 1", radius)
    return _modulo(f"covering:{radius}", N, covering_columns(dimension(N), radius))


@cache
def known_columns() -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the columns in the data file, by dimension and radius.

    >>> known_columns()[4, 2]
    (1, 2, 4, 8, 15)
    """
    return {
        (entry["dimension"], entry["radius"]): tuple(entry["columns"])
        for entry in _data("covering.json")
    }


def _data(name: str) -> Any:
    """Read a data file of the package."""
    folder = files("catcube") / "data" / "representations"
    return json.loads((folder / name).read_text("utf-8"))


@cache
def covering_columns(dimension: int, radius: int) -> tuple[int, ...]:
    """Return the fewest known columns of a dimension k with at most a covering radius R.

    Unit columns suffice if R ≥ k; with the column of ones, which replaces more than half of the
    ones at once, they suffice if R ≥ ⌊(k+1)/2⌋; all non-zero columns always suffice. Columns for
    k_1 and R_1 combined with columns for k_2 and R_2 suffice for k_1 + k_2 and R_1 + R_2.

    >>> covering_columns(3, 2)
    (1, 2, 4, 7)
    >>> len(covering_columns(16, 4))  # 8 and 8 bits with radius 2 each
    52
    """
    units = tuple(1 << bit for bit in range(dimension))
    if radius >= dimension:
        return units
    known = known_columns().items()
    candidates = [columns for (k, R), columns in known if k == dimension and radius >= R]
    if radius >= (dimension + 1) // 2:
        candidates.insert(0, (*units, (1 << dimension) - 1))
    for left in range(1, dimension):
        for left_radius in range(1, radius):
            right = covering_columns(dimension - left, radius - left_radius)
            shifted = tuple(column << left for column in right)
            candidates.append((*covering_columns(left, left_radius), *shifted))
    return min(candidates, key=len, default=tuple(range(1, 1 << dimension)))


class Code(NamedTuple):
    """A code: its columns, and the label of each word."""

    columns: tuple[int, ...]
    labels: tuple[int, ...]

    @property
    def categories(self) -> int:
        """The number of labels."""
        return max(self.labels) + 1


@cache
def known_codes() -> tuple[Code, ...]:
    """Return the codes in the data file.

    >>> [(code.categories, len(code.columns)) for code in known_codes()]
    [(3, 3), (5, 6), (6, 7), (7, 7), (9, 11), (10, 11)]
    """
    return tuple(
        Code(tuple(entry["columns"]), tuple(map(int, entry["labels"])))
        for entry in _data("compact.json")
    )


def double(code: Code) -> Code:
    """Return a code with twice as many labels and 2n + 1 bits, and one flip to every label.

    The new top bit t of a word (u, t) distinguishes the labels 2f(u) and 2f(u) + 1. The new column
    2^k changes only t; for every other label f(u + c), the column c keeps t and c + 2^k changes it.

    >>> larger = double(known_codes()[-1])
    >>> larger.categories, len(larger.columns)
    (20, 23)
    """
    top = len(code.labels)
    columns = tuple(column + part for column in code.columns for part in (0, top))
    labels = tuple(2 * label + part for part in (0, 1) for label in code.labels)
    return Code((*columns, top), labels)


def merge_labels(code: Code, N: int) -> Code:
    """Return a code with N labels: words of other labels get the label with the fewest words.

    Labels below N keep their words, so one flip still reaches all of them.

    >>> merge_labels(Code((1, 2, 3), (0, 1, 2, 3)), 3).labels
    (0, 1, 2, 0)
    """
    sizes = Counter(label for label in code.labels if label < N)
    smallest = [(size, label) for label, size in sizes.items()]
    heapify(smallest)
    labels = list(code.labels)
    for word, label in enumerate(labels):
        if label >= N:
            size, labels[word] = smallest[0]
            heapreplace(smallest, (size + 1, labels[word]))
    return Code(code.columns, tuple(labels))


def compact_code(N: int) -> Code | None:
    """Return the smallest known code for N labels; None if `balanced` has as few bits.

    >>> code = compact_code(17)
    >>> len(code.columns), code.categories
    (23, 17)
    >>> compact_code(16) is None
    True
    """
    plans = []  # bits, labels, number of doublings, and the known code to start from
    for code in known_codes():
        doublings = max(0, -(-N // code.categories) - 1).bit_length()
        bits = ((len(code.columns) + 1) << doublings) - 1
        plans.append((bits, code.categories << doublings, doublings, code))
    bits, categories, doublings, code = min(plans)
    all_columns = (1 << (N - 1).bit_length()) - 1
    is_known = categories == N and doublings == 0
    if bits >= all_columns and not is_known:
        return None
    for _ in range(doublings):
        code = double(code)
    return merge_labels(code, N)
