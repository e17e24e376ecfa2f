"""A space and a hidden target in it, for the simplest problems."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.errors import BadValue
from catcube.space import Space

MOST_VARIABLES = 1_000_000
MOST_CATEGORIES = 65_536


def hidden_target(
    variables: int, categories: int | ArrayLike, seed: Any
) -> tuple[Space, NDArray[np.int64]]:
    """Return a space of variables with these numbers of categories, and a uniform random point.

    >>> space, target = hidden_target(3, [2, 3, 4], seed=1)
    >>> space.cardinalities.tolist(), target.tolist()
    ([2, 3, 4], [0, 1, 3])
    """
    if not 1 <= variables <= MOST_VARIABLES:
        raise BadValue(f"expected 1 to {MOST_VARIABLES:,} variables, got {variables:,}")
    sizes = np.broadcast_to(np.asarray(categories, dtype=np.int64), (variables,))
    for size in (int(sizes.min()), int(sizes.max())):
        if not 1 <= size <= MOST_CATEGORIES:
            raise BadValue(f"expected 1 to {MOST_CATEGORIES:,} categories, got {size:,}")
    labels = {int(size): range(size) for size in np.unique(sizes)}
    space = Space({f"x{i}": labels[int(size)] for i, size in enumerate(sizes)})
    return space, np.random.default_rng(seed).integers(0, sizes)
