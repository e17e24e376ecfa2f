"""What a result can be made into, and back."""

import json
import math
from enum import Enum

import numpy as np
import pytest

from catcube import CatcubeError, Result, Space, minimize
from tests.problems.python.slow_functions import cost
from tests.search.asked import SPACE, same


class Colour(Enum):
    RED = 1
    BLUE = 2


@pytest.fixture(scope="module")
def result():
    return minimize(cost, SPACE, algorithm="rls", representation="linear", budget=40, seed=1)


def test_json_and_back(result, tmp_path):
    again = Result.from_json(result.to_json())
    assert same(again, result)
    assert again.to_dict() == result.to_dict()
    assert list(again.history) == list(result.history)
    result.to_json(tmp_path / "result.json")
    assert same(Result.from_json(tmp_path / "result.json"), result)
    assert same(Result.from_json(str(tmp_path / "result.json")), result)


def test_infinite_values_are_kept():
    result = minimize(lambda point: -math.inf, SPACE, algorithm="rls", budget=3, seed=1)
    again = Result.from_json(result.to_json())
    assert again.fun == -math.inf
    assert again.trace.values.tolist() == [-math.inf]


def test_labels_that_json_cannot_hold():
    space = Space({"colour": list(Colour), "size": np.arange(3)})
    result = minimize(lambda point: point["size"], space, algorithm="rls", budget=9, seed=1)
    text = result.to_json()
    assert json.loads(text)["x"] is None
    with pytest.raises(ValueError, match="space="):
        Result.from_json(text)
    again = Result.from_json(text, space=space)
    assert again.x == result.x
    assert again.x["colour"] in Colour


@pytest.mark.parametrize(
    "other",
    [
        {"base": "ATCG", "digit": range(1, 10)},
        {"base": "ATCG", "digit": range(1, 3), "flag": [True, False]},
        {"digit": range(1, 10), "base": range(1, 10), "flag": [True, False]},
    ],
)
def test_another_space_is_refused(result, other):
    with pytest.raises(ValueError, match="the result is of another space"):
        Result.from_json(result.to_json(), space=other)


def test_numpy_labels_become_numbers_of_python():
    space = Space({"size": np.arange(3)})
    result = minimize(lambda point: point["size"], space, algorithm="rls", budget=9, seed=1)
    assert json.loads(result.to_json())["x"] == {"size": 0}


@pytest.mark.parametrize("text", ["{", "{}", '{"format": 3}', '{"format": 1}'])
def test_what_is_no_saved_result(text):
    with pytest.raises(ValueError, match="not a saved result"):
        Result.from_json(text)


def test_history(result):
    history = result.history
    assert len(history) == result.nfev == 40
    assert [value for _, value in history] == [cost(point) for point, _ in history]
    assert min(history.values) == result.fun
    table = history.to_pandas()
    assert list(table.columns) == [*SPACE.names, "value"]
    assert table.loc[int(result.nfev_best) - 1, "value"] == result.fun


def test_the_history_of_a_variable_called_value():
    result = minimize(lambda point: point["value"], {"value": range(4)}, algorithm="rls", budget=5)
    assert list(result.history.to_pandas().columns) == ["value", "value_"]


def test_a_history_up_to_a_hundred_thousand_calls():
    short, long = (
        minimize(cost, SPACE, algorithm="rls", budget=budget, target=0, seed=1)
        for budget in (100_000, 100_001)
    )
    assert len(short.history) == short.evaluations
    assert long.history is None


def test_equality(result):
    assert result == Result.from_json(result.to_json())
    assert result != minimize(cost, SPACE, algorithm="rls", budget=5, seed=2)
    assert result != "result"


def test_html_is_escaped():
    space = Space({"<b>": ["<script>", "&"]})
    page = minimize(lambda point: 1, space, algorithm="rls", budget=3, seed=1)._repr_html_()
    assert "<script>" not in page
    assert "&lt;" in page


def test_plot(result):
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    axes = result.plot()
    (line,) = axes.get_lines()
    assert line.get_ydata()[-1] == result.fun
    assert line.get_xdata()[-1] == result.nfev
    _, other = plt.subplots()
    assert result.plot(other) is other
    plt.close("all")


@pytest.mark.parametrize(
    "changes",
    [
        {"value": "much"},
        {"evaluations": 1.5},
        {"categories": [0.5, 1]},
        {"categories": [True, 1]},
        {"bits": 2, "solution": [[1]]},
        {"bits": 1, "solution": [2]},
        {"bits": 2, "solution": [1]},
        {"solution": [0]},
        {"parameters": 3},
        {"seconds": "long"},
        {"ending": ""},
        {"direction": "up"},
        {"calls": -1},
        {"more": 1},
        {"trace": {"evaluations": [1, 2], "values": [1.0]}},
    ],
)
def test_only_what_was_written_is_read(changes):
    space = Space({"base": "ATCG", "flag": [True, False]})
    result = minimize(lambda point: point["flag"], space, budget=8, seed=1)
    content = json.loads(result.to_json()) | changes
    with pytest.raises(CatcubeError):
        Result.from_json(json.dumps(content))
