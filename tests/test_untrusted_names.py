"""Names of others in plans, files and listings: text, and nothing but text."""

import json
import os
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube.base.files import replace_file
from catcube.base.text import LONGEST_NAME, escape, quote, validate_name
from catcube.cli.list import describe, text
from catcube.cli.main import main
from catcube.experiments.plan_file import read_plan
from catcube.representations.registry import families, family, representation
from catcube.studies.report.table import escape_latex
from tests.fuzz.draws import SIGNS
from tests.untrusted_examples import ESCAPE, PLAN


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@a", ESCAPE, "a\nb", " a", "", "x" * 201])
def test_names_that_a_plan_may_not_give(name, tmp_path):
    with pytest.raises(ValueError) as caught:
        validate_name("experiment", name)
    assert str(caught.value).isprintable()
    path = tmp_path / "plan.toml"
    path.write_text(PLAN.format(runs=1) + f"name = {json.dumps(name)}\n")
    with pytest.raises(ValueError, match=r"plan.toml: experiment 1: invalid name"):
        read_plan(path)


def test_a_name_of_usual_length_is_taken_whatever_its_language():
    for name in ("été", "数独", "a/b", "../x", "CON", "x" * LONGEST_NAME, "50 % & more"):
        assert validate_name("experiment", name) == name


def test_a_file_whose_name_is_a_formula(tmp_path, capsys):
    board = tmp_path / "=1.txt"
    board.write_text("12..34122143432.")
    assert main(["run", str(board)]) == 2
    assert "spreadsheets take for a formula" in capsys.readouterr().err


@given(st.text() | st.lists(st.sampled_from(SIGNS)).map("".join))
def test_what_is_visible_is_printable_and_short_where_it_is_quoted(text):
    assert escape(text).isprintable()
    assert escape(text) == text or not text.isprintable()
    assert quote(text).isprintable()
    assert len(quote(text * 50)) <= 120


COMMANDS = re.compile(r"\\(?:[A-Za-z]+|.)")


OF_OURS = {
    *(f"\\{character}" for character in "&%$#_{},"),
    *("\\textbackslash", "\\textasciitilde", "\\textasciicircum", "\\textasciigrave", "\\infty"),
    *("\\times", "\\leq", "\\geq", "\\chi", "\\textendash", "\\textemdash", "\\dots", "\\ss"),
    *("\\ae", "\\AE", "\\o", "\\O", "\\texttt", "\\`", "\\'", "\\^", "\\~", '\\"', "\\r", "\\v"),
    "\\c",
}


@given(
    st.text() | st.lists(st.sampled_from((*SIGNS, "\\input{x}", "^^5c", "\\write18"))).map("".join)
)
def test_no_command_gets_into_latex(text):
    written = escape_latex(text)
    assert max(written, default="") <= "\u017f"  # what LaTeX knows without packages
    assert written.isprintable()
    assert set(COMMANDS.findall(written)) <= OF_OURS
    assert "^^" not in written
    assert len(re.findall(r"(?<!\\)\{", written)) == len(re.findall(r"(?<!\\)\}", written))


def test_a_link_instead_of_a_file_is_not_followed(tmp_path):
    (tmp_path / "precious").write_text("precious")
    for name in ("report.html", f".report.html.{os.getpid()}.part"):
        (tmp_path / name).symlink_to(tmp_path / "precious")
    replace_file(tmp_path / "report.html", b"new")
    assert (tmp_path / "precious").read_text() == "precious"
    assert (tmp_path / "report.html").read_bytes() == b"new"
    assert not (tmp_path / "report.html").is_symlink()


def test_what_plugins_say_does_not_command_the_terminal():
    @family("untrusted-example", f"does {ESCAPE}")
    def build(N):
        """Do something.

        \x1b]0;title\x07
        """
        return representation("linear", N)

    try:
        shown = text(describe("untrusted-example")) + text(describe("representations"))
    finally:
        families.remove("untrusted-example")
    assert "does \\x1b[2J" in shown
    assert all(line.isprintable() for line in shown.splitlines())


def test_help_loads_no_plugin():
    code = (
        "import sys; from catcube.cli.main import main; main(['--help']); main(['run', '--help']); "
        "from catcube.base import registry; sys.exit(registry._loaded or 'numba' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert ended.returncode == 0
