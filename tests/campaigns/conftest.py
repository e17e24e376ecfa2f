"""The table of a campaign that nothing disturbs."""

import pytest

from catcube.campaigns.execute import run_campaign
from tests.campaigns.worker_plans import PLAN, table


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("undisturbed") / "a.sqlite"
    run_campaign(PLAN, path)
    return table(path)
