"""The ECDF section: which share of the targets is reached by which number of evaluations."""

from collections import Counter
from collections.abc import Mapping
from functools import reduce

from catcube.statistics import Curve, Lead, Pair, joined, leads
from catcube.studies.analysis.experiment_runs import ExperimentRuns
from catcube.studies.analysis.model import Conditions, Ecdf
from catcube.studies.analysis.outline import grouped_instances

TOLERANCE = 0.01
"""A lead counts if it grows beyond one percent of all triples: smaller ones may be chance."""


def ecdf_section(experiment: ExperimentRuns) -> Ecdf:
    """Compute the curves of each instance, of each group of instances, and over all instances.

    The curves of an instance are those of the pairs that have all their runs on it, and its
    targets come from the runs of these pairs. The overall curves are of the pairs that have all
    their runs on all instances. If there is none, fewer instances are taken: see `_overall`.
    """
    conditions, groups = experiment.conditions, experiment.outline.groups
    budget = conditions.budget
    by_instance = {
        instance: _best_last(curves, budget) for instance, curves in experiment.curves.items()
    }
    instances, pairs = _overall(experiment)
    by_group = {
        name: _best_last(
            {pair: joined([by_instance[one][pair] for one in chosen]) for pair in pairs}, budget
        )
        for name, chosen in grouped_instances(instances, groups).items()
    }
    curves = by_group.pop("all", {})
    return Ecdf(
        conditions=conditions,
        curves=curves,
        by_instance=by_instance,
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
            found[pair] = leads(curves[baseline], curves[pair], conditions.budget, TOLERANCE)
    return found
