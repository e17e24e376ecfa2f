"""Stores of campaigns that nothing disturbs, what they hold, and the answers of the commands."""

import pytest

from catcube.experiments.campaign import run_campaign
from tests.experiments.damage_examples import COMMANDS, EXPERIMENT, call, content, made
from tests.experiments.worker_plans import PLAN, table
from tests.studies.analysis.analysis_stores import write


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("undisturbed") / "a.sqlite"
    run_campaign(PLAN, path)
    return table(path)


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "a.sqlite"
    return write(path, [EXPERIMENT], made, failed=[(1, 26), (2, 30)])


@pytest.fixture(scope="session")
def expected(whole):
    return content(whole)


@pytest.fixture
def answers(whole, capsys):
    found = {}
    for command in COMMANDS:
        code, out, _ = call(capsys, *[part if part != "STORE" else whole for part in command])
        assert code == 0
        found[command] = out.replace(str(whole), "STORE")
    return found
