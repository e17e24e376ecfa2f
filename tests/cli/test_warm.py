"""catcube warm compiles every algorithm, on bits and on categories."""

import pytest

from catcube.algorithms import names
from catcube.cli.main import main
from catcube.cli.warm import configurations


def test_every_algorithm_is_compiled_on_bits_and_on_categories():
    found = {(one.algorithm, one.representation) for one in configurations()}
    pairs = {(name, code) for name in names() for code in ("linear", "native")}
    assert found == pairs | {("surrogate", "native")}


@pytest.mark.compiled
def test_the_command_says_where_the_kernels_are(capsys):
    assert main(["warm", "--representation", "linear"]) == 0
    assert "the kernels are ready in " in capsys.readouterr().out


def test_an_unknown_representation_is_an_error(capsys):
    assert main(["warm", "--representation", "nosuch"]) == 2
    assert "nosuch" in capsys.readouterr().err
