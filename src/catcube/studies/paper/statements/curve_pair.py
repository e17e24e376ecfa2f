"""Two ECDF curves: which is ahead where, by how much, and since when."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from catcube.statistics import Curve, Lead, leads
from catcube.studies.paper.levels import Levels, RunLevels
from catcube.studies.paper.significance import beyond, stratified_difference
from catcube.studies.paper.statements.evidence import both
from catcube.studies.paper.statements.statement import Condition, signed

LEAD = 0.01
"""A lead counts if it grows beyond one percent of all triples: smaller ones may be chance."""
RESAMPLES = 999
SEED = 2021

Measure = Callable[[Curve, Curve], bool]
"""Whether something is true of the curves of linear and direct."""


@dataclass(frozen=True)
class CurvePair:
    """The curves of linear and direct of one algorithm."""

    levels: Levels
    algorithm: str

    def difference(self, measure: Callable[..., RunLevels], *where: float) -> tuple[float, float]:
        """Give linear minus direct in a mean over runs, and its standard error."""
        linear, direct = (measure(pair, *where) for pair in both(self.algorithm))
        return stratified_difference(linear, direct)

    @cached_property
    def final(self) -> tuple[float, float]:
        """Linear minus direct in the end, and its standard error."""
        return self.difference(self.levels.final)

    def over(self, begin: float, end: float) -> tuple[float, float]:
        """Give linear minus direct, on average over the logarithm of evaluations."""
        return self.difference(self.levels.mean, begin, end)

    @cached_property
    def decades(self) -> list[tuple[float, float]]:
        """Linear minus direct over each decade, and the standard errors."""
        count = round(np.log10(self.levels.budget))
        return [self.over(10.0**power, 10.0 ** (power + 1)) for power in range(count)]

    @cached_property
    def curves(self) -> tuple[Curve, Curve]:
        """The curves of linear and direct."""
        linear, direct = (self.levels.curve(pair) for pair in both(self.algorithm))
        return linear, direct

    @cached_property
    def leads(self) -> list[Lead]:
        """The leads of linear (first) and direct."""
        return leads(*self.curves, self.levels.budget, LEAD)

    def description(self) -> str:
        """Describe which is ahead where, and by how much in the end."""
        stretches = [
            f"{'linear' if lead.first else 'direct'} ahead in [{lead.begin:,}, {lead.end - 1:,}]"
            for lead in self.leads
        ]
        return ", ".join([*stretches, f"in the end linear − direct = {signed(self.final[0])}"])

    def within(self, measure: Measure) -> Condition:
        """Check a figure: it agrees within its tolerance, or does so seldom in the bootstrap."""
        if measure(*self.curves):
            return Condition(True, 0.0)
        draw = np.random.default_rng(SEED)
        runs = self.levels.runs[both(self.algorithm)[0]].shape[:2]
        agree = 0
        for _ in range(RESAMPLES):
            linear, direct = (
                self.levels.curve(
                    pair, draw.multinomial(runs[1], [1 / runs[1]] * runs[1], runs[0]).astype(float)
                )
                for pair in both(self.algorithm)
            )
            agree += measure(linear, direct)
        return Condition(False, min(1.0, 2 * (agree + 1) / (RESAMPLES + 1)))


def above(difference: tuple[float, float], margin: float = 0.0) -> Condition:
    """Test whether a difference is above the margin."""
    return Condition(difference[0] > margin, beyond(*difference, margin))


def below(difference: tuple[float, float], margin: float = 0.0) -> Condition:
    """Test whether a difference is below the margin."""
    return Condition(difference[0] < margin, beyond(*difference, margin))


def tolerated(condition: Condition) -> Condition:
    """Let a figure agree without a test; only that it does not is tested."""
    return Condition(True, 0.0) if condition.true else condition


def longest_lead(linear: Curve, direct: Curve, budget: int) -> Lead | None:
    """Give linear's longest lead, on the logarithmic axis.

    It begins where it can be seen: with the first difference that counts. Before, curves that
    are almost one cross each other by chance.
    """
    found = [
        _seen(lead, linear, direct) for lead in leads(linear, direct, budget, LEAD) if lead.first
    ]
    return max(found, key=lambda lead: lead.end / lead.begin, default=None)


def _seen(lead: Lead, linear: Curve, direct: Curve) -> Lead:
    steps = np.union1d(linear.evaluations, direct.evaluations)
    steps = steps[(steps >= lead.begin) & (steps < lead.end)]
    counted = linear.at(steps) - direct.at(steps) > LEAD
    return lead._replace(begin=int(steps[counted][0]))
