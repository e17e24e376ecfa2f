"""Problems as functions of bits, for binary optimisers of other packages."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.base.text import expect
from catcube.problems.functions import Compiled, as_problem
from catcube.problems.problem import Problem
from catcube.representations.layout import (
    RepresentationChoice,
    bit_layout,
    decode_points,
    resolve_representations,
)
from catcube.representations.representation import as_bits
from catcube.space import Space


class BitProblem:
    """A problem or a function of categories as a function of bits, to be minimised.

    Any optimiser of zeros and ones can then search categories. A vector of bits is any sequence of
    n zeros and ones. A `BitProblem` has no state, so several threads may call it.

    Parameters
    ----------
    problem
        A function or a problem, as for `minimize`.
    space
        The space of the function; a problem has its own space.
    representation
        A Representation or its name, or a mapping from variables to these.
    vectorized
        Whether the function takes an array of category indices, one row per point.

    Examples
    --------
    >>> import catcube
    >>> space = catcube.Space({"base": "ATCG", "flag": [True, False]})
    >>> cost = catcube.BitProblem(lambda point: (point["base"] != "C") + point["flag"], space)
    >>> cost.n, cost.bounds
    (4, [(0, 1), (0, 1), (0, 1), (0, 1)])
    >>> cost([0, 1, 0, 1]), cost.decode([0, 1, 0, 1])
    (0.0, {'base': 'C', 'flag': False})
    >>> cost.encode({"base": "G", "flag": False})
    array([0, 0, 1, 1], dtype=uint8)
    """

    def __init__(
        self,
        problem: Problem | Compiled | Callable[[Any], Any],
        space: Space | None = None,
        representation: RepresentationChoice = "linear",
        *,
        vectorized: bool = False,
    ) -> None:
        self.problem = as_problem(problem, space, vectorized)
        self.problem.objective(lambda: None)  # raises the errors that a run would raise
        self.space = self.problem.space
        self.representations = resolve_representations(self.space, representation)
        self._layout = bit_layout(self.representations)
        self.n = int(self._layout.first_bit[-1])
        """The number of bits."""

    @property
    def bounds(self) -> list[tuple[int, int]]:
        """The lowest and the highest value of each bit, (0, 1)."""
        return [(0, 1)] * self.n

    def __call__(self, bits: ArrayLike) -> float:
        """Return the value of a vector of bits."""
        vector = as_bits(bits, self.n)
        wanted = f"one vector of {self.n} bits (values() takes several)"
        expect(vector.ndim == 1, wanted, vector.shape)
        return float(self.values(vector[None])[0])

    def values(self, rows: ArrayLike) -> NDArray[np.float64]:
        """Return the values of several vectors of bits.

        Parameters
        ----------
        rows
            The vectors, one per row. A vectorized function is called once for all of them.

        Returns
        -------
        array
            The values.

        Examples
        --------
        >>> import catcube
        >>> catcube.BitProblem(catcube.problems.Match(1, 2, seed=1)).values([[0], [1]])
        array([0., 1.])
        """
        vectors = as_bits(rows, self.n)
        expect(vectors.ndim == 2, f"rows of {self.n} bits", vectors.shape)
        categories = decode_points(self._layout, vectors)
        found = self.problem.values_at(categories)
        for row in categories[np.isnan(found)]:
            raise self.problem.failure(row)  # as `minimize` does
        return found

    def decode(self, bits: ArrayLike) -> dict[str, Any]:
        """Return the point, a dict of labels by name, to which a vector of bits decodes."""
        return self.space.decode(decode_points(self._layout, as_bits(bits, self.n)))

    def encode(
        self, point: Mapping[str, Any], rng: np.random.Generator | None = None
    ) -> NDArray[np.uint8]:
        """Return a vector of bits that decodes to a point.

        Parameters
        ----------
        point
            The labels by name.
        rng
            A generator, to draw a random one of all such vectors. By default, it is the vector
            with the fewest ones.

        Returns
        -------
        array
            The n bits.

        Examples
        --------
        >>> import catcube
        >>> space = catcube.Space({"base": "ATCG"})
        >>> cost = catcube.BitProblem(lambda point: 0.0, space)
        >>> generator = np.random.default_rng(1)
        >>> sorted({tuple(cost.encode({"base": "G"}, generator).tolist()) for _ in range(20)})
        [(0, 0, 1), (1, 1, 0)]
        """
        encoded = zip(self.representations, self.space.encode(point), strict=True)
        return np.concatenate([code.encode(category, rng) for code, category in encoded])

    def __repr__(self) -> str:
        kinds = ", ".join(dict.fromkeys(code.name for code in self.representations))
        return f"BitProblem({self.problem.name!r}, n={self.n}, representation={kinds!r})"
