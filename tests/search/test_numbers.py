"""Numbers of every type as arguments."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from catcube import Optimizer, minimize
from catcube.base.seeds import derived_seed
from catcube.search.arguments import checked_cache, checked_count, checked_seed
from tests.search.label_examples import Hostile, Level

NUMBERS = [np.int64(7), 7.0, np.float32(7), Fraction(7), Decimal(7), np.array(7), np.uint8(7)]
NO_NUMBERS = [
    True, np.True_, "7", b"7", None, math.nan, math.inf, 7.5, 7j, [7], np.array([7]), Hostile(),
    np.array([7, 8]), Decimal("NaN"), Decimal("sNaN"), {}, 10**5000, -(10**5000),
]  # fmt: skip


@pytest.mark.parametrize("number", NUMBERS, ids=str)
def test_numbers_of_every_type(number):
    assert checked_count("budget", number) == 7
    assert type(checked_count("budget", number)) is int
    assert checked_cache(number) == 7
    result = minimize(
        lambda point: 7, {"a": "xy"}, algorithm="rls", budget=9, target=number, seed=1
    )
    assert result.message == "the target was reached"


@pytest.mark.parametrize("wrong", NO_NUMBERS, ids=range(len(NO_NUMBERS)))
def test_what_is_no_number(wrong):
    def untouched(point):
        raise AssertionError("no evaluation before the arguments are checked")

    for name in ("budget", "restart", "target", "time_limit", "cache", "seed"):
        if name in ("seed", "cache") and isinstance(wrong, bool | np.bool_ | None):
            continue
        if name in ("budget", "target", "time_limit", "restart") and wrong is None:
            continue
        if name in ("target", "time_limit") and isinstance(wrong, float) and wrong == 7.5:
            continue
        with pytest.raises(ValueError, match="expected") as caught:
            minimize(untouched, {"a": "xy"}, **{name: wrong})
        assert len(str(caught.value)) < 300
    with pytest.raises((TypeError, ValueError)) as caught:
        Optimizer({"a": "xy"}, algorithm="rls", seed=1).ask(False if wrong is None else wrong)
    assert "expected an integer from 1" in str(caught.value)


@pytest.mark.parametrize("seed", [0, 2**64, 2**200, 2**4096 - 1, np.uint64(2**63), Level.LOW + 8])
def test_seeds_of_every_size(seed):
    assert checked_seed(seed) == int(seed)
    result = minimize(lambda point: 0, {"a": "xy"}, algorithm="rls", budget=3, seed=seed)
    assert result.seed == seed
    assert str(seed)[-5:] in repr(result)


@pytest.mark.parametrize("seed", [-1, True, np.True_, "1", 1.0, np.random.SeedSequence(1)])
def test_what_is_no_seed(seed):
    with pytest.raises(ValueError, match="expected an integer >= 0 as seed, got"):
        checked_seed(seed)
    with pytest.raises(ValueError, match=r"expected an integer below 2\^4096 as seed"):
        checked_seed(2**4096)


def test_names_that_are_no_text():
    assert derived_seed(1, "\udcff") != derived_seed(1, "\udcfe")  # files may be called so
