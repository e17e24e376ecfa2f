"""The configurations of a damaged store: intact ones, and ones that can be recovered.

The checksum of every run begins with that of its configuration. So a configuration from elsewhere
is the right one if its checksum is the stored one, or the one with which the checksum of one of its
runs begins.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from catcube.experiments.configuration import Configuration
from catcube.experiments.store.checksum import run_checksum, text_checksum
from catcube.experiments.store.errors import StoreError
from catcube.experiments.store.schema import CONFIGURATION, NUMBERS, RUN
from catcube.experiments.store.store import Store

_SELECT = f"SELECT {', '.join(CONFIGURATION)}, body, checksum FROM configuration WHERE id = ?"
_SELECT_RUN = f"SELECT {', '.join(RUN)}, trace, checksum FROM run WHERE configuration = ? LIMIT 10"
MOST = 10_000  # candidates for one configuration


def recovered_configurations(
    store: Store, planned: Sequence[Configuration] = ()
) -> dict[int, Configuration]:
    """Return the configurations of a store by index, without the lost ones.

    A damaged one is taken from the plan, if there is one, or combined from the others: its
    instance, algorithm and representation usually occur in others, too.
    """
    intact: dict[int, Configuration] = {}
    damaged: dict[int, tuple[Any, ...] | None] = {}
    for index in range(store.size):
        row = _row(store, index)
        configuration = None if row is None else store.intact_configuration(row)
        if configuration is None:
            damaged[index] = row
        else:
            intact[index] = configuration
    found = dict(intact)
    for index, row in damaged.items():
        known = {_key(value): value for value in found.values()}
        candidates = [*planned[index : index + 1], *_read(row), *_combined(known)]
        for candidate in candidates:
            if _is_right(store, index, candidate, None if row is None else row[-1]):
                found[index] = candidate
                break
    return dict(sorted(found.items()))


def configuration_row(index: int, configuration: Configuration) -> tuple[Any, ...]:
    """Return the row of a configuration, without its checksum."""
    return (
        index,
        configuration.experiment,
        configuration.instance,
        *configuration.pair,
        configuration.runs,
        configuration.digest,
        configuration.to_json(),
    )


def _row(store: Store, index: int) -> tuple[Any, ...] | None:
    try:
        rows = store.query(_SELECT, index)
    except StoreError:
        return None
    return rows[0] if len(rows) == 1 else None


def _read(row: tuple[Any, ...] | None) -> Iterator[Configuration]:
    """Read the body, which may be intact though another column is not."""
    if row is not None:
        try:
            yield Configuration.from_json(row[-2])
        except (ValueError, TypeError):
            return


def _key(configuration: Configuration) -> tuple[str, str, str, str]:
    return (
        configuration.experiment,
        configuration.instance,
        configuration.algorithm,
        configuration.representation,
    )


def _combined(
    known: Mapping[tuple[str, str, str, str], Configuration],
) -> Iterator[Configuration]:
    """Combine parts of known configurations to unknown ones."""
    for experiment in dict.fromkeys(key[0] for key in known):
        group = [found for key, found in known.items() if key[0] == experiment]
        instances = {found.instance: found.board for found in group}
        algorithms = {found.algorithm: found.parameters for found in group}
        representations = list(dict.fromkeys(found.representation for found in group))
        if len(instances) * len(algorithms) * len(representations) > MOST:
            continue
        for instance, board in instances.items():
            for algorithm, parameters in algorithms.items():
                for name in representations:
                    if (experiment, instance, algorithm, name) not in known:
                        yield replace(
                            group[0],
                            instance=instance,
                            board=board,
                            algorithm=algorithm,
                            parameters=parameters,
                            representation=name,
                        )


def _is_right(store: Store, index: int, candidate: Configuration, checksum: object) -> bool:
    start = text_checksum(configuration_row(index, candidate), store.identity)
    return start == checksum or any(
        _begins_with(row, start) for row in _runs(store, index) if row[0] == index
    )


def _runs(store: Store, index: int) -> Iterable[tuple[Any, ...]]:
    try:
        return store.query(_SELECT_RUN, index)
    except StoreError:
        return []


def _begins_with(row: tuple[Any, ...], start: int) -> bool:
    try:
        return bool(row[-1] == run_checksum(row[:NUMBERS], row[-2], start))
    except Exception:  # of another type
        return False
