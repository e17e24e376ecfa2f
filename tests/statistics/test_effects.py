"""Mean effects over instances and families: coverage of their intervals, and both tests."""

import itertools
import math
import statistics
import tomllib
from collections import Counter
from importlib.resources import files

import numpy as np
import pytest
from scipy import optimize, special, stats

from catcube.problems.suites import family_of
from catcube.statistics import NEGLIGIBLE, cliffs_delta, magnitude, mean_effect, run_effect
from catcube.studies.scales import BEYOND

REPETITIONS = 1500
MANY = [(13, 15, 10), (13, 9, 10), (13, 6, 10), (13, 5, 10), (13, 4, 10)]
FEW = [(6, 2, 10), (6, 4, 20), (6, 10, 10), (6, 22, 10)]
ALONE = [(1, 15, 10), (1, 12, 10), (1, 10, 20), (1, 9, 10), (1, 6, 10)]
"""The designs of docs/beyond.md: families, instances of each, runs on each.

Many families: whole, with N a power of two or not, *defaults* and *long*. Few: *categories* at one
N, *variables* at one n and the sweeps; *size*; *categories*, with N a power of two or not, and
whole. One: parts of *families*, *order*, and the fixed budget of docs/results.
"""


def runs_of(draw, deltas, runs, kind="normal"):
    """Runs of two pairs on each instance, whose true Cliff's deltas are given."""
    wins = np.clip((1 + deltas) / 2, 1e-9, 1 - 1e-9)[..., None]
    size = (*deltas.shape, runs)
    if kind == "exponential":
        return draw.exponential(size=size) * (1 - wins) / wins, draw.exponential(size=size)
    both = draw.normal(size=size) - np.sqrt(2) * special.ndtri(wins), draw.normal(size=size)
    return tuple(np.rint(1.2 * one) for one in both) if kind == "ties" else both


def found_deltas(draw, deltas, runs, kind="normal"):
    """Cliff's deltas that are found with so many runs."""
    first, second = runs_of(draw, deltas, runs, kind)
    return np.mean([np.sign(second - first[..., [run]]).mean(axis=-1) for run in range(runs)], 0)


class Normal:
    """Deltas whose shifts of normal runs differ normally between families and within them."""

    def __init__(self, mean, between, within):
        self.between, self.within = between, within
        self.centre = optimize.brentq(lambda one: self.mean_of(one, between) - mean, -9, 9)

    @staticmethod
    def delta(shifts):
        return 2 * special.ndtr(shifts / np.sqrt(2)) - 1

    def mean_of(self, centres, spread=0.0):
        """The mean delta where shifts are about these centres."""
        nodes, weights = np.polynomial.hermite_e.hermegauss(60)
        shifts = np.asarray(centres)[..., None] + np.hypot(self.within, spread) * nodes
        return self.delta(shifts) @ weights / weights.sum()

    def draw(self, draw, repetitions, families, instances):
        centres = draw.normal(self.centre, self.between, size=(repetitions, families))
        shifts = draw.normal(centres[..., None], self.within, size=(*centres.shape, instances))
        return self.mean_of(centres), self.delta(shifts)


class Fisher(Normal):
    """Deltas that are normal on Fisher's scale: with a spread of 1, far more skewed near ±1."""

    delta = staticmethod(np.tanh)


class Beta:
    """Deltas from beta distributions: skewed near the bounds."""

    def __init__(self, mean, between, within):
        self.mean, self.between, self.within = mean, between, within

    @staticmethod
    def about(draw, means, spread, size):
        """Deltas with these means; a spread of 2 is 0.7 of the largest possible deviation."""
        chances, total = np.clip((1 + means) / 2, 1e-4, 1 - 1e-4), (2 / spread) ** 2
        return 2 * draw.beta(chances * total, (1 - chances) * total, size=size) - 1

    def draw(self, draw, repetitions, families, instances):
        middles = np.full((repetitions, families), self.mean)
        if families > 1:
            middles = self.about(draw, middles, self.between, middles.shape)
        deltas = self.about(draw, middles[..., None], self.within, (*middles.shape, instances))
        return middles, deltas


def share_covered(found, truths):
    truths = np.broadcast_to(truths, len(found))
    return np.mean([one.low <= truth <= one.high for one, truth in zip(found, truths, strict=True)])


def coverage(design, population, draw, kind="normal", mean=None):
    """How often the interval covers: of families that are a sample, few families, or one."""
    families, instances, runs = design
    middles, deltas = population.draw(draw, REPETITIONS, families, instances)
    rows = found_deltas(draw, deltas, runs, kind)
    if design in FEW:  # of the same families, with other instances of each
        found = [mean_effect(dict(enumerate(row)), families="fixed") for row in rows]
        return share_covered(found, middles.mean(axis=1))
    return share_covered(
        [mean_effect(row) for row in np.squeeze(rows.mean(axis=2) if families > 1 else rows)], mean
    )


