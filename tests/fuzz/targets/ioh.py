"""Exports for IOHprofiler: strange names are exported and read back."""

import ast
import json
import sqlite3
from pathlib import Path

from catcube.experiments.ioh import write_ioh
from catcube.experiments.store import Store
from tests.fuzz.campaign import change, store
from tests.fuzz.draws import Draws
from tests.fuzz.folders import folder
from tests.fuzz.oracle import ensure, refusing


def seeds() -> list[bytes]:
    """A few names of all signs."""
    return [
        bytes([count, *range(first, first + 16)]) for count in (1, 4) for first in range(0, 64, 8)
    ]


def check(data: bytes) -> None:
    """The names come back as they were, and no file is anywhere but in the folder."""
    draws = Draws(data)
    experiments = {"budget": draws.text() or "budget", "target": draws.text() or "target"}
    instance = draws.text() or "tiny"
    with folder() as directory:
        path = directory / "mine.sqlite"
        path.write_bytes(store())
        if not _rename(path, experiments, instance):
            return  # SQLite keeps no such text
        before = set(directory.rglob("*"))
        with refusing(path):
            with Store(path) as found:
                write_ioh(found, directory / "out")
            _read_back(directory / "out", set(experiments.values()), {instance, "match:3,2"})
        made = set(directory.rglob("*")) - before
        ensure(
            all(path.is_relative_to(directory / "out") for path in made),
            "a file outside the folder",
        )


def _rename(path: Path, experiments: dict[str, str], instance: str) -> bool:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT id, body FROM configuration").fetchall()
    connection.close()
    for number, text in rows:
        body = json.loads(text)
        body["experiment"] = experiments[body["experiment"]]
        if body["instance"] == "tiny":
            body["instance"] = instance
        names = (body["experiment"], body["instance"])
        written = json.dumps(body, sort_keys=True, ensure_ascii=False)
        sql = "UPDATE configuration SET experiment = ?, instance = ?, body = ? WHERE id = ?"
        if not change(path, sql, *names, written, number):
            return False
    return True


def _read_back(out: Path, experiments: set[str], instances: set[str]) -> None:
    described = [json.loads(path.read_text(encoding="ascii")) for path in out.rglob("*.json")]
    ensure(
        {description["suite"] for description in described} == experiments,
        "an experiment has another name",
    )
    ensure(
        {description["function_name"] for description in described} == instances,
        "an instance is another",
    )
    for description in described:
        for attribute in description["experiment_attributes"]:
            for text in attribute.values():
                ast.literal_eval(text)  # as iohinspector does, but safely
    for description in out.rglob("*.json"):
        for scenario in json.loads(description.read_text(encoding="ascii"))["scenarios"]:
            data = (description.parent / scenario["path"]).resolve()
            ensure(data.is_relative_to(out.resolve()), "data outside of the folder")
            lines = data.read_text(encoding="ascii").splitlines()
            heads = [line for line in lines if line == "evaluations raw_y"]
            ensure(len(heads) == len(scenario["runs"]), "a run is missing")
            for line in lines:
                if line != "evaluations raw_y":
                    evaluation, value = line.split()
                    ensure(int(evaluation) >= 1 and float(value) >= 0, "a row is no improvement")
