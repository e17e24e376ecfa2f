"""The results of an analysis: plain data that cannot be changed."""

from dataclasses import FrozenInstanceError, is_dataclass

import pytest

from catcube.analysis import model, outline, reference

RESULTS = [
    item
    for module in (model, outline, reference)
    for item in vars(module).values()
    if is_dataclass(item) and item.__module__ == module.__name__
]


def test_there_are_results():
    assert {model.FixedBudget, model.Ecdf, model.FixedTarget, model.Study} <= set(RESULTS)


@pytest.mark.parametrize("result", RESULTS)
def test_a_result_cannot_be_changed(result):
    with pytest.raises(FrozenInstanceError):
        object.__new__(result).experiment = "another"
