"""Cost networks: from Python, UAI and BIF, against plain sums and an exact solver."""

from itertools import product
from math import log

import pytest

from catcube import minimize
from catcube.engine.compiled.jit import JIT
from catcube.problems import Factors, make
from tests.problems.toulbar import minimum

MARKOV = """MARKOV
3
2 2 3
3
1 0
2 0 1
2 1 2

2
 0.436 0.564

4
 0.128 0.872
 0.920 0.080

6
 0.210 0.333 0.457
 0.811 0.000 0.189
"""

BAYES = MARKOV.replace("MARKOV", "BAYES").replace("\n", " ")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_tables_of_a_dict():
    problem = Factors({("a", "b"): [[0, 2], [2, 1]], "b": [0.5, 0], (): 10})
    assert problem.space.names == ("a", "b")
    assert problem.evaluate({"a": 1, "b": 1}) == 11.0
    labelled = Factors({"colour": [1, 2]}, labels={"other": "xyz", "colour": ["red", "blue"]})
    assert labelled.space.names == ("other", "colour")
    assert labelled.evaluate({"other": "z", "colour": "blue"}) == 2.0


def test_evidence_selects_entries():
    whole = Factors.random(6, 3, 12, arity=3, seed=2)
    part = Factors(whole.network, evidence={"x1": 2, "x4": 0})
    for point in product(range(3), repeat=4):
        free = dict(zip(["x0", "x2", "x3", "x5"], point, strict=True))
        assert part.evaluate(free) == whole.evaluate({**free, "x1": 2, "x4": 0})
    assert part.solution(free) == "\n".join(
        f"{name} {({**free, 'x1': 2, 'x4': 0})[name]}" for name in whole.space.names
    )


@pytest.mark.parametrize("text", [MARKOV, BAYES])
def test_uai(here, text):
    (here / "mine.uai").write_text(text)
    problem = Factors.read("mine.uai")
    probability = 0.564 * 0.920 * 0.457
    assert problem.evaluate({"x0": 1, "x1": 0, "x2": 2}) == pytest.approx(-log(probability))
    assert problem.solution({"x0": 1, "x1": 0, "x2": 2}) == "MPE\n3 1 0 2"
    # What is impossible is worse than all that is not.
    values = {p: problem.evaluate(list(p)) for p in product(range(2), range(2), range(3))}
    impossible = [value for p, value in values.items() if p[1:] == (1, 1)]
    assert min(impossible) > max(value for p, value in values.items() if p[1:] != (1, 1)) + 1
    assert minimum(problem)[0] == pytest.approx(min(values.values()), abs=1e-5)


@pytest.mark.parametrize("text", ["1 1 1", "1\n1 1 1\n", "1\n 1 1"])
def test_uai_evidence(here, text):
    (here / "mine.uai").write_text(MARKOV)
    (here / "mine.uai.evid").write_text(text)
    problem = make("factors:mine.uai,evidence=mine.uai.evid")
    assert problem.evidence == {"x1": 1}
    assert [file.name for file in problem.files] == ["mine.uai", "mine.uai.evid"]
    assert problem.solution({"x0": 0, "x2": 2}) == "MPE\n3 0 1 2"
    assert problem.evaluate({"x0": 0, "x2": 2}) == pytest.approx(-log(0.436 * 0.872 * 0.189))


def test_asia():
    problem = Factors.instance("asia")
    no = dict.fromkeys(problem.space.names, "no")
    probability = 0.99 * 0.99 * 0.5 * 0.99 * 0.7 * 1.0 * 0.95 * 0.9
    assert problem.evaluate(no) == pytest.approx(-log(probability))
    value, point = minimum(problem)
    assert problem.evaluate(point) == pytest.approx(value, abs=1e-4)
    assert problem.evaluate(no) == problem.evaluate(point)  # nothing is the matter
    best = minimize(problem, algorithm="rls", budget=2000 if JIT else 600, seed=1)
    assert best.fun == problem.evaluate(no)


def test_bif_evidence(here):
    (here / "seen.txt").write_text("dysp yes # short of breath\nsmoke yes\n")
    problem = make("factors:asia,evidence=seen.txt")
    assert problem.evidence == {"dysp": "yes", "smoke": "yes"}
    value, point = minimum(problem)
    assert problem.evaluate(point) == pytest.approx(value, abs=1e-4)
    lines = problem.solution(problem.space.decode(point)).splitlines()
    assert lines[4] == "bronc yes"
    assert lines[7] == "dysp yes"


def test_bif_forms(here):
    text = """network "a name" { property made by hand; }
    /* two
       lines */ variable "a b" { type discrete [ 2 ] { yes, no }; property position = (1, 2); }
    variable c { type discrete [ 3 ] { 1 2 3 }; } // three
    probability ( c ) { table 0.2 0.3 0.5; }
    probability ( "a b" | c ) { default 0.5, 0.5; (2) 0.1, 0.9; property sure; }
    """
    (here / "mine.bif").write_text(text)
    problem = Factors.read("mine.bif")
    assert problem.space['"a b"'] == ("yes", "no")
    assert problem.evaluate({'"a b"': "no", "c": "2"}) == pytest.approx(-log(0.3 * 0.9))
    assert problem.evaluate({'"a b"': "no", "c": "3"}) == pytest.approx(-log(0.5 * 0.5))
    table = text.replace("default 0.5, 0.5; (2) 0.1, 0.9;", "table .5 .1 .4 .5 .9 .6;")
    (here / "mine.bif").write_text(table)
    assert Factors.read("mine.bif").evaluate({'"a b"': "no", "c": "3"}) == pytest.approx(-log(0.3))


@pytest.mark.parametrize("seed", [1, 2])
def test_random_networks_against_toulbar2(seed):
    problem = Factors.random(20, 3, 40, arity=2, seed=seed)
    value, point = minimum(problem)
    assert problem.evaluate(point) == value
    if JIT:
        best = min(minimize(problem, budget=50_000, seed=run).fun for run in range(3))
        assert best == value
