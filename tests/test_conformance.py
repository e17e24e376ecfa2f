"""Ours pass the checks that others can run on theirs; and what is wrong does not pass."""

import pytest

from catcube.testing import checks


@pytest.mark.parametrize("check", checks("catcube"), ids=str)
def test_conformance(check):
    check()
