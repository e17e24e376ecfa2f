"""From stores to a study: the sections of its experiments."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from catcube.errors import BadValue
from catcube.experiments.plan import Configuration
from catcube.experiments.store import Store
from catcube.statistics import (
    Curve,
    Friedman,
    Lead,
    Pair,
    Sample,
    Table,
    by_instance,
    cliffs_delta,
    compare_representations,
    confidence_intervals,
    expected_running_time_of_samples,
    flattened,
    friedman,
    holm,
    joined,
    leads,
    mann_whitney,
    mean_effect,
    mean_of,
    penalized_runtime,
    performance_profiles,
    rank_summaries,
    runtime_tables,
    success_counts,
    successful_runtimes,
    table,
    value_tables,
)
from catcube.studies.analysis.model import (
    LEAD,
    Conditions,
    Ecdf,
    Effect,
    FixedBudget,
    FixedTarget,
    Mean,
    Outline,
    Reference,
    Samples,
    Section,
    Study,
    grouped_instances,
    plain_outline,
)
from catcube.studies.analysis.read import ExperimentRuns, read_experiments

RESAMPLES = 999  # for an interval: its ends are the 25th from both ends


@dataclass(frozen=True)
class Publication:
    """Experiments that are known by name: in which order, how they are viewed, and judged."""

    experiments: Sequence[str]
    outline: Callable[[str, Sequence[str], float | None], Outline]
    judge: Callable[[Sequence[Section], Mapping[str, Sequence[Configuration]]], Reference]


def analyse(
    stores: Iterable[str | os.PathLike[str]],
    publications: Sequence[Publication] = (),
    *,
    targets: Sequence[float] = (),
    budgets: Sequence[int] = (),
) -> Study:
    """Analyse the experiments in these stores, also unfinished ones.

    Parameters
    ----------
    stores
        Files. An experiment may be in one of them only: the same name twice is an error.
    publications
        Their experiments come first, and are held against them.
    targets
        Values to be reached: each gives another section on runtimes.
    budgets
        Numbers of evaluations, of which those below the budget of an experiment give another
        section on values.

    Returns
    -------
    Study
        Without a publication, an experiment with a target is viewed as fixed target, another one
        as fixed budget and as ECDF.

    Examples
    --------
    >>> import tempfile
    >>> from catcube.problems.sudoku import Board
    >>> from catcube.experiments.campaign import run_campaign
    >>> from catcube.experiments.plan import Experiment, Plan
    >>> board = Board("1..4 ..1. .1.. 4..1")
    >>> pilot = Experiment("pilot", {"tiny": board}, ("rls",), ("linear",), budget=50, runs=3)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     progress = run_campaign(Plan("mine", (pilot,)), f"{folder}/mine.sqlite")
    ...     study = analyse([f"{folder}/mine.sqlite"], targets=[4])
    >>> [type(section).__name__ for section in study.sections]
    ['FixedBudget', 'Ecdf', 'FixedTarget']
    >>> study.sections[0].conditions.complete, list(study.sections[0].values)
    (True, ['tiny'])
    """
    if any(budget < 1 for budget in budgets):
        raise BadValue(f"expected budgets of at least one evaluation, got {list(budgets)}")
    known = {name: one for one in publications for name in one.experiments}

    def outline(name: str, instances: Sequence[str], target: float | None) -> Outline:
        chosen = known[name].outline if name in known else plain_outline
        return chosen(name, instances, target)

    found: dict[str, list[Section]] = {}
    where: dict[str, os.PathLike[str]] = {}
    planned: dict[str, list[Configuration]] = {}
    for path in stores:
        with Store(path) as store, store.snapshot():
            for configuration in store.configurations():
                planned.setdefault(configuration.experiment, []).append(configuration)
            for experiment in read_experiments(store, outline, budgets, targets):
                name = experiment.conditions.experiment
                if name in found:
                    raise BadValue(
                        f"the experiment {name!r} is in {where[name]} and in {store.path}; "
                        "give one of them"
                    )
                where[name] = store.path
                found[name] = _sections(experiment)
    order = dict.fromkeys([*(name for name in known if name in found), *found])
    sections = tuple(section for name in order for section in found[name])
    for publication in publications:
        theirs = [
            section
            for name in publication.experiments
            for section in found.get(name, ())
            if not section.conditions.chosen
        ]
        if theirs:
            return Study(sections, publication.judge(theirs, planned))
    return Study(sections)


def _sections(experiment: ExperimentRuns) -> list[Section]:
    """Make a section for each view of an experiment, and for each chosen budget and target."""
    conditions, outline = experiment.conditions, experiment.outline
    found: list[Section] = []
    for view in outline.views:
        if view == "ecdf":
            found.append(_ecdf(experiment))
        elif view == "budget":
            found.append(_fixed_budget(conditions, outline, _values(experiment)))
        else:
            found.append(
                _fixed_target(experiment, conditions, _runtimes(experiment, conditions.target))
            )
    for budget, values in experiment.values.items():
        chosen = replace(conditions, budget=budget, target=None, chosen=True)
        found.append(_fixed_budget(chosen, outline, values))
    for target, runtimes in experiment.runtimes.items():
        chosen = replace(conditions, target=target, chosen=True)
        found.append(_fixed_target(experiment, chosen, runtimes))
    return found


def _values(experiment: ExperimentRuns) -> Samples:
    return {
        instance: {pair: runs["value"] for pair, runs in pairs.items()}
        for instance, pairs in experiment.runs.items()
    }


def _runtimes(experiment: ExperimentRuns, target: float | None) -> Samples:
    """Return the evaluations to the target, where a run was stopped; infinite if missed."""
    return {
        instance: {
            pair: np.where(runs["value"] <= target, runs["evaluations_to_best"], np.inf)
            for pair, runs in pairs.items()
        }
        for instance, pairs in experiment.runs.items()
    }


def _fixed_budget(conditions: Conditions, outline: Outline, values: Samples) -> FixedBudget:
    """Compute the tables and tests of the values found with the budget.

    Ranks and effects are over the instances on which all pairs of the plan are complete.
    """
    complete = _complete(conditions, values)
    tables = value_tables(values)
    ranks = {
        name: table(rank_summaries(tables[one] for one in chosen))
        for name, chosen in grouped_instances(complete, outline.groups).items()
    }
    finite = {
        name: sample for name, sample in flattened(values).items() if np.isfinite(sample).all()
    }
    intervals = confidence_intervals(finite, "mean", resamples=RESAMPLES)
    means = {
        name: Mean(mean_of(sample), intervals[name], sample.size) for name, sample in finite.items()
    }
    return FixedBudget(
        conditions=conditions,
        values=tables,
        ranks=ranks,
        means=by_instance(means, values),
        comparisons=compare_representations(values, representations=conditions.representations),
        blocks=blocked_ranks(conditions, complete),
        effects=representation_effects(conditions, complete),
        winner=winner_of(ranks, complete),
        samples=values,
        groups=outline.groups,
    )


def _fixed_target(
    experiment: ExperimentRuns, conditions: Conditions, runtimes: Samples
) -> FixedTarget:
    """Compute the tables and tests of the evaluations to the target."""
    outline = experiment.outline
    successful = {
        name: reached
        for name, sample in flattened(runtimes).items()
        if (reached := successful_runtimes(sample)).size
    }
    tables = runtime_tables(runtimes)
    complete = _complete(conditions, runtimes)
    ranks = {
        name: table(
            rank_summaries(tables[one] for one in chosen),
            success_counts({one: complete[one] for one in chosen}),
        )
        for name, chosen in grouped_instances(complete, outline.groups).items()
    }
    expected = {
        instance: {
            pair: expected_running_time_of_samples(
                runtimes[instance][pair], runs["evaluations"].astype(np.float64)
            )
            for pair, runs in pairs.items()
        }
        for instance, pairs in experiment.runs.items()
    }
    return FixedTarget(
        conditions=conditions,
        runtimes=tables,
        ranks=ranks,
        expected_running_times=expected,
        medians=by_instance(
            confidence_intervals(successful, "median", resamples=RESAMPLES), runtimes
        ),
        comparisons=compare_representations(runtimes, representations=conditions.representations),
        blocks=blocked_ranks(conditions, complete),
        effects=representation_effects(conditions, complete),
        winner=winner_of(ranks, complete),
        penalized={
            instance: {
                pair: penalized_runtime(sample, conditions.budget) for pair, sample in pairs.items()
            }
            for instance, pairs in runtimes.items()
        },
        profiles=performance_profiles({name: expected[name] for name in complete}),
        samples=runtimes,
        groups=outline.groups,
        sizes=outline.sizes,
        size=outline.size,
    )


def _complete(conditions: Conditions, samples: Samples) -> dict[str, Mapping[Pair, Sample]]:
    """Keep the instances on which every pair of the plan has all its runs."""
    wanted = len(conditions.pairs)
    return {name: pairs for name, pairs in samples.items() if len(pairs) == wanted}


def blocked_ranks(conditions: Conditions, samples: Samples) -> dict[str, Friedman]:
    """Rank the representations for each algorithm on each instance, and the other way round."""
    found = {}
    pairs = len(conditions.algorithms) * len(conditions.representations)
    if samples and pairs == len(conditions.pairs):
        if len(conditions.representations) > 1:
            found["representation"] = friedman(samples, factor="representation")
        if len(conditions.algorithms) > 1:
            found["algorithm"] = friedman(samples, factor="algorithm")
    return found


def representation_effects(conditions: Conditions, samples: Samples) -> list[Effect]:
    """Compare the first representation with each other one: over all algorithms, and by each."""
    first, *others = conditions.representations
    found = []
    for second in others:
        deltas: dict[str, list[float]] = {}
        for pairs in samples.values():
            for algorithm in conditions.algorithms:
                one, other = (pairs.get(Pair(algorithm, name)) for name in (first, second))
                if one is not None and other is not None:
                    deltas.setdefault(algorithm, []).append(cliffs_delta(one, other))
        if len({len(values) for values in deltas.values()}) == 1:
            deltas = {"": np.mean(list(deltas.values()), axis=0).tolist(), **deltas}
        effects = {name: mean_effect(values) for name, values in deltas.items()}
        known = [name for name, effect in effects.items() if not np.isnan(effect.p)]
        adjusted = dict(zip(known, holm([effects[name].p for name in known]), strict=True))
        found += [
            Effect(name, first, second, effect, adjusted.get(name, np.nan))
            for name, effect in effects.items()
        ]
    return found


def winner_of(ranks: Mapping[str, Table], samples: Samples) -> Effect | None:
    """Compare the pair that is ranked first with the others; return it against the second.

    The p-value is adjusted over all others, because the winner was found among them.
    """
    if "all" not in ranks or len(ranks["all"]) < 2:
        return None
    first, *others = (line.pair for line in ranks["all"])
    effects = [
        mean_effect([cliffs_delta(pairs[first], pairs[other]) for pairs in samples.values()])
        for other in others
    ]
    if len(samples) == 1:  # the runs of a single instance
        [pairs] = samples.values()
        effects = [
            effect._replace(p=mann_whitney(pairs[first], pairs[other]))
            for effect, other in zip(effects, others, strict=True)
        ]
    adjusted = holm([effect.p for effect in effects])
    return Effect("", "-".join(first), "-".join(others[0]), effects[0], adjusted[0])


def _ecdf(experiment: ExperimentRuns) -> Ecdf:
    """Compute the curves of each instance, of each group of instances, and over all instances.

    The curves of an instance are those of the pairs that have all their runs on it, and its
    targets come from the runs of these pairs. The overall curves are of the pairs that have all
    their runs on all instances. If there is none, fewer instances are taken: see `_overall`.
    """
    conditions, groups = experiment.conditions, experiment.outline.groups
    budget = conditions.budget
    instance_curves = {
        instance: _best_last(curves, budget) for instance, curves in experiment.curves.items()
    }
    instances, pairs = _overall(experiment)
    by_group = {
        name: _best_last(
            {pair: joined([instance_curves[one][pair] for one in chosen]) for pair in pairs}, budget
        )
        for name, chosen in grouped_instances(instances, groups).items()
    }
    curves = by_group.pop("all", {})
    return Ecdf(
        conditions=conditions,
        curves=curves,
        by_instance=instance_curves,
        instances=instances,
        areas=_areas(curves, budget),
        leads=_leads(curves, conditions),
        groups=groups,
        by_group=by_group,
        group_areas={name: _areas(found, budget) for name, found in by_group.items()},
    )


def _overall(experiment: ExperimentRuns) -> tuple[tuple[str, ...], list[Pair]]:
    """Choose instances, and pairs that are complete on all of them, in the order of the plan.

    All instances, if any pair is complete on all. Otherwise the pairs that are complete on some
    instance, with all instances on which they are: the choice that makes the most of the runs.
    """
    complete = {
        instance: frozenset(experiment.runs.get(instance, ()))
        for instance in experiment.conditions.instances
    }
    everywhere = reduce(frozenset.intersection, complete.values())
    choices = [everywhere] if everywhere else [pairs for pairs in complete.values() if pairs]
    best: tuple[tuple[str, ...], frozenset[Pair]] = ((), frozenset())
    for pairs in dict.fromkeys(choices):
        instances = tuple(name for name, present in complete.items() if pairs <= present)
        if len(instances) * len(pairs) > len(best[0]) * len(best[1]):
            best = instances, pairs
    instances, chosen = best
    return instances, [pair for pair in experiment.conditions.pairs if pair in chosen]


def _best_last(curves: Mapping[Pair, Curve], budget: int) -> dict[Pair, Curve]:
    """Sort by what is reached in the end; equal ones by their area, which is slower to compute."""
    finals = {pair: curve.final for pair, curve in curves.items()}
    often = Counter(finals.values())

    def key(pair: Pair) -> tuple[float, float]:
        final = finals[pair]
        return final, _area(curves[pair], budget) if often[final] > 1 else 0.0

    return {pair: curves[pair] for pair in sorted(curves, key=key)}


def _area(curve: Curve, budget: int) -> float:
    """Return the area under a curve; with a budget of one evaluation, its level."""
    return curve.area(budget) if budget > 1 else curve.final


def _areas(curves: Mapping[Pair, Curve], budget: int) -> dict[Pair, float]:
    return {pair: _area(curve, budget) for pair, curve in curves.items()}


def _leads(curves: Mapping[Pair, Curve], conditions: Conditions) -> dict[Pair, list[Lead]]:
    """Compare each pair with the same algorithm and the first representation."""
    found = {}
    for pair in conditions.pairs:
        baseline = Pair(pair.algorithm, conditions.representations[0])
        if pair in curves and baseline in curves and pair != baseline:
            found[pair] = leads(curves[baseline], curves[pair], conditions.budget, LEAD)
    return found
