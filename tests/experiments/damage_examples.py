"""A small store, what it holds, and how the commands react to it."""

from catcube.base.database import DatabaseError
from catcube.experiments.plan import Plan
from catcube.experiments.store import Store
from catcube.experiments.tables import Tally
from tests.cli import call
from tests.studies.analysis.analysis_stores import experiment, finding

EXPERIMENT = experiment(algorithms=("rls", "sa"), runs=30)
PLAN = Plan("test", (EXPERIMENT,))


def made(configuration, number):
    """All but the last five runs of each configuration, with other values."""
    level = len(configuration.instance + configuration.algorithm) * 7 + number
    return finding(number, level + 1 / 3, 20 + level) if number < 26 else None


def content(path):
    """All that can be read from a store."""
    with Store(path) as store:
        return (
            list(store.runs()),
            [(number, rows.tolist(), traces) for number, rows, traces in store.run_arrays()],
            store.configurations(),
            store.sessions(),
            sorted(store.read_rows(Tally)),
            store.failures(),
            store.metadata,
        )


def reaction(path, expected):
    """What becomes of a changed store: 'refused' in words, or 'right'; anything else is a fault."""
    try:
        found = content(path)
    except DatabaseError as error:
        sentence = str(error)
    else:
        assert found == expected
        return "right"
    assert sentence.startswith(f"{path}: ")
    assert "\n" not in sentence
    return "refused"


def commands_react(path, answers, capsys):
    """Each command gives the answer that it gave of the whole store, or a sentence and code 2."""
    refused = 0
    for name, answer in answers.items():
        code, out, err = call(capsys, *[word if word != "STORE" else path for word in name])
        if code == 0:
            assert out.replace(str(path), "STORE") == answer, name
        else:
            assert code == 2, (name, code, err)
            assert err.startswith("catcube: ")
            assert err.count("\n") == 1
            assert "Traceback" not in err
            refused += 1
    return refused


COMMANDS = (("status", "STORE"), ("status", "STORE", "--json"), ("export", "STORE"))
