"""Whole campaigns as hashes: of what is exported, so that a changed byte anywhere is noticed."""

import csv
import io
import json
import os
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from catcube.algorithms.algorithm import Algorithm
from catcube.experiments.campaign import run_campaign
from catcube.experiments.export import format_number
from catcube.experiments.ioh import write_ioh
from catcube.experiments.plan_file import read_plan
from catcube.experiments.store import Store


class StoredRun(NamedTuple):
    """What the hashes are made of: the columns of a run when they were first written down."""

    experiment: str
    instance: str
    algorithm: str
    representation: str
    run: int
    seed: int
    value: float
    evaluations_to_best: int
    evaluations: int
    iterations: int
    ending: str
    seconds: float = 0
    packed_trace: bytes = b""


CSV = (
    *("instance", "algorithm", "representation", "run", "seed", "value", "evaluations_to_best"),
    *("evaluations", "iterations", "ending", "experiment"),
)

PLANS = Path(__file__).parent / "campaigns"
CAMPAIGNS = sorted(path.stem for path in PLANS.glob("*.toml"))


def plan_of(campaign):
    """The plan that a campaign is made of."""
    return read_plan(PLANS / f"{campaign}.toml")


def names_of_that_time(method):
    """What a plan could set: `population` was no parameter of those that had `mu`."""
    names = {parameter.name for parameter in method.describe()} | method.older_names.keys()
    return names - set(method.older_names.values())


def campaign_hashes(campaign):
    """The hashes of a campaign that is made here and now."""
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(Algorithm, "accepted_names", names_of_that_time),
    ):
        store = Path(folder, "made.sqlite")
        plan = plan_of(campaign)
        assert run_campaign(plan, store, jobs=2).done == plan.total_runs
        return hashes(store)


def hashes(path):
    """What a store exports, as hashes; those of each algorithm tell where a difference is."""
    runs = stored_runs(path)
    by_algorithm = {}
    for name in sorted({run.algorithm for run, _ in runs}):
        content = [
            (run, *(part.tolist() for part in trace))
            for run, trace in runs
            if run.algorithm == name
        ]
        by_algorithm[name] = sha256(repr(content).encode()).hexdigest()[:16]
    return {
        "runs": len(runs),
        "csv": sha256(csv_bytes(path)).hexdigest(),
        "ioh": sha256(ioh_bytes(path)).hexdigest(),
        "algorithms": by_algorithm,
    }


def stored_runs(path):
    """The runs of a store, each with its trace."""
    with Store(path) as store:
        return [
            (
                StoredRun(
                    configuration.experiment,
                    *(getattr(run, name) for name in StoredRun._fields[1:-2]),
                ),
                run.trace,
            )
            for index, configuration in enumerate(store.configurations())
            for run in store.runs_of(index)
        ]


def csv_bytes(path):
    """The runs as CSV, without their seconds and what was added since."""
    text = io.StringIO(newline="")
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(CSV)
    for run, _ in stored_runs(path):
        lines.writerow(run._replace(value=format_number(run.value))._asdict()[name] for name in CSV)
    return text.getvalue().encode()


def ioh_bytes(path):
    """The folder for IOHprofiler as one text: the improvements are in it, number by number."""
    with tempfile.TemporaryDirectory() as folder, Store(path) as store:
        out = Path(folder, "out")
        write_ioh(store, out)
        for file in out.rglob("*.json"):
            content = json.loads(file.read_text())
            del content["experiment_attributes"][3:]  # added since, as the best points were
            for run in content["scenarios"][0]["runs"]:
                run["best"]["x"] = []
            file.write_text(json.dumps(content, indent=1) + "\n")
        return folder_bytes(out)


def folder_bytes(folder):
    """Names and contents of all files in a folder."""
    files = sorted(
        (path.relative_to(folder).as_posix(), path)
        for path in Path(folder).rglob("*")
        if path.is_file()
    )
    return b"".join(os.fsencode(name) + b"\0" + path.read_bytes() + b"\0" for name, path in files)
