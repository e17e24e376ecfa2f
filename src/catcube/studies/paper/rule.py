"""The rule by which all statements are judged.

Two pairs are compared by a single two-sided test, which gives both direction and p-value, of the
quantity by which the paper orders them:

- fixed budget: paired differences of medians over instances, or the runs on a single instance;
- ECDF: paired differences of levels over instances;
- fixed target: success first. If the numbers of successes differ significantly (by an exact test
  over instances), they decide; otherwise paired logarithms of median runtimes do.

The p-values of a statement are adjusted by Holm's method. A part *holds* if the test shows the
direction stated by the paper, is *contradicted* if it shows the opposite, and is otherwise *too
close to call*. An exception ("all but X") holds unless the test shows for X what is stated for the
others. Figures are not tested; they *agree* or *disagree* within a tolerance.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube import statistics as stats
from catcube.statistics import Curve, Pair
from catcube.studies.analysis.model import LEVEL, Figure, Part, Statement, Verdict
from catcube.studies.paper.published import pairs_of

DIGITS = 12  # rounding makes differences equal that differ only by the order of summation
NOTHING = "; nothing is shown"  # on an exception that holds
PERMUTATIONS = 9_999
SEED = 2021


class DirectedTest(NamedTuple):
    """A two-sided test: the first is ahead if the direction is above 0, the second if below."""

    direction: float
    p: float
    finding: str = ""

    def opposite(self) -> "DirectedTest":
        """Return the test with first and second exchanged."""
        return self._replace(direction=-self.direction)


def combine_tests(tests: Sequence[DirectedTest]) -> DirectedTest:
    """Combine tests that must all show the first ahead.

    If none has the opposite direction, the largest p-value counts; otherwise the smallest of those
    that have it, adjusted for the number of tests.

    >>> combine_tests([DirectedTest(1, 0.01), DirectedTest(1, 0.2)])[:2]
    (1, 0.2)
    >>> combine_tests([DirectedTest(1, 0.001), DirectedTest(-1, 0.01)])[:2]
    (-1, 0.02)
    """
    against = [test.p for test in tests if test.direction < 0]
    if against:
        return DirectedTest(-1, min(1.0, len(tests) * min(against)))
    return DirectedTest(min(test.direction for test in tests), max(test.p for test in tests))


def signed_rank_test(first: ArrayLike, second: ArrayLike) -> DirectedTest:
    """Compare paired numbers, of which smaller are better, by Wilcoxon's exact signed-rank test.

    >>> signed_rank_test([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12])
    DirectedTest(direction=21.0, p=0.03125, finding='ahead on 6 and 0 of 6 instances')
    """
    with np.errstate(invalid="ignore"):
        differences = np.asarray(second, np.float64) - np.asarray(first, np.float64)
    differences = np.where(np.isnan(differences), 0.0, differences).round(DIGITS)
    better, worse = int((differences > 0).sum()), int((differences < 0).sum())
    return DirectedTest(
        *stats.signed_rank(differences),
        f"ahead on {better} and {worse} of {differences.size} instances",
    )


def permutation_test(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> DirectedTest:
    """Compare a statistic of two samples by a permutation test; smaller is better.

    >>> one, other = np.array([1.0, 2, 3, 2, 1, 2, 3]), np.array([9.0, 8, 9, 9, 8, 7, 9])
    >>> permutation_test(one, other, lambda rows: rows.mean(axis=1)).p < 0.01
    True
    """
    values = np.concatenate([first, second])
    draw = np.random.default_rng(SEED)
    rows = draw.permuted(np.tile(values, (PERMUTATIONS, 1)), axis=1)
    split = first.size

    def difference(of: NDArray[np.float64]) -> NDArray[np.float64]:
        return statistic(of[:, split:]) - statistic(of[:, :split])

    observed = float(difference(values[None])[0])
    as_far = np.abs(difference(rows)) >= abs(observed) - 1e-9 * (1 + abs(observed))
    return DirectedTest(round(observed, DIGITS), (int(as_far.sum()) + 1) / (PERMUTATIONS + 1))


@dataclass(frozen=True)
class Evidence:
    """The experiments that are complete and at the paper's scale, by name, and their tests."""

    sections: Mapping[str, Any] = field(default_factory=dict)

    budget = property(lambda self: self.sections["fixed-budget"], doc="The fixed budget.")
    ecdf = property(lambda self: self.sections["ecdf"], doc="The ECDF.")
    target = property(lambda self: self.sections["fixed-target"], doc="The fixed target.")

    def values(self, first: Pair, second: Pair) -> DirectedTest:
        """Compare the median values of two pairs over instances."""
        found = self.budget.samples.values()
        medians = ([stats.median(pairs[pair]) for pairs in found] for pair in (first, second))
        return signed_rank_test(*medians)

    def values_on(self, instance: str, first: Pair, second: Pair) -> DirectedTest:
        """Compare the values of two pairs on one instance by the Mann–Whitney test."""
        one, other = (self.budget.samples[instance][pair] for pair in (first, second))
        delta = stats.cliffs_delta(one, other)
        return DirectedTest(
            delta, stats.mann_whitney(one, other), f"Cliff’s delta {format_signed(delta, 2)}"
        )

    def levels(
        self, algorithm: str, begin: float | None = None, end: float | None = None
    ) -> DirectedTest:
        """Compare the ECDF levels of linear and direct over instances.

        Levels are those at `end`, by default the budget; if `begin` is given, means over the
        logarithm of evaluations from `begin` to `end`.
        """
        last = end or self.ecdf.conditions.budget

        def level(curve: Curve) -> float:
            return curve.mean(begin, last) if begin else float(curve.at(last))

        every, pairs = self.ecdf.by_instance.values(), pairs_of(algorithm)
        linear, direct = np.array([[level(one[pair]) for one in every] for pair in pairs])
        test = signed_rank_test(-linear, -direct)
        difference = float(np.mean(linear - direct))
        return test._replace(finding=f"{format_signed(difference)} ({test.finding})")

    def failures(self, erased: Collection[int]) -> dict[Pair, tuple[int, int]]:
        """Return the numbers of failed and of all runs of each pair, by number of erased cells."""
        sizes, samples = self.target.outline.sizes, self.target.samples
        boards = {name: samples[name] for name, cells in sizes.items() if cells in erased}
        counts = stats.success_counts(boards)
        return {pair: (runs - reached, runs) for pair, (reached, runs) in counts.items()}

    def runtimes(self, boards: Sequence[str], first: Pair, second: Pair) -> DirectedTest:
        """Compare two pairs by success on the boards or, if it does not differ, by runtimes."""
        samples = self.target.samples
        counts = [stats.success_counts({board: samples[board]}) for board in boards]
        surplus, p = stats.compare_success([(*one[first], *one[second]) for one in counts])
        missed = [sum(one[pair][1] - one[pair][0] for one in counts) for pair in (first, second)]
        runs = sum(one[first][1] for one in counts)
        failures = f"{missed[0]:,} and {missed[1]:,} of {runs:,} runs fail"
        if p <= LEVEL:
            return DirectedTest(surplus, p, f"{failures}, which decides")
        chosen = [samples[board] for board in boards]
        medians = ([_log_median(one[pair]) for one in chosen] for pair in (first, second))
        test = signed_rank_test(*medians)
        return test._replace(finding=f"{failures}; by median runtimes {test.finding}")


