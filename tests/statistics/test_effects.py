"""Mean effects over instances and families: coverage of their intervals, and both tests."""

import tomllib
from collections import Counter
from importlib.resources import files
from itertools import product

import numpy as np
import pytest
from scipy import optimize, special, stats

from catcube.problems.suites import family_of
from catcube.statistics import NEGLIGIBLE, cliffs_delta, magnitude, mean_effect, run_effect
from catcube.statistics.effects import STRETCH
from catcube.studies.scales import BEYOND

REPETITIONS = 1000
MANY = [(13, 15, 10), (13, 9, 10), (13, 6, 10), (13, 5, 10), (13, 4, 10)]
FEW = [(6, 2, 10), (6, 4, 20), (6, 22, 10)]
ALONE = [(1, 15, 10), (1, 12, 10), (1, 9, 10), (1, 6, 10)]
"""The designs of docs/beyond.md: families, instances of each, runs on each.

Many families: whole, with N a power of two or not, *defaults* and *long*. Few: *categories* at one
N, *variables* at one n and the sweeps; *size*; *categories* whole. One: parts of *families*, and
*order*.
"""
LEVELS = (np.arange(100) + 0.5) / 100


def deltas(draw, shifts, runs):
    """Cliff's deltas of runs that are normal, and better by a shift on each instance."""
    first = draw.normal(size=(*shifts.shape, runs)) - shifts[..., None]
    both = np.concatenate([first, draw.normal(size=first.shape)], axis=-1)
    places = both.argsort(axis=-1)  # of the sorted runs
    ranks = ((places < runs) * np.arange(2 * runs)).sum(axis=-1) - runs * (runs - 1) / 2
    return 1 - 2 * ranks / runs**2


def true_delta(shifts):
    return 2 * special.ndtr(shifts / np.sqrt(2)) - 1


def mean_delta(centre, spread):
    """The mean of true deltas over all instances: shifts are normal about the centre."""
    return true_delta(centre + spread * special.ndtri(LEVELS)).mean(axis=-1)


def share_covered(found, truths):
    truths = np.broadcast_to(truths, len(found))
    return np.mean([one.low <= truth <= one.high for one, truth in zip(found, truths, strict=True)])


@pytest.mark.parametrize(
    ("spreads", "mean"),
    [
        *product([(0.4, 0.3), (0.6, 1.0)], [0.0, 0.5, -0.9]),
        ((0.3, 0.6), -0.4),
        ((0.8, 0.5), -0.8),
        ((1.2, 0.5), 0.8),
    ],
)
@pytest.mark.parametrize("design", MANY + FEW + ALONE)
def test_coverage_in_every_design_of_the_study(design, spreads, mean):
    """Families and their instances differ by these spreads; 1 is that of the runs.

    The stretch of the intervals was chosen with the first two; the others judge it.
    """
    families, instances, runs = design
    between, within = spreads if families > 1 else (0.0, spreads[1])
    both = np.hypot(between, within)
    centre = optimize.brentq(lambda one: mean_delta(one, both) - mean, -9, 9)
    draw = np.random.default_rng([*design, int(10 * within)])
    middles = draw.normal(centre, between, size=(REPETITIONS, families, 1))
    shifts = middles + draw.normal(0, within, size=(REPETITIONS, families, instances))
    rows = deltas(draw, shifts, runs)
    if design in FEW:  # of the same families, with other instances of each
        found = [mean_effect(dict(enumerate(row)), families="fixed") for row in rows]
        covered = share_covered(found, mean_delta(middles, within).mean(axis=1))
    else:
        units = rows.mean(axis=2) if families > 1 else rows[:, 0]
        covered = share_covered(list(map(mean_effect, units)), mean_delta(centre, both))
    assert 0.92 <= covered <= 0.97


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


def test_the_mean_over_instances_is_a_t_test_on_fishers_scale():
    effects = np.array([0.3, -0.1, 0.25, 0.4, 0.0])
    found, mean = mean_effect(effects), effects.mean()
    # Stretched about the mean, as atanh is there, and a little more.
    stretched = np.arctanh(mean) + (effects - mean) / (1 - mean**2) * (1 + STRETCH * mean**2)
    test = stats.ttest_1samp(stretched, 0)
    interval = test.confidence_interval()
    assert found.p == pytest.approx(test.pvalue)
    assert np.arctanh([found.low, found.high]) == pytest.approx([interval.low, interval.high])
    margin = np.arctanh(NEGLIGIBLE)
    tests = [
        stats.ttest_1samp(stretched, -margin, alternative="greater").pvalue,
        stats.ttest_1samp(stretched, margin, alternative="less").pvalue,
    ]
    assert found.equivalence == pytest.approx(max(tests))


@pytest.mark.parametrize(("runs", "shift"), [(10, 0.5), (20, 0.0), (20, 1.0), (20, 2.0)])
def test_coverage_of_the_runs_on_one_instance(runs, shift):
    draw = np.random.default_rng([runs, int(10 * shift)])
    found = [run_effect(draw.normal(-shift, 1, runs), draw.normal(size=runs)) for _ in range(800)]
    assert 0.92 <= share_covered(found, true_delta(shift)) <= 0.97


def test_families_count_alike():
    found = mean_effect({"a": [0.5] * 9, "b": [-0.1]})
    assert found == mean_effect([0.5, -0.1])
    assert found.units == 2


def test_one_instance_has_no_interval():
    found = mean_effect([0.5])
    assert np.isnan([found.low, found.high, found.p, found.equivalence]).all()
    alone = mean_effect({"a": [0.5], "b": [0.1, 0.2]}, families="fixed")
    assert np.isnan([alone.low, alone.p]).all()


def test_effects_that_are_all_alike():
    every = mean_effect([1.0] * 15)
    assert every.mean == every.high == 1.0
    assert 0.8 < every.low < 1
    assert 0 < every.p < 0.001
    assert mean_effect([-1.0] * 15).high == -every.low
    assert mean_effect([0.0, 0.0])[1:5] == (0.0, 0.0, 1.0, 0.0)


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
