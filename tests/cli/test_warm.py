"""catcube warm compiles every algorithm, on bits and on categories."""

import pytest

from catcube.algorithms import names
from catcube.cli.main import main
from catcube.cli.warm import configurations


def test_every_algorithm_is_compiled_on_bits_and_on_categories():
    found = {(one.algorithm, one.representation) for one in configurations()}
    assert found == {(name, code) for name in names() for code in ("linear", "native")}


@pytest.mark.compiled
def test_the_command_says_where_the_kernels_are(capsys):
    assert main(["warm", "--representation", "linear"]) == 0
    assert "the kernels are ready in " in capsys.readouterr().out
