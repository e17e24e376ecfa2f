"""Slow, obvious oracles for representations: definitions in words, and whole cubes point by point.

A point of the cube is an integer here, whose bit i is bit i of the vector.
"""

from fractions import Fraction

import numpy as np


def bits_of(point, n):
    return [point >> i & 1 for i in range(n)]


def smallest_k(N):
    k = 0
    while 2**k < N:
        k += 1
    return k


def direct(N, bits):
    return sum(2**i for i, bit in enumerate(bits) if bit) % N


def gray(N, bits):
    number = 0
    for i in range(len(bits)):
        number += 2**i * (sum(bits[i:]) % 2)
    return number % N


def syndrome(columns, bits):
    word = 0
    for column, bit in zip(columns, bits, strict=True):
        if bit:
            word ^= column
    return word


def linear(N, bits):
    return syndrome(range(1, len(bits) + 1), bits) % N


def balanced(N, bits):
    n, k = len(bits), smallest_k(N)
    y = syndrome(range(1, n + 1), bits)
    if y < N:
        return y
    info_bits = [bits[c - 1] for c in range(1, n + 1) if bin(c).count("1") > 1]
    info = sum(2**i for i, bit in enumerate(info_bits) if bit)
    return ((y - N) * 2 ** (n - k) + info) % N


def unary(N, bits):
    return sum(bits)


def vt(N, bits):
    return sum(i for i, bit in enumerate(bits, start=1) if bit) % N


def product(N, blocks, bits):
    """Each block decoded as linear, the numbers of the blocks put side by side."""
    number, shift, start = 0, 0, 0
    for size in blocks:
        part = bits[start : start + 2**size - 1]
        number += linear(2**size, part) << shift
        shift += size
        start += len(part)
    return number % N


def decode(columns, weights, modulus, table, bits):
    """The word by counting, then the table."""
    total = sum(weight for weight, bit in zip(weights, bits, strict=True) if bit)
    return table[syndrome(columns, bits) * modulus + total % modulus]


def decoded_cube(representation):
    """The category of every point."""
    columns, weights = representation.columns.tolist(), representation.weights.tolist()
    modulus, table, n = representation.modulus, representation.table.tolist(), representation.bits
    return np.array(
        [decode(columns, weights, modulus, table, bits_of(point, n)) for point in range(2**n)]
    )


class Cube:
    """Everything there is to know about a decoded cube, from all pairs of points.

    `sees[r, x, b]` is the number of ways to flip r bits of x that lead to category b.
    """

    def __init__(self, decoded, n, N):
        self.decoded, self.n, self.N = decoded, n, N
        points = np.arange(2**n)
        self.sees = np.zeros((n + 1, 2**n, N), dtype=np.int64)
        for mask in range(2**n):
            self.sees[bin(mask).count("1"), points, decoded[points ^ mask]] += 1

    def redundancy(self):
        return tuple(int((self.decoded == a).sum()) for a in range(self.N))

    def spread(self, r):
        """Mean numbers, as Fractions."""
        sizes = self.redundancy()
        sums = [self.sees[r, self.decoded == a].sum(axis=0).tolist() for a in range(self.N)]
        return [[Fraction(s, sizes[a]) for s in sums[a]] for a in range(self.N)]

    def reach(self):
        return [[entry / self.n for entry in row] for row in self.spread(1)]

    def mutation_matrix(self, p):
        total = [[Fraction(0)] * self.N for _ in range(self.N)]
        for r in range(self.n + 1):
            likelihood = p**r * (1 - p) ** (self.n - r)
            for a, row in enumerate(self.spread(r)):
                for b, entry in enumerate(row):
                    total[a][b] += likelihood * entry
        return total

    def is_locally_surjective(self):
        return self.n == 0 or bool((self.sees[:2].sum(axis=0) > 0).all())

    def is_locally_bijective(self):
        return (
            all(
                self.sees[1, x].tolist() == [int(b != category) for b in range(self.N)]
                for x, category in enumerate(self.decoded)
            )
            if self.n
            else self.N == 1
        )

    def is_isotropic(self):
        return all(
            len(set(np.delete(self.sees[r, x], category).tolist())) <= 1
            for r in range(self.n + 1)
            for x, category in enumerate(self.decoded)
        )

    def radius(self):
        within = np.cumsum(self.sees, axis=0) > 0
        return int(next(r for r in range(self.n + 1) if within[r].all()))

    def canonical(self, a):
        """Fewest ones, then the ones that come first."""

        def ones_and_positions(point):
            bits = [i for i in range(self.n) if point >> i & 1]
            return len(bits), bits

        best = min((x for x in range(2**self.n) if self.decoded[x] == a), key=ones_and_positions)
        return bits_of(best, self.n)
