"""Mean effects over instances and families: coverage of their intervals, and both tests."""

import numpy as np
import pytest
from scipy import stats

from catcube.statistics import NEGLIGIBLE, cliffs_delta, magnitude, mean_effect, run_effect

REPETITIONS = 800
SIMPLE = [(4, 10, 0.4), (10, 10, 0.0), (10, 20, 1.2), (15, 10, 0.4), (15, 10, 2.0), (15, 20, 3.0)]
NESTED = [(13, 10, 0.0), (13, 10, 0.4), (13, 10, 1.2), (12, 20, 0.4)]


def deltas(draw, shifts, runs):
    """Cliff's deltas of runs that are normal, and better by a shift on each instance."""
    first = draw.normal(size=(*shifts.shape, runs)) - shifts[..., None]
    both = np.concatenate([first, draw.normal(size=first.shape)], axis=-1)
    places = both.argsort(axis=-1)  # of the sorted runs
    ranks = ((places < runs) * np.arange(2 * runs)).sum(axis=-1) - runs * (runs - 1) / 2
    return 1 - 2 * ranks / runs**2


def true_delta(shifts):
    return 2 * stats.norm.cdf(shifts / np.sqrt(2)) - 1


def share_covered(found, truths):
    truths = np.broadcast_to(truths, len(found))
    return np.mean([one.low <= truth <= one.high for one, truth in zip(found, truths, strict=True)])


def population_mean(centre, spread):
    """The mean of true deltas over all instances: shifts are normal about the centre."""
    return true_delta(centre + spread * stats.norm.ppf((np.arange(10_000) + 0.5) / 10_000)).mean()


@pytest.mark.parametrize(("instances", "runs", "centre"), SIMPLE)
def test_coverage_over_instances(instances, runs, centre):
    draw = np.random.default_rng([instances, runs])
    shifts = draw.normal(centre, 0.5, size=(REPETITIONS, instances))
    found = [mean_effect(row) for row in deltas(draw, shifts, runs)]
    assert 0.92 <= share_covered(found, population_mean(centre, 0.5)) <= 0.97


@pytest.mark.parametrize(("families", "runs", "centre"), NESTED)
def test_coverage_over_families(families, runs, centre):
    draw = np.random.default_rng([families, runs])
    middle = draw.normal(centre, 0.4, size=(REPETITIONS, families, 1))
    shifts = middle + draw.normal(0, 0.3, size=(REPETITIONS, families, 15))
    rows = deltas(draw, shifts, runs)
    by_family = [dict(zip("abcdefghijklm", row, strict=False)) for row in rows]
    found = [mean_effect(row) for row in by_family]
    assert 0.92 <= share_covered(found, population_mean(centre, 0.5)) <= 0.97
    # Of the same families, with other instances of each.
    inside = middle[..., 0, None] + 0.3 * stats.norm.ppf((np.arange(200) + 0.5) / 200)
    fixed = [mean_effect(row, families="fixed") for row in by_family]
    assert 0.92 <= share_covered(fixed, true_delta(inside).mean(axis=(1, 2))) <= 0.97


@pytest.mark.parametrize("instances", [4, 15])
def test_equivalence_is_seldom_shown_at_the_margin(instances):
    draw = np.random.default_rng(instances)
    effects = np.clip(draw.normal(NEGLIGIBLE, 0.1, size=(REPETITIONS, instances)), -1, 1)
    shown = np.mean([mean_effect(row).equivalence <= 0.05 for row in effects])
    assert 0.03 <= shown <= 0.07
    small = draw.normal(0, 0.05, size=(REPETITIONS, instances))
    assert np.mean([mean_effect(row).equivalence <= 0.05 for row in small]) > 0.9


def test_the_mean_over_instances_is_a_t_test_on_fishers_scale():
    effects = np.array([0.3, -0.1, 0.25, 0.4, 0.0])
    found, mean = mean_effect(effects), effects.mean()
    # Stretched about the mean, as atanh is there.
    stretched = np.arctanh(mean) + (effects - mean) / (1 - mean**2)
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
    found = [
        run_effect(draw.normal(-shift, 1, runs), draw.normal(size=runs)) for _ in range(REPETITIONS)
    ]
    assert 0.92 <= share_covered(found, true_delta(shift)) <= 0.97


def test_families_count_alike():
    found = mean_effect({"a": [0.5] * 9, "b": [-0.1]})
    assert found.mean == pytest.approx(0.2)
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
    with pytest.raises(ValueError, match=r"expected (families|effects)"):
        mean_effect(**{"effects": [0.1, 0.2]} | arguments)


def test_a_delta_is_a_number():
    with pytest.raises(ValueError, match="nan"):
        magnitude(float("nan"))
    assert cliffs_delta([1], [2]) == 1