SPREADS = [
    (0.0, 0.3, 0.3),
    (0.0, 1.2, 1.0),
    (0.5, 0.8, 0.6),
    (-0.8, 1.2, 0.8),
    (0.9, 0.8, 0.6),
    (-0.9, 1.0, 1.0),
]
"""Means, and spreads between and within families; 1 is that of the runs."""


def combined(designs, spreads):
    """All simulations; in the quick suite each population is with each design and each spread."""
    parts = designs, spreads, [Normal, Beta, Fisher]
    return [
        pytest.param(*values, marks=pytest.mark.long if sum(places) % len(spreads) else ())
        for places, values in zip(
            itertools.product(*(range(len(part)) for part in parts)),
            itertools.product(*parts),
            strict=True,
        )
    ]


@pytest.mark.parametrize(("design", "spread", "population"), combined(MANY + FEW + ALONE, SPREADS))
def test_coverage_in_every_design_of_the_study(design, spread, population):
    mean, between, within = spread
    draw = np.random.default_rng([*design, int(10 * within)])
    covered = coverage(design, population(mean, between * (design[0] > 1), within), draw, mean=mean)
    skewed = population is Fisher and (abs(mean) == 0.9 or within == 1.0)  # known limits
    low, high = (0.88, 0.985) if skewed else (0.92, 0.97)
    assert low <= covered <= high


@pytest.mark.parametrize("design", [(13, 9, 10), (6, 2, 10), (1, 12, 10)])
@pytest.mark.parametrize("kind", ["ties", "exponential"])
def test_coverage_with_ties_and_with_skewed_values(design, kind):
    """Ties make all deltas smaller: the mean is what many instances show."""
    draw = np.random.default_rng([*design, len(kind)])
    population = Normal(0.0, 0.8 * (design[0] > 1), 0.6)
    mean = 0.0
    if design not in FEW:
        population = Normal(0.6, 0.8 * (design[0] > 1), 0.6)
        _, deltas = population.draw(draw, 40_000, 1, 2)
        mean = found_deltas(draw, deltas, 10, kind).mean()
    assert 0.92 <= coverage(design, population, draw, kind, mean) <= 0.97


@pytest.mark.parametrize(("design", "mean", "population"), combined(ALONE, [0.95, 0.98]))
def test_next_to_the_bounds_coverage_is_known_less_well(design, mean, population):
    draw = np.random.default_rng([*design, int(100 * mean)])
    assert 0.86 <= coverage(design, population(mean, 0, 1.0), draw, mean=mean) <= 0.995


def test_rare_kinds_of_families_are_not_known():
    """One family in seven is far from the others: a sample of thirteen may have none of these."""
    draw = np.random.default_rng(7)
    near = np.clip(draw.normal(0.6, 0.1, size=(2000, 13)), -1, 1)
    effects = np.where(draw.random(near.shape) < 1 / 7, near - 1.2, near)
    covered = share_covered([mean_effect(row) for row in effects], 0.6 - 1.2 / 7)
    assert 0.85 <= covered < 0.92


def test_the_designs_are_those_of_the_plans():
    used = set()
    for name in BEYOND["full"].sizes:
        text = files("catcube").joinpath("data", "plans", f"{name}.toml").read_text("utf-8")
        for one in tomllib.loads(text)["experiment"]:
            sizes = set(Counter(map(family_of, one["instances"])).values())
            used |= {
                (len({*map(family_of, one["instances"])}), size, one["runs"]) for size in sizes
            }
    assert used <= {*MANY, *FEW, *ALONE}


@pytest.mark.parametrize("instances", [4, 15])
def test_equivalence_is_seldom_shown_at_the_margin(instances):
    draw = np.random.default_rng(instances)
    effects = np.clip(draw.normal(NEGLIGIBLE, 0.1, size=(800, instances)), -1, 1)
    shown = np.mean([mean_effect(row).equivalence <= 0.05 for row in effects])
    assert 0.03 <= shown <= 0.07
    small = draw.normal(0, 0.05, size=(800, instances))
    assert np.mean([mean_effect(row).equivalence <= 0.05 for row in small]) > 0.9


def naive_error(strata, place, limit):
    """The larger standard error: of pseudo-values, one effect left out, or by the derivative."""
    everything = [effect for one in strata for effect in one]
    mean = statistics.fmean(statistics.fmean(one) for one in strata)
    pseudo = derived = 0.0
    for index, one in enumerate(strata):
        values = []
        for left_out in range(len(one)):
            rest = [*strata]
            rest[index] = [effect for other, effect in enumerate(one) if other != left_out]
            without = statistics.fmean(statistics.fmean(part) for part in rest)
            without = math.copysign(min(abs(without), limit), without)
            values.append(len(one) * place - (len(one) - 1) * math.atanh(without))
        pseudo += statistics.variance(values) / len(one)
        derived += statistics.variance(one) / len(one) / len(strata) ** 2 / (1 - mean**2) ** 2
    assert len(everything) > len(strata)
    return math.sqrt(max(pseudo, derived))


