"""Summaries, ranks and tables, against slow and obvious ones."""

import csv
import io
import subprocess
import sys
from collections import defaultdict

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from catcube import minimize
from catcube.experiments.campaign import run_campaign
from catcube.experiments.plan import Experiment, Plan
from catcube.experiments.store import Store
from catcube.problems import Match
from catcube.statistics import (
    NEVER,
    Pair,
    PlainResult,
    Summary,
    complete,
    expected_running_time,
    fixed_budget_ranks,
    fixed_target_ranks,
    rank_summaries,
    ranks,
    runtime_tables,
    summary,
    value_tables,
)
from tests import ROOT
from tests.cli import call

small = st.integers(0, 3)
samples = st.lists(small, min_size=1, max_size=6)
pairs = st.sampled_from(
    [
        Pair(name, representation)
        for name in ("rls", "sa")
        for representation in ("linear", "direct")
    ]
)


def test_a_summary_is_compared_by_its_median_then_q1_q3_min_max():
    assert Summary("min", "q1", "median", "q3", "max").key == ("median", "q1", "q3", "min", "max")


@given(st.lists(st.tuples(small, small), min_size=1, max_size=12))
def test_a_rank_counts_the_smaller_keys(keys):
    found = ranks(dict(enumerate(keys)))
    assert found == {name: 1 + sum(other < key for other in keys) for name, key in enumerate(keys)}
    one_number = [10 * first + second for first, second in keys]
    assert [found[name] for name in range(len(keys))] == rankdata(one_number, "min").tolist()


def results(instance, values, runtimes=None, budget=100):
    """Runs of one instance: for each pair its values, and after how many evaluations."""
    return [
        PlainResult(instance, *pair, run, value, runtime, runtime if value == 0 else budget)
        for pair, sample in values.items()
        for run, (value, runtime) in enumerate(
            zip(sample, (runtimes or {}).get(pair, sample), strict=True), start=1
        )
    ]


@given(st.dictionaries(pairs, samples, min_size=1))
def test_values_are_ranked_by_all_five_numbers(values):
    [table] = value_tables(results("easy", values)).values()
    keys = {pair: summary(sample).key for pair, sample in values.items()}
    assert {line.pair for line in table} == set(values)
    for line in table:
        assert line.rank == 1 + sum(key < keys[line.pair] for key in keys.values())
        assert line.summary == summary(values[line.pair])
        assert line.success_percent is None
    assert [line.rank for line in table] == sorted(line.rank for line in table)


def test_equal_pairs_share_a_rank_and_the_next_is_skipped():
    values = {Pair("a", "x"): [3], Pair("b", "x"): [1], Pair("c", "x"): [3], Pair("d", "x"): [9]}
    [table] = value_tables(results("easy", values)).values()
    assert [(line.algorithm, line.rank) for line in table] == [
        ("b", 1),
        ("a", 2),
        ("c", 2),
        ("d", 4),
    ]


def test_ranks_over_instances_are_summarised_and_ranked_again():
    a, b, c = (Pair(name, "linear") for name in "abc")
    runs = [
        *results("1", {a: [1], b: [2], c: [3]}),
        *results("2", {a: [1], b: [2], c: [3]}),
        *results("3", {a: [9], b: [2], c: [2]}),
    ]
    table = fixed_budget_ranks(runs)
    assert [(line.pair, line.rank) for line in table] == [(a, 1), (b, 2), (c, 3)]
    assert [line.summary for line in table] == [
        summary([1, 1, 3]),
        summary([2, 2, 1]),
        summary([3, 3, 1]),
    ]


runs_of_a_pair = st.lists(st.tuples(st.sampled_from([0, 2]), st.integers(1, 4)), min_size=4)


@given(st.dictionaries(pairs, runs_of_a_pair.map(lambda runs: runs[:4]), min_size=1))
def test_runtimes_are_ranked_by_successes_first(runs):
    values = {pair: [value for value, _ in sample] for pair, sample in runs.items()}
    runtimes = {pair: [runtime for _, runtime in sample] for pair, sample in runs.items()}
    [table] = runtime_tables(results("easy", values, runtimes)).values()
    keys = {}
    for pair, sample in runs.items():
        successful = [runtime for value, runtime in sample if value == 0]
        keys[pair] = -len(successful), summary(successful).key if successful else ()
    for line in table:
        assert line.rank == 1 + sum(key < keys[line.pair] for key in keys.values())
        assert line.success_percent == -25 * keys[line.pair][0]
        assert (line.summary == NEVER) == (line.success_percent == 0)


