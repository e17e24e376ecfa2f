"""A function of an array of categories with its numbers of categories."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Task:
    """What to minimise."""

    name: str
    cardinalities: NDArray[np.int64]
    function: Callable[[NDArray[np.int64]], Any]

    def __call__(self, categories: NDArray[np.int64]) -> float:
        return float(self.function(categories))


def equal(variables: int, categories: int) -> NDArray[np.int64]:
    """So many variables of so many categories each."""
    return np.full(variables, categories)
