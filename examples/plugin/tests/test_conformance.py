import pytest

from catcube.testing import checks


@pytest.mark.parametrize("check", checks("catcube_example"), ids=str)
def test_conformance(check):
    check()
