"""The published tables, as the rules rank them."""

import pytest

from catcube.statistics import Pair, by_pair, ranks
from catcube.studies.paper.published import ALGORITHMS, TABLES, published_table

CONTRADICTED = Pair("mimic", "direct")


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_every_pair_once(name):
    lines = published_table(name)
    assert sorted(line.pair for line in lines) == sorted(
        (algorithm, representation)
        for algorithm in ALGORITHMS
        for representation in ("linear", "direct")
    )
    assert all(list(line.summary) == sorted(line.summary) for line in lines)
    assert len({(line.summary, line.success_percent) for line in lines}) == len(lines)


@pytest.mark.parametrize("name", TABLES)
def test_the_published_order_is_that_of_the_rules(name):
    """By percents and summaries; the order within one percent below 100 is that of exact rates."""
    lines = published_table(name)
    keys = [(-(line.success_percent or 0), line.summary.key) for line in lines]
    if name.startswith("fixed-target-ranks"):
        keys = [key if key[0] == -100 else (key[0], ()) for key in keys]
        assert keys == sorted(keys)
    else:
        assert [line.rank for line in lines] == list(ranks(dict(enumerate(keys))).values())


def test_an_unknown_table_is_refused():
    with pytest.raises(ValueError, match="unknown table 'fixed-budget-rank', did you mean"):
        published_table("fixed-budget-rank")


def test_one_published_success_rate_contradicts_two_others():
    percents = {
        group: by_pair(published_table(f"fixed-target-ranks-{group}"))[CONTRADICTED].success_percent
        for group in ("all", "low", "medium")
    }
    # Rounded down, 100 on both halves means that not a single run failed.
    assert percents == {"all": 99, "low": 100, "medium": 100}


def test_below_six_erased_cells_only_annealing_fails():
    table = published_table("fixed-target-ranks-low")
    assert {line.algorithm for line in table if line.success_percent < 100} == {"sa"}
