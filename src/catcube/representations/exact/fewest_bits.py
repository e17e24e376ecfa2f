"""How few bits a code needs in which one flip leads from every vector to every category.

Such a code of N categories on n bits is a partition of the n-cube into N dominating sets, so N is
at most the *domatic number* d(n) of the cube. What is known of it:

- d(n) for n = 0..9 is 1, 2, 2, 4, 4, 4, 5, 8, 8, 8 (OEIS A157887).
- A dominating set is a covering code of radius 1, so d(n) <= 2^n / K(n, 1) with K the size of the
  smallest: K(10, 1) >= 107, K(11, 1) >= 180, K(12, 1) >= 342, K(13, 1) >= 598 (OEIS A000983 and the
  tables of covering codes that it cites).
- Always d(n) <= n + 1, as a vector sees n + 1 vectors. Equality makes every class a perfect code,
  which exists for n = 2^k - 1 alone: there the linear representation reaches it.
"""

from typing import NamedTuple

from catcube.representations.compact import compact_code

DOMATIC = (1, 2, 2, 4, 4, 4, 5, 8, 8, 8)
COVERING = {10: 107, 11: 180, 12: 342, 13: 598}


class Bits(NamedTuple):
    """The bits of the shortest code at hand, and the fewest that are not ruled out."""

    categories: int
    compact: int
    at_least: int

    @property
    def optimal(self) -> bool:
        """Whether no code can be shorter."""
        return self.compact == self.at_least


def most_categories(n: int) -> int:
    """Bound the number of categories that n bits can have within one flip.

    >>> [most_categories(n) for n in range(16)]
    [1, 2, 2, 4, 4, 4, 5, 8, 8, 8, 9, 11, 11, 13, 14, 16]
    """
    if n < len(DOMATIC):
        return DOMATIC[n]
    if n in COVERING:
        return (1 << n) // COVERING[n]
    return n + 1 if (n + 1).bit_count() == 1 else n


def fewest_bits(N: int) -> Bits:
    """Compare the bits of `compact` for N categories with the fewest that there could be.

    >>> fewest_bits(10), fewest_bits(10).optimal
    (Bits(categories=10, compact=11, at_least=11), True)
    >>> fewest_bits(9).optimal  # 10 bits are open
    False
    """
    code = compact_code(N)
    compact = len(code.columns) if code else (1 << (N - 1).bit_length()) - 1
    at_least = next(n for n in range(compact + 1) if most_categories(n) >= N)
    return Bits(N, compact, at_least)
