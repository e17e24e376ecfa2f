"""Files of strangers execute nothing, fill no memory, and show nothing but text."""

import ast
import json
import re
import sys
import zlib
from pathlib import Path

import pytest

import catcube
from catcube.base.database import DatabaseError
from catcube.cli.main import main
from catcube.experiments.plan_file import MAX_FILE_SIZE, read_plan
from catcube.experiments.store import Store
from catcube.experiments.trace import MAX_IMPROVEMENTS, unpack_trace, unpack_traces
from tests.browser import opened
from tests.experiments.sealed import change, forge
from tests.fuzz.targets.store import store as tiny_store
from tests.untrusted_examples import ESCAPE, PLAN, SCRIPT

SOURCES = sorted(Path(catcube.__file__).parent.rglob("*.py"))


# What could execute what it reads


def uses(tree):
    """Names of modules that are imported, and of functions and attributes that are used."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield f"{node.func.id}()"
        elif isinstance(node, ast.Attribute):
            yield f".{node.attr}"
        elif isinstance(node, ast.keyword) and node.arg:
            yield f"{node.arg}="


FORBIDDEN = {
    *("pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "yaml", "code"),
    *("eval()", "exec()", "compile()", "__import__()", ".system", ".popen", ".loads_pickle"),
    *("allow_pickle=", "shell=", "subprocess", "pty", "runpy", "xml"),
}


# Why these may: none of them reads a file of anybody.
ALLOWED = {
    "problems/calls.py": {"pickle"},  # dumps only: whether an objective can be sent
    "base/provenance.py": {"subprocess", ".system"},  # asks for the processor; platform.system
    "experiments/kernels.py": {"subprocess"},  # compiles side by side
    "testing/algorithms.py": {"subprocess"},  # the same test without compilation
    "studies/compare.py": {"allow_pickle="},  # False
}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_nothing_executes_what_it_reads(path):
    name = path.relative_to(Path(catcube.__file__).parent).as_posix()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = set(uses(tree)) & FORBIDDEN
    assert found <= ALLOWED.get(name, set())


# Files without an end, and numbers without a limit


@pytest.mark.parametrize("command", [["campaign"], ["solve"], ["status"], ["export"], ["run"]])
def test_a_file_without_an_end(command, capsys):
    assert main([*command, "/dev/zero"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "/dev/zero" in line


def test_an_input_without_an_end(capsys, monkeypatch):
    with open("/dev/zero", encoding="utf-8") as endless:
        monkeypatch.setattr(sys, "stdin", endless)
        assert main(["solve", "-"]) == 2
    assert "standard input: expected at most 65,536 bytes" in capsys.readouterr().err


def test_a_plan_that_is_too_long(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text("#" * MAX_FILE_SIZE)
    with pytest.raises(ValueError, match=r"experiment"):
        read_plan(path)
    path.write_text("#" * (MAX_FILE_SIZE + 1))
    with pytest.raises(ValueError, match=r"plan.toml: expected at most 1048576 characters"):
        read_plan(path)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"runs": "1_000_000_000_000"}, "expected at most 100,000,000 runs, got 1"),
        ({"runs": "1", "match:3,2": "match:10000000,9"}, "expected variables in 1..1,000,000"),
        ({"runs": "1", "match:3,2": "match:3,99999999"}, "expected categories in 1..65,536"),
        ({"runs": "1", "match:3,2": "x" * 5000}, "unknown instance"),
    ],
)
def test_a_plan_that_asks_for_too_much(tmp_path, change, sentence):
    path = tmp_path / "plan.toml"
    content = PLAN.format(runs=change.pop("runs"))
    for old, new in change.items():
        content = content.replace(old, new)
    path.write_text(content)
    with pytest.raises(ValueError) as caught:
        read_plan(path)
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert len(str(caught.value)) < 600


def test_a_plan_of_too_many_experiments(tmp_path):
    path = tmp_path / "plan.toml"
    one = PLAN.format(runs=1)
    path.write_text("".join(f"{one}name = 'n{number}'\n" for number in range(1001)))
    with pytest.raises(ValueError, match="of length <= 1000"):
        read_plan(path)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["show", "1000000000"], "expected at most 1,024 categories"),
        (["run", "match:3,2", "--runs", "1e12"], "expected at most 1,000,000 runs"),
        (["run", "match:3,2", "--jobs", "100000"], "an integer from 1 to 4096"),
        (["list", "match:1000000000000,9"], "expected variables in 1..1,000,000"),
        (["run", "9" * 20_000], "expected 81 cells"),
        (["run", "x" * 20_000], "unknown instance"),
        (["run", "match:3,2", "-s", "9" * 5000], "expected an integer >= 0"),
    ],
)
def test_a_command_that_asks_for_too_much(arguments, sentence, capsys):
    assert main(arguments) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert sentence in line
    assert len(line) < 2100


def bomb(improvements):
    """A thousandth of the bytes that it unpacks to, which are those of so many improvements."""
    stream = zlib.compressobj(9)
    packed = b"".join(stream.compress(bytes(2**14)) for _ in range(improvements // 2**10))
    return packed + stream.flush()


def test_a_trace_that_would_fill_the_memory():
    evaluations, _ = unpack_trace(bomb(MAX_IMPROVEMENTS))
    assert evaluations.size == MAX_IMPROVEMENTS
    packed = bomb(MAX_IMPROVEMENTS + 2**10)
    assert len(packed) < 16 * MAX_IMPROVEMENTS / 500
    with pytest.raises(ValueError, match="too many"):
        unpack_trace(packed)
    with pytest.raises(ValueError, match="too many"):
        unpack_traces([packed])


# Stores


@pytest.fixture
def tiny(tmp_path):
    path = tmp_path / "mine.sqlite"
    path.write_bytes(tiny_store())
    return path


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE VIEW extra AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT i FROM n",
        "CREATE TRIGGER extra AFTER INSERT ON run BEGIN DELETE FROM run; END",
        "CREATE TABLE extra (a INTEGER, b AS (a + 1))",
        "CREATE INDEX extra ON run (abs(number))",
        "ALTER TABLE run ADD COLUMN extra AS (hex(zeroblob(1000000)))",
    ],
)
def test_a_store_with_more_than_tables_of_ours(tiny, statement):
    path = forge(tiny, (statement,))
    with pytest.raises(DatabaseError, match="unexpected tables"):
        Store(path)


def test_a_view_instead_of_a_table_is_refused(tiny):
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    view = f"CREATE VIEW run AS {endless} SELECT hidden.* FROM hidden, n"
    change(tiny, ("ALTER TABLE run RENAME TO hidden",), (view,))
    for command in ("status", "export", "report"):
        assert main([command, str(tiny)]) == 2


def renamed(path, **names):
    """The store with these names of its first experiment and of its board."""
    with Store(path) as store:
        bodies = [configuration.to_json() for configuration in store.configurations()]
    first = json.loads(bodies[0])["experiment"]
    changes = []
    for number, body in enumerate(bodies):
        fields = json.loads(body)
        replaced = {"experiment": first, "instance": "tiny"}
        hostile = {
            name: new if fields[name] == replaced[name] else fields[name]
            for name, new in names.items()
        }
        columns = ", ".join(f"{name} = ?" for name in hostile)
        written = json.dumps(fields | hostile, sort_keys=True, ensure_ascii=False)
        changes.append(
            (
                f"UPDATE configuration SET {columns}, body = ? WHERE id = ?",
                *hostile.values(),
                written,
                number,
            )
        )
    return forge(path, *changes, ("UPDATE metadata SET value = ? WHERE name = 'plan'", ESCAPE))


def test_names_of_a_store_do_not_command_the_terminal(tiny, capsys):
    path = renamed(tiny, experiment=ESCAPE, instance=f"two\nlines{ESCAPE}")
    assert main(["status", str(path)]) == 0
    assert main(["status", str(path), "--json"]) == 0
    shown = capsys.readouterr().out
    assert "\\x1b[2J" in shown
    assert not set(shown) & {"\x1b", "\x9b", "\u202e"}


def test_names_on_a_page_are_text(browser, tiny, tmp_path):
    pytest.importorskip("scipy")
    from catcube.studies import analyse
    from catcube.studies.report.page import render_page
    from catcube.studies.report.tables import report_tables

    path = renamed(tiny, experiment=SCRIPT, instance=f"{SCRIPT}<b>")
    study = analyse([path])
    tables = report_tables(study)
    (tmp_path / "page.html").write_text(render_page(study, tables), "utf-8", "backslashreplace")
    for table in tables.values():
        assert re.fullmatch(r"[a-z0-9-]+", table.name)
    with opened(browser, tmp_path / "page.html") as found:
        assert SCRIPT in found.page.title()
        assert found.page.locator("img, section script, section b").count() == 0
        assert found.page.locator("script").count() == 2  # the data and ours
        assert SCRIPT in found.page.locator("main").text_content()
        assert found.troubles == []
