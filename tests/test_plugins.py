"""Plug-ins: the template package installed and run, broken ones left out, names refused."""

import csv
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tomllib
import zipfile

import pytest

from catcube import algorithms, plugins
from catcube.base.provenance import package_hash, package_of
from catcube.base.registry import Registry
from catcube.experiments.origin import origin, origin_of
from catcube.experiments.plan import Configuration
from catcube.problems import Match, kinds, make
from catcube.representations import families, representation
from catcube.testing import problems, representations
from catcube.testing.algorithms import CHECKS as ALGORITHM_CHECKS
from tests import ROOT

CONTRIBUTING = ROOT / "CONTRIBUTING.md"
TEMPLATE = ROOT / "examples" / "plugin"


def install(target, name, version, points, **modules):
    """What an installer does: the modules, and metadata with the entry points."""
    for module, source in modules.items():
        (target / f"{module}.py").write_text(source)
    metadata = target / f"{name.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = [f"{point} = {value}" for point, value in points.items()]
    (metadata / "entry_points.txt").write_text("\n".join(["[catcube.plugins]", *lines, ""]))


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A folder in which the template package is installed."""
    target = tmp_path_factory.mktemp("installed")
    project = tomllib.loads((TEMPLATE / "pyproject.toml").read_text())["project"]
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(TEMPLATE / "src", target, dirs_exist_ok=True, ignore=ignored)
    points = project["entry-points"]["catcube.plugins"]
    install(target, project["name"], project["version"], points)
    return target


def python(target, *arguments, cwd=None, interpreted=True):
    """A process that finds what is installed there; interpreted, so that nothing is compiled."""
    environment = os.environ | {"PYTHONPATH": str(target)}
    if interpreted:
        environment["NUMBA_DISABLE_JIT"] = "1"
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        env=environment,
        cwd=cwd,
    )


COMMANDS = """
import json, sys
from catcube.cli.main import main
for command in json.loads(sys.argv[1]):
    code = main(command)
    print(end="\\0")
    assert code == 0, command
"""


def catcube(target, *commands, cwd=None):
    """What each command prints, if all goes well; in one process, as starting one takes a while."""
    run = python(
        target, "-c", COMMANDS, json.dumps([command.split() for command in commands]), cwd=cwd
    )
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout.split("\0")[:-1]


CAMPAIGN = """
[[experiment]]
instances = ["queens:5", "small-dimension-1-a"]
algorithms = ["threshold", "rls"]
representations = ["reversed", "linear"]
budget = 40
runs = 2
"""
PRINTED = (
    "list",
    "list queens",
    "list queens:5",
    "run queens:4 match:3,2 -a threshold,rls -r reversed,linear -n 2 -b 90 --csv",
    "run queens:* -a rls -b 5 --csv",
    "campaign mine.toml",
    "campaign mine.toml ",
    "export mine.sqlite",
)


@pytest.fixture(scope="module")
def printed(template, tmp_path_factory):
    """What each command prints, and the folder it was called in."""
    folder = tmp_path_factory.mktemp("commands")
    (folder / "mine.toml").write_text(CAMPAIGN)
    return folder, dict(zip(PRINTED, catcube(template, *PRINTED, cwd=folder), strict=True))


def test_the_template_is_listed(printed):
    everything, queens, five = (printed[1][command] for command in PRINTED[:3])
    for name in ("threshold", "reversed", "queens"):
        assert f"\n  {name} " in everything
    assert "queens:8" in everything
    assert "as an instance: queens:n" in queens
    assert "plug-in: catcube-example 0.1.0" in queens
    assert "variables: 5\ncategories: 5\noptimum: 0" in five


def test_the_template_is_run(printed):
    named, patterned = (printed[1][command] for command in PRINTED[3:5])
    rows = list(csv.DictReader(named.splitlines()))
    assert len(rows) == 2 * 2 * 2 * 2
    assert {row["instance"] for row in rows} == {"queens:4", "match:3,2"}
    assert all(row["evaluations"] == "90" for row in rows)
    assert min(float(row["value"]) for row in rows if row["instance"] == "queens:4") == 0
    rows = csv.DictReader(patterned.splitlines())
    assert [row["instance"] for row in rows] == ["queens:8", "queens:20"]


def test_the_template_in_a_campaign(printed):
    folder, outputs = printed
    campaign, again, exported = (outputs[command] for command in PRINTED[5:])
    assert campaign.startswith("mine.sqlite: 16 of 16 runs done")
    assert "16 of 16 runs done, 0 evaluations" in again
    assert len(list(csv.DictReader(exported.splitlines()))) == 16
    store = sqlite3.connect(folder / "mine.sqlite")
    made = store.execute(
        "SELECT configuration.instance, algorithm, representation, version, sources FROM run "
        "JOIN configuration ON configuration.id = configuration "
        "JOIN session ON session.id = run.session"
    ).fetchall()
    store.close()
    assert len(made) == 16
    for instance, algorithm, name, version, sources in made:
        plain = (instance, algorithm, name) == ("small-dimension-1-a", "rls", "linear")
        assert version.endswith(" + catcube-example 0.1.0") != plain
        assert (" + catcube_example:" in sources) != plain


@pytest.mark.parametrize("interpreted", [True, pytest.param(False, marks=pytest.mark.long)])
def test_the_template_passes_its_tests(template, tmp_path, interpreted):
    test = shutil.copy(TEMPLATE / "tests" / "test_conformance.py", tmp_path)
    options = ["-q", "-p", "no:cacheprovider", "--doctest-modules"]
    tests = [template / "catcube_example", test]
    run = python(template, "-m", "pytest", *options, *tests, cwd=tmp_path, interpreted=interpreted)
    assert run.returncode == 0, run.stdout
    passed = int(re.search(r"(\d+) passed", run.stdout)[1])
    assert passed >= len(representations.CHECKS) + 2 * len(problems.CHECKS) + len(ALGORITHM_CHECKS)


def test_the_template_can_be_built(tmp_path):
    copy = tmp_path / "plugin"
    shutil.copytree(TEMPLATE, copy, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    build = f"from hatchling.build import build_wheel; build_wheel({str(tmp_path)!r})"
    run = python(tmp_path, "-c", build, cwd=copy)
    assert run.returncode == 0, run.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "catcube_example/queens.py" in names
    assert "catcube_example-0.1.0.dist-info/entry_points.txt" in names


def test_what_contributing_shows_is_in_the_template():
    shown = re.findall(r"```(?:python|toml)\n(.+?)```", CONTRIBUTING.read_text(), re.DOTALL)
    written = [path.read_text() for path in TEMPLATE.rglob("*") if path.suffix in (".py", ".toml")]
    assert len(shown) == 6
    for block in shown:
        assert any(block in text for text in written), block


BROKEN = "import nothing_of_this_name\n"
GREEDY = """
from catcube import Representation
from catcube.plugins import representation

