"""Cost networks: from Python, UAI and BIF, against plain sums and an exact solver."""

from itertools import product
from math import log

import numpy as np
import pytest

from catcube import minimize
from catcube.engine.compiled.jit import JIT
from catcube.problems import Factors, make
from catcube.problems.network_files import Network
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

BAYES = """BAYES
3
2 2 3
3
1 0
2 0 1
2 1 2
2  0.436 0.564
4  0.128 0.872 0.920 0.080
6  0.210 0.333 0.457 0.811 0.000 0.189
"""


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


@pytest.mark.parametrize(
    ("build", "sentence"),
    [
        (lambda: Factors({"a": [1, 2], ("a", "b"): np.zeros((3, 2))}), "expected 2 categories"),
        (lambda: Factors({"a": [[1, 2]]}), "expected a table of 1 axes for \\('a',\\), got 2"),
        (lambda: Factors({"a": [1, 2]}, labels={"b": "xy"}), "unknown variable 'a'"),
        (lambda: Factors({"a": [1, 2]}, labels={"a": "xyz"}), "expected a table of shape"),
        (lambda: Factors({"a": [1, 2]}, evidence={"b": 0}), "unknown variable 'b'"),
        (lambda: Factors({"a": [1, 2]}, evidence={"a": 2}), "unknown label of variable 'a' 2"),
        (lambda: Factors({"a": [1, 2]}, evidence={"a": 1}), "expected variables without evidence"),
        (lambda: Factors({"a": [1, float("nan")]}), "expected finite entries"),
        (lambda: Factors.of_probabilities({"a": [0, 0]}), "expected an entry > 0"),
        (lambda: Factors.of_probabilities({"a": [-1, 1]}), "expected entries >= 0"),
        (lambda: Factors.random(5, 3, 4, arity=6), r"expected arity in 1\.\.5, got 6"),
    ],
)
def test_refused(build, sentence):
    with pytest.raises(ValueError, match=sentence):
        build()


def test_evidence_selects_entries():
    whole = Factors.random(6, 3, 12, arity=3, seed=2)
    part = Factors._of_network(whole.network, {"x1": 2, "x4": 0})
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


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "line 1, column 1: expected 'MARKOV' or 'BAYES'"),
        ("MARKOV", "line 1, column 7: expected the number of variables, got the end of the file"),
        ("MARKOV\n0", "line 2, column 1: expected the number of variables (an integer in 1..1000"),
        ("MARKOV 1 2 1 1 1", "expected a variable (an integer in 0..0), got '1'"),
        ("MARKOV 2 2 2 1 2 1 1 4", "expected different variables in a table, got one of them twi"),
        ("MARKOV 1 2 1 1 0 3 1 1", "expected the number of entries of a table (an integer in 2.."),
        ("MARKOV 1 2 1 1 0 2 1 nan", "expected an entry of a table (a number), got 'nan'"),
        ("MARKOV 1 2 1 1 0 2 1 1e999", "expected an entry of a table (a number), got '1e999'"),
        ("MARKOV 1 2 1 1 0 2 1 -1", "expected an entry >= 0, got '-1'"),
        ("MARKOV 1 2 1 1 0 2 1 1 1", "line 1, column 24: expected the end of the file, got '1'"),
        ("MARKOV 1 2 1 1 0 2 0 0", "expected an entry > 0 in the table of ('x0',), got none"),
        ("MARKOV 30 " + "60000 " * 30 + "1 30 " + " ".join(map(str, range(30))) + " 8", "entries"),
    ],
)
def test_malformed_uai(here, text, sentence):
    (here / "mine.uai").write_text(text or "MARKOW")
    with pytest.raises(ValueError, match=r"mine\.uai") as refusal:
        make("factors:mine.uai")
    if text:
        assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 3 0", "line 1, column 3: expected a variable (an integer in 0..2), got '3'"),
        ("1 2 3", "line 1, column 5: expected a value (an integer in 0..2), got '3'"),
        ("2 0 0 0 0", "line 1, column 7: expected a variable that is not yet observed, got '0'"),
        (
            "2 1 0 0",
            "line 1, column 1: expected the number of samples (an integer in 1..1), got '2'",
        ),
        ("1 0 0 1 1", "line 1, column 7: expected the end of the file, got '1'"),
    ],
)
def test_malformed_evidence(here, text, sentence):
    (here / "mine.uai").write_text(MARKOV)
    (here / "mine.evid").write_text(text)
    with pytest.raises(ValueError, match=r"mine\.evid") as refusal:
        Factors.read("mine.uai", evidence="mine.evid")
    assert str(refusal.value) == f"mine.evid: {sentence}"


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
    (here / "seen.txt").write_text("dysp maybe\n")
    with pytest.raises(ValueError, match="line 1, column 6: expected a label of dysp, got 'maybe'"):
        make("factors:asia,evidence=seen.txt")


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


VARIABLE = "variable a { type discrete [ 2 ] { yes, no }; }\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (" ", "expected a network with probabilities, got none"),
        ("node a", "line 1, column 1: expected 'network', 'variable' or 'probability', got 'node'"),
        (VARIABLE + VARIABLE, "line 2, column 10: expected the name of a new variable, got 'a'"),
        (
            "variable a { type continuous",
            "line 1, column 19: expected 'discrete', got 'continuous'",
        ),
        ("variable a { type discrete [ 3 ] { yes, no }; }", "expected 3 different labels, got '}'"),
        ("variable a { }", "line 1, column 14: expected 'type', got '}'"),
        (VARIABLE + "probability ( b )", "expected a variable that was declared, once, got 'b'"),
        (
            VARIABLE + "probability ( a ) { table 0.1; }",
            "expected a probability (a number), got ';'",
        ),
        (VARIABLE + "probability ( a ) { table 0.1 0.9 1;}", "column 35: expected ';', got '1'"),
        (VARIABLE + "probability ( a ) { }", "expected probabilities of a for all labels of its"),
        (VARIABLE + "probability ( a ) { table -1 2; }", "expected a probability >= 0, got '-1'"),
        (
            "".join(f"variable v{i} {{ type discrete [ 2 ] {{ 0, 1 }}; }}\n" for i in range(25))
            + f"probability ( {', '.join(f'v{i}' for i in range(25))} ) {{ default 0.5 0.5; }}",
            "line 26, column 1: expected tables of at most 4,000,000 entries, got more",
        ),
    ],
)
def test_malformed_bif(here, text, sentence):
    (here / "mine.bif").write_text(text)
    with pytest.raises(ValueError, match=r"mine\.bif") as refusal:
        make("factors:mine.bif")
    assert sentence in str(refusal.value)


@pytest.mark.parametrize("seed", [1, 2])
def test_random_networks_against_toulbar2(seed):
    problem = Factors.random(20, 3, 40, arity=2, seed=seed)
    value, point = minimum(problem)
    assert problem.evaluate(point) == value
    if JIT:
        best = min(minimize(problem, budget=50_000, seed=run).fun for run in range(3))
        assert best == value


def test_zero_costs_more_than_all_others_can_make_up_for():
    tables = [np.array([1.0, 0.0]), np.array([[1e-9, 1.0], [1.0, 1e-5]])]
    network = Network([("a",), ("a", "b")], tables, {"a": [0, 1], "b": [0, 1]})
    costs = network.with_costs().tables
    assert costs[0][1] + costs[1][1].min() > costs[0][0] + costs[1][0].max()
