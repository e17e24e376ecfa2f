"""Small plans for tests of workers, and what their stores hold."""

import io
from dataclasses import replace

from catcube.experiments.export import write_csv
from catcube.experiments.plan import Experiment, Plan
from catcube.experiments.store import Store
from catcube.experiments.worker import Task
from catcube.problems.sudoku import instances

FIRST = Experiment(
    name="first",
    instances={"small-dimension-5-a": instances.load("small-dimension-5-a")},
    algorithms=("sa", "rls"),
    representations=("linear", "direct"),
    budget=200,
    runs=5,
    seed=3,
)


PLAN = Plan("test", (FIRST,))
TASK = Task(0, PLAN.configurations()[0], (1, 2, 3))
ENDLESS = Plan("test", (FIRST, replace(FIRST, name="endless", budget=10**14, runs=1)))


def table(path):
    """The exported rows without their seconds, which are last."""
    text = io.StringIO()
    with Store(path) as store:
        write_csv(store, text)
    return [line.rpartition(",")[0] for line in text.getvalue().splitlines()]


def failures(path):
    with Store(path) as store:
        return [(*failure[2:4], failure[4], failure[5]) for failure in store.failures()]
