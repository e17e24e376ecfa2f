"""A summary of a store as plain data."""

import json
from collections.abc import Iterable
from typing import Any

from catcube.experiments.store.lock import is_locked
from catcube.experiments.store.store import Store

_FAILURE = ("experiment", "instance", "algorithm", "representation", "run", "message")


def overview(store: Store) -> dict[str, Any]:
    """Return the plan, its progress by experiment and pair, failures, versions, last activity.

    It is computed from tallies, not from runs: a million of them take no longer than a hundred.
    """
    with store.moment():
        tallies, sessions, failures = store.tallies(), store.sessions(), store.failures()
        pairs = _pairs(store, tallies)
        moments = store.query("SELECT MAX(finished) FROM failure")[0]
    runs, done = (sum(pair[name] for pair in pairs) for name in ("runs", "done"))
    made: dict[int, int] = {}
    for _, session, count, *_ in tallies:
        made[session] = made.get(session, 0) + count
    known = (
        *(tally[5] for tally in tallies),
        *(session[1] for session in sessions),
        *(moment for moment in moments if moment is not None),
    )
    return {
        "plan": store.metadata["plan"],
        "runs": runs,
        "done": done,
        "failed": len(failures),
        "missing": runs - done - len(failures),
        "under_way": is_locked(store.path),
        "last_activity": max(known, default=None),
        "pairs": pairs,
        "failures": [dict(zip(_FAILURE, failure, strict=True)) for failure in failures],
        "sessions": [
            {
                "session": number,
                "began": began,
                "version": version,
                "sources": sources,
                "machine": json.loads(machine),
                "runs": made.get(number, 0),
            }
            for number, began, version, sources, machine in sessions
        ],
    }


def _pairs(store: Store, tallies: Iterable[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Return the progress of each pair of an experiment, over all its instances."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    by_index = []
    for configuration in store.configurations():
        pair = found.setdefault(
            (configuration.experiment, *configuration.pair),
            {
                "experiment": configuration.experiment,
                "algorithm": configuration.algorithm,
                "representation": configuration.representation,
                "runs": 0,
                "done": 0,
                "evaluations": 0,
                "seconds": 0.0,
                "instances": 0,
            },
        )
        pair["runs"] += configuration.runs
        pair["instances"] += 1
        by_index.append(pair)
    for index, _, runs, evaluations, seconds, *_ in tallies:
        by_index[index]["done"] += runs
        by_index[index]["evaluations"] += evaluations
        by_index[index]["seconds"] += seconds
    return list(found.values())
