"""The table of a campaign that nothing disturbs."""

import pytest

from catcube.experiments.execute import run_campaign
from tests.experiments.worker_plans import PLAN, table


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("undisturbed") / "a.sqlite"
    run_campaign(PLAN, path)
    return table(path)
