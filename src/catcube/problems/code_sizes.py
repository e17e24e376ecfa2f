"""Lower bounds on the number of words of a code, by constructions and by counting."""

from math import comb


def known_size(q: int, n: int, d: int, reverse: bool = False, gc: bool = False) -> int:
    """Return a lower bound on the number of words of length n over q letters at distance d.

    The largest of: all words (d = 1), those of equal sum (d = 2), repetitions (d = n), Reed-Solomon
    codes and their extension (q a power of a prime, n <= q + 1), shortened Hamming codes (d = 3),
    and Gilbert's bound: as long as the balls around the words do not cover all candidates,
    another word can be added.

    >>> known_size(4, 5, 4), known_size(2, 7, 3), known_size(3, 4, 3)
    (16, 16, 9)

    With `reverse` and `gc`, conditions on DNA, only Gilbert's bound applies: the candidates are
    the words that satisfy them, and a word has a second ball, around its reverse complement.

    >>> known_size(4, 8, 4, reverse=True, gc=True)
    5
    """
    if d <= 0:
        return 10**9
    ball = sum(comb(n, i) * (q - 1) ** i for i in range(min(d, n + 1)))
    if reverse or gc:
        return -(-_candidates(n, d, reverse, gc) // (ball * (2 if reverse else 1)))
    sizes = [-(-(q**n) // ball)]
    if d <= 2:
        sizes.append(q ** (n - d + 1))
    if d == n:
        sizes.append(q)
    if _is_prime_power(q):
        if n <= q + 1:
            sizes.append(q ** (n - d + 1))
        if d == 3:
            check = next(r for r in range(1, n + 2) if (q**r - 1) // (q - 1) >= n)
            sizes.append(q ** max(0, n - check))
    return max(sizes)


def _is_prime_power(q: int) -> bool:
    """Return whether there is a field of q elements."""
    prime = next((p for p in range(2, q + 1) if q % p == 0), 0)
    while prime and q % prime == 0:
        q //= prime
    return bool(prime) and q == 1


def _candidates(n: int, d: int, reverse: bool, gc: bool) -> int:
    """Count the words over ATCG that satisfy the conditions on one word.

    A word is n // 2 pairs of letters that face each other in the reverse complement, and one letter
    more if n is odd, which always differs there. A pair agrees in 4 of 16 cases (2 of them with two
    G or C, 2 with none), and differs in 12 (2 with two, 2 with none, 8 with one).
    """
    words = {(n % 2, 0): 1} if n % 2 == 0 else {(1, 0): 2, (1, 1): 2}  # by differences, G and C
    for _ in range(n // 2):
        longer: dict[tuple[int, int], int] = {}
        for (differences, gcs), count in words.items():
            for more, added, cases in ((0, 0, 2), (0, 2, 2), (2, 0, 2), (2, 1, 8), (2, 2, 2)):
                key = differences + more, gcs + added
                longer[key] = longer.get(key, 0) + cases * count
        words = longer
    return sum(
        count
        for (differences, gcs), count in words.items()
        if (not reverse or differences >= d) and (not gc or gcs == n // 2)
    )