def test_over_instances_the_exact_success_rate_comes_before_the_ranks():
    # 199 and 198 of 300 are both 66 %, and the pair with fewer has the better ranks.
    more, fewer = Pair("a", "linear"), Pair("b", "linear")
    runs = []
    for instance, (successes, other) in {"1": (100, 100), "2": (98, 98), "3": (1, 0)}.items():
        values = {more: [0] * successes + [2] * (100 - successes)}
        values[fewer] = [0] * other + [2] * (100 - other)
        runs += results(instance, values, {more: [9] * 100, fewer: [5] * 100})
    table = fixed_target_ranks(runs)
    assert [(line.pair, line.success_percent) for line in table] == [(more, 66), (fewer, 66)]
    assert table[0].summary.median == 2
    assert table[1].summary.median == 1


def test_a_pair_that_lacks_an_instance_cannot_be_ranked():
    runs = [*results("1", {Pair("a", "linear"): [1], Pair("b", "linear"): [2]})]
    runs += results("2", {Pair("a", "linear"): [1]})
    with pytest.raises(ValueError, match="b-linear in each of 2 tables, got 1"):
        fixed_budget_ranks(runs)
    assert {run.instance for run in complete(runs, runs=1)} == {"1"}
    assert complete(runs, runs=2) == []


def test_ranks_of_no_tables_are_none():
    assert rank_summaries([]) == {}


def test_a_run_counts_once():
    runs = results("1", {Pair("a", "linear"): [1]})
    with pytest.raises(ValueError, match="run 1 of a-linear on 1, twice"):
        value_tables(runs * 2)


def test_failures_lengthen_the_expected_running_time():
    pair = Pair("a", "linear")
    runs = results("1", {pair: [0, 0, 2, 4]}, {pair: [10, 30, 7, 8]}, budget=100)
    assert expected_running_time(runs) == (10 + 30 + 100 + 100) / 2
    assert expected_running_time(runs[2:]) == float("inf")
    assert expected_running_time(runs, target=2) == (10 + 30 + 7 + 100) / 3


def test_tables_of_the_reference_runs():
    """A hundred runs per pair on three boards: plain counting and numpy's median agree."""
    file = ROOT / "tests" / "reference" / "fixed-target.csv"
    runs, runtimes = [], defaultdict(list)
    with file.open(newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines)):
            key = row["instance"], Pair(row["algorithm"], row["representation"])
            value, evaluations = float(row["value"]), int(row["evaluations"])
            runs.append(PlainResult(key[0], *key[1], number, value, evaluations, evaluations))
            runtimes[key].append(evaluations if value == 0 else None)
    tables = runtime_tables(runs)
    assert sum(len(table) for table in tables.values()) == len(runtimes)
    for instance, table in tables.items():
        for line in table:
            reached = [runtime for runtime in runtimes[instance, line.pair] if runtime is not None]
            assert line.success_percent == 100 * len(reached) // len(runtimes[instance, line.pair])
            assert line.summary.median == np.median(reached)


def test_a_store_rows_of_a_command_and_what_minimize_returns_give_the_same_table(tmp_path, capsys):
    names = ["match:6,5", "-a", "rls,sa", "-r", "linear"]
    _, out, _ = call(capsys, "run", *names, "-b", 40, "-n", 3, "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    plan = Experiment("mine", {"match:6,5": None}, ("rls", "sa"), ("linear",), budget=40, runs=3)
    run_campaign(Plan("mine", (plan,)), tmp_path / "mine.sqlite")
    with Store(tmp_path / "mine.sqlite") as store:
        stored = list(store.runs())
    settings = {"representation": "linear", "budget": 40}
    made = [minimize(Match(6, 5), **settings, algorithm=a.algorithm, seed=a.seed) for a in stored]
    wanted = value_tables(stored)["match:6,5"]
    assert len(wanted) == 2
    assert value_tables(rows)["match:6,5"] == wanted
    assert value_tables(pandas.DataFrame(rows).astype({"value": float}))["match:6,5"] == wanted
    assert value_tables(made)["match"] == wanted


def test_neither_scipy_nor_numba_is_loaded_before_it_is_needed():
    code = """
import sys, catcube.statistics
catcube.statistics.summary([1, 2])
print({"scipy", "numba"} & set(sys.modules))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
