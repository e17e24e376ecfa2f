"""How an experiment was run, and what of it is missing."""

import json
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from catcube.experiments.plan import Configuration
from catcube.experiments.store import Store
from catcube.statistics import Pair
from catcube.studies.analysis.model import Conditions, Missing, Session


def conditions_of(
    store: Store,
    configurations: Sequence[Configuration],
    parts: Sequence[NDArray[np.void]],
    missing: Mapping[tuple[str, Pair], int],
) -> Conditions:
    """Describe an experiment of a store by its configurations, their runs, and missing runs.

    Its sessions are those that made any of its runs; it began with the first of them.
    """
    first = configurations[0]
    session, evaluations, seconds, finished = (
        np.concatenate([rows[name] for rows in parts])
        for name in ("session", "evaluations", "seconds", "finished")
    )
    sessions = _sessions(store, session)
    return Conditions(
        experiment=first.experiment,
        instances=tuple(dict.fromkeys(one.instance for one in configurations)),
        pairs=tuple(dict.fromkeys(Pair(*one.pair) for one in configurations)),
        budget=first.budget,
        target=first.target,
        runs=first.runs,
        seed=first.seed,
        done=session.size,
        total=sum(one.runs for one in configurations),
        failed=sum(row[0] == first.experiment for row in store.failures()),
        evaluations=int(evaluations.sum()),
        seconds=float(seconds.sum()),
        began=min((one.began for one in sessions), default=None),
        finished=float(finished.max()) if finished.size else None,
        missing=tuple(Missing(*names, count) for names, count in missing.items()),
        sessions=sessions,
    )


def _sessions(store: Store, made_by: NDArray[np.int64]) -> tuple[Session, ...]:
    numbers, counts = np.unique(made_by, return_counts=True)
    made = dict(zip(numbers.tolist(), counts.tolist(), strict=True))
    return tuple(
        Session(
            began,
            version,
            sources,
            {name: str(value) for name, value in json.loads(machine).items()},
            made[number],
        )
        for number, began, version, sources, machine in store.sessions()
        if number in made
    )
