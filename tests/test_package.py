"""What is distributed: a wheel with what a user needs, a small sdist, one version."""

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile

import pytest

import catcube
from tests import ROOT

PACKAGE = ROOT / "src" / "catcube"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    build = (
        "from hatchling.build import build_sdist, build_wheel; "
        f"build_sdist({str(folder)!r}); build_wheel({str(folder)!r})"
    )
    subprocess.run([sys.executable, "-c", build], cwd=ROOT, check=True, capture_output=True)
    return folder


def test_the_wheel_has_every_file_of_the_package(built):
    (wheel,) = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    files = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert files <= names
    assert {"catcube/py.typed", "catcube/data/plans/fixed-budget.toml"} <= files
    assert not any(name.startswith(("tests/", "docs/", "benchmarks/")) for name in names)


def test_the_sdist_leaves_the_stores_of_the_studies_out(built):
    (archive,) = built.glob("*.tar.gz")
    assert archive.stat().st_size < 2_000_000
    with tarfile.open(archive) as opened:
        names = opened.getnames()
    assert not any(".sqlite" in name for name in names)
    assert f"catcube-{catcube.__version__}/src/catcube/__init__.py" in names


def test_all_name_the_same_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "cite.md").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, date = re.search(r"^version: (.+)\ndate-released: (.+)$", citation, re.M).groups()
    assert version == catcube.__version__ == re.search(r"version = \{(.+)\}", page)[1]
    assert re.search(r"^## \[(.+)\] - (.+)$", changes, re.M).groups() == (version, date)
    title = re.search(r'^title: "(.+)"$', citation, re.M)[1]
    assert title == re.search(r"title   = \{(.+)\}", page)[1]


def test_every_message_about_a_missing_package_names_an_extra_and_the_one_way_to_install():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = set()
    for path in [*PACKAGE.rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]:
        for command in re.findall(r"pip install [^\s`\"]+", path.read_text(encoding="utf-8")):
            one_way = r"pip install (pandas|scikit-learn|\.|'\.\[\w+\]')[.,;:)]?"
            assert re.fullmatch(one_way, command), (path, command)
            extras |= set(re.findall(r"\[(\w+)\]", command))
    assert extras
    assert extras <= set(project["optional-dependencies"])
