"""The comparison with other packages: calls are counted, results are kept, tables are right."""

import math

import numpy as np
import pytest

from tests import ROOT


@pytest.fixture(autouse=True)
def project(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))


@pytest.fixture
def task():
    from benchmarks.families.task import Task

    sizes = np.array([3, 2, 4, 5])
    return Task("sum", "sum", sizes, lambda x: float(x.sum()))


def test_parts_share_no_family():
    from benchmarks.families.parts import one_per_family, tasks

    tuning, judged = ({task.family for task in tasks(part)} for part in ("tuning", "validation"))
    assert not tuning & judged
    plain = {task.family for task in one_per_family("validation")}
    assert plain == {family for family in judged if ":" not in family}
    names = [task.name for part in ("tuning", "validation") for task in tasks(part)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", ["teams-24x4", "switches-4", "noisy-20x4-2", "failing-25x4-0.3"])
def test_functions_of_practice_are_judged_by_their_true_value(name):
    from benchmarks.families.parts import task_named
    from catcube import minimize

    task = task_named(name)
    settings = {"algorithm": "sa", "representation": "native", "budget": 40, "seed": 1}
    result = minimize(**task.arguments(1), **settings)
    value = task.judge(result)
    assert math.isfinite(value)
    assert (value == result.fun) == (task.disturb is None or result.failed > 0)


def test_objective_counts_calls_and_keeps_best_values(task):
    from benchmarks.peers.objective import BudgetError, Objective

    objective = Objective(task, 3)
    assert [objective(np.array([0, 0, 0, k])) for k in (2, 4, 1)] == [2, 4, 1]
    with pytest.raises(BudgetError):
        objective(np.zeros(4, np.int64))
    assert objective.bests == [2, 2, 1]
    assert objective.best_after(2)[0] == 2


def test_objective_ends_with_its_seconds(task):
    from benchmarks.peers.objective import BudgetError, Objective

    objective = Objective(task, 3, seconds=-1.0)
    with pytest.raises(BudgetError):
        objective(np.zeros(4, np.int64))


@pytest.mark.parametrize("name", ["rls", "ea", "sa"])
def test_plain_searches_use_the_budget_and_find_the_minimum(task, name):
    from benchmarks.peers import plain
    from benchmarks.peers.objective import BudgetError, Objective

    objective = Objective(task, 400)
    with pytest.raises(BudgetError):
        getattr(plain, name)(objective, 400, 1)
    assert len(objective.bests) == 400
    assert objective.bests[-1] == 0


def test_torn_line_is_no_row_and_nothing_is_lost(tmp_path):
    from benchmarks.peers.results import Row, append, read

    path = tmp_path / "peers.csv"
    first = Row("SMAC", "ehrlich:15,4,2,4", 100, 0, 1.5, 0.25, "smac 2.4.1")
    second = first._replace(seed=1, value=None, milliseconds=None)
    append(path, [first])
    with path.open("a") as file:
        file.write("SMAC,ehrl")
    append(path, [second])
    assert list(read(path)) == [first, second]


def test_only_missing_runs_are_made(tmp_path, task):
    from benchmarks.peers.results import Row, append
    from benchmarks.peers.runs import Work, missing, planned

    works = planned(["plain RLS", "plain SA", "SMAC"], [task], [100, 200], seeds=4)
    assert works[0] == Work("plain RLS", "sum", 0, (100, 200))
    assert Work("plain SA", "sum", 3, (200,)) in works  # it depends on the budget
    assert {work.seed for work in works if work.method == "SMAC"} == {0, 1, 2, 3}
    path = tmp_path / "peers.csv"
    append(path, [Row("plain RLS", "sum", k, 0, 1.0, 0.1, "") for k in (100, 200)])
    append(path, [Row("plain RLS", "sum", 100, 1, 1.0, 0.1, "")])
    left = list(missing(works, path))
    assert works[0] not in left
    assert len(left) == len(works) - 1


def test_ranks_leave_out_what_was_not_run_everywhere():
    from benchmarks.ranks import mean_ranks

    cells = {
        "a1": {"x": [1.0, 1.0], "y": [2.0]},
        "a2": {"x": [2.0], "y": [1.0], "z": [0.0]},
        "b1": {"x": [1.0], "y": [3.0]},
    }
    found = mean_ranks(cells, {"a1": "a", "a2": "a", "b1": "b"})
    assert found == {"x": 1.25, "y": 1.75}


def test_significance_needs_a_difference_and_its_sign():
    from benchmarks.ranks import significantly_worse

    low, high = list(range(15)), list(range(100, 115))
    assert significantly_worse([(high, low), (low, high), (low, low)]) == [True, False, False]


def test_sections_tell_where_another_is_better(task):
    from benchmarks.peers.results import Row
    from benchmarks.peers.tables import sections

    def rows(method, start):
        return [Row(method, "sum", 100, k, start + k / 100, 0.5, "") for k in range(15)]

    found = sections(rows("catcube auto", 5.0) + rows("plain RLS", 3.0), [task], [100])
    assert "significantly worse in 1: `sum` with 100 (plain RLS)." in found["worse"]
    assert "| plain RLS | **1.0** |" in found["ranks"]
    assert "5.07 / 3.07 plain RLS" in found["values"]
    assert not math.isnan(float(found["time"].rsplit("|", 2)[1]))


def test_pages_have_all_sections(task):
    from benchmarks.page import replaced
    from benchmarks.peers.__main__ import PAGES
    from benchmarks.peers.tables import sections

    names = set(sections([], [task], [100]))
    for page, parts in {**PAGES, "comparison.md": names - set(PAGES["surrogate.md"])}.items():
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        for name in parts:
            assert "New." in replaced(text, name, "New.")