@representation("mine", "one that is free")
def mine(N):
    return Representation([], [0])

@representation("linear", "a name that is taken")
def linear(N):
    return Representation([], [0])
"""
QUITTING = "raise SystemExit('no licence\\nfound')\n"


def test_plugins_that_cannot_be_had_are_left_out(template, tmp_path):
    shutil.copytree(template, tmp_path, dirs_exist_ok=True)
    install(tmp_path, "lame", "1.0", {"lame": "lame"}, lame=BROKEN)
    install(tmp_path, "greedy", "2.0", {"greedy": "greedy:mine"}, greedy=GREEDY)
    install(tmp_path, "quitter", "3.0", {"quitter": "quitter"}, quitter=QUITTING)
    install(tmp_path, "lost", "4.0", {"lost": "nowhere.to_be_found"})
    run = python(tmp_path, "-m", "catcube", "list", "representations")
    assert run.returncode == 0
    assert "\n  reversed " in run.stdout
    assert "\n  mine " not in run.stdout  # nor is what it had registered before it failed
    notes = run.stderr.splitlines()
    for note, name, reason in zip(
        notes,
        ("greedy 2.0", "lame 1.0", "lost 4.0", "quitter 3.0"),
        ("'linear'", "'nothing_of_this_name'", "'nowhere'", "no licence found"),
        strict=True,
    ):
        assert note.startswith("catcube: note: skipped the plug-in")
        assert name in note
        assert reason in note
    search = (
        "import catcube\nprint(catcube.minimize(lambda point: point['a'], {'a': [0, 1]}, "
        "algorithm='threshold', budget=9, seed=1).fun)"
    )
    run = python(tmp_path, "-c", search)
    assert run.stdout == "0.0\n"
    assert run.stderr.count("PluginWarning: skipped the plug-in") == 4


LAZY = """
import catcube, catcube.plugins
from catcube.cli.main import main
from catcube.problems import make

catcube.minimize(make("match:3,2"), algorithm="rls", budget=5)
main(["--help"])
main(["run", "sudoku-easy-56", "-a", "rls", "-b", "5"])
print("known")
try:
    catcube.representation("others", 4)
except ValueError as error:
    print(error)
