"""What a statement is made of, and how the verdict on a part follows from its conditions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from catcube.statistics import holm
from catcube.studies.analysis.reference import LEVEL, Figure, Part, Statement, Verdict
from catcube.studies.paper.statements.evidence import Evidence

__all__ = [
    "ALGORITHMS",
    "LEVEL",
    "Condition",
    "Outcome",
    "PaperStatement",
    "all_of",
    "any_of",
    "percent",
    "signed",
]

ALGORITHMS = (
    *("rls", "hc", "sa", "ea-1p1", "ea-10p1", "ga"),
    *("pbil", "umda", "mimic", "ltga", "p3"),
)
"""The algorithms of the paper; its pairs are these with both representations."""


def percent(share: float) -> str:
    """Write a share in percent.

    >>> percent(0.05)
    '5 %'
    """
    return f"{100 * share:g} %"


def signed(difference: float) -> str:
    """Write a difference of levels with its sign, and without one if it rounds to zero.

    >>> signed(0.00391), signed(-0.0198), signed(-0.00001)
    ('+0.0039', '−0.0198', '0.0000')
    """
    rounded = round(difference, 4)
    return f"{rounded:+.4f}".replace("-", "−") if rounded else "0.0000"


class Condition(NamedTuple):
    """Whether something is true of our runs, and how likely such a difference is by chance."""

    true: bool
    p: float

    def negated(self) -> "Condition":
        """Return the opposite."""
        return Condition(not self.true, self.p)


def all_of(conditions: Sequence[Condition]) -> Condition:
    """Join conditions that all have to be true.

    If all are, the weakest counts; otherwise the strongest of those that are not, of as many.

    >>> all_of([Condition(True, 0.01), Condition(True, 0.2)])
    Condition(true=True, p=0.2)
    >>> all_of([Condition(True, 0.001), Condition(False, 0.01)])
    Condition(true=False, p=0.02)
    """
    false = [condition.p for condition in conditions if not condition.true]
    if false:
        return Condition(False, min(1.0, len(conditions) * min(false)))
    return Condition(True, max(condition.p for condition in conditions))


def any_of(conditions: Sequence[Condition]) -> Condition:
    """Join conditions of which one has to be true.

    >>> any_of([Condition(True, 0.01), Condition(False, 0.2)])
    Condition(true=True, p=0.02)
    """
    return all_of([condition.negated() for condition in conditions]).negated()


class Outcome(NamedTuple):
    """What our runs say about a part: its condition, the figures behind it, and a sentence."""

    condition: Condition
    figures: Sequence[Figure]
    reason: str


@dataclass(frozen=True)
class PaperStatement:
    """A statement of the paper in our words, and the function that checks one part of it.

    `published` tells how a published table contradicts a part: empty if none does.
    """

    id: str
    topic: str
    where: str
    sentence: str
    parts: Sequence[str]
    needs: Sequence[str]  # the experiments
    columns: Sequence[str]  # what the figures are
    test: str
    check: Callable[[Evidence, str], Outcome]
    published: Callable[[str], str] = lambda part: ""

    def judged(self, evidence: Evidence) -> Statement:
        """Judge all parts; none is measured if an experiment that is needed is missing."""
        missing = [name for name in self.needs if name not in evidence.experiments]
        parts = self._not_measured(missing) if missing else self._measured(evidence)
        return Statement(
            *(self.id, self.topic, self.where, self.sentence, self.test, parts, self.columns),
            note=self.disagreement(),
        )

    def _not_measured(self, missing: Sequence[str]) -> list[Part]:
        reason = f"not judged: {' and '.join(missing)} not at the paper’s scale"
        nothing = (None,) * len(self.columns)
        return [Part(about, "not measured", reason, nothing) for about in self.parts]

    def _measured(self, evidence: Evidence) -> list[Part]:
        outcomes = [self.check(evidence, about) for about in self.parts]
        adjusted = holm([outcome.condition.p for outcome in outcomes])
        return [
            Part(about, _verdict(outcome.condition.true, p), outcome.reason, outcome.figures, p)
            for about, outcome, p in zip(self.parts, outcomes, adjusted, strict=True)
        ]

    def disagreement(self) -> str:
        """Name the tables of the paper that say otherwise; empty if there are none."""
        otherwise = [found for about in self.parts if (found := self.published(about))]
        return f"The paper’s own table says otherwise: {'; '.join(otherwise)}." if otherwise else ""


def _verdict(true: bool, p: float) -> Verdict:
    if p > LEVEL:
        return "too close to call"
    return "holds" if true else "contradicted"