@pytest.mark.parametrize(
    "effects", [[0.3, -0.1, 0.25, 0.4, 0.0], [1.0, 0.9, 1.0, 0.2], [-0.5, -0.99, -1.0, -0.97, -1.0]]
)
def test_the_mean_over_instances_is_students_t_on_fishers_scale(effects):
    found, place = mean_effect(effects), math.atanh(statistics.fmean(effects))
    limit = max(abs(statistics.fmean(effects)), 1 - 0.2 / (len(effects) - 1))
    error, student = naive_error([effects], place, limit), stats.t(len(effects) - 1)
    place -= 2 * statistics.fmean(effects) ** 3 * error**2
    ends = np.arctanh([found.low, found.high])
    assert ends == pytest.approx(place + np.array([-1, 1]) * student.ppf(0.975) * error)
    assert found.p == pytest.approx(2 * student.sf(abs(place) / error))
    margin = math.atanh(NEGLIGIBLE)
    tests = student.sf((place + margin) / error), student.cdf((place - margin) / error)
    assert found.equivalence == pytest.approx(max(tests))


def test_few_families_have_the_spread_of_their_instances():
    strata = {"a": [0.5, 0.7, 0.6], "b": [-0.2, 0.4, 0.1], "c": [0.9, 1.0, 0.95]}
    found = mean_effect(strata, families="fixed")
    place = math.atanh(found.mean)
    error = naive_error([*strata.values()], place, 1)
    half = (np.arctanh(found.high) - np.arctanh(found.low)) / 2
    variances = [statistics.variance(one) for one in strata.values()]
    freedom = sum(variances) ** 2 / sum(one**2 / 4 for one in variances) - 2
    freedoms = [2, stats.t.isf(0.025, freedom) * error, stats.t.isf(0.025, 6) * error]
    assert found.units == 3
    assert half == pytest.approx(freedoms[1], rel=0.05)  # their shares are the jackknife's
    assert half > freedoms[2]


@pytest.mark.parametrize(("runs", "shift"), [(10, 0.5), (20, 0.0), (20, 1.0), (20, 2.0)])
def test_coverage_of_the_runs_on_one_instance(runs, shift):
    draw = np.random.default_rng([runs, int(10 * shift)])
    found = [run_effect(draw.normal(-shift, 1, runs), draw.normal(size=runs)) for _ in range(800)]
    truth = 2 * special.ndtr(shift / np.sqrt(2)) - 1
    assert 0.92 <= share_covered(found, truth) <= 0.97


def test_families_count_alike():
    found = mean_effect({"a": [0.5] * 9, "b": [-0.1]})
    assert found == mean_effect([0.5, -0.1])
    assert found.units == 2


def test_one_instance_has_no_interval():
    found = mean_effect([0.5])
    assert np.isnan([found.low, found.high, found.p, found.equivalence]).all()
    alone = mean_effect({"a": [0.5], "b": [0.1, 0.2]}, families="fixed")
    assert np.isnan([alone.low, alone.p]).all()
    for runs in ([1], [2]), ([1, 2], [3]):
        effect = run_effect(*runs)
        assert np.isnan([effect.low, effect.high, effect.equivalence]).all()


def test_effects_that_are_all_alike():
    every = mean_effect([1.0] * 15)
    assert every.mean == every.high == 1.0
    assert 0.8 < every.low < 1
    assert 0 < every.p < 0.001
    assert mean_effect([-1.0] * 15).high == -every.low
    assert mean_effect([0.0, 0.0])[1:5] == (0.0, 0.0, 1.0, 0.0)
    few = mean_effect({name: [1.0, 1.0] for name in "abcdef"}, families="fixed")
    assert 0.8 < few.low < 1
    assert few.p < 0.01


@pytest.mark.parametrize(
    "arguments", [{"level": 2}, {"margin": 0}, {"families": "all"}, {"effects": [2.0, 0]}]
)
def test_what_makes_no_sense_is_refused(arguments):
    with pytest.raises(ValueError, match=r"expected (a level|a positive margin|families|effects)"):
        mean_effect(**{"effects": [0.1, 0.2]} | arguments)


def test_a_delta_is_a_number():
    with pytest.raises(ValueError, match="nan"):
        magnitude(float("nan"))
    assert cliffs_delta([1], [2]) == 1
