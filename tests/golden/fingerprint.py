"""Whole campaigns as hashes: of what is exported, so that a changed byte anywhere is noticed."""

import io
import os
import tempfile
from hashlib import sha256
from pathlib import Path

from catcube.experiments.execute import run_campaign
from catcube.experiments.plan_file import read_plan
from catcube.experiments.store.export import write_csv
from catcube.experiments.store.ioh import write_ioh
from catcube.experiments.store.store import Store

PLANS = Path(__file__).parent / "campaigns"
CAMPAIGNS = sorted(path.stem for path in PLANS.glob("*.toml"))


def plan_of(campaign):
    """The plan that a campaign is made of."""
    return read_plan(PLANS / f"{campaign}.toml")


def campaign_hashes(campaign):
    """The hashes of a campaign that is made here and now."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "made.sqlite")
        plan = plan_of(campaign)
        assert run_campaign(plan, store, jobs=2).done == plan.total_runs
        return hashes(store)


def hashes(path):
    """What a store exports, as hashes; those of each algorithm tell where a difference is."""
    with Store(path) as store:
        runs = list(store.runs())
    by_algorithm = {}
    for name in sorted({run.algorithm for run in runs}):
        content = [
            (run._replace(seconds=0, packed_trace=b""), *(part.tolist() for part in run.trace))
            for run in runs
            if run.algorithm == name
        ]
        by_algorithm[name] = sha256(repr(content).encode()).hexdigest()[:16]
    return {
        "runs": len(runs),
        "csv": sha256(csv_bytes(path)).hexdigest(),
        "ioh": sha256(ioh_bytes(path)).hexdigest(),
        "algorithms": by_algorithm,
    }


def csv_bytes(path):
    """The runs as CSV, without their seconds."""
    text = io.StringIO(newline="")
    with Store(path) as store:
        write_csv(store, text, seconds=False)
    return text.getvalue().encode()


def ioh_bytes(path):
    """The folder for IOHprofiler as one text: the improvements are in it, number by number."""
    with tempfile.TemporaryDirectory() as folder, Store(path) as store:
        out = Path(folder, "out")
        write_ioh(store, out)
        return folder_bytes(out)


def folder_bytes(folder):
    """Names and contents of all files in a folder."""
    files = sorted(
        (path.relative_to(folder).as_posix(), path)
        for path in Path(folder).rglob("*")
        if path.is_file()
    )
    return b"".join(os.fsencode(name) + b"\0" + path.read_bytes() + b"\0" for name, path in files)
