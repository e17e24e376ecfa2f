"""Other tools, each asked for one point at a time with its defaults."""

import warnings

import numpy as np

from benchmarks.surrogate.plain import Values
from benchmarks.surrogate.problem import Task


def optuna_tpe(task: Task, budget: int, seed: int) -> Values:
    """The tree-structured Parzen estimator of Optuna."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    names = [f"x{i}" for i in range(task.cardinalities.size)]
    choices = {
        name: optuna.distributions.CategoricalDistribution(list(range(count)))
        for name, count in zip(names, task.cardinalities.tolist(), strict=True)
    }
    values = []
    for _ in range(budget):
        trial = study.ask(choices)
        values.append(task(np.array([trial.params[name] for name in names])))
        study.tell(trial, values[-1])
    return values


def nevergrad(task: Task, budget: int, seed: int) -> Values:
    """NGOpt, which chooses among the searches of nevergrad."""
    import nevergrad as ng

    space = ng.p.Tuple(*(ng.p.Choice(range(own)) for own in task.cardinalities.tolist()))
    space.random_state.seed(seed)
    values = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = ng.optimizers.NGOpt(space, budget=budget)
        for _ in range(budget):
            candidate = search.ask()
            values.append(task(np.array(candidate.value)))
            search.tell(candidate, values[-1])
    return values


def cat_cma(task: Task, budget: int, seed: int) -> Values:
    """CatCMA with margin of the package cmaes."""
    from cmaes import CatCMAwM

    search = CatCMAwM(c_space=task.cardinalities.tolist(), seed=seed)
    values: Values = []
    while len(values) < budget:
        told = []
        for _ in range(search.population_size):
            solution = search.ask()
            value = task(np.array([own.argmax() for own in solution.c]))
            values.append(value)
            told.append((solution, value))
        search.tell(told)
    return values[:budget]
