"""SMAC: random forests by its facade for hyperparameters, a Gaussian process by the other one."""

import tempfile
from typing import Any

import numpy as np
from ConfigSpace import Categorical, ConfigurationSpace
from smac import BlackBoxFacade, HyperparameterOptimizationFacade, Scenario
from smac.runhistory.dataclasses import TrialValue

from benchmarks.peers.objective import Objective


def _not_called(config: Any, seed: int = 0) -> float:
    raise AssertionError("points are asked for")


def forests(objective: Objective, budget: int, seed: int) -> None:
    """Run the facade for hyperparameters."""
    _search(HyperparameterOptimizationFacade, objective, budget, seed)


def black_box(objective: Objective, budget: int, seed: int) -> None:
    """Run the facade for few variables and expensive functions."""
    _search(BlackBoxFacade, objective, budget, seed)


def _search(kind: Any, objective: Objective, budget: int, seed: int) -> None:
    """Ask and tell."""
    space = ConfigurationSpace(seed=seed)
    names = [f"x{i}" for i in range(len(objective.cardinalities))]
    for name, size in zip(names, objective.cardinalities, strict=True):
        space.add(Categorical(name, list(range(size))))
    with tempfile.TemporaryDirectory() as folder:
        scenario = Scenario(
            space, deterministic=True, n_trials=budget, seed=seed, output_directory=folder
        )
        facade = kind(scenario, _not_called, overwrite=True, logging_level=False)
        while True:
            trial = facade.ask()
            value = objective(np.array([trial.config[name] for name in names]))
            facade.tell(trial, TrialValue(cost=value), save=False)
