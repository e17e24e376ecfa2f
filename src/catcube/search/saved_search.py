"""What a saved optimizer consists of, and how it is continued."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from catcube import __version__
from catcube.errors import BadValue
from catcube.search import checkpoint
from catcube.search.arguments import checked_count
from catcube.search.auto import AUTO
from catcube.search.enumeration import ALGORITHM as ENUMERATION
from catcube.search.labels import labels_to_json, value_from_json, value_to_json
from catcube.space import Space

if TYPE_CHECKING:
    from catcube.search.optimizer import Optimizer


def saved_content(optimizer: "Optimizer") -> dict[str, Any]:
    """Return the arguments of an optimizer and its values, for JSON."""
    run = optimizer._run
    with optimizer._lock:
        optimizer._listen()
        known = optimizer._keys.rows(list(optimizer._cache.known)).tolist()
        values = [*optimizer._past, *optimizer._values]
        return {
            "catcube": __version__,
            "space": labels_to_json(optimizer.space),
            "fingerprint": checkpoint.fingerprint(optimizer.space),
            "algorithm": run.algorithm.name,
            "parameters": run.parameters._asdict(),
            "representation": checkpoint.representation_to_json(optimizer._representation),
            "budget": run.budget,
            "target": run.target,
            "seed": run.seed,
            "restart": run.restart,
            "cache": "unique" if optimizer._problem.unique else optimizer._cache.capacity,
            "x0": optimizer._initial.tolist(),
            "known": [
                [point, value_to_json(value)]
                for point, value in zip(known, optimizer._cache.known.values(), strict=True)
            ],
            "begun": optimizer._search is not None,
            "points": optimizer._digest.hexdigest(),
            "values": [value_to_json(value) for value in values],
            "failed": optimizer._failed,
            "choice": optimizer._choice.reason,
        }


def continued(
    optimizer_type: "type[Optimizer]",
    saved: Mapping[str, Any],
    space: Space | None,
    path: str | os.PathLike[str],
) -> "Optimizer":
    """Return a new optimizer with the arguments and the values of a saved one."""
    space = checkpoint.space_from_json(saved, space, path)
    optimizer = optimizer_type(
        space,
        algorithm=AUTO if saved["algorithm"] == ENUMERATION.name else saved["algorithm"],
        representation=checkpoint.representation_from_json(saved["representation"]),
        budget=saved["budget"],
        target=saved["target"],
        seed=saved["seed"],
        restart=saved["restart"],
        cache=saved["cache"],
        x0=[space.decode(point) for point in saved.get("x0", [])] or None,
        **saved["parameters"],
    )
    optimizer._choice = optimizer._choice._replace(reason=str(saved.get("choice", "")))
    for categories, value in saved["known"]:
        optimizer.tell([space.decode(categories)], [value_from_json(value)])
    if saved["begun"]:
        values = [value_from_json(value) for value in saved["values"]]
        optimizer._saved = values
        optimizer._failed = checked_count("failures", saved.get("failed", 0) + 1) - 1
        optimizer._begin()
        optimizer._listen()
        if optimizer._digest.hexdigest() != saved["points"]:
            optimizer.close()
            raise BadValue(
                f"{path} cannot be continued: it was saved by catcube {saved['catcube']}, "
                f"whose search evaluates other points than that of {__version__}"
            )
    return optimizer