def _log_median(runtimes: NDArray[np.float64]) -> float:
    """Return the logarithm of the median runtime of successful runs; infinite without any."""
    successful = runtimes[np.isfinite(runtimes)]
    return float(np.log2(np.median(successful))) if successful.size else np.inf


class Finding(NamedTuple):
    """What our runs say about a part: a test, or whether a figure agrees."""

    figures: Sequence[Figure]
    reason: str
    test: DirectedTest | None = None
    agrees: Callable[[float], bool] | None = None  # takes a factor of the tolerance


@dataclass(frozen=True)
class PaperStatement:
    """A statement of the paper, in our words, and the function that judges a part of it."""

    id: str
    topic: str
    where: str
    sentence: str
    parts: Sequence[str]
    needs: Sequence[str]  # names of experiments
    columns: Sequence[str]  # titles of the figures
    test: str
    judge: Callable[[Evidence, str], Finding]
    exceptions: Sequence[str] = ()  # the parts X of "all but X"
    tolerances: Mapping[str, str] = field(default_factory=dict)  # of the parts that are figures
    note: str = ""  # a contradiction within the paper
    otherwise: str = "direct is better"  # what a significant test of an exception shows

    def evaluate(self, evidence: Evidence) -> Statement:
        """Judge all parts; they are "not measured" if a needed experiment is missing."""
        missing = [name for name in self.needs if name not in evidence.sections]
        if missing:
            reason = f"not judged: {' and '.join(missing)} not at the paper’s scale"
            nothing = (None,) * len(self.columns)
            parts = [Part(about, "not measured", reason, nothing) for about in self.parts]
        else:
            parts = self._parts([self.judge(evidence, about) for about in self.parts])
        return Statement(
            *(self.id, self.topic, self.where, self.sentence, self.test, parts, self.columns),
            note=self.note,
        )

    def _parts(self, judged: Sequence[Finding]) -> list[Part]:
        adjusted = iter(stats.holm([one.test.p for one in judged if one.test is not None]))
        parts = []
        for about, one in zip(self.parts, judged, strict=True):
            if one.test is None:
                parts.append(_figure_part(about, one, self.tolerances[about]))
                continue
            p = next(adjusted)
            excepted = about in self.exceptions
            verdict = _verdict(one.test.direction, p, excepted)
            shown = f"; {self.otherwise}" if p <= LEVEL else NOTHING
            reason = f"{one.reason}{shown if excepted and verdict == 'holds' else ''}"
            parts.append(Part(about, verdict, reason, one.figures, p))
        return parts


def _verdict(direction: float, p: float, exception: bool) -> Verdict:
    """Return the verdict on a tested part."""
    if p <= LEVEL and (direction > 0) == exception:
        return "contradicted"
    return "holds" if p <= LEVEL or exception else "too close to call"


def _figure_part(about: str, judged: Finding, tolerance: str) -> Part:
    """Judge a figure with its tolerance, and with half and twice the tolerance."""
    assert judged.agrees is not None
    verdict = judged.agrees(1.0)
    others = {"halved": judged.agrees(0.5), "doubled": judged.agrees(2.0)}
    flips = [name for name, other in others.items() if other != verdict]
    changes = f"changes if {' or '.join(flips)}" if flips else "the same if halved or doubled"
    word: Verdict = "agrees" if verdict else "disagrees"
    return Part(about, word, judged.reason, judged.figures, tolerance=f"{tolerance}; {changes}")


def format_signed(difference: float, digits: int = 4) -> str:
    """Format a difference with its sign, or without one if it rounds to zero.

    >>> format_signed(0.00391), format_signed(-0.0198), format_signed(-0.00001)
    ('+0.0039', '−0.0198', '0.0000')
    """
    rounded = round(difference, digits)
    return f"{rounded:+.{digits}f}".replace("-", "−") if rounded else f"{0:.{digits}f}"


def format_percent(share: float) -> str:
    """Format a share as a percentage.

    >>> format_percent(0.05)
    '5 %'
    """
    return f"{100 * share:g} %"