main(["run", "sudoku-easy-56", "-a", "sb", "-b", "5"])
"""


def test_plugins_are_loaded_once_when_a_name_is_not_ours(tmp_path):
    install(tmp_path, "loud", "1.0", {"loud": "loud"}, loud="print('loaded')")
    run = python(tmp_path, "-c", LAZY)
    assert run.returncode == 0, run.stderr
    ours, others = run.stdout.split("known\n")
    assert "loaded" not in ours
    assert others.startswith("loaded\nunknown representation 'others'")
    assert others.count("loaded") == 1
    assert run.stderr.startswith("catcube: unknown algorithm 'sb', did you mean 'sa'?")


@pytest.fixture
def clean():
    """What a test registers is forgotten after it."""
    before = [(register, set(register)) for register in (families, kinds, algorithms.registered)]
    yield
    for register, names in before:
        for name in set(register) - names:
            register.remove(name)


def test_registered_in_a_script(clean):
    @plugins.representation("same", "linear again", parse=lambda text: {"shift": int(text)})
    def same(N, shift=0):
        return representation("linear", N) if N < 99 else N

    @plugins.problem("half", "match of half the categories")
    def half(variables: int, scale: float = 0.5, *, label: str = "x"):
        assert isinstance(scale, float)
        assert isinstance(label, str)
        return Match(variables, int(4 * scale))

    assert representation("same:3", 4) == representation("linear", 4)
    with pytest.raises(TypeError, match="expected a Representation, got 99") as caught:
        representation("same", 99)
    assert "'same' of 99 categories" in caught.value.__notes__[0]
    assert make("half:3").space.cardinalities.tolist() == [2, 2, 2]
    assert make("half:variables=2,scale=1,label=7").space.cardinalities.tolist() == [4, 4]
    assert str(kinds.owner("half")) == package_of(__name__)
    for text, culprit in {
        "half": "variables",
        "half:x": "'x'",
        "half:3,true": "'true'",
        "half:3,1,2": "half:3,1,2",
        "half:scale=1,3": "'3'",
        "half:3,variables=3": "variables",
        "half:3,size=3": "'size'",
    }.items():
        with pytest.raises(ValueError, match=culprit):
            make(text)
    configuration = Configuration("e", "half:3", "", "rls", "same:3", (), 9, None, None, 1, 1)
    package = package_of(__name__)
    assert origin_of(configuration) == origin()._replace(
        version=f"{origin().version} + {package}",
        sources=f"{origin().sources} + {package}:{package_hash(package)}",
    )


def test_only_a_problem_is_a_problem(clean):
    plugins.problem("nothing", "makes none")(lambda: None)
    with pytest.raises(TypeError, match="nothing: expected a Problem, got None"):
        make("nothing")
    with pytest.raises(TypeError, match="expected an Algorithm"):
        plugins.algorithm("rls")


def test_names():
    things = Registry("thing")
    things.add("a", 1, "one.module")
    for name in ("", "a b", "a:b", "a,b", "-a", "all", 3, None):
        with pytest.raises(ValueError, match="expected the name of a thing"):
            things.add(name, 2, "other")
    things.add("b", 1, "__main__")
    things.add("b", 2, "__main__")  # a cell of a notebook run again
    for taken, owner in (("a", "one.module"), ("b", "__main__")):
        with pytest.raises(ValueError, match=f"'{taken}' of other .* {owner}"):
            things.add(taken, 2, "other")
    assert dict(things) == {"a": 1, "b": 2}
    with pytest.raises(ValueError, match=r"'rls' of .* catcube"):
        plugins.algorithm(algorithms.algorithm("rls"))
    assert algorithms.registered.builtin() == [*algorithms.names(), *algorithms.FURTHER]


PARTS = """
from catcube.engine.compiled.jit import part

@part
def scale():
    return {scale}
"""
SCALED = """
from catcube import Space
from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import njit
from catcube.problems import Problem
from other.parts import scale

@njit
def twice(number):
    return 2.0 * number * scale()

@entry("value")
def value(problem):
    return 1.0 * scale()

class Scaled(Problem):
    value = value
    space = Space({"a": "xy"})

import numpy as np
print(Scaled().evaluate(np.array([0])), twice(3))
print(*(sum(function.stats.cache_misses.values()) for function in [twice]))
"""


@pytest.mark.compiled
def test_changed_parts_are_compiled_afresh(tmp_path, monkeypatch):
    """numba does not notice when a file changes that a function takes its parts from."""
    for package in ("mine", "other"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("")
    (tmp_path / "mine" / "scaled.py").write_text(SCALED)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    # Python itself takes a file of the same size and second for the one that it has read.
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    for scale, expected in ((1, "1.0 6.0 1"), (5, "5.0 30.0 1"), (1, "1.0 6.0 0")):
        (tmp_path / "other" / "parts.py").write_text(PARTS.format(scale=scale))
        found = python(tmp_path, "-c", "import mine.scaled", interpreted=False)
        assert found.stdout.split() == expected.split(), found.stderr
