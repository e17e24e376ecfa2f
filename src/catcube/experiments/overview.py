"""What a store holds, in short and as plain data."""

import json
from typing import Any

from catcube.experiments.store import Store


def overview(store: Store) -> dict[str, Any]:
    """The plan, what is done of it by experiment and pair, failures, versions, last activity."""
    pairs = store.query(
        "SELECT experiment, algorithm, representation, SUM(runs), SUM(done), SUM(evaluations), "
        "SUM(seconds), COUNT(*) FROM (SELECT configuration.*, COUNT(run.number) AS done, "
        "COALESCE(SUM(run.evaluations), 0) AS evaluations, COALESCE(SUM(seconds), 0.0) AS seconds "
        "FROM configuration LEFT JOIN run ON run.configuration = configuration.id "
        "GROUP BY configuration.id) "
        "GROUP BY experiment, algorithm, representation ORDER BY MIN(id)"
    )
    names = ("experiment", "algorithm", "representation", "runs", "done", "evaluations")
    last = store.query(
        "SELECT MAX(moment) FROM (SELECT MAX(finished) AS moment FROM run UNION "
        "SELECT MAX(finished) FROM failure UNION SELECT MAX(began) FROM session)"
    )
    sessions = store.query(
        "SELECT session.id, began, version, sources, machine, COUNT(run.number) FROM session "
        "LEFT JOIN run ON run.session = session.id GROUP BY session.id ORDER BY session.id"
    )
    failures = ("experiment", "instance", "algorithm", "representation", "run", "message")
    pairs_by_name = [dict(zip((*names, "seconds", "instances"), own, strict=True)) for own in pairs]
    return {
        "plan": store.metadata["plan"],
        "runs": sum(own["runs"] for own in pairs_by_name),
        "done": sum(own["done"] for own in pairs_by_name),
        "last_activity": last[0][0],
        "pairs": pairs_by_name,
        "failures": [dict(zip(failures, own, strict=True)) for own in store.failures()],
        "sessions": [
            {
                "session": number,
                "began": began,
                "version": version,
                "sources": sources,
                "machine": json.loads(machine),
                "runs": runs,
            }
            for number, began, version, sources, machine, runs in sessions
        ],
    }
