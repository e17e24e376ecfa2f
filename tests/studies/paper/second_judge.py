"""A second judge of the paper's statements: from the rows of the stores, slowly, by other code.

It shares nothing with `catcube.statistics` and `catcube.studies`: ranks, counts and levels are
computed one after the other, probabilities with whole numbers.
"""

import lzma
from bisect import bisect_right
from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import comb, inf, log, log2
from statistics import fmean, median

import numpy as np

from catcube.experiments.store import Store

NAMES = ["rls", "hc", "sa", "ea-1p1", "ea-10p1", "ga", "pbil", "umda", "mimic", "ltga", "p3"]
BUDGET, MARGIN, FAILING = 10**7, 0.02, 0.005


def read(folder, data):
    """The rows of each experiment by instance, then algorithm and representation."""
    found = {}
    for name in ("fixed-budget", "ecdf", "fixed-target"):
        path = folder / f"{name}.sqlite"
        path.write_bytes(lzma.decompress((data / f"{name}.sqlite.xz").read_bytes()))
        rows = found[name] = {}
        with Store(path) as store:
            for run in store.runs():
                trace = run.trace if name == "ecdf" else None
                row = (run.value, run.evaluations_to_best, trace)
                key = (run.algorithm, run.representation)
                rows.setdefault(run.instance, {}).setdefault(key, []).append(row)
    return found


def signed_ranks(differences):
    """Direction and p-value of the signed-rank test, by counting all choices of signs."""
    sizes = sorted(abs(one) for one in differences)
    ranks = [
        sizes.index(abs(one)) + sizes.index(abs(one)) + sizes.count(abs(one)) + 1
        for one in differences
    ]
    used = [(rank, one > 0) for rank, one in zip(ranks, differences, strict=True) if one]
    sums = Counter({0: 1})
    for rank, _ in used:
        sums = sums + Counter({total + rank: ways for total, ways in sums.items()})
    positive = sum(rank for rank, sign in used if sign)
    below = sum(ways for total, ways in sums.items() if total <= positive)
    above = sum(ways for total, ways in sums.items() if total >= positive)
    p = min(1.0, float(Fraction(2 * min(below, above), 2 ** len(used))))
    return 2 * positive - sum(rank for rank, _ in used), p


def exact_success(counts):
    """Direction and p-value of successes, given their sum on each instance."""
    chances, every = {0: 1}, 1  # numbers of arrangements of the runs
    sure = 0
    for first, runs, second, other in counts:
        together = first + second
        lowest, highest = max(0, together - other), min(runs, together)
        if lowest == highest:
            sure += lowest
            continue
        ways = {k: comb(runs, k) * comb(other, together - k) for k in range(lowest, highest + 1)}
        every *= comb(runs + other, together)
        sums = Counter()
        for total, chance in chances.items():
            for k, way in ways.items():
                sums[total + k] += chance * way
        chances = sums
    seen = sum(row[0] for row in counts) - sure
    tails = (
        sum(chance for total, chance in chances.items() if total <= seen),
        sum(chance for total, chance in chances.items() if total >= seen),
    )
    surplus = sum(Fraction(a * m - b * n, n + m) for a, n, b, m in counts)
    return float(surplus), min(1.0, float(Fraction(2 * min(tails), every)))


def permuted(first, second, statistic, count=5_000):
    """A permutation test with other random numbers."""
    draw = np.random.default_rng(99)
    values = np.array([*first, *second], float)

    def difference(runs):
        return statistic(runs[len(first) :]) - statistic(runs[: len(first)])

    found = difference(values)
    far = sum(abs(difference(draw.permutation(values))) >= abs(found) - 1e-9 for _ in range(count))
    return float(found), (far + 1) / (count + 1)


def adjust(p_values):
    """Holm's correction, by its definition."""
    order = sorted(p_values)
    return [
        min(1.0, max((len(order) - k) * q for k, q in enumerate(order) if q <= p)) for p in p_values
    ]


def all_of(tests):
    if any(direction < 0 for direction, _ in tests):
        return -1, min(1.0, len(tests) * min(p for direction, p in tests if direction < 0))
    return min(direction for direction, _ in tests), max(p for _, p in tests)


