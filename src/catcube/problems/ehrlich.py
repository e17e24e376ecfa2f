"""Ehrlich functions: sequences that must contain spaced motifs and avoid some transitions.

S. Stanton, R. Alberstein, N. Frey, A. Watkins, K. Cho, "Closed-form test functions for biophysical
sequence optimization algorithms", arXiv:2407.00236 (2024). The function f is the product of the
qualities of the motifs: the largest fraction of the elements of a motif that occur, with their
spacing, anywhere in the sequence, rounded down to a multiple of 1/q. It is to be maximised over the
sequences without banned transitions. With epistasis e, a quality h becomes h (1 + e h (h - 1)), as
in the authors' package. Here the value is 1 - f, or 1 plus the number of banned transitions, if
there are any.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.base.text import expect
from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import unsigned
from catcube.problems.problem import (
    Problem,
    as_integers,
    check_integer,
    format_labels,
    join_constants,
)
from catcube.problems.registry import kind
from catcube.space import Space

# Banned transitions, motifs, and the offsets of their elements.
Parts = tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64]]

GREATEST_EPISTASIS = 3.0  # with more, the response would not be monotone

# integers: the numbers of states, of motifs and of their elements; for each pair of states, whether
# the transition is banned; the state of each element of each motif; the offset of each.
# reals: the response to each number of elements found. counts: scratch memory of `value`.
STATES, MOTIFS, ELEMENTS, BANNED, MOTIF_STATES, OFFSETS = range(6)


@kind(
    "ehrlich",
    "Ehrlich function: include spaced motifs, avoid banned transitions",
    instances=["15,4,2,4", "32,32,4,4", "64,20,4,4,epistasis=1.0", "128,32,8,8,4"],
)
class Ehrlich(Problem):
    """A random Ehrlich function of a sequence, to be minimised.

    A fifth of the transitions from each state is banned, at least one, and none to itself. The
    motifs are pieces of one sequence without banned transitions, so that the optimum is known.

    Parameters
    ----------
    length
        The length of the sequence.
    states
        The number of states of each position.
    motifs, motif_length
        The number of motifs, and the number of elements of each.
    quantization
        The number q of steps of a quality, which divides `motif_length`, its default.
    epistasis
        The strength of epistasis, from 0 to 3.
    seed
        The seed of transitions and motifs.

    Attributes
    ----------
    hidden
        An optimal sequence.

    Examples
    --------
    >>> problem = Ehrlich(32, 32, motifs=4, motif_length=4)
    >>> problem.evaluate(problem.hidden), problem.optimum
    (0.0, 0.0)
    """

    solution = format_labels
    optimum = 0.0

    @entry("value")
    def value(problem):
        """Count banned transitions; if there are none, find each motif at each position."""
        sequence, integers, found = problem.categories, problem.integers, problem.counts
        length, states = sequence.size, integers[STATES]
        banned = 0
        for k in range(length - 1):
            transition = sequence[k] * states + sequence[k + 1]
            banned += integers[unsigned(integers[BANNED] + transition)]
        if banned > 0:
            return 1.0 + banned
        elements = integers[ELEMENTS]
        product = 1.0
        for motif in range(integers[MOTIFS]):
            letters = integers[MOTIF_STATES] + motif * elements
            offsets = integers[OFFSETS] + motif * elements
            positions = length - integers[offsets + elements - 1]
            for position in range(positions):
                found[position] = 0
            for element in range(elements):
                state, offset = integers[letters + element], integers[offsets + element]
                for position in range(positions):
                    found[position] += 1 if sequence[unsigned(position + offset)] == state else 0
            most = 0
            for position in range(positions):
                most = max(most, found[position])
            product *= problem.reals[most]
        return 1.0 - product

    def __init__(
        self,
        length: int,
        states: int,
        motifs: int,
        motif_length: int,
        quantization: int | None = None,
        epistasis: float = 0.0,
        seed: Any = 1,
    ) -> None:
        check_integer("length", length, 1, 100_000)
        check_integer("states", states, 2, 1000)
        check_integer("motifs", motifs, 1, length)
        check_integer("motif_length", motif_length, 1, length // motifs)
        random = np.random.default_rng(seed)
        banned = _draw_banned(states, random)
        chain = [int(random.integers(states))]
        while len(chain) < motifs * motif_length:
            allowed = np.flatnonzero(~banned[chain[-1]])
            chain.append(int(random.choice(allowed[allowed != chain[-1]])))
        offsets = np.zeros((motifs, motif_length), np.int64)
        for row in offsets:
            gaps = random.choice(np.arange(1, length // motifs), motif_length - 1, replace=False)
            row[1:] = np.sort(gaps)
        elements = np.reshape(chain, offsets.shape)
        self._take(length, (banned, elements, offsets), quantization, epistasis)

    @classmethod
    def of(
        cls,
        length: int,
        banned: ArrayLike,
        motifs: Sequence[Sequence[int]],
        offsets: Sequence[Sequence[int]],
        quantization: int | None = None,
        epistasis: float = 0.0,
    ) -> "Ehrlich":
        """Return the function of given banned transitions, motifs, and offsets of their elements.

        >>> Ehrlich.of(3, [[0, 1], [0, 0]], motifs=[[1, 0]], offsets=[[0, 2]]).evaluate([1, 1, 0])
        0.0
        """
        problem = cls.__new__(cls)
        parts = (
            np.asarray(banned, bool),
            as_integers("motifs", motifs),
            as_integers("offsets", offsets),
        )
        problem._take(length, parts, quantization, epistasis)
        return problem

    def _take(self, length: int, parts: Parts, quantization: int | None, epistasis: float) -> None:
        """Check the parts of the function and set the constants."""
        self.banned, self.motifs, self.offsets = banned, motifs, offsets = parts
        elements = motifs.shape[1]
        q = elements if quantization is None else quantization
        divides = elements % check_integer("quantization", q, 1, elements) == 0
        expect(divides, f"a quantization that divides {elements}", q)
        weak = 0 <= epistasis <= GREATEST_EPISTASIS
        expect(weak, f"epistasis in 0..{GREATEST_EPISTASIS:g}", epistasis)
        expect(banned.shape == (len(banned),) * 2, "a square of transitions", banned.shape)
        expect(motifs.shape == offsets.shape, "as many offsets as elements", offsets.shape)
        grows = (np.diff(offsets) > 0).all() and not offsets[:, 0].any()
        expect(grows, "offsets that increase from 0", offsets.tolist())
        as_integers("offsets", offsets, 0, length - 1)
        as_integers("elements of motifs", motifs, 0, len(banned) - 1)
        self.space = Space.repeat("s", range(len(banned)), length)
        self.integers = join_constants(
            [len(banned), len(motifs), elements], [banned, motifs, offsets]
        )
        quality = np.arange(elements + 1) * q // elements / q
        self.reals = quality * (1.0 + epistasis * quality * (quality - 1.0))
        self.count_size = length

    @property
    def hidden(self) -> dict[str, Any]:  # type: ignore[override] # computed when asked for
        """A sequence that contains all motifs in order; in gaps, states are repeated."""
        ends = np.c_[self.offsets[:, 1:], self.offsets[:, -1] + 1]
        found = np.repeat(self.motifs.ravel(), (ends - self.offsets).ravel())
        return self.space.decode(np.pad(found, (0, len(self.space) - found.size), mode="edge"))


def _draw_banned(states: int, random: np.random.Generator) -> NDArray[np.bool_]:
    """Draw banned transitions: a fifth of the other states, but not the next one of a cycle."""
    cycle = random.permutation(states)
    banned = np.zeros((states, states), bool)
    for state, following in zip(cycle, np.roll(cycle, -1), strict=True):
        others = np.setdiff1d(np.arange(states), [state, following])
        count = min(max(1, states // 5), others.size)
        banned[state, random.choice(others, count, replace=False)] = True
    return banned
