"""Searches on categories: everywhere a representation can be named, at the ends of what fits."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from catcube import BitProblem, Optimizer, Result, Space, minimize
from catcube.algorithms import algorithm, names
from catcube.algorithms.algorithm import Algorithm
from catcube.engine.compiled.jit import JIT
from catcube.experiments.campaign import run_campaign
from catcube.experiments.ioh import write_ioh
from catcube.experiments.plan_file import read_plan
from catcube.experiments.store import Store
from catcube.problems import Match
from catcube.representations import representation
from catcube.representations.layout import gene_layout
from catcube.representations.registry import family
from catcube.search import memory as memories
from catcube.testing.algorithms import run_algorithm

SPACE = Space({"base": "ATCG", "digit": range(1, 10), "flag": [True, False], "one": ["label"]})


def cost(point):
    return abs(point["digit"] - 7) + (point["base"] != "G") + point["flag"]


@pytest.mark.parametrize("name", names())
def test_every_algorithm_has_a_native_search(name):
    assert algorithm(name).native
    result = minimize(cost, SPACE, algorithm=name, representation="native", target=0, seed=1)
    assert result.x == {"base": "G", "digit": 7, "flag": False, "one": "label"}
    assert result.representation == "native"


def test_a_result_has_no_bits():
    result = minimize(cost, SPACE, algorithm="rls", representation="native", budget=20, seed=1)
    assert result.bits == result.to_dict()["bits"] == 0
    assert result.solution is result.categories
    assert "native (no bits)" in repr(result)
    again = Result.from_json(result.to_json())
    assert again.x == result.x
    assert pickle.loads(pickle.dumps(result)).categories.tolist() == again.categories.tolist()


def test_what_needs_bits_says_so():
    with pytest.raises(ValueError, match=r"with bits.*'native'"):
        BitProblem(cost, SPACE, "native")
    with pytest.raises(ValueError, match=r"with bits.*'native'"):
        representation("native", 4)
    with pytest.raises(ValueError, match=r"another name.*'native'"):
        family("native", "mine")(lambda N: None)


def test_native_is_for_all_variables_or_for_none():
    mixed = {"base": "native", "digit": "linear", "flag": "native", "one": "native"}
    with pytest.raises(ValueError, match="for all variables or for none"):
        minimize(cost, SPACE, algorithm="rls", representation=mixed, budget=20)
    by_name = dict.fromkeys(SPACE, "native")
    one, other = (
        minimize(cost, SPACE, algorithm="rls", representation=representation, budget=50, seed=3)
        for representation in (by_name, "native")
    )
    assert one.trace.evaluations.tolist() == other.trace.evaluations.tolist()


def test_an_algorithm_on_bits_alone_is_refused():
    rls = algorithm("rls")
    fields = ("title", "reference", "parameters", "kernel")
    on_bits = Algorithm(name="bits-only", **{field: getattr(rls, field) for field in fields})
    with pytest.raises(ValueError, match=r"bits-only.* representation with bits"):
        run_algorithm(on_bits, Match(3, 3), 1, representation="native")


@pytest.mark.parametrize("name", ["sa", "ga", "ltga"])
def test_ask_and_tell(name):
    settings = {"algorithm": name, "representation": "native", "budget": 60, "seed": 5}
    whole = minimize(cost, SPACE, **settings)
    optimizer = Optimizer(SPACE, **settings)
    while not optimizer.done:
        points = optimizer.ask()
        optimizer.tell(points, [cost(point) for point in points])
    assert optimizer.result.trace.values.tolist() == whole.trace.values.tolist()
    assert optimizer.result.x == whole.x


@pytest.mark.parametrize("name", ["hc", "pbil", "umda", "mimic", "ga"])
def test_an_executor_changes_nothing(name):
    settings = {"algorithm": name, "representation": "native", "budget": 400, "seed": 5}
    alone = minimize(cost, SPACE, **settings)
    with ThreadPoolExecutor(2) as executor:
        together = minimize(cost, SPACE, executor=executor, **settings)
    assert together.trace.values.tolist() == alone.trace.values.tolist()


def test_a_campaign_and_its_export(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text(
        '[[experiment]]\nname = "mine"\ninstances = ["match:5,3"]\nalgorithms = ["rls", "umda"]\n'
        'representations = ["native", "linear"]\nbudget = 200\nruns = 2\n'
    )
    path = tmp_path / "runs.sqlite"
    assert run_campaign(read_plan(plan), path, jobs=1).done == 8
    with Store(path) as store:
        runs = list(store.runs())
        write_ioh(store, tmp_path / "ioh")
    assert {run.representation for run in runs} == {"native", "linear"}
    texts = [file.read_text() for file in (tmp_path / "ioh").rglob("*.json")]
    assert any('"native"' in text or "'native'" in text for text in texts)


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["rls", "hc", "sa", "ea-1p1"])
def test_many_variables(name):
    problem = Match(100_000, 9, seed=1)
    result = minimize(problem, algorithm=name, representation="native", budget=300_000, seed=1)
    assert problem.evaluate(result.x) == result.fun
    assert result.fun < 0.9 * 100_000


def test_moves_of_mixed_cardinalities():
    genes = gene_layout(Space({"a": range(3), "b": "x", "c": range(2), "d": range(5)}))
    assert (genes.variable.tolist(), genes.size.tolist()) == ([0, 2, 3], [3, 2, 5])
    assert (genes.moves, genes.equal_moves) == (7, 0)
    assert genes.move_variable.tolist() == [0, 0, 2, 3, 3, 3, 3]
    assert genes.first_move.tolist() == [0, 2, 2, 3]
    equal = gene_layout(Space.repeat("x", range(4), 5))
    assert (equal.moves, equal.equal_moves, equal.move_variable.size) == (15, 3, 0)
    variables = [(i * equal.reciprocal) >> 32 for i in range(15)]
    assert variables == [i // 3 for i in range(15)]


@pytest.mark.parametrize("name", ["ltga", "mimic", "p3"])
def test_memory_is_bounded_or_refused(name, monkeypatch):
    """10,000 variables of 20 categories: a few gigabytes, or an error before they are allocated."""
    method = algorithm(name)
    genes = gene_layout(Space.repeat("x", range(20), 10_000))
    parameters = method.resolve(None, {})
    monkeypatch.setattr("catcube.base.memory.available_memory", lambda: 8 * 10**9)
    size = memories.nbytes(memories.new_memory(method, genes, parameters))
    assert size < 8 * 10**9
    monkeypatch.setattr("catcube.base.memory.available_memory", lambda: size // 4)
    with pytest.raises(ValueError, match=name):
        memories.new_memory(method, genes, parameters)


def test_too_many_categories_are_refused():
    with pytest.raises(ValueError, match="expected at most 65,536 categories"):
        minimize(lambda point: 0.0, {"x": range(2**16 + 1)}, representation="native", budget=2)


def test_large_categories():
    """More categories than a byte can name: distributions, rows and moves beyond 255."""
    space = {f"x{k}": range(600) for k in range(3)}
    for name in names() if JIT else ["pbil", "mimic"]:
        settings = {"algorithm": name, "representation": "native", "budget": 400, "seed": 2}
        result = minimize(lambda point: -sum(point.values()), space, **settings)
        assert max(result.x.values()) > 300
        assert np.isfinite(result.fun)