class Judge:
    def __init__(self, rows):
        self.values = {
            name: {pair: [run[0] for run in runs] for pair, runs in pairs.items()}
            for name, pairs in rows["fixed-budget"].items()
        }
        self.runtimes = {
            name: {
                pair: [run[1] if run[0] <= 0 else inf for run in runs]
                for pair, runs in pairs.items()
            }
            for name, pairs in rows["fixed-target"].items()
        }
        self.times = {name: self._times(pairs) for name, pairs in rows["ecdf"].items()}
        self.pairs = list(next(iter(self.values.values())))

    @staticmethod
    def _times(pairs):
        """By pair, when each of 50 targets is reached by each run: sorted, of those reached."""
        traces = {
            pair: [(run[2][0].tolist(), run[2][1].tolist()) for run in runs]
            for pair, runs in pairs.items()
        }
        every = [trace for runs in traces.values() for trace in runs]
        worst = max(values[0] for _, values in every)
        best = min(values[-1] for _, values in every)
        found = {}
        for pair, runs in traces.items():
            times = []
            for evaluations, values in runs:
                place = 0
                for k in range(50):  # values are whole numbers: nothing is rounded
                    while place < len(values) and 49 * (worst - values[place]) < k * (worst - best):
                        place += 1
                    if place == len(values):
                        break
                    times.append(evaluations[place])
            found[pair] = sorted(times), 50 * len(runs)
        return found

    def level(self, instance, pair, begin, end):
        times, total = self.times[instance][pair]
        if begin == end:
            return bisect_right(times, end) / total
        return (
            sum(1 - log(min(max(t, begin), end) / begin) / log(end / begin) for t in times) / total
        )

    def levels(self, name, begin, end):
        return signed_ranks(
            [
                round(
                    self.level(instance, (name, "linear"), begin, end)
                    - self.level(instance, (name, "direct"), begin, end),
                    12,
                )
                for instance in self.times
            ]
        )

    def medians(self, first, second):
        return signed_ranks(
            [median(pairs[second]) - median(pairs[first]) for pairs in self.values.values()]
        )

    def boards(self, erased):
        return [name for name in self.runtimes if int(name.split("-")[2]) in erased]

    def fixed_target(self, boards, first, second):
        counts = [
            tuple(
                number
                for pair in (first, second)
                for number in (
                    sum(t < inf for t in self.runtimes[board][pair]),
                    len(self.runtimes[board][pair]),
                )
            )
            for board in boards
        ]
        found = exact_success(counts)
        if found[1] <= 0.05:
            return found
        logs = [
            [log2(median([t for t in self.runtimes[board][pair] if t < inf])) for board in boards]
            for pair in (first, second)
        ]
        return signed_ranks([round(two - one, 12) for one, two in zip(*logs, strict=True)])

    def failing(self, boards, factor):
        return {
            pair
            for pair in self.pairs
            if sum(t == inf for board in boards for t in self.runtimes[board][pair])
            > factor * FAILING * sum(len(self.runtimes[board][pair]) for board in boards)
        }

    def overall(self, pair):
        times = sorted(t for pairs in self.times.values() for t in pairs[pair][0])
        return times, sum(pairs[pair][1] for pairs in self.times.values())

    def leads(self, name):
        """Who leads by more than 1 %, from and to when: one evaluation after the other."""
        (one, total), (other, _) = (self.overall((name, kind)) for kind in ("linear", "direct"))
        moments = sorted({*one, *other})
        gaps = [(bisect_right(one, m) - bisect_right(other, m)) / total for m in moments]
        found = []
        for place, gap in enumerate(gaps):
            if abs(gap) <= 0.01:
                continue
            end = moments[place + 1] if place + 1 < len(moments) else BUDGET + 1
            if found and found[-1][0] == (gap > 0):
                found[-1][2:] = [end, max(found[-1][3], abs(gap))]
                continue
            begin = place
            if found:
                while gaps[begin - 1] * gap > 0:
                    begin -= 1
                found[-1][2] = moments[begin]
            found.append([gap > 0, moments[begin], end, abs(gap)])
        return found

    def dip(self, pair):
        """The distance from convex-concave: half the largest excess over a chord, on each side."""
        times, total = self.overall(pair)
        grid = sorted({round(10 ** (k / 30)) for k in range(211)})
        x = np.log10(grid)
        y = np.array([bisect_right(times, e) / total for e in grid])
        over, under = np.zeros((2, len(x)))
        for i in range(len(x)):
            for j in range(i + 2, len(x)):
                chord = y[i] + (y[j] - y[i]) * (x[i + 1 : j] - x[i]) / (x[j] - x[i])
                excess = y[i + 1 : j] - chord
                over[j] = max(over[j], excess.max())
                under[i] = max(under[i], -excess.min())
        before = np.maximum.accumulate(over)
        after = np.maximum.accumulate(under[::-1])[::-1]
        return float(np.minimum.reduce(np.maximum(before, after)) / 2)

    def steps(self, pair, steep):
        times, total = self.overall(pair)
        count = round(15 * np.log10(50)) + 1
        levels = [bisect_right(times, e) / total for e in np.geomspace(100, 5000, count)]
        found, high = 0, False
        for one, two in pairwise(levels):
            slope = 15 * (two - one)
            if slope >= steep and not high:
                found, high = found + 1, True
            if slope <= steep / 2:
                high = False
        return found

    # Each statement: its tests with exceptions, or figures as functions of the tolerance.

    def tests(self):
        """By statement and part: direction, p-value, and whether it is an exception."""
        both = {name: ((name, "linear"), (name, "direct")) for name in NAMES}
        easy, figure = (self.values[f"sudoku-{name}"] for name in ("easy-56", "intermediate-54"))
        board = {
            pair: [min(t, 10**6) for t in runs]
            for pair, runs in self.runtimes["small-dimension-8-a"].items()
        }
        final = {name: self.levels(name, BUDGET, BUDGET) for name in NAMES}
        values = {name: self.medians(*both[name]) for name in NAMES}
        groups = {"T4": range(1, 11), "T6": range(1, 6), "T8": range(6, 11)}
        runtimes = partial(self.fixed_target, self.boards(range(1, 11)))
        goes_on = [
            round(
                fmean(
                    sign
                    * (
                        self.level(one, ("ltga", kind), BUDGET, BUDGET)
                        - self.level(one, ("ltga", kind), BUDGET / 10, BUDGET / 10)
                    )
                    for kind, sign in (("linear", 2), ("direct", -2))
                ),
                12,
            )
            for one in self.times
        ]

        def before_all(test, first):
            return all_of([test(first, pair) for pair in self.pairs if pair != first])

        def slowest(name):
            runs = (board[pair] for pair in both[name])
            direction, p = permuted(*runs, lambda runs: np.log(np.max(runs)))
            return abs(direction), p

        found = {
            "B1": {n: permuted(*(figure[pair] for pair in both[n]), np.mean) for n in NAMES},
            "B2": {n: _rank_sum(*(easy[pair] for pair in both[n])) for n in NAMES},
            "B3": values,
            "B4": {"sa-linear": before_all(self.medians, ("sa", "linear"))},
            "E1": {
                name: all_of([final[name], self.levels(name, 1, BUDGET)])
                for name in ("rls", "sa", "ea-1p1", "ea-10p1", "ga")
            },
            "E2": {
                name: all_of([_opposite(self.levels(name, 1, BUDGET**0.5)), final[name]])
                for name in ("hc", "pbil", "umda", "mimic")
            },
            "E3": {"then direct": _opposite(self.levels("p3", 1.5e6, BUDGET))},
            "E4": {
                "then direct": _opposite(self.levels("ltga", 4.7e5, BUDGET)),
                "linear goes on improving, direct does not": signed_ranks(goes_on),
            },
            "T2": {name: slowest(name) for name in ("umda", "mimic", "hc", "ea-1p1")},
            "T9": {"mimic": runtimes(*both["mimic"])},
            "T10": {"rls-linear": before_all(runtimes, ("rls", "linear"))},
            "C1": {name: all_of([values[name], final[name]]) for name in NAMES},
            "C2": {name: _opposite(final[name]) for name in NAMES},
        } | {
            identity: {n: self.fixed_target(self.boards(erased), *both[n]) for n in NAMES}
            for identity, erased in groups.items()
        }
        exceptions = dict.fromkeys(("B1", "B2", "T9"), ("mimic",)) | {
            "T4": ("ga",),
            "T6": ("ga", "pbil", "umda", "mimic"),
            "T8": ("ga", "mimic"),
            "C1": ("mimic", "ltga", "p3"),
            "C2": {*NAMES} - {"p3"},
        }
        return {
            part: {name: (*one, name in exceptions.get(part, ())) for name, one in tests.items()}
            for part, tests in found.items()
        }

    def figures(self):
        """By statement and part: whether it agrees, with some part of the tolerance."""
        optima = sum(
            v == 0 for pairs in self.values.values() for runs in pairs.values() for v in runs
        )
        total = sum(len(runs) for pairs in self.values.values() for runs in pairs.values())
        dips = {pair: self.dip(pair) for pair in self.pairs}
        ordinary = [d for pair, d in dips.items() if pair[0] not in ("p3", "ltga")]
        special = {name: [dips[name, k] for k in ("linear", "direct")] for name in ("p3", "ltga")}
        low, six, every, medium = (
            self.boards(range(*ends)) for ends in ((1, 6), (1, 7), (1, 11), (6, 11))
        )
        mimic = {("mimic", "linear"), ("mimic", "direct")}

        def interval(name, begin, end):
            lead = max((one for one in self.leads(name) if one[0]), key=lambda one: one[2] / one[1])
            away = max(abs(log(lead[1] / begin)), abs(log(lead[2] / end)))
            return lambda f: away <= f * log(3)

        after = [one for one in self.leads("ltga") if not one[0] and one[2] > 4.7e5]
        ends = [
            bisect_right(times, BUDGET) / count
            for times, count in (self.overall(("ltga", k)) for k in ("direct", "linear"))
        ]
        return {
            "B5": {"all pairs": lambda f: optima <= f * 0.05 * total},
            "E0": {
                "almost all curves are sigmoids": lambda f: (
                    sum(d <= f * MARGIN for d in ordinary) >= 0.9 * len(ordinary)
                ),
                "P3’s are staircases, then sigmoids": lambda f: (
                    all(d <= f * MARGIN for d in special["p3"])
                    and all(self.steps(("p3", k), 0.15 * f) >= 3 for k in ("linear", "direct"))
                ),
                "LTGA’s are not sigmoids": lambda f: all(d > f * MARGIN for d in special["ltga"]),
            },
            "E3": {"linear ahead in [1,000, 1,500,000]": interval("p3", 1e3, 1.5e6)},
            "E4": {
                "linear ahead in [924, 470,000]": interval("ltga", 924, 4.7e5),
                "linear almost catches up": lambda f: (
                    0 <= ends[0] - ends[1] <= f / 2 * max(one[3] for one in after)
                ),
            },
            "T1": {"all pairs": lambda f: not self.failing(low, f) or not self.failing(six, f)},
            "T3": {
                "all unsuccessful pairs but one use direct": lambda f: (
                    [p for p in self.failing(every, f) if p[1] == "linear"] == [("sa", "linear")]
                ),
                "only SA fails with either": lambda f: (
                    [k for k, n in Counter(p[0] for p in self.failing(every, f)).items() if n > 1]
                    == ["sa"]
                ),
            },
            "T5": {"all pairs": lambda f: self.failing(low, f) == {("sa", "direct")}},
            "T7": {
                "MIMIC succeeds": lambda f: not self.failing(medium, f) & mimic,
                "otherwise the same pairs fail": lambda f: (
                    self.failing(medium, f) - mimic == self.failing(every, f) - mimic
                ),
            },
        }

    def verdicts(self):
        """By statement and part: the verdict, and the p-value or what halving, doubling change."""
        found = {}
        for identity, parts in self.tests().items():
            adjusted = adjust([p for _, p, _ in parts.values()])
            for (about, (direction, _, exception)), p in zip(parts.items(), adjusted, strict=True):
                shown = 0 if p > 0.05 else 1 if direction > 0 else -1
                if exception:
                    verdict = "contradicted" if shown > 0 else "holds"
                else:
                    verdict = {1: "holds", 0: "too close to call", -1: "contradicted"}[shown]
                found[identity, about] = verdict, p
        for identity, parts in self.figures().items():
            for about, agrees in parts.items():
                verdict = "agrees" if agrees(1) else "disagrees"
                flips = [w for w, f in (("halved", 0.5), ("doubled", 2)) if agrees(f) != agrees(1)]
                found[identity, about] = verdict, flips
        return found


def _opposite(test):
    return -test[0], test[1]


def _rank_sum(first, second):
    """Mann and Whitney's test with the normal distribution, ties corrected, from couples."""
    from scipy.stats import norm

    wins = sum((a < b) + (a == b) / 2 for a in first for b in second)
    n, m = len(first), len(second)
    ties = sum(count**3 - count for count in Counter([*first, *second]).values())
    deviation = (n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)))) ** 0.5
    away = (abs(wins - n * m / 2) - 0.5) / deviation
    return wins - n * m / 2, min(1.0, float(2 * norm.sf(away)))
