"""`study=` in minimize, maximize and Optimizer: nothing is lost, and nothing is made twice."""

import math
import multiprocessing
import os
import random
import signal
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import catcube
from catcube import CatcubeError, Study
from tests.search.study_examples import BUDGET, SPACE, search, value


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


class Counted:
    """A function that counts its calls by point."""

    def __init__(self, function=value):
        self.function, self.calls = function, Counter()

    def __call__(self, point):
        self.calls[tuple(point.values())] += 1
        return self.function(point)

    @property
    def total(self):
        return sum(self.calls.values())


def sequence(path):
    return [(tuple(row.x.values()), row.state, row.value) for row in Study(path).rows]


def same(first, second):
    return [repr(row) for row in first] == [repr(row) for row in second]


ALGORITHMS = ["auto", "surrogate", "rls", "ga", "sa", "hc", "p3"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_same_command_again(path, algorithm):
    cost = Counted()
    options = {"algorithm": algorithm, "budget": 25, "seed": 3}
    alone = catcube.minimize(value, SPACE, **options)
    result = catcube.minimize(cost, SPACE, study=path, **options)
    assert (result.fun, result.x, result.nfev) == (alone.fun, alone.x, alone.nfev)
    calls = cost.total
    assert calls == len(Study(path)) <= 25
    assert max(cost.calls.values()) == 1
    again = catcube.minimize(cost, SPACE, study=path, **options)
    assert cost.total == calls
    assert (again.fun, again.x, again.nfev) == (alone.fun, alone.x, alone.nfev)
    assert Study(path).best.value == result.fun


def test_a_seed_that_is_not_given_is_that_of_the_study(path):
    cost = Counted()
    first = catcube.minimize(cost, SPACE, budget=12, study=path)
    again = catcube.minimize(cost, SPACE, budget=12, study=path)
    assert cost.total == 12
    assert first.seed == again.seed


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_another_search_continues_with_all_points(path, algorithm):
    cost = Counted()
    catcube.minimize(cost, SPACE, budget=20, seed=1, study=path)
    best = Study(path).best.value
    result = catcube.minimize(cost, SPACE, budget=35, seed=2, algorithm=algorithm, study=path)
    assert cost.total == len(Study(path)) <= 35
    assert cost.total > 20
    assert max(cost.calls.values()) == 1
    assert result.fun == Study(path).best.value <= best
    more = catcube.minimize(cost, SPACE, budget=20, seed=5, algorithm=algorithm, study=path)
    assert cost.total <= 35  # nothing is left of this budget
    assert more.fun == Study(path).best.value


def test_maximize(path):
    cost = Counted(lambda point: -value(point))
    result = catcube.maximize(cost, SPACE, budget=20, seed=1, study=path)
    study = Study(path)
    assert study.direction == "maximize"
    assert study.best.value == result.fun == max(row.value for row in study.rows)
    again = catcube.maximize(cost, SPACE, budget=30, seed=2, study=path)
    assert cost.total == 30
    assert again.fun >= result.fun
    with pytest.raises(CatcubeError, match="maximize"):
        catcube.minimize(cost, SPACE, budget=20, study=path)


def test_added_points_are_data_and_cost_nothing(path):
    best = {f"x{k}": k for k in range(5)}
    Study(path, SPACE).add([best], [0.0])
    cost = Counted()
    result = catcube.minimize(cost, SPACE, budget=20, seed=1, study=path)
    assert cost.total == 20
    assert tuple(best.values()) not in cost.calls
    assert result.fun == 0.0
    assert result.x == best


def test_failures(path):
    def failing(point):
        if point["x4"] == 5:
            raise ArithmeticError("five")
        return value(point)

    cost = Counted(failing)
    catcube.minimize(cost, SPACE, budget=30, seed=1, catch=ArithmeticError, study=path)
    rows = [row for row in Study(path).rows if row.state == "failed"]
    assert all("five" in row.message and row.seconds > 0 for row in rows)
    assert all(row.x["x4"] == 5 for row in rows)
    assert len(Study(path)) == cost.total
    catcube.minimize(cost, SPACE, budget=30, seed=1, catch=ArithmeticError, study=path)
    assert max(cost.calls.values()) == 1


def test_an_exception_that_is_not_caught_is_corrected(path):
    broken = True

    def cost(point):
        if broken and len(Study(path)) > 8:
            raise ZeroDivisionError("a mistake")
        return value(point)

    with pytest.raises(ZeroDivisionError):
        catcube.minimize(cost, SPACE, budget=15, seed=1, study=path)
    assert Study(path).counts()["value"] == 8
    broken = False
    result = catcube.minimize(cost, SPACE, budget=15, seed=1, study=path)
    alone = catcube.minimize(value, SPACE, budget=15, seed=1)
    assert result.x == alone.x


def test_noise(path):
    draw = random.Random(1)
    cost = Counted(lambda point: value(point) + draw.random())
    options = {"budget": 25, "seed": 1, "noisy": True, "study": path}
    first = catcube.minimize(cost, SPACE, **options)
    assert cost.total == len(Study(path)) == 25
    again = catcube.minimize(cost, SPACE, **options)
    assert cost.total == 25
    assert again.x == first.x


def test_constraints_and_conditions(path):
    space = catcube.Space(
        {"model": ["svm", "knn"], "C": range(6), "k": range(9)},
        only_if={"C": {"model": "svm"}, "k": {"model": "knn"}},
    )
    cost = Counted(lambda point: abs(point.get("C", 9) - 4) + abs(point.get("k", 1) - 1))
    options = {"constraints": lambda point: point.get("C") != 4, "budget": 9, "seed": 1}
    result = catcube.minimize(cost, space, study=path, **options)
    study = Study(path)
    assert [list(row.x) for row in study.rows if row.state == "value"]
    assert all(row.x.get("C") != 4 for row in study.rows if row.state == "value")
    assert {tuple(row.x) for row in study.rows} <= {("model", "C"), ("model", "k")}
    assert cost.total == study.counts()["value"] == 9
    assert catcube.minimize(cost, space, study=path, **options).fun == result.fun
    assert cost.total == 9
    assert Study(path).space.conditions == space.conditions


def test_workers(path, tmp_path):
    log = tmp_path / "log"
    result = search(str(path), str(log), workers=2)
    assert len(log.read_text().splitlines()) == len(Study(path)) == BUDGET
    again = search(str(path), str(log), workers=2)
    assert len(log.read_text().splitlines()) == BUDGET
    assert again.fun == result.fun


@pytest.mark.parametrize("algorithm", ["surrogate", "ga"])
def test_values_are_written_before_their_turn(path, algorithm):
    """The first call ends when others are in the file; the run waits for its value meanwhile."""
    first, written = [], []

    def slow_at_first(point):
        first.append(point)
        if point is first[0]:
            began = time.monotonic()
            while not written and time.monotonic() < began + 60:
                written.extend(row.x for row in Study(path).rows if row.state == "value")
                time.sleep(0.02)
        return value(point)

    with ThreadPoolExecutor(4) as pool:
        options = {"algorithm": algorithm, "budget": 20, "seed": 1, "executor": pool, "workers": 4}
        result = catcube.minimize(slow_at_first, SPACE, study=path, **options)
    assert written
    assert Study(path).counts()["value"] == len(first) == result.nfev == 20
    with ThreadPoolExecutor(4) as pool:
        alone = catcube.minimize(value, SPACE, **(options | {"executor": pool}))
    assert (alone.x, alone.history.values.tolist()) == (result.x, result.history.values.tolist())


@pytest.mark.parametrize(
    ("limit", "noisy", "message"),
    [
        (1, False, "the time limit was reached"),
        (1, True, "the time limit was reached"),
        (None, False, "interrupted by the user"),
    ],
)
def test_values_before_their_turn_count(limit, noisy, message):
    over, first = threading.Event(), []

    def hanging_at_first(point):
        first.append(point)
        if point is not first[0]:
            return value(point)
        if limit is None:
            time.sleep(1)
            os.kill(os.getpid(), signal.SIGINT)
        return over.wait(60)

    with ThreadPoolExecutor(4) as pool:
        options = {"budget": 400, "time_limit": limit, "seed": 1, "executor": pool, "workers": 4}
        result = catcube.minimize(hanging_at_first, SPACE, noisy=noisy, **options)
        over.set()
    assert result.nfev == len(result.history.values) == 4
    assert result.message == f"{message}; 1 call in flight abandoned"
    assert result.success == (limit is not None)
    assert noisy or result.fun == min(value(point) for point in first[1:])


@pytest.mark.parametrize("algorithm", ["auto", "ga", "p3", "rls"])
def test_a_search_ends_where_a_known_point_reaches_the_target(path, algorithm):
    known, options = {f"x{k}": k for k in range(5)}, {"algorithm": algorithm, "target": 1}
    Study(path, SPACE).add([known], [0.5])
    cost = Counted()
    result = catcube.minimize(cost, SPACE, study=path, budget=5000, **options)
    assert (cost.total, result.ending, result.x, result.success) == (0, "target", known, True)
    with catcube.Optimizer(SPACE, **options) as optimizer:
        optimizer.tell([known], [0.5])
        assert optimizer.ask(3) == []
        assert optimizer.result.ending == "target"


@pytest.mark.parametrize("algorithm", ["p3", "rls"])
def test_chains_continue_a_study(path, algorithm):
    """Known points cost them nothing."""
    catcube.minimize(value, SPACE, study=path, budget=90, seed=1)
    with ThreadPoolExecutor(2) as pool:
        options = {"algorithm": algorithm, "budget": 100, "seed": 1, "executor": pool}
        assert catcube.minimize(value, SPACE, study=path, **options).evaluations == 10


def test_calls_in_flight_when_another_run_spends_the_budget_count(path):
    with catcube.Optimizer(SPACE, budget=30, seed=1, study=path) as optimizer:
        first, last = optimizer.ask(2)
        catcube.minimize(value, SPACE, budget=30, seed=2, study=path)
        optimizer.tell([first], [9])
        assert optimizer.ask(3) == []
        optimizer.tell([last], [-5])
        assert (optimizer.ask(3), optimizer.done, optimizer.result.fun) == ([], True, -5)
    assert Study(path).counts()["value"] == 30


def test_ask_and_tell(path):
    with catcube.Optimizer(SPACE, budget=20, seed=1, study=path) as optimizer:
        for _ in range(8):
            points = optimizer.ask(1)
            assert Study(path).counts()["running"] == 1
            optimizer.tell(points, map(value, points))
        lost = optimizer.ask(1)
    assert Study(path).counts() == {"value": 8, "failed": 0, "infeasible": 0, "running": 0}
    undisturbed = catcube.minimize(value, SPACE, budget=20, seed=1)
    with catcube.Optimizer(SPACE, budget=20, seed=1, study=path) as optimizer:
        assert optimizer.best.fun == Study(path).best.value
        assert optimizer.ask(1) == lost
        optimizer.tell(lost, [math.nan])
        optimizer.tell([{f"x{k}": 5 for k in range(5)}], [77.0])
        while not optimizer.done:
            points = optimizer.ask(1)
            optimizer.tell(points, map(value, points))
    study = Study(path)
    assert study.counts()["failed"] == 1
    assert len(study) == 21  # one nobody asked for
    assert len(undisturbed.history) == 20


def test_optimizers_maximize(path):
    with catcube.Optimizer(SPACE, budget=9, seed=1, maximize=True, study=path) as optimizer:
        while not optimizer.done:
            points = optimizer.ask()
            optimizer.tell(points, map(value, points))
    assert Study(path).direction == "maximize"
    assert Study(path).best.value == optimizer.best.fun == optimizer.result.fun


# Processes that are killed, and several at once.


@pytest.fixture(scope="module")
def processes():
    context = multiprocessing.get_context("forkserver")
    os.environ["STUDY_EXAMPLES_WARM"] = "1"
    context.set_forkserver_preload(["tests.search.study_examples"])
    yield context
    del os.environ["STUDY_EXAMPLES_WARM"]


def ended(path):
    rows = Study(path).rows if path.exists() else []
    return {tuple(row.x.values()) for row in rows if row.state != "running"}


def killed(processes, path, log, draw, longest, **options):
    """Kill a search at random moments until it has made all its calls; return how often."""
    count = 0
    while True:
        known = ended(path)
        before = len(log.read_text().splitlines()) if log.exists() else 0
        process = processes.Process(target=search, args=(str(path), str(log)), kwargs=options)
        process.start()
        process.join(draw.uniform(0, longest) if count < 20 else 60)
        if process.exitcode is None:
            process.kill()
            process.join()
            count += 1
        lines = log.read_text().splitlines()[before:] if log.exists() else []
        called = {tuple(map(int, line.strip("[]").split(","))) for line in lines}
        assert not called & known  # nothing that had ended is called again
        assert known <= ended(path)
        if process.exitcode == 0:
            return count


@pytest.mark.parametrize(
    ("kills", "options"),
    [
        (5, {}),
        pytest.param(50, {"seconds": 0.05}, marks=pytest.mark.long),
        pytest.param(20, {"algorithm": "ga"}, marks=pytest.mark.long),
        pytest.param(20, {"workers": 2}, marks=pytest.mark.long),
    ],
)
def test_killed_at_any_moment(processes, tmp_path, kills, options):
    whole = tmp_path / "whole.sqlite"
    arguments = (str(whole), str(tmp_path / "whole.log"))
    processes.Process(target=search, args=arguments, kwargs=options).start()  # the server is warm
    while Study(whole).counts()["value"] == 0 if whole.exists() else True:
        time.sleep(0.01)
    began = time.monotonic()
    while len(ended(whole)) < BUDGET:
        time.sleep(0.01)
    longest = time.monotonic() - began
    draw, total, round_ = random.Random(kills), 0, 0
    while total < kills:
        round_ += 1
        path, log = tmp_path / f"{round_}.sqlite", tmp_path / f"{round_}.log"
        total += killed(processes, path, log, draw, longest, **options)
        assert same(sorted(sequence(path)), sorted(sequence(whole)))
        if "workers" not in options:
            assert same(sequence(path), sequence(whole))
        assert Study(path).counts()["running"] == 0
        assert round_ < 2 * kills


@pytest.mark.parametrize("count", [2, 4])
@pytest.mark.parametrize("algorithm", ["auto", "rls"])
def test_several_processes_share_a_study(processes, path, tmp_path, count, algorithm):
    log = tmp_path / "log"
    options = {"algorithm": algorithm, "seconds": 0.05, "seed": None, "budget": 40}
    running = [
        processes.Process(target=search, args=(str(path), str(log)), kwargs=options)
        for _ in range(count)
    ]
    for process in running:
        process.start()
    for process in running:
        process.join(120)
    assert [process.exitcode for process in running] == [0] * count
    lines = log.read_text().splitlines()
    rows = Study(path).rows
    assert len(lines) == len(set(lines)) == len(rows) == 40
    assert all(row.state in ("value", "failed") for row in rows)
    assert len({row.process for row in rows}) >= 2  # one may start when nothing is left


def test_rows_have_times(path):
    began = time.time()
    catcube.minimize(lambda point: time.sleep(0.01) or value(point), SPACE, budget=5, study=path)
    for row in Study(path).rows:
        assert began <= row.began <= row.ended <= time.time()
        assert 0.01 <= row.seconds < 1
    frame = Study(path).to_pandas()
    assert (frame["ended"] >= frame["began"]).all()
    assert np.isfinite(frame["value"]).all()
