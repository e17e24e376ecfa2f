"""What the page of the study beyond the paper computes from its runs."""

import sys

import numpy as np
import pytest

from catcube.statistics import Pair, mean_effect
from tests import ROOT
from tests.studies.analysis.analysis_stores import experiment, finding, write

# By representation, the values of two runs; the first point has 100, the board's optimum is 0.
FOUND = {"linear": (0.0, 10.0), "direct": (20.0, 100.0)}
LINEAR, DIRECT = Pair("rls", "linear"), Pair("rls", "direct")


@pytest.fixture(scope="module", autouse=True)
def scripts():
    sys.path.insert(0, str(ROOT / "docs" / "scripts"))
    yield
    sys.path.pop(0)


def measured(path, missing=()):
    import beyond_data

    def made(configuration, number):
        if (configuration.representation, number) in missing:
            return None
        return finding(number, FOUND[configuration.representation][number - 1], 10 * number)

    mine = experiment(instances=("a",), algorithms=("rls",), runs=2)
    beyond_data.pack(write(path / "mine.sqlite", [mine], made), path)
    with np.load(path / "mine.npz") as packed:
        return beyond_data.read([packed])["mine"]


def test_values_losses_and_runtimes_of_packed_runs(tmp_path):
    found = measured(tmp_path)
    assert (found.done, found.total, found.seconds) == (4, 4, 1.0)
    facts = found.facts["a"]
    assert (facts.categories, facts.variables, facts.optimum) == (4, 10, 0.0)
    assert found.values["a"][DIRECT].tolist() == [20.0, 100.0]
    assert found.losses()["a"][LINEAR].tolist() == [0.0, 0.1]
    assert found.runtimes["a"][LINEAR].tolist() == [10, np.inf]
    assert found.runtimes_or_values()["a"][DIRECT].tolist() == [1020, 1100]


def test_pairs_that_lack_runs_are_left_out(tmp_path):
    found = measured(tmp_path, missing=[("direct", 2)])
    assert (found.done, found.total) == (3, 4)
    assert found.representations == ["linear"]


def samples(shifts, runs=10):
    """By instance, runs of sa with linear and direct; direct is worse by the instance's shift."""
    draw = np.random.default_rng(1)
    return {
        instance: {
            Pair("sa", "linear"): draw.normal(size=runs),
            Pair("sa", "direct"): draw.normal(size=runs) + shift,
        }
        for instance, shift in shifts.items()
    }


def test_means_are_over_families_and_reversals_are_named():
    from beyond_study import effects, mean_over

    shifts = {f"nk:{i},0": 9.0 for i in range(4)} | {f"potts:{i}": 9.0 for i in range(4)}
    [row] = effects(samples(shifts | {f"qap:{i}": -9.0 for i in range(9)}), "linear", "direct")
    assert row.effect.mean == pytest.approx(1 / 3)
    assert (row.instances, row.effect.units, row.reversals) == (17, 3, ["qap"])
    assert effects(samples(shifts), "linear", "gray") == []
    few = {name: [0.1, 0.3, 0.2] for name in "abc"}
    many = {name: [0.1 * place, 0.2] for place, name in enumerate("abcdefghijk")}
    assert mean_over(few) == mean_effect(few, families="fixed")
    assert mean_over(many) == mean_effect(many)


def test_what_is_not_shown_to_differ_is_equivalent_only_if_that_is_shown():
    from beyond_study import effects

    names = [f"{kind}:{i}" for kind in ("nk", "potts", "qap", "csp", "hiff") for i in range(8)]
    [open_row] = effects(samples(dict.fromkeys(names[:16], 0.0), 5), "linear", "direct")
    [same] = effects(samples(dict.fromkeys(names, 0.0), 400), "linear", "direct")
    [better] = effects(samples(dict.fromkeys(names, 2.0)), "linear", "direct")
    assert (open_row.verdict, same.verdict, better.verdict) == ("open", "equivalent", "better")


def test_each_pair_is_taken_at_its_best_setting():
    from beyond_study import at_best

    one, other = (
        {"a": {LINEAR: np.array([low]), DIRECT: np.array([high])}} for low, high in ((1, 9), (5, 2))
    )
    best, order = at_best([one, other])
    assert {pair: sample.item() for pair, sample in best["a"].items()} == {LINEAR: 1, DIRECT: 2}
    assert order == {LINEAR: [0, 1], DIRECT: [1, 0]}


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.long)])
def test_intervals_cover_the_mean_of_families_like_those_of_the_study(step):
    """Thirteen families from a beta distribution with the mean and the spread that were found."""
    from beyond import study
    from beyond_page import is_other, is_power
    from beyond_study import effects

    found = study(["beyond-families", "beyond-long", "beyond-defaults"])
    families, draw = found["families"], np.random.default_rng(13)
    comparisons = [
        *effects(families.values, "linear", "direct"),
        *effects(families.values, "linear", "native", is_power(families)),
        *effects(families.values, "linear", "native", is_other(families)),
        *effects(families.values, "balanced", "native"),
        *effects(families.values, "compact", "native"),
        *effects(found["long"].values, "linear", "native"),
        *effects(found["long"].values, "linear", "direct"),
        *effects(found["defaults"].values, "linear", "native"),
    ]
    for row in comparisons[::step]:
        middles = np.array([effect.mean for effect in row.families.values()])
        mean, deviation = middles.mean(), middles.std(ddof=1)
        total = (1 - mean**2) / deviation**2 - 1
        parts = total * (1 + mean) / 2, total * (1 - mean) / 2
        effects_found = (mean_effect(2 * draw.beta(*parts, size=13) - 1) for _ in range(1000))
        covered = np.mean([one.low <= mean <= one.high for one in effects_found])
        assert 0.92 <= covered <= 0.97, row.algorithm
    assert len(comparisons) == 72
    assert max(abs(row.effect.mean) for row in comparisons) < 0.8  # as the page says
