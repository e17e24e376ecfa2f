"""The section of an experiment about the course of the search: the ECDF."""

from collections import Counter
from collections.abc import Mapping
from functools import reduce

from catcube.analysis.model import Course
from catcube.analysis.reading import Recorded
from catcube.statistics import (
    Curve,
    Lead,
    Pair,
    joined,
    leads,
)

TOLERANCE = 0.01
"""A lead counts if it grows beyond one percent of all triples: smaller ones may be chance."""


def course_section(own: Recorded) -> Course:
    """The curves of each instance, and those over all instances.

    The curves of an instance are those of the pairs that have all their runs on it, and its
    targets come from the runs of these pairs. The overall curves are of the pairs that have all
    their runs on all instances. If there is none, fewer instances are taken: see `_overall`.
    """
    budget = own.conditions.budget
    by_instance = {instance: _best_last(curves, budget) for instance, curves in own.curves.items()}
    instances, pairs = _overall(own)
    curves = _best_last(
        {pair: joined([by_instance[instance][pair] for instance in instances]) for pair in pairs},
        budget,
    )
    return Course(
        conditions=own.conditions,
        curves=curves,
        by_instance=by_instance,
        instances=instances,
        areas={pair: _area(curve, budget) for pair, curve in curves.items()},
        leads=_leads(curves, budget),
    )


def _overall(own: Recorded) -> tuple[tuple[str, ...], list[Pair]]:
    """Instances and pairs that are complete on all of them, in the order of the plan.

    All instances, if any pair is complete on all. Otherwise the pairs that are complete on some
    instance, with all instances on which they are: the choice that makes the most of the runs.
    """
    complete = {
        instance: frozenset(own.runs.get(instance, ())) for instance in own.conditions.instances
    }
    everywhere = reduce(frozenset.intersection, complete.values())
    choices = [everywhere] if everywhere else [pairs for pairs in complete.values() if pairs]
    best: tuple[tuple[str, ...], frozenset[Pair]] = ((), frozenset())
    for pairs in dict.fromkeys(choices):
        instances = tuple(name for name, there in complete.items() if pairs <= there)
        if len(instances) * len(pairs) > len(best[0]) * len(best[1]):
            best = instances, pairs
    instances, chosen = best
    return instances, [pair for pair in own.conditions.pairs if pair in chosen]


def _best_last(curves: Mapping[Pair, Curve], budget: int) -> dict[Pair, Curve]:
    """By what is reached in the end; equal ones by their area, which takes longer to compute."""
    finals = {pair: curve.final for pair, curve in curves.items()}
    often = Counter(finals.values())

    def key(pair: Pair) -> tuple[float, float]:
        final = finals[pair]
        return final, _area(curves[pair], budget) if often[final] > 1 else 0.0

    return {pair: curves[pair] for pair in sorted(curves, key=key)}


def _area(curve: Curve, budget: int) -> float:
    return curve.area(budget) if budget > 1 else curve.final


def _leads(curves: Mapping[Pair, Curve], budget: int) -> dict[str, list[Lead]]:
    """Of linear against direct, for the algorithms that have both."""
    found = {}
    for algorithm in dict.fromkeys(pair.algorithm for pair in curves):
        linear, direct = (
            curves.get(Pair(algorithm, representation)) for representation in ("linear", "direct")
        )
        if linear and direct:
            found[algorithm] = leads(linear, direct, budget, TOLERANCE)
    return found
