"""What a campaign costs beside its runs: handing them out, packing and keeping what they find."""

import tempfile
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.cost import Effort
from benchmarks.page import number, table
from catcube.experiments.campaign import run_campaign
from catcube.experiments.kernels import compile_kernels
from catcube.experiments.plan import Experiment, Plan
from catcube.experiments.plan_file import shipped_plan
from catcube.experiments.store import Store
from catcube.problems.sudoku import instances


def section(effort: Effort) -> str:
    """Return runs per second, and the share of the CPU time that is not spent in kernels."""
    rows = []
    for name, plan in plans(effort).items():
        runs, wall, used, kernels = measured(plan)
        share = 100 * (used - kernels) / used
        costs = [1e3 * used / runs, 1e3 * kernels / runs]
        rows.append([name, f"{runs:,}", number(runs / wall), *map(number, costs), number(share)])
    heads = ["campaign", "runs", "runs/s", "CPU ms per run", "of them in the kernel", "overhead, %"]
    return f"""\
The campaigns run on all cores, with kernels that are already compiled: many runs of 1,000
evaluations, and parts of two experiments at the paper's budgets. The overhead is the CPU time of
the process outside the kernels: preparing each run, packing its improvements, the schedule and the
store.

{table(heads, rows)}"""


def plans(effort: Effort) -> dict[str, Plan]:
    """Return the plans to run, by name."""
    names = [name for name in instances.names() if name.startswith("small-dimension")]
    runs, count = (2, 2) if effort.quick else (42, len(names))
    tiny = Experiment(
        name="tiny",
        instances={name: instances.load(name) for name in names[:count]},
        algorithms=("rls", "hc", "sa"),
        representations=("linear", "direct"),
        budget=1000,
        runs=runs,
        seed=effort.seed,
    )
    budget, target = (
        replace(shipped_plan(name).experiments[0], seed=effort.seed)
        for name in ("fixed-budget", "fixed-target")
    )
    limit = effort.evaluations(1_000_000)
    return {
        "tiny runs": Plan("tiny", (tiny,)),
        "fixed budget": Plan("fixed-budget", (budget.scaled(1, limit, 1 if effort.quick else 3),)),
        "fixed target": Plan("fixed-target", (target.scaled(runs // 2, limit, count // 2),)),
    }


def measured(plan: Plan) -> tuple[int, float, float, float]:
    """Runs, seconds on the clock, CPU seconds, and those of the kernels."""
    compile_kernels(plan.configurations(), jobs=1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.sqlite")
        wall, used = time.perf_counter(), time.process_time()
        run_campaign(plan, path)
        wall, used = time.perf_counter() - wall, time.process_time() - used
        with Store(path) as store:
            ((runs, kernels),) = store.query("SELECT COUNT(*), SUM(seconds) FROM run")
    return runs, wall, used, kernels
