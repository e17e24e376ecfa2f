"""Evaluate Ehrlich functions of their authors' package, pytorch-holo: the values agree.

Needs `pip install pytorch-holo`, which also installs torch and botorch (some gigabytes). Therefore
it is not part of catcube's extras, and the tests do not run this program: they compare with the
definition in the paper instead.
"""

import numpy as np
import torch
from holo.test_functions.closed_form import Ehrlich as HoloEhrlich

from catcube.problems import Ehrlich


def translated(theirs: HoloEhrlich, length: int, quantization: int, epistasis: float) -> Ehrlich:
    """Return the same function, from its motifs, spacings and transition matrix."""
    offsets = [[0, *np.cumsum(spacing.numpy()).tolist()] for spacing in theirs.spacings]
    return Ehrlich.of(
        length,
        (theirs.transition_matrix == 0).numpy(),
        [motif.tolist() for motif in theirs.motifs],
        offsets,
        quantization,
        epistasis,
    )


def main(length: int = 32, states: int = 20, points: int = 1000) -> None:
    """Compare values at sequences that the package draws, at random ones and near the optimum."""
    for quantization, epistasis in ((4, 0.0), (2, 0.0), (4, 1.0)):
        theirs = HoloEhrlich(
            num_states=states,
            dim=length,
            num_motifs=4,
            motif_length=4,
            quantization=quantization,
            epistasis_factor=epistasis,
            random_seed=1,
        )
        ours = translated(theirs, length, quantization, epistasis)
        near = theirs.optimal_solution().repeat(points, 1)
        kept = torch.rand(near.shape, generator=torch.Generator().manual_seed(1)) < 0.9
        near = torch.where(kept, near, torch.roll(near, 1, dims=1))  # mostly without a banned step
        rows = torch.cat([near, theirs.initial_solution(points), theirs.random_solution(points)])
        expected = theirs.evaluate_true(rows).double().numpy()
        found = np.array([ours.evaluate(row) for row in rows.numpy()])
        feasible = np.isfinite(expected)
        assert (found[~feasible] > 1).all()
        difference = np.abs(1 - found[feasible] - expected[feasible]).max()
        print(
            f"q = {quantization}, epistasis {epistasis}: {feasible.sum()} feasible of {len(rows)}, "
            f"{len(set(expected[feasible].round(6)))} different values, "
            f"largest difference {difference:.1e}"
        )
        assert difference < 1e-6  # their values have single precision


if __name__ == "__main__":
    main()
