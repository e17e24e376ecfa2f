"""hyperopt: the first tree-structured Parzen estimator."""

import logging

import numpy as np
from hyperopt import fmin, hp, tpe

from benchmarks.peers.objective import Objective


def search(objective: Objective, budget: int, seed: int) -> None:
    """Suggest as its documentation does."""
    logging.getLogger("hyperopt").setLevel(logging.CRITICAL)  # it reports the end as an error
    sizes = objective.cardinalities
    fmin(
        lambda point: objective(np.array(point)),
        [hp.choice(f"x{i}", range(size)) for i, size in enumerate(sizes)],
        algo=tpe.suggest,
        max_evals=budget,
        rstate=np.random.default_rng(seed),
        show_progressbar=False,
        verbose=False,
    )
