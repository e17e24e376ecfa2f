"""What the page of the study beyond the paper computes from its stores."""

import beyond_study as study
import numpy as np
import pytest

from catcube.statistics import Pair, holm, mann_whitney
from tests.studies.analysis.analysis_stores import experiment, finding, write

# By representation, the values of two runs; the first point has 100, the board's optimum is 0.
FOUND = {"linear": (0.0, 10.0), "direct": (20.0, 100.0)}


def measured(path, missing=()):
    def made(configuration, number):
        if (configuration.representation, number) in missing:
            return None
        return finding(number, FOUND[configuration.representation][number - 1], 10 * number)

    mine = experiment(instances=("a",), algorithms=("rls",), runs=2)
    return study.read([write(path / "mine.sqlite", [mine], made)])["mine"]


def test_values_losses_runtimes_and_areas(tmp_path):
    found = measured(tmp_path)
    linear, direct = Pair("rls", "linear"), Pair("rls", "direct")
    assert (found.done, found.total, found.seconds) == (4, 4, 1.0)
    assert found.facts["a"] == (study.Facts(4, 10, 0.0))
    assert found.values["a"][direct].tolist() == [20.0, 100.0]
    assert found.losses()["a"][linear].tolist() == [0.0, 0.1]
    assert found.losses()["a"][direct].tolist() == [0.2, 1.0]
    assert found.runtimes["a"][linear].tolist() == [10, np.inf]
    assert found.runtimes_or_values()["a"][direct].tolist() == [1020, 1100]
    assert 0 < found.areas()["a"][linear] < found.areas()["a"][direct] < 1


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


def test_the_first_is_better_where_its_values_are_smaller():
    data = samples({"nk:1,0": 9.0, "nk:2,0": 9.0, "potts:a": -9.0})
    [effect] = study.effects(data, "linear", "direct")
    assert effect.delta == pytest.approx(1 / 3)
    assert (effect.better, effect.worse, effect.instances) == (2, 1, 3)
    assert study.effects(data, "direct", "linear")[0].delta == -effect.delta
    assert study.effects(data, "linear", "gray") == []


def test_p_values_are_adjusted_within_a_family():
    data = samples({f"nk:{i}": 1.1 for i in range(6)} | {f"potts:{i}": 0.0 for i in range(40)})
    ring = [name for name in data if name.startswith("nk")]
    [effect] = study.effects(data, "linear", "direct", ring)
    p = [mann_whitney(*data[name].values()) for name in ring]
    assert effect.better == sum(adjusted <= 0.05 for adjusted in holm(p)) > 0


def test_equal_representations_are_equally_good_and_worse_ones_are_not():
    values = {"native": 1.0, "linear": 1.0, "direct": 3.0}
    pairs = {Pair("sa", name): np.full(3, value) for name, value in values.items()}
    found = study.advice(dict.fromkeys(map(str, range(30)), pairs), "sa", list(values))
    assert (found.best, found.as_good, found.instances) == ("native", ("linear",), 30)
    assert found.ranks == {"native": 1.5, "linear": 1.5, "direct": 3.0}
    assert study.advice({"a": pairs, "b": pairs}, "sa", list(values)).as_good[1:] == ("direct",)
    assert study.advice({"a": pairs}, "ga", list(values)) is None
    assert list(study.best_pairs({"a": pairs}).values()) == pytest.approx([1.5, 1.5, 3.0])
