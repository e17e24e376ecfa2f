"""Optuna: its Parzen estimators, its Gaussian process, and NSGA-II."""

import warnings
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np
import optuna

from benchmarks.peers.objective import Objective


def tpe(objective: Objective, budget: int, seed: int) -> None:
    """Run the default sampler."""
    _search(objective, optuna.samplers.TPESampler(seed=seed))


def tpe_grouped(objective: Objective, budget: int, seed: int) -> None:
    """Run the Parzen estimator that models variables together."""
    _search(objective, optuna.samplers.TPESampler(seed=seed, multivariate=True, group=True))


def gaussian_process(objective: Objective, budget: int, seed: int) -> None:
    """Run the Gaussian process, with its defaults, but without its device context.

    In that context every operation of torch passes through Python: without it the same trials take
    two thirds of the time.
    """
    import torch
    from optuna.samplers._gp import sampler

    sampler.torch = SimpleNamespace(**vars(torch) | {"device": lambda name: nullcontext()})
    _search(objective, optuna.samplers.GPSampler(seed=seed))


def nsga2(objective: Objective, budget: int, seed: int) -> None:
    """Run the genetic algorithm, with its defaults."""
    _search(objective, optuna.samplers.NSGAIISampler(seed=seed))


def _search(objective: Objective, sampler: Any) -> None:
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        study = optuna.create_study(sampler=sampler)
        choices = {
            f"x{i}": optuna.distributions.CategoricalDistribution(list(range(size)))
            for i, size in enumerate(objective.cardinalities)
        }
        while True:
            trial = study.ask(choices)
            value = objective(np.array([trial.params[name] for name in choices]))
            study.tell(trial, value)
