"""BoTorch: a Gaussian process for categories, by its two ways to optimise an acquisition.

`mixed` is the model and the optimiser that its documentation names for categorical inputs; `local`
has the same Hamming kernel alone, with BoTorch's local search over discrete points.
"""

import warnings
from typing import Any

import numpy as np
import torch
from botorch.acquisition import LogExpectedImprovement
from botorch.fit import fit_gpytorch_mll
from botorch.models import MixedSingleTaskGP, SingleTaskGP
from botorch.models.kernels import CategoricalKernel
from botorch.optim import optimize_acqf_discrete_local_search
from botorch.optim.optimize_mixed import optimize_acqf_mixed_alternating
from gpytorch.kernels import ScaleKernel
from gpytorch.mlls import ExactMarginalLogLikelihood

from benchmarks.peers.objective import Objective

INITIAL = 10
RESTARTS, SAMPLES = 10, 256


def mixed(objective: Objective, budget: int, seed: int) -> None:
    """Run MixedSingleTaskGP with `optimize_acqf_mixed_alternating`."""
    sizes = objective.cardinalities
    bounds = torch.tensor([[0.0] * len(sizes), [size - 1.0 for size in sizes]]).double()
    categories = {i: [float(c) for c in range(size)] for i, size in enumerate(sizes)}

    def model(points: Any, values: Any) -> Any:
        return MixedSingleTaskGP(points, values, cat_dims=list(range(len(sizes))))

    def propose(acquisition: Any, points: Any) -> Any:
        return optimize_acqf_mixed_alternating(
            acquisition, bounds, cat_dims=categories, num_restarts=RESTARTS, raw_samples=SAMPLES
        )[0]

    _search(objective, seed, model, propose)


def local(objective: Objective, budget: int, seed: int) -> None:
    """Run a process with a Hamming kernel and `optimize_acqf_discrete_local_search`."""
    sizes = objective.cardinalities
    choices = [torch.arange(size).double() for size in sizes]

    def model(points: Any, values: Any) -> Any:
        kernel = ScaleKernel(CategoricalKernel(ard_num_dims=len(sizes)))
        return SingleTaskGP(points, values, covar_module=kernel)

    def propose(acquisition: Any, points: Any) -> Any:
        return optimize_acqf_discrete_local_search(
            acquisition,
            choices,
            q=1,
            num_restarts=RESTARTS,
            raw_samples=SAMPLES,
            X_avoid=points,
        )[0]

    _search(objective, seed, model, propose)


def _search(objective: Objective, seed: int, model: Any, propose: Any) -> None:
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    random = np.random.default_rng(seed)
    rows = [random.integers(objective.cardinalities) for _ in range(INITIAL)]
    values = [objective(row) for row in rows]
    while True:
        points = torch.tensor(np.array(rows)).double()
        gains = -torch.tensor(values).double().unsqueeze(-1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            process = model(points, gains)
            fit_gpytorch_mll(ExactMarginalLogLikelihood(process.likelihood, process))
            acquisition = LogExpectedImprovement(process, gains.max())
            found = propose(acquisition, points)
        row = found[0].round().long().numpy()
        if any((row == other).all() for other in rows):  # where it offers a known point again
            row = random.integers(objective.cardinalities)
        rows.append(row)
        values.append(objective(row))
