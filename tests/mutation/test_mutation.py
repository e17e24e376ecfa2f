"""The program that puts faults into the sources: its configuration, its sample, what it tells."""

import shlex
import subprocess
import sys
import tomllib

import pytest

from tests import ROOT
from tests.mutation.__main__ import HERE, PACKAGES, parser


@pytest.mark.parametrize("package", PACKAGES)
def test_a_configuration_names_sources_and_tests_that_are_there(package):
    text = (HERE / f"{package}.toml").read_text(encoding="utf-8")
    settings = tomllib.loads(text)["cosmic-ray"]
    assert (ROOT / settings["module-path"]).is_dir()
    assert all(list(ROOT.glob(pattern)) for pattern in settings["excluded-modules"])
    named = [word for word in shlex.split(settings["test-command"]) if word.startswith("tests/")]
    assert named
    assert all((ROOT / path).exists() for path in named)


def test_help_needs_no_cosmic_ray():
    program = "import sys; sys.modules['cosmic_ray'] = None\n"
    program += "sys.argv = ['mutation', *sys.argv[1:]]\n"
    program += "import runpy; runpy.run_module('tests.mutation', run_name='__main__')"

    def ended(*arguments):
        command = [sys.executable, "-c", program, *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    asked = ended("--help")
    assert (asked.returncode, asked.stderr) == (0, "")
    assert "--sample" in asked.stdout
    assert parser().parse_args([]).packages == PACKAGES


SOURCE = "def shorten(a):\n    while a > 5:\n        a -= 1\n    return a * 1\n"
CONFIG = """[cosmic-ray]
module-path = "shorten.py"
excluded-modules = []
timeout = 20.0
test-command = "python -m pytest -x -q -p no:cacheprovider test_shorten.py"

[cosmic-ray.distributor]
name = "local"
"""


@pytest.mark.long
def test_from_fault_to_verdict(tmp_path):
    pytest.importorskip("cosmic_ray", reason="needs the extra reliability")
    from tests.mutation.__main__ import run
    from tests.mutation.session import Change, keep_sample, outcomes

    (tmp_path / "shorten.py").write_text(SOURCE)
    test = "from shorten import shorten\n\ndef test_shorten():\n    assert shorten(7) == 5\n"
    (tmp_path / "test_shorten.py").write_text(test)
    config, session = tmp_path / "shorten.toml", tmp_path / "shorten.sqlite"
    config.write_text(CONFIG)
    run("cosmic-ray", "baseline", config, tree=tmp_path)
    run("cosmic-ray", "init", config, session, tree=tmp_path)
    total = keep_sample(session, 4, seed=1)
    run("cosmic-ray", "exec", config, session, tree=tmp_path)
    counts, survived = outcomes(session)
    assert total > counts.total() == 4
    assert counts["killed"] >= 2
    assert len(survived) == counts["survived"]
    assert all(isinstance(change, Change) and change.before != change.after for change in survived)
    assert (tmp_path / "shorten.py").read_text() == SOURCE
