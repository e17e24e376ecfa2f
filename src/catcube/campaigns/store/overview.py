"""What a store holds, in short and as plain data."""

import json
from collections.abc import Iterable
from typing import Any

from catcube.campaigns.store.lock import is_locked
from catcube.campaigns.store.store import Store

_FAILURE = ("experiment", "instance", "algorithm", "representation", "run", "message")


def overview(store: Store) -> dict[str, Any]:
    """The plan, what is done of it by experiment and pair, failures, versions, last activity.

    It is made of tallies, not of the runs: a million of them take no longer than a hundred.
    """
    with store.moment():
        tallies, sessions, failures = store.tallies(), store.sessions(), store.failures()
        pairs = _pairs(store, tallies)
        moments = store.query("SELECT MAX(finished) FROM failure")[0]
    runs, done = (sum(own[name] for own in pairs) for name in ("runs", "done"))
    made: dict[int, int] = {}
    for _, session, count, *_ in tallies:
        made[session] = made.get(session, 0) + count
    known = (
        *(own[5] for own in tallies),
        *(own[1] for own in sessions),
        *(own for own in moments if own is not None),
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
        "failures": [dict(zip(_FAILURE, own, strict=True)) for own in failures],
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
    """What is done of each pair of an experiment, over all its instances."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    by_place = []
    for own in store.configurations():
        pair = found.setdefault(
            (own.experiment, *own.pair),
            {
                "experiment": own.experiment,
                "algorithm": own.algorithm,
                "representation": own.representation,
                "runs": 0,
                "done": 0,
                "evaluations": 0,
                "seconds": 0.0,
                "instances": 0,
            },
        )
        pair["runs"] += own.runs
        pair["instances"] += 1
        by_place.append(pair)
    for place, _, runs, evaluations, seconds, *_ in tallies:
        by_place[place]["done"] += runs
        by_place[place]["evaluations"] += evaluations
        by_place[place]["seconds"] += seconds
    return list(found.values())
