"""What is read of the stores of the study, held against made-up runs."""

import numpy as np
import pytest

from catcube.statistics import Pair
from catcube.studies.beyond.study import read
from tests.studies.analysis.analysis_stores import experiment, finding, write

# By representation, the values of two runs; the first point has 100, the board's optimum is 0.
FOUND = {"linear": (0.0, 10.0), "direct": (20.0, 100.0)}


def made(configuration, number):
    value = FOUND[configuration.representation][number - 1]
    return finding(number, value, 10 * number)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "mine.sqlite"
    mine = experiment(instances=("a",), algorithms=("rls",), runs=2)
    return read([write(path, [mine], made)])["mine"]


def test_values_and_what_is_known_of_the_instance(measured):
    assert (measured.done, measured.total, measured.seconds) == (4, 4, 1.0)
    assert (measured.algorithms, measured.representations) == (["rls"], ["linear", "direct"])
    facts = measured.facts["a"]
    assert (facts.categories, facts.variables, facts.optimum) == (4, 10, 0.0)
    assert measured.values["a"][Pair("rls", "direct")].tolist() == [20.0, 100.0]


def test_losses_are_parts_of_the_range_of_values(measured):
    lost = measured.losses()["a"]
    assert lost[Pair("rls", "linear")].tolist() == [0.0, 0.1]
    assert lost[Pair("rls", "direct")].tolist() == [0.2, 1.0]


def test_runtimes_to_the_optimum_and_beyond_the_budget_by_value(measured):
    assert measured.runtimes["a"][Pair("rls", "linear")].tolist() == [10, np.inf]
    mixed = measured.runtimes_or_values()["a"]
    assert mixed[Pair("rls", "linear")].tolist() == [10, 1010]
    assert mixed[Pair("rls", "direct")].tolist() == [1020, 1100]


def test_a_lower_curve_has_more_area_over_it(measured):
    areas = measured.areas()["a"]
    assert 0 < areas[Pair("rls", "linear")] < areas[Pair("rls", "direct")] < 1


def test_pairs_that_lack_runs_are_left_out(tmp_path):
    def unfinished(configuration, number):
        if configuration.representation == "direct" and number == 2:
            return None
        return made(configuration, number)

    mine = experiment(instances=("a",), algorithms=("rls",), runs=2)
    measured = read([write(tmp_path / "mine.sqlite", [mine], unfinished)])["mine"]
    assert (measured.done, measured.total) == (3, 4)
    assert measured.representations == ["linear"]
