"""Points drawn at random."""

import numpy as np

from benchmarks.peers.objective import Objective


def search(objective: Objective, budget: int, seed: int) -> None:
    """Draw every point uniformly."""
    random = np.random.default_rng(seed)
    while True:
        objective(random.integers(objective.cardinalities))
